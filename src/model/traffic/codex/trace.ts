/** `CODEX_ROLLOUT_TRACE_ROOT=DIR`: events in `trace.jsonl`, whole requests and answers in files beside it (`SPEC.md`, CDX6). */
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { type Call, callWithBody } from '../call.ts';
import type { PlacedPiece } from '../recording/pieces.ts';
import type { SourceFault } from '../recording/types.ts';
import { codexConversation } from './conversation.ts';
import { codexUsage } from './usage.ts';

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const folderOf = (file: string): string => file.slice(0, file.search(/[^/\\]*$/));

const pathOf = (payload: JsonObject, key: string): string | undefined => {
  const named = payload[key];
  return isObject(named) ? text(named['path']) : undefined;
};

interface Started {
  readonly file: string;
  readonly line: number;
  readonly at: number;
  readonly event: JsonObject;
  readonly payload: JsonObject;
  end?: { readonly at: number; readonly payload: JsonObject };
}

interface Joined {
  readonly calls: readonly Call[];
  readonly faults: readonly SourceFault[];
  /** Files that a trace names, whether they hold a call or not. */
  readonly named: ReadonlySet<string>;
}

const PATH = /"path":"((?:[^"\\]|\\.)+)"/g;

export const joinTraces = (pieces: readonly PlacedPiece[]): Joined => {
  const payloads = new Map<string, { readonly text: () => string; readonly value: JsonObject }>();
  const started = new Map<string, Started>();
  const named = new Set<string>();
  for (const { file, piece } of pieces) if (piece.kind === 'payload') payloads.set(file, piece);
  for (const { file, piece } of pieces) {
    if (piece.kind !== 'trace') continue;
    const { event, line } = piece;
    const payload = isObject(event['payload']) ? event['payload'] : {};
    for (const [, path = ''] of JSON.stringify(payload).matchAll(PATH)) named.add(folderOf(file) + path);
    const id = text(payload['inference_call_id']);
    const at = typeof event['wall_time_unix_ms'] === 'number' ? event['wall_time_unix_ms'] : 0;
    if (id === undefined) continue;
    const key = `${folderOf(file)} ${id}`;
    if (payload['type'] === 'inference_started') started.set(key, { file, line, at, event, payload });
    else {
      const known = started.get(key);
      if (known) known.end = { at, payload };
    }
  }
  const calls: Call[] = [];
  const faults: SourceFault[] = [];
  for (const { file, line, at, event, payload, end } of started.values()) {
    const request = payloads.get(folderOf(file) + (pathOf(payload, 'request_payload') ?? ''));
    const answer = end && payloads.get(folderOf(file) + (pathOf(end.payload, 'response_payload') ?? ''))?.value;
    if (!request)
      faults.push({ file, line, message: 'the file with this request is missing, so its body is unknown.' });
    const usage = codexUsage(answer?.['token_usage']);
    const id = text(answer?.['response_id']) ?? text(end?.payload['response_id']);
    const isFailed = end !== undefined && end.payload['type'] !== 'inference_completed';
    const told = codexConversation(request?.value);
    const thread = text(event['thread_id']);
    const facts: Omit<Call, 'body'> = {
      ...(id !== undefined && { id }),
      provider: 'openai',
      wire: 'openai-responses',
      model: text(request?.value['model']) ?? text(payload['model']) ?? '',
      startedAt: at,
      ...(end && { endedAt: end.at }),
      ...(usage && { usage, ...(answer && { rawUsage: answer['token_usage'] }) }),
      ...(answer && { response: { ...(id !== undefined && { id }), content: answer['output_items'] ?? [] } }),
      ...(isFailed && { failed: true }),
      ...(!request && { known: 'absent' as const }),
      ...(end ? {} : { notes: ['No response was recorded. The request failed, or it was still running.'] }),
      source: { file, line },
      harness: { name: 'codex' },
      ...(thread !== undefined && { sessionId: thread, conversation: { id: thread, kind: 'main' as const } }),
      ...told,
    };
    calls.push(callWithBody(facts, request ? request.text : () => '{}'));
  }
  return { calls, faults, named };
};
