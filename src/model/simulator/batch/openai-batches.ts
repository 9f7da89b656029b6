/** The Batch API, as OpenAI serves it: a file goes in, and one or two come out. */
import { isObject, parseJson, type JsonObject } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { fieldsOf, textOf } from '../json-read.ts';
import { invalid, type SimError } from '../sim-error.ts';
import { createOpenaiFiles, isOpenaiFile } from './openai-files.ts';
import { createKept, pageOfList, type BatchCall, type BatchReply } from './types.ts';
import { startWork, type AnswerRow, type BatchClock, type BatchRow, type BatchWork, type RowResult } from './work.ts';

const ROOT = '/v1/batches';
const MOST_ROWS = 50_000;
const MOST_BATCHES = 200;
const MOST_FAULTS = 100;
const ENDPOINTS: ReadonlySet<string> = new Set(['/v1/responses', '/v1/chat/completions']);

interface InputFault {
  readonly code: string;
  readonly line: number | null;
  readonly message: string;
  readonly param: string | null;
}

interface Batch {
  readonly id: string;
  readonly input: string;
  readonly endpoint: string;
  readonly metadata: JsonObject | null;
  readonly model: string | null;
  readonly faults: readonly InputFault[];
  readonly work: BatchWork;
  output: { readonly outputFile: string | null; readonly errorFile: string | null } | undefined;
}

const secondsOf = (ms: number | undefined): number | null => (ms === undefined ? null : Math.floor(ms / 1000));

const notFound = (id: string): SimError => ({
  status: 404,
  type: 'invalid_request_error',
  message: `No batch found with id '${id}'.`,
});

interface Input {
  readonly rows: readonly BatchRow[];
  readonly faults: readonly InputFault[];
  readonly model: string | null;
}

/** A wrong file is found after the batch was created, and fails it as a whole. */
const readInput = (text: string, endpoint: string): Input => {
  const rows: BatchRow[] = [];
  const faults: InputFault[] = [];
  const seen = new Set<string>();
  let model: string | null = null;
  const fault = (code: string, message: string, line: number | null, param: string | null = null): void => {
    if (faults.length < MOST_FAULTS) faults.push({ code, line, message, param });
  };
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const at = index + 1;
    const row = valueOr(parseJson(line), undefined);
    if (!isObject(row)) {
      fault('invalid_json_line', 'This line is not parseable as valid JSON.', at);
      continue;
    }
    const { custom_id: customId, method, url, body } = row;
    if (typeof customId !== 'string' || customId === '')
      fault('missing_required_parameter', "Missing required parameter: 'custom_id'.", at, 'custom_id');
    else if (seen.has(customId))
      fault('duplicate_custom_id', `The custom_id for this line is a duplicate of another request.`, at, 'custom_id');
    else if (method !== 'POST') fault('invalid_method', "The 'method' of a request must be POST.", at, 'method');
    else if (url !== endpoint)
      fault('url_mismatch', `The URL provided for this request does not match the batch endpoint.`, at, 'url');
    else if (!isObject(body)) fault('missing_required_parameter', "Missing required parameter: 'body'.", at, 'body');
    else if (model !== null && textOf(body['model']) !== model)
      fault('model_mismatch', 'All requests of a batch must have the same model.', at, 'body.model');
    else {
      model ??= textOf(body['model']);
      seen.add(customId);
      rows.push({
        customId,
        path: endpoint,
        body: JSON.stringify(body),
        ...(body['stream'] === true && { fault: 'Streaming is not supported in a batch.' }),
      });
    }
  }
  if (rows.length === 0 && faults.length === 0) fault('empty_file', 'The input file is empty.', null);
  if (rows.length > MOST_ROWS) fault('too_many_tasks', `A batch has at most ${MOST_ROWS} requests.`, null);
  return { rows: faults.length === 0 ? rows : [], faults, model };
};

const isGood = ({ answer }: RowResult): boolean => answer?.status === 200 && answer.json !== undefined;

const FAILED = { error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } };

const LEFT = {
  expired: 'This request could not be executed before the completion window expired.',
  canceled: 'This request was not executed because the batch was cancelled.',
} as const;

const lineOf = (batch: Batch, row: RowResult, index: number): string => {
  const head = { id: `batch_req_${batch.id.slice(6, 22)}${index}`, custom_id: row.customId };
  if (row.kind !== 'answered')
    return `${JSON.stringify({
      ...head,
      response: null,
      error: { code: row.kind === 'expired' ? 'batch_expired' : 'batch_cancelled', message: LEFT[row.kind] },
    })}\n`;
  const { answer } = row;
  const status = answer?.json ? answer.status : 500;
  const response = { status_code: status, request_id: answer?.requestId ?? null, body: answer?.json ?? FAILED };
  return `${JSON.stringify({ ...head, response, error: null })}\n`;
};

