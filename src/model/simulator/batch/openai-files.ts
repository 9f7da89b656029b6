/** Files, as far as OpenAI's batches need them. */
import { invalid, type SimError } from '../sim-error.ts';
import { readForm } from './multipart.ts';
import { createKept, pageOfList, type BatchCall, type BatchReply } from './types.ts';

const ROOT = '/v1/files';
const MOST_FILES = 400;
const DAYS_KEPT = 30;
const DAY_SECONDS = 86_400;

export interface StoredFile {
  readonly id: string;
  readonly lines: readonly string[];
  readonly shown: object;
}

export interface OpenaiFiles {
  readonly handle: (call: BatchCall) => BatchReply | undefined;
  readonly get: (scope: string, id: string) => StoredFile | undefined;
  /** The id of a file with these lines. */
  readonly write: (call: Pick<BatchCall, 'scope' | 'ids'>, name: string, lines: readonly string[]) => string;
  readonly clear: () => void;
}

const notFound = (id: string): SimError => ({
  status: 404,
  type: 'invalid_request_error',
  message: `No such File object: ${id}`,
  param: 'id',
});

export const createOpenaiFiles = (now: () => number): OpenaiFiles => {
  const kept = createKept<StoredFile>(MOST_FILES);

  const add = (
    { scope, ids }: Pick<BatchCall, 'scope' | 'ids'>,
    filename: string,
    purpose: string,
    lines: readonly string[],
  ): StoredFile => {
    const id = ids.hex('file').replace('_', '-').slice(0, 29);
    const created = Math.floor(now() / 1000);
    const file: StoredFile = {
      id,
      lines,
      shown: {
        id,
        object: 'file',
        bytes: lines.reduce((sum, line) => sum + new TextEncoder().encode(line).length, 0),
        created_at: created,
        expires_at: created + DAYS_KEPT * DAY_SECONDS,
        filename,
        purpose,
        status: 'processed',
        status_details: null,
      },
    };
    kept.add(scope, id, file);
    return file;
  };

  const upload = (call: BatchCall): BatchReply => {
    const form = readForm(call.headers['content-type'], call.body);
    if (!form) return { error: invalid('The request must be multipart/form-data with `file` and `purpose`.') };
    const purpose = form.find(({ name }) => name === 'purpose')?.text;
    const file = form.find(({ name, fileName }) => name === 'file' && fileName !== undefined);
    if (purpose === undefined)
      return { error: invalid("Missing required parameter: 'purpose'.", { param: 'purpose' }) };
    if (!file) return { error: invalid("Missing required parameter: 'file'.", { param: 'file' }) };
    if (purpose !== 'batch')
      return { error: invalid(`The simulator takes files for batches only; '${purpose}' is another purpose.`) };
    return { body: add(call, file.fileName ?? 'file', purpose, [file.text]).shown };
  };

  const handle = (call: BatchCall): BatchReply | undefined => {
    const { method, path, scope, query } = call;
    if (path === ROOT && method === 'POST') return upload(call);
    if (path === ROOT && method === 'GET') {
      const page = pageOfList(kept.list(scope), query, { after: 'after', most: 10_000 });
      if (!page) return { error: invalid("Invalid 'limit'.", { param: 'limit' }) };
      const data = page.data.map(({ shown }) => shown);
      return {
        body: {
          object: 'list',
          data,
          has_more: page.hasMore,
          first_id: page.data[0]?.id ?? null,
          last_id: page.data.at(-1)?.id ?? null,
        },
      };
    }
    const [id = '', action, ...more] = path.slice(ROOT.length + 1).split('/');
    if (more.length > 0) return undefined;
    const file = kept.get(scope, id);
    if (!file) return { error: notFound(id) };
    if (method === 'GET' && action === 'content') return { lines: file.lines };
    if (method === 'GET' && action === undefined) return { body: file.shown };
    if (method === 'DELETE' && action === undefined) {
      kept.remove(scope, id);
      return { body: { id, object: 'file', deleted: true } };
    }
    return undefined;
  };

  return {
    handle,
    get: kept.get,
    write: (call, name, lines) => add(call, name, 'batch_output', lines).id,
    clear: kept.clear,
  };
};

export const isOpenaiFile = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`);
