/** Reads a body for its cache: which blocks it has in render order, where its markers are, which parameters take part. */
import { err, ok, type Result } from '../../base/result.ts';
import { LineIndex } from '../../base/text.ts';
import type { Wire } from '../provider/types.ts';
import { readAnthropic } from './read-anthropic.ts';
import { readChat, readResponses } from './read-openai.ts';
import { ItemCache, stringAt } from './read-parts.ts';
import { createRecentTexts, rescanJson, type Scanned } from '../../base/json-rescan.ts';
import type { CacheRequest } from './types.ts';

interface Kept {
  readonly scanned: Scanned;
  readonly items: ItemCache;
}

const KEPT = new WeakMap<CacheRequest, Kept>();

const READERS = {
  'anthropic-messages': readAnthropic,
  'openai-responses': readResponses,
  'openai-chat': readChat,
} as const;

/** The newest bodies that were read: a session, its verdicts, and the simulator read the same one within a moment. */
const MOST_RECENT = 4;
let newest: readonly { readonly body: string; readonly request: CacheRequest }[] = [];

/**
 * `previous` makes reading an append-only conversation cheap: items that both bodies begin with are not scanned again, and
 * their blocks are the same objects in both requests.
 */
export const readRequest = (body: string, wire: Wire, previous?: CacheRequest): Result<CacheRequest, string> => {
  const known = newest.find(({ body: other, request }) => request.wire === wire && other === body);
  // One whose scan is gone would make the next body slow to read.
  if (known && KEPT.has(known.request)) return ok(known.request);
  const kept = previous?.wire === wire ? KEPT.get(previous) : undefined;
  const scan = rescanJson(body, kept?.scanned);
  if (!scan.ok) {
    const { line, column } = new LineIndex(body).positionAt(scan.error.offset);
    return err(`the body is not JSON: ${scan.error.message} (line ${line}, column ${column})`);
  }
  const root = scan.value;
  if (root.kind !== 'object') return err('the body is not a JSON object');
  const model = stringAt(body, root, 'model');
  if (model === undefined) return err('the body names no model: "model" is missing or not a string');
  const items = new ItemCache(kept?.items);
  const request: CacheRequest = { wire, ...READERS[wire](body, root, model, items) };
  KEPT.set(request, { scanned: { text: body, root }, items });
  newest = [{ body, request }, ...newest].slice(0, MOST_RECENT);
  return ok(request);
};

/** Frees what only helps to read the next body. A request that nobody will continue from would hold its whole body by it. */
const forgetScan = (request: CacheRequest): void => void KEPT.delete(request);

/** Reads the bodies of a recording one after the other: of each only what none of the latest conversations had is scanned. */
export const createRequestReading = (): ((body: string, wire: Wire) => Result<CacheRequest, string>) => {
  const recent = createRecentTexts<CacheRequest>(forgetScan);
  return (body, wire) => {
    const read = readRequest(body, wire, recent.likest(body));
    if (read.ok) recent.add(body, read.value);
    return read;
  };
};
