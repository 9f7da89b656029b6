/** Message Batches, as Anthropic serves them. */
import { isObject, parseJson, type JsonObject } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { fieldsOf, listOf, textOf } from '../json-read.ts';
import { invalid, type SimError } from '../sim-error.ts';
import { createKept, pageOfList, type BatchCall, type BatchReply } from './types.ts';
import { startWork, type AnswerRow, type BatchClock, type BatchRow, type BatchWork, type RowResult } from './work.ts';

const ROOT = '/v1/messages/batches';
const MOST_ROWS = 100_000;
const MOST_BATCHES = 200;
const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/;

interface Batch {
  readonly id: string;
  readonly work: BatchWork;
}

const timeOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

const notFound = (id: string): SimError => ({
  status: 404,
  type: 'not_found_error',
  message: `Batch not found: ${id}`,
});

type RowType = 'succeeded' | 'errored' | 'canceled' | 'expired';

const typeOf = ({ kind, answer }: RowResult): RowType =>
  kind !== 'answered' ? kind : answer?.status === 200 && answer.json ? 'succeeded' : 'errored';

/** Counts stay in `processing` until the whole batch has ended. */
const countsOf = (work: BatchWork): Readonly<Record<'processing' | RowType, number>> => {
  const counts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  if (work.endedAt() === undefined) return { ...counts, processing: work.total };
  for (const result of work.results()) counts[typeOf(result)]++;
  return counts;
};

const shown = ({ id, work }: Batch, origin: string) => {
  const endedAt = work.endedAt();
  return {
    id,
    type: 'message_batch',
    processing_status: endedAt !== undefined ? 'ended' : work.canceledAt() !== undefined ? 'canceling' : 'in_progress',
    request_counts: countsOf(work),
    ended_at: timeOf(endedAt),
    created_at: timeOf(work.createdAt),
    expires_at: timeOf(work.expiresAt),
    archived_at: null,
    cancel_initiated_at: timeOf(work.canceledAt()),
    results_url: endedAt === undefined ? null : `${origin}${ROOT}/${id}/results`,
  };
};

const FAILED: JsonObject = { type: 'api_error', message: 'Internal server error' };

const lineOf = (row: RowResult): string => {
  const type = typeOf(row);
  const json = row.answer?.json ?? {};
  const result =
    type === 'succeeded'
      ? { type, message: { ...json, usage: { ...fieldsOf(json['usage']), service_tier: 'batch' } } }
      : type === 'errored'
        ? {
            type,
            error: {
              type: 'error',
              error: isObject(json['error']) ? json['error'] : FAILED,
              request_id: row.answer?.requestId ?? null,
            },
          }
        : { type };
  return `${JSON.stringify({ custom_id: row.customId, result })}\n`;
};

/** What cannot be asked in a batch; told as an errored row, as the real API does. */
const faultOf = (params: JsonObject): string | undefined =>
  params['stream'] === true
    ? 'stream: streaming is not supported in a batch'
    : params['max_tokens'] === 0
      ? 'max_tokens: Input should be greater than or equal to 1'
      : undefined;

const rowsOf = (body: string): readonly BatchRow[] | string => {
  const json = valueOr(parseJson(body), undefined);
  if (!isObject(json)) return 'The request body is not valid JSON: it must be one JSON object.';
  if (!Array.isArray(json['requests'])) return 'requests: Field required';
  const requests = listOf(json['requests']);
  if (requests.length === 0) return 'requests: List should have at least 1 item after validation, not 0';
  if (requests.length > MOST_ROWS) return `requests: List should have at most ${MOST_ROWS} items after validation`;
  const seen = new Set<string>();
  const rows: BatchRow[] = [];
  for (const [index, request] of requests.entries()) {
    const { custom_id: customId, params } = fieldsOf(request);
    if (typeof customId !== 'string' || !CUSTOM_ID.test(customId))
      return `requests.${index}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`;
    if (seen.has(customId)) return `requests.${index}.custom_id: custom_id must be unique, “${customId}” is not`;
    if (!isObject(params)) return `requests.${index}.params: Field required`;
    seen.add(customId);
    const fault = faultOf(params);
    rows.push({ customId, path: '/v1/messages', body: JSON.stringify(params), ...(fault !== undefined && { fault }) });
  }
  return rows;
};

export const createAnthropicBatches = (clock: BatchClock) => {
  const kept = createKept<Batch>(MOST_BATCHES);

  const list = async ({ scope, query, origin }: BatchCall): Promise<BatchReply> => {
    const all = kept.list(scope);
    for (const { work } of all) await work.settle();
    const page = pageOfList(all, query, { after: 'after_id', before: 'before_id', most: 1000 });
    if (!page) return { error: invalid('limit: Input should be between 1 and 1000') };
    const data = page.data.map((batch) => shown(batch, origin));
    return {
      body: { data, has_more: page.hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
    };
  };

  const handle = async (call: BatchCall, answer: AnswerRow): Promise<BatchReply | undefined> => {
    const { method, path, scope, origin, ids } = call;
    if (path === ROOT && method === 'GET') return list(call);
    if (path === ROOT && method === 'POST') {
      const rows = rowsOf(call.body);
      if (typeof rows === 'string') return { error: invalid(rows) };
      const id = ids.short('msgbatch');
      const batch = { id, work: startWork(id, rows, answer, clock) };
      kept.add(scope, id, batch);
      return { body: shown(batch, origin) };
    }
    const [id = '', action, ...more] = path.slice(ROOT.length + 1).split('/');
    if (more.length > 0) return undefined;
    const batch = kept.get(scope, id);
    if (!batch) return { error: notFound(id) };
    const { work } = batch;
    await work.settle();
    const isEnded = work.endedAt() !== undefined;
    switch (`${method} ${action ?? ''}`) {
      case 'GET ':
        return { body: shown(batch, origin) };
      case 'GET results':
        return isEnded
          ? { lines: work.results().map(lineOf) }
          : { error: invalid(`Batch ${textOf(id)} has no results yet: it is still in progress.`) };
      case 'POST cancel':
        if (isEnded) return { error: invalid(`Batch ${id} cannot be canceled: it has ended.`) };
        work.cancel();
        return { body: shown(batch, origin) };
      case 'DELETE ':
        if (!isEnded)
          return { error: invalid(`Batch ${id} cannot be deleted while it is in progress. Cancel it first.`) };
        kept.remove(scope, id);
        return { body: { id, type: 'message_batch_deleted' } };
      default:
        return undefined;
    }
  };
  return { handle, clear: kept.clear };
};

export const isAnthropicBatch = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`);
