/** The explainer's verdict as an event. */
import { explain } from '../cache/explain/explain.ts';
import { previousOf } from '../cache/explain/previous.ts';
import type { ExplainContext } from '../cache/explain/types.ts';
import type { Explain } from './shadow.ts';

/** Enough to recognise a place; a whole prompt would be too much in an event. */
const EXCERPT = 200;

export const createExplain =
  (options: Pick<ExplainContext, 'tokens' | 'book'> = {}): Explain =>
  (current, history) => {
    const calls = history.map(({ call }) => call);
    const previous = previousOf(calls, current.call, options.book);
    const verdict = explain(previous, current.call, { ...options, history: calls });
    const compared = history.find(({ call }) => call === verdict.comparedWith);
    const { position } = verdict;
    return {
      request_id: current.requestId,
      previous_request_id: compared?.requestId ?? null,
      cause: verdict.cause,
      partial: verdict.partial,
      position: position && {
        label: position.label,
        path: position.path,
        offset: position.offset,
        before: position.before.slice(0, EXCERPT),
        after: position.after.slice(0, EXCERPT),
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
