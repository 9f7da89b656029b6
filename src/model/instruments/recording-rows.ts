/** Recorded requests in the shape of a session's: with a prediction and a verdict for each. */
import { createBlockCounter } from '../cache/block-tokens.ts';
import { createCacheModel } from '../cache/engine.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheRequest, RecordedCall } from '../cache/types.ts';
import { costOf } from '../provider/cost.ts';
import { modelFacts } from '../provider/model-book.ts';
import type { Tokenizer } from '../provider/types.ts';
import { explainedPayload } from '../session/verdicts.ts';
import type { Call } from '../traffic/call.ts';
import type { Chain } from '../traffic/chains.ts';
import { createExplainer, type Explained } from '../traffic/explainer.ts';
import { codePointLength } from '../../base/text.ts';
import { segmentsOfBody } from './body-segments.ts';
import { shareBeforePlace } from './request-bodies.ts';
import { notchOf, splitOfUsage, type TokenSplit, type WaterfallRow } from './waterfall-view.ts';

export interface RecordedRow {
  readonly row: WaterfallRow;
  readonly call: Call;
  readonly chain: Chain;
  readonly explained: Explained;
}

export interface RecordingOptions {
  /** Absent: four characters are a token. */
  readonly tokenizer?: Tokenizer;
  /** Called behind every request; a promise is waited for, so that a page can draw. */
  readonly onRow?: (done: number) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

export const byCharacters: Tokenizer = {
  count: (texts) => Promise.resolve(texts.map((text) => Math.ceil(codePointLength(text) / 4))),
};

/** Of a request by its place in time, from 1. */
export const rowKey = (place: number): string => `recorded-${place}`;
export const placeOfKey = (key: string): number => Number(key.slice(rowKey(0).length - 1));

/** In the order of their time. Stops early when the signal is aborted. */
export const recordedRows = async (
  calls: readonly Call[],
  { tokenizer = byCharacters, onRow, signal }: RecordingOptions = {},
): Promise<readonly RecordedRow[]> => {
  const count = createBlockCounter(tokenizer);
  const model = createCacheModel({});
  const explainer = createExplainer();
  const keys = new WeakMap<RecordedCall, string>();
  const rows: RecordedRow[] = [];
  let last: CacheRequest | undefined;
  const sorted = calls.toSorted((a, b) => a.startedAt - b.startedAt);

  const predict = async (call: RecordedCall): Promise<TokenSplit | undefined> => {
    const read = readRequest(call.body, call.wire, last);
    if (!read.ok) return undefined;
    last = read.value;
    const prepared = {
      request: read.value,
      tokens: await count(read.value, modelFacts(call.model)),
      estimated: true,
      startedAt: call.startedAt,
      scope: `${call.provider} ${call.keyId ?? ''}`,
    };
    const { usage } = model.predict(prepared);
    const sent = model.send(prepared);
    if (call.failed === true) sent.failed();
    else sent.answered(call.firstByteAt ?? call.endedAt ?? call.startedAt);
    return {
      read: usage.read,
      written: Object.values(usage.writes).reduce((sum: number, tokens) => sum + tokens, 0),
      uncached: usage.uncached,
    };
  };

  for (const [index, call] of sorted.entries()) {
    if (signal?.aborted) break;
    const key = rowKey(index + 1);
    const predicted = await predict(call);
    keys.set(call, key);
    const explained = explainer.add(call);
    const previous = explained.verdict.comparedWith;
    const verdict =
      call.failed === true
        ? undefined
        : explainedPayload(key, explained.verdict, (previous && keys.get(previous)) ?? null);
    const position = explained.verdict.kind === 'miss' ? explained.verdict.position : null;
    const read = position ? segmentsOfBody(call.body, call.wire) : undefined;
    const share = read?.ok && position ? shareBeforePlace(read.value, position.label, position.offset) : undefined;
    const { usage } = call;
    rows.push({
      call,
      chain: explained.chain,
      explained,
      row: {
        key,
        number: String(index + 1),
        source: 'recording',
        depth: 0,
        nested: 0,
        turnId: undefined,
        model: call.model,
        startedAt: call.startedAt,
        endedAt: call.endedAt,
        chain: { id: explained.chain.id, kind: explained.chain.kind },
        status: call.failed === true ? 'failed' : 'completed',
        usage,
        actual: usage && { ...splitOfUsage(usage), output: usage.output },
        predicted,
        isUncertain: true,
        costUsd: usage && costOf(usage, call.model).usd,
        verdict,
        kind: verdict?.kind,
        notch: notchOf(usage, verdict, share),
        failure: call.failed === true ? 'The provider refused or broke off.' : undefined,
        modelChanged: index > 0 && sorted[index - 1]?.model !== call.model,
      },
    });
    await onRow?.(index + 1);
  }
  return rows;
};
