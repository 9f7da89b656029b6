/**
 * What a session says of its own requests, from its journal alone, so that it says the same however long the page has been
 * open and wherever the journal is read. Only of its start it says more: what other sessions left is not in the journal.
 */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Verdict } from '../cache/explain/types.ts';
import type { LatheEvent, Payload } from '../event/types.ts';
import type { ModelBook } from '../provider/model-book.ts';
import type { Call } from '../traffic/call.ts';
import { createExplainer } from '../traffic/explainer.ts';
import { createJournalCalls } from '../traffic/journal-calls.ts';

/** Enough to recognize a place; a whole prompt would be too much in an event. */
const EXCERPT = 200;

export const explainedPayload = (
  requestId: string,
  verdict: Verdict,
  previousId: string | null,
): Payload<'cache.explained'> => {
  const { position } = verdict;
  return {
    request_id: requestId,
    previous_request_id: previousId,
    kind: verdict.kind,
    cause: verdict.cause,
    partial: verdict.partial,
    position: position && {
      label: position.label,
      path: position.path,
      offset: position.offset,
      before: position.before.slice(0, EXCERPT),
      after: position.after.slice(0, EXCERPT),
      ...(position.segment && { segment: { ...position.segment } }),
    },
    evidence: [...verdict.evidence],
    provider_said: verdict.providerSaid,
    usage_says: verdict.usageSays,
    repair: verdict.repair,
    certainty: verdict.certainty,
    lost_tokens: verdict.tokensLost,
    lost_usd: verdict.costLost ?? null,
  };
};

/** The newest calls of sessions that continue side by side or one after the other. */
export interface Neighbors {
  readonly remember: (call: Call) => void;
  /** Those of other sessions. */
  readonly of: (sessionId: string) => readonly Call[];
  readonly clear: () => void;
}

const MAX_NEIGHBORS = 8;

export const createNeighbors = (): Neighbors => {
  const bySession = new Map<string, Call>();
  return {
    remember: (call) => {
      const id = call.sessionId ?? '';
      bySession.delete(id);
      bySession.set(id, call);
      const [oldest] = bySession.keys();
      if (bySession.size > MAX_NEIGHBORS && oldest !== undefined) bySession.delete(oldest);
    },
    of: (sessionId) => [...bySession.values()].filter((call) => call.sessionId !== sessionId),
    clear: () => bySession.clear(),
  };
};

export interface VerdictsDeps {
  readonly sessionId: string;
  readonly byId: (id: string) => LatheEvent | undefined;
  /** Bodies that the session still has, by the event that sent them. */
  readonly sentBody?: (id: string) => string | undefined;
  readonly neighbors: Neighbors;
  readonly log: Log;
  readonly book?: ModelBook;
}

export interface SessionVerdicts {
  /** Every event of the journal, in order. Gives the verdict on the request that this one ended. */
  readonly add: (event: LatheEvent) => Payload<'cache.explained'> | undefined;
}

export const createSessionVerdicts = (deps: VerdictsDeps): SessionVerdicts => {
  const { neighbors, sessionId, log, book } = deps;
  const calls = createJournalCalls(deps.byId, deps.sentBody);
  const explainer = createExplainer({ neighbors: () => neighbors.of(sessionId), ...(book && { book }) });
  return {
    add: (event) => {
      const ended = calls.add(event);
      if (!ended?.call) return undefined;
      try {
        const { verdict, chain } = explainer.add(ended.call);
        if (chain.kind === 'main' && ended.call.failed !== true) neighbors.remember(ended.call);
        const previous: Call | null = verdict.comparedWith;
        return explainedPayload(ended.requestId, verdict, previous?.id ?? null);
      } catch (thrown) {
        // A verdict is reported beside the turn; without one the turn continues.
        log({
          level: 'error',
          code: 'cache.no_verdict',
          text: `no verdict on this request: ${errorMessage(thrown)}`,
        });
        return undefined;
      }
    },
  };
};