export const createOpenaiBatches = (clock: BatchClock) => {
  const files = createOpenaiFiles(clock.now);
  const kept = createKept<Batch>(MOST_BATCHES);

  const settle = async (batch: Batch, call: BatchCall): Promise<void> => {
    await batch.work.settle();
    if (batch.output || batch.work.endedAt() === undefined || batch.faults.length > 0) return;
    const results = batch.work.results();
    const part = (name: string, isWanted: (row: RowResult) => boolean): string | null => {
      const lines = results.flatMap((row, index) => (isWanted(row) ? [lineOf(batch, row, index)] : []));
      return lines.length === 0 ? null : files.write(call, `${batch.id}_${name}.jsonl`, lines);
    };
    batch.output = { outputFile: part('output', isGood), errorFile: part('error', (row) => !isGood(row)) };
  };

  const statusOf = ({ work, faults }: Batch, isNew: boolean): string => {
    if (isNew) return 'validating';
    if (faults.length > 0) return 'failed';
    if (work.endedAt() === undefined) return work.canceledAt() === undefined ? 'in_progress' : 'cancelling';
    if (work.isExpired()) return 'expired';
    return work.canceledAt() === undefined ? 'completed' : 'cancelled';
  };

  const shown = (batch: Batch, isNew = false) => {
    const { id, work, faults, output } = batch;
    const status = statusOf(batch, isNew);
    const at = (word: string): number | null => (status === word ? secondsOf(work.endedAt()) : null);
    const good = work.results().filter(isGood).length;
    return {
      id,
      object: 'batch',
      endpoint: batch.endpoint,
      model: batch.model,
      errors: status === 'failed' ? { object: 'list', data: faults } : null,
      input_file_id: batch.input,
      completion_window: '24h',
      status,
      output_file_id: output?.outputFile ?? null,
      error_file_id: output?.errorFile ?? null,
      created_at: secondsOf(work.createdAt),
      in_progress_at: isNew || faults.length > 0 ? null : secondsOf(work.createdAt),
      expires_at: secondsOf(work.expiresAt),
      finalizing_at: at('completed'),
      completed_at: at('completed'),
      failed_at: status === 'failed' ? secondsOf(work.createdAt) : null,
      expired_at: at('expired'),
      cancelling_at: secondsOf(work.canceledAt()),
      cancelled_at: at('cancelled'),
      request_counts: { total: isNew ? 0 : work.total, completed: good, failed: work.done() - good },
      metadata: batch.metadata,
    };
  };

  const create = (call: BatchCall, answer: AnswerRow): BatchReply => {
    const body = fieldsOf(valueOr(parseJson(call.body), undefined));
    const { input_file_id: input, endpoint, completion_window: window, metadata } = body;
    for (const name of ['input_file_id', 'endpoint', 'completion_window'])
      if (typeof body[name] !== 'string')
        return { error: invalid(`Missing required parameter: '${name}'.`, { param: name }) };
    if (!ENDPOINTS.has(textOf(endpoint)))
      return { error: invalid(`Invalid value: '${textOf(endpoint)}'.`, { param: 'endpoint' }) };
    if (window !== '24h')
      return { error: invalid("Invalid value for 'completion_window'.", { param: 'completion_window' }) };
    const file = files.get(call.scope, textOf(input));
    if (!file) return { error: invalid(`No such File object: ${textOf(input)}`, { param: 'input_file_id' }) };
    const id = call.ids.hex('batch').slice(0, 38);
    const { rows, faults, model } = readInput(file.lines.join(''), textOf(endpoint));
    const batch: Batch = {
      id,
      input: textOf(input),
      endpoint: textOf(endpoint),
      metadata: isObject(metadata) ? metadata : null,
      model,
      faults,
      work: startWork(id, rows, answer, clock),
      output: undefined,
    };
    kept.add(call.scope, id, batch);
    return { body: shown(batch, true) };
  };

  const handle = async (call: BatchCall, answer: AnswerRow): Promise<BatchReply | undefined> => {
    const { method, path, scope, query } = call;
    if (isOpenaiFile(path)) return files.handle(call);
    if (path === ROOT && method === 'POST') return create(call, answer);
    if (path === ROOT && method === 'GET') {
      const all = kept.list(scope);
      for (const batch of all) await settle(batch, call);
      const page = pageOfList(all, query, { after: 'after', most: 100 });
      if (!page) return { error: invalid("Invalid 'limit'.", { param: 'limit' }) };
      const data = page.data.map((batch) => shown(batch));
      return {
        body: {
          object: 'list',
          data,
          has_more: page.hasMore,
          first_id: data[0]?.id ?? null,
          last_id: data.at(-1)?.id ?? null,
        },
      };
    }
    const [id = '', action, ...more] = path.slice(ROOT.length + 1).split('/');
    const batch = kept.get(scope, id);
    if (more.length > 0) return undefined;
    if (!batch) return { error: notFound(id) };
    await settle(batch, call);
    if (method === 'GET' && action === undefined) return { body: shown(batch) };
    if (method !== 'POST' || action !== 'cancel') return undefined;
    const status = statusOf(batch, false);
    if (status !== 'in_progress' && status !== 'cancelling')
      return { error: invalid(`Cannot cancel a batch with status '${status}'.`) };
    batch.work.cancel();
    return { body: shown(batch) };
  };
  return {
    handle,
    clear: () => {
      files.clear();
      kept.clear();
    },
  };
};

export const isOpenaiBatch = (path: string): boolean =>
  isOpenaiFile(path) || path === ROOT || path.startsWith(`${ROOT}/`);
