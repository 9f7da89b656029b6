/** Both batch APIs: every row is answered as a request of its own would be. */
import { decoded } from '../models.ts';
import type { SimRequest, SimResponse } from '../types.ts';
import { createAnthropicBatches, isAnthropicBatch } from './anthropic-batches.ts';
import { createOpenaiBatches, isOpenaiBatch } from './openai-batches.ts';
import type { BatchCall, BatchReply } from './types.ts';
import type { AnswerRow, BatchClock } from './work.ts';

export const isBatchPath = (path: string): boolean => isAnthropicBatch(path) || isOpenaiBatch(path);

/** `custom_id` up to this is the draw of the noise, so that later turns of one case have the same. */
const DRAW_END = '--';

/** What of the headers that created a batch counts for its rows. */
const ROW_HEADERS = ['authorization', 'x-api-key', 'anthropic-version', 'anthropic-beta'] as const;

export const queryOf = (path: string): ReadonlyMap<string, string> =>
  new Map(
    (path.split('?')[1] ?? '').split('&').map((pair): [string, string] => {
      const [key = '', value = ''] = pair.split('=');
      return [key, decoded(value)];
    }),
  );

export const createBatches = (clock: BatchClock, answer: (request: SimRequest) => Promise<SimResponse>) => {
  const anthropic = createAnthropicBatches(clock);
  const openai = createOpenaiBatches(clock);

  const rowsFor =
    ({ headers }: BatchCall): AnswerRow =>
    async ({ customId, path, body, fault }) => {
      if (fault !== undefined)
        return { status: 400, text: JSON.stringify({ error: { type: 'invalid_request_error', message: fault } }) };
      const own = ROW_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
      const [draw = customId] = customId.split(DRAW_END);
      const response = await answer({
        method: 'POST',
        path,
        headers: { ...Object.fromEntries(own), 'x-lathe-draw': draw },
        body,
      });
      response.begun();
      return { status: response.status, text: response.chunks.map(({ text }) => text).join('') };
    };

  return {
    /** Nothing where there is no such endpoint. */
    handle: (call: BatchCall): Promise<BatchReply | undefined> =>
      isAnthropicBatch(call.path) ? anthropic.handle(call, rowsFor(call)) : openai.handle(call, rowsFor(call)),
    clear: () => {
      anthropic.clear();
      openai.clear();
    },
  };
};
