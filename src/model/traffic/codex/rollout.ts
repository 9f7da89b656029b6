/**
 * Codex rollouts (`~/.codex/sessions`), line by line: the items of a thread, and what its requests used. Definitions of tools are not in
 * them, so a body is put together from the items and is `reconstructed` (`SPEC.md`, CDX1 to CDX5).
 */
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { type Call, callWithBody, type Conversation } from '../call.ts';
import { createJsonLines } from '../recording/json-lines.ts';
import type { RecordingReader } from '../recording/types.ts';
import { codexUsage } from './usage.ts';

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const KINDS = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'token_usage_record',
]);

export const isRolloutLine = (line: string): boolean => {
  if (!line.includes('"payload"')) return false;
  const value = valueOr(parseJson(line), undefined);
  return isObject(value) && 'timestamp' in value && KINDS.has(text(value['type']) ?? '') && isObject(value['payload']);
};

/** Made by the model, not sent to it. */
const isMade = (item: JsonObject): boolean =>
  item['role'] === 'assistant' || item['type'] === 'reasoning' || (text(item['type']) ?? '').endsWith('_call');

const sendable = (item: JsonObject): JsonObject => {
  const { internal_chat_message_metadata_passthrough: _internal, ...rest } = item;
  return rest;
};

interface Draft {
  readonly facts: Omit<Call, 'body'>;
  readonly content: Json[];
  readonly history: readonly JsonObject[];
  readonly count: number;
}

const NO_TOOLS = 'Codex keeps no tool definitions in its rollouts, so the body was put together without them.';
const NO_BODY = 'The rollout has the usage of this request and not its content.';

export const createRolloutReader = (file: string): RecordingReader => {
  const calls: Call[] = [];
  let number = 0;
  let thread = file;
  let session = file;
  let parent: string | undefined;
  let kind: Conversation['kind'] = 'main';
  let version: string | undefined;
  let model = '';
  let base = '';
  let history: JsonObject[] = [];
  let askedAt: number | undefined;
  let draft: Draft | undefined;
  /** The last one that is done, for usage that comes late. */
  let done: Draft | undefined;
  let isCompacted = false;
  let hasRecords = false;
  let total = 0;

  const conversation = (): Conversation => ({
    id: thread,
    kind,
    ...(parent !== undefined && { parent }),
    ...(isCompacted && { isCompacted: true }),
  });
  const facts = (at: number, rest: Partial<Call>): Omit<Call, 'body'> => ({
    provider: 'openai',
    wire: 'openai-responses',
    model,
    startedAt: at,
    sessionId: session,
    source: { file, line: number },
    harness: { name: 'codex', ...(version !== undefined && { version }) },
    conversation: conversation(),
    ...rest,
  });

  const begin = (at: number): Draft => {
    const made: Draft = {
      facts: facts(askedAt ?? at, { known: 'reconstructed', notes: [NO_TOOLS] }),
      content: [],
      history,
      count: history.length,
    };
    const asked = model;
    const system: Json[] =
      base === '' ? [] : [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: base }] }];
    const body = (): string =>
      JSON.stringify({ model: asked, input: [...system, ...made.history.slice(0, made.count)] });
    calls.push(callWithBody(made.facts, body));
    isCompacted = false;
    return made;
  };

  const item = (payload: JsonObject, at: number): void => {
    const kept = sendable(payload);
    if (isMade(payload)) {
      draft ??= begin(at);
      draft.content.push(kept);
      Object.assign(draft.facts, { endedAt: at, response: { content: draft.content } });
    } else {
      if (draft) done = draft;
      draft = undefined;
      askedAt = at;
    }
    history.push(kept);
  };

  const record = (payload: JsonObject, at: number): void => {
    hasRecords = true;
    const usage = codexUsage(payload['usage']);
    const id = text(payload['response_id']);
    const target = draft ?? (done?.facts.usage ? undefined : done);
    const used = {
      ...(id !== undefined && { id }),
      ...(usage && { usage }),
      ...(isObject(payload['usage']) && { rawUsage: payload['usage'] }),
      endedAt: at,
    };
    if (target) Object.assign(target.facts, used);
    else {
      // Asked by Codex itself, such as for a summary: its content is nowhere.
      const hidden: Conversation = { id: `${thread}/${id ?? number}`, kind: 'compaction', parent: thread };
      calls.push(
        callWithBody(
          facts(askedAt ?? at, { ...used, known: 'absent', notes: [NO_BODY], conversation: hidden }),
          () => '{}',
        ),
      );
    }
    if (draft) done = draft;
    draft = undefined;
  };

  /** Older versions: repeated as it was, and once with an estimate behind a compaction; only what grew is a request. */
  const count = (info: JsonObject): void => {
    const sums = isObject(info['total_token_usage']) ? info['total_token_usage'] : {};
    const now = (Number(sums['input_tokens']) || 0) + (Number(sums['output_tokens']) || 0);
    const grew = now > total;
    total = now;
    const target = draft ?? done;
    const usage = codexUsage(info['last_token_usage']);
    if (!grew || !target || target.facts.usage || !usage) return;
    Object.assign(target.facts, { usage, rawUsage: info['last_token_usage'] });
  };

  const event = (payload: JsonObject): void => {
    if (payload['type'] === 'turn_aborted') {
      if (draft) done = draft;
      draft = undefined;
    } else if (payload['type'] === 'token_count' && isObject(payload['info']) && !hasRecords) count(payload['info']);
  };

  const meta = (payload: JsonObject): void => {
    // A fork repeats the meta line of the thread that it comes from.
    if (thread !== file) return;
    thread = text(payload['id']) ?? file;
    session = text(payload['session_id']) ?? thread;
    version = text(payload['cli_version']);
    base = isObject(payload['base_instructions']) ? (text(payload['base_instructions']['text']) ?? '') : '';
    const source = isObject(payload['source']) ? payload['source']['subagent'] : undefined;
    const spawn = isObject(source) && isObject(source['thread_spawn']) ? source['thread_spawn'] : {};
    parent = text(payload['parent_thread_id']) ?? text(spawn['parent_thread_id']);
    if (parent !== undefined || source !== undefined || payload['thread_source'] === 'subagent') kind = 'sub-agent';
    if (source === 'compact') kind = 'compaction';
  };

  const take = (line: JsonObject, lineNumber: number): void => {
    number = lineNumber;
    const payload = isObject(line['payload']) ? line['payload'] : {};
    const stamp = Date.parse(text(line['timestamp']) ?? '');
    const at = Number.isFinite(stamp) ? stamp : (askedAt ?? 0);
    switch (line['type']) {
      case 'session_meta':
        meta(payload);
        return;
      case 'turn_context':
        model = text(payload['model']) ?? model;
        return;
      case 'response_item':
        item(payload, at);
        return;
      case 'token_usage_record':
        record(payload, at);
        return;
      case 'event_msg':
        event(payload);
        return;
      case 'compacted':
        draft = undefined;
        done = undefined;
        history = list(payload['replacement_history']).filter(isObject).map(sendable);
        isCompacted = true;
        askedAt = at;
        return;
      default:
    }
  };

  const lines = createJsonLines(isObject, 'the line is not a JSON object.', take);
  return {
    add: lines.add,
    end: () => ({ calls: [...calls], faults: [...lines.faults] }),
    canGrow: () => true,
  };
};
