/** OpenAI's Batch API: a file goes in, and up to two come out. */
import { ok } from '../../../base/result.ts';
import { readBatchLine, type BatchClient } from '../../../model/provider/batch.ts';
import type { Wire } from '../../../model/provider/types.ts';
import { z } from '../../../model/zod.ts';
import { withoutSlash } from '../client.ts';
import { OPENAI_URL } from '../openai.ts';
import { createBatchHttp, linesOf, notABatch, type BatchConnection } from './batch-http.ts';

const SLACK_SECONDS = 600;

const batchSchema = z.object({
  id: z.string(),
  status: z.string(),
  created_at: z.number(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  errors: z.object({ data: z.array(z.object({ message: z.string().nullish() })).nullish() }).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
const listSchema = z.object({ data: z.array(batchSchema), has_more: z.boolean() });
const fileSchema = z.object({ id: z.string() });

/** `expired` and `cancelled` hold what was done before. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'expired', 'cancelled']);

export const createOpenaiBatchClient = (
  wire: Exclude<Wire, 'anthropic-messages'>,
  connection: BatchConnection,
): BatchClient => {
  const base = withoutSlash(connection.baseUrl ?? OPENAI_URL);
  const endpoint = wire === 'openai-responses' ? '/v1/responses' : '/v1/chat/completions';
  const { apiKey } = connection;
  const http = createBatchHttp(connection, apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` });
  const get = async (id: string) => {
    const url = `${base}/batches/${encodeURIComponent(id)}`;
    const json = await http.json('GET', url);
    if (!json.ok) return json;
    const batch = batchSchema.safeParse(json.value);
    return batch.success ? ok(batch.data) : notABatch(url);
  };
  return {
    create: async (rows, { run, chunk }) => {
      const lines = rows.map(
        ({ id, body }) =>
          `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(endpoint)},"body":${body}}\n`,
      );
      const form = new FormData();
      form.set('purpose', 'batch');
      form.set('file', new Blob(lines, { type: 'application/jsonl' }), `lathe-${chunk}.jsonl`);
      const uploaded = await http.json('POST', `${base}/files`, form);
      if (!uploaded.ok) return uploaded;
      const file = fileSchema.safeParse(uploaded.value);
      if (!file.success) return notABatch(base);
      const json = await http.json(
        'POST',
        `${base}/batches`,
        JSON.stringify({
          input_file_id: file.data.id,
          endpoint,
          completion_window: '24h',
          metadata: { lathe_run: run, lathe_chunk: chunk },
        }),
      );
      if (!json.ok) return json;
      const batch = batchSchema.safeParse(json.value);
      return batch.success ? ok(batch.data.id) : notABatch(base);
    },
    find: async ({ run, chunk, since }) => {
      let after = '';
      for (;;) {
        const json = await http.json('GET', `${base}/batches?limit=100${after}`);
        if (!json.ok) return json;
        const page = listSchema.safeParse(json.value);
        if (!page.success) return notABatch(base);
        const { data, has_more: hasMore } = page.data;
        const found = data.find(({ metadata }) => metadata?.['lathe_run'] === run && metadata['lathe_chunk'] === chunk);
        if (found) return ok([found.id]);
        const last = data.at(-1);
        if (!hasMore || !last || last.created_at < since / 1000 - SLACK_SECONDS) return ok([]);
        after = `&after=${encodeURIComponent(last.id)}`;
      }
    },
    state: async (id) => {
      const batch = await get(id);
      if (!batch.ok) return batch;
      const { status, errors } = batch.value;
      if (ENDED.has(status)) return ok({ kind: 'ended' });
      if (status !== 'failed') return ok({ kind: 'working' });
      const said = errors?.data?.flatMap(({ message }) => (typeof message === 'string' ? [message] : [])) ?? [];
      return ok({ kind: 'failed', message: said.slice(0, 3).join(' ') || 'The provider gives no reason.' });
    },
    results: async function* (id) {
      const batch = await get(id);
      if (!batch.ok) throw new Error(batch.error.message);
      for (const file of [batch.value.output_file_id, batch.value.error_file_id]) {
        if (typeof file !== 'string') continue;
        const url = `${base}/files/${encodeURIComponent(file)}/content`;
        const response = await http.ask('GET', url);
        if (!response.ok) throw new Error(response.error.message);
        for await (const line of linesOf(response.value)) {
          const row = readBatchLine(wire, url, line);
          if (row) yield row;
        }
      }
    },
  };
};
