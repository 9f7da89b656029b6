/** Anthropic's Message Batches. */
import { ok } from '../../../base/result.ts';
import { readBatchLine, type BatchClient } from '../../../model/provider/batch.ts';
import { z } from '../../../model/zod.ts';
import { withoutVersion } from '../anthropic.ts';
import { createBatchHttp, linesOf, notABatch, type BatchConnection } from './batch-http.ts';

const BASE_URL = 'https://api.anthropic.com';
const VERSION = '2023-06-01';
/** A clock of theirs may go a little differently. */
const SLACK_MS = 600_000;

const batchSchema = z.object({
  id: z.string(),
  processing_status: z.string(),
  created_at: z.string(),
  results_url: z.string().nullish(),
  request_counts: z.record(z.string(), z.number()),
});
const listSchema = z.object({ data: z.array(batchSchema), has_more: z.boolean(), last_id: z.string().nullish() });

export const createAnthropicBatchClient = (connection: BatchConnection): BatchClient => {
  const base = withoutVersion(connection.baseUrl ?? BASE_URL);
  const root = `${base}/v1/messages/batches`;
  const http = createBatchHttp(connection, { 'x-api-key': connection.apiKey, 'anthropic-version': VERSION });
  const get = async (url: string) => {
    const json = await http.json('GET', url);
    if (!json.ok) return json;
    const batch = batchSchema.safeParse(json.value);
    return batch.success ? ok(batch.data) : notABatch(url);
  };
  return {
    create: async (rows) => {
      const requests = rows.map(({ id, body }) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`);
      const json = await http.json('POST', root, `{"requests":[${requests.join(',')}]}`);
      if (!json.ok) return json;
      const batch = batchSchema.safeParse(json.value);
      return batch.success ? ok(batch.data.id) : notABatch(root);
    },
    find: async ({ rows, since }) => {
      const found: string[] = [];
      let after = '';
      for (;;) {
        const json = await http.json('GET', `${root}?limit=100${after}`);
        if (!json.ok) return json;
        const page = listSchema.safeParse(json.value);
        if (!page.success) return notABatch(root);
        const young = page.data.data.filter((batch) => Date.parse(batch.created_at) >= since - SLACK_MS);
        for (const { id, request_counts: counts } of young)
          if (Object.values(counts).reduce((sum, count) => sum + count, 0) === rows) found.push(id);
        const { has_more: hasMore, last_id: last } = page.data;
        // Newest first: after an older one there are only older ones.
        if (!hasMore || typeof last !== 'string' || young.length < page.data.data.length) return ok(found);
        after = `&after_id=${encodeURIComponent(last)}`;
      }
    },
    state: async (id) => {
      const batch = await get(`${root}/${encodeURIComponent(id)}`);
      return batch.ok ? ok({ kind: batch.value.processing_status === 'ended' ? 'ended' : 'working' }) : batch;
    },
    results: async function* (id) {
      const batch = await get(`${root}/${encodeURIComponent(id)}`);
      if (!batch.ok) throw new Error(batch.error.message);
      const url = batch.value.results_url ?? `${root}/${encodeURIComponent(id)}/results`;
      if (new URL(url).origin !== new URL(base).origin)
        throw new Error(`The results are at ${new URL(url).host}, and the key goes to ${new URL(base).host} only.`);
      const response = await http.ask('GET', url);
      if (!response.ok) throw new Error(response.error.message);
      for await (const line of linesOf(response.value)) {
        const row = readBatchLine('anthropic-messages', url, line);
        if (row) yield row;
      }
    },
  };
};
