import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { ChatCalls } from './chat-calls.ts';
import {
  BlockList,
  errorOf,
  list,
  object,
  readResult,
  text,
  type ReadResult,
  type StreamReader,
} from './stream-parts.ts';
import type { CallEvent, StopReason } from './types.ts';
import { mergeUsage, usageFromWire } from './usage.ts';

const WIRE = 'openai-chat';

const STOPS: ReadonlyMap<string, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
]);

/** Servers disagree about the name of thinking; whichever came goes back. */
const THINKING_KEYS = ['reasoning_content', 'reasoning', 'thinking'] as const;

/** Pieces of one detail carry the same type and index; their strings are joined. */
const mergeDetails = (details: readonly JsonObject[], more: readonly Json[]): readonly JsonObject[] => {
  const merged = [...details];
  for (const piece of more) {
    if (!isObject(piece)) continue;
    const last = merged.at(-1);
    if (!last || last['type'] !== piece['type'] || last['index'] !== piece['index'] || last['index'] === undefined) {
      merged.push(piece);
      continue;
    }
    const joined: { [key: string]: Json } = { ...last };
    for (const [key, value] of Object.entries(piece)) {
      const before = joined[key];
      const grows = key === 'text' || key === 'summary' || key === 'data';
      if (grows && typeof before === 'string' && typeof value === 'string') joined[key] = before + value;
      else if (value !== null) joined[key] = value;
    }
    merged[merged.length - 1] = joined;
  }
  return merged;
};

/** Older versions of vLLM send an error without a shell around it. */
export const isBareError = (json: JsonObject): boolean => json['object'] === 'error';

export const readChatStream = (): StreamReader => {
  const blocks = new BlockList();
  let thinkingAt: number | undefined;
  let textAt: number | undefined;
  let details: readonly JsonObject[] = [];
  let usage: Json | undefined;
  let facts: Pick<ReadResult, 'responseId' | 'model' | 'upstream'> = {};
  let stopReason: StopReason | undefined;
  let error: ReadResult['error'];
  let fault: string | undefined;

  const complain = (message: string): CallEvent[] => {
    fault ??= message;
    return [];
  };

  const closed = (at: number | undefined): CallEvent[] => (at === undefined ? [] : blocks.stop(at));

  const setThinkingRaw = (raw: Json): void => {
    const block = thinkingAt === undefined ? undefined : blocks.at(thinkingAt);
    if (thinkingAt !== undefined && block?.type === 'thinking') blocks.replace(thinkingAt, { ...block, raw });
  };

  const growThinking = (delta: JsonObject): CallEvent[] => {
    const more = list(delta['reasoning_details']);
    const key = THINKING_KEYS.find((name) => typeof delta[name] === 'string' && delta[name] !== '');
    if (more.length === 0 && key === undefined) return [];
    const events: CallEvent[] = [];
    if (thinkingAt === undefined) {
      thinkingAt = blocks.length;
      events.push(blocks.start({ type: 'thinking', text: '', wire: WIRE, raw: {} }));
    }
    const piece =
      key === undefined ? more.map((detail) => text(object(detail)['text']) ?? '').join('') : (text(delta[key]) ?? '');
    events.push(...blocks.grow(thinkingAt, 'thinking', piece));
    details = mergeDetails(details, more);
    const block = blocks.at(thinkingAt);
    const whole = block?.type === 'thinking' ? block.text : '';
    if (details.length > 0) setThinkingRaw({ reasoning_details: details });
    else if (key !== undefined) setThinkingRaw({ [key]: whole });
    return events;
  };

  const contentText = (content: unknown): string =>
    text(content) ??
    list(content)
      .map((part) => text(object(part)['text']) ?? '')
      .join('');

  const growText = (piece: string): CallEvent[] => {
    if (piece === '') return [];
    const events: CallEvent[] = closed(thinkingAt);
    if (textAt === undefined) {
      textAt = blocks.length;
      events.push(blocks.start({ type: 'text', text: '' }));
    }
    return [...events, ...blocks.grow(textAt, 'text', piece)];
  };

  const calls = new ChatCalls(blocks, () => {
    const events = [...closed(thinkingAt), ...closed(textAt)];
    textAt = undefined;
    return events;
  });

  const stop = (reason: string): CallEvent[] => {
    const events = blocks.stopAll();
    if (calls.isNameless) complain('a tool is called without a name');
    stopReason = !calls.isEmpty && reason === 'stop' ? 'tool_use' : (STOPS.get(reason) ?? 'other');
    return events;
  };

  const push = (given: unknown): readonly CallEvent[] => {
    const chunk = isObject(given) ? given : undefined;
    if (!chunk) return complain('an event isn’t an object');
    if (chunk['error'] !== undefined && chunk['error'] !== null) {
      error = errorOf(chunk['error']);
      return [];
    }
    if (isBareError(chunk)) {
      error = errorOf(chunk);
      return [];
    }
    const responseId = text(chunk['id']);
    const model = text(chunk['model']);
    const upstream = text(chunk['provider']);
    facts = {
      ...facts,
      ...(responseId !== undefined && { responseId }),
      ...(model !== undefined && { model }),
      ...(upstream !== undefined && { upstream }),
    };
    const choice = object(list(chunk['choices'])[0]);
    const delta = object(choice['delta'] ?? choice['message']);
    const events = [
      ...growThinking(delta),
      ...growText(contentText(delta['content']) + (text(delta['refusal']) ?? '')),
      ...list(delta['tool_calls']).flatMap((call, position) => calls.grow(call, position, facts.responseId)),
    ];
    const reason = text(choice['finish_reason']);
    if (reason !== undefined && reason !== '') events.push(...stop(reason));
    const timings = chunk['timings'];
    const counts = chunk['usage'] ?? choice['usage'];
    if (isObject(counts) || isObject(timings)) {
      usage = mergeUsage(usage, { ...object(counts), ...(isObject(timings) && { timings }) });
      const told = usageFromWire(WIRE, usage);
      if (told) events.push({ type: 'usage', usage: { ...told, partial: stopReason === undefined } });
    }
    return events;
  };

  return {
    push,
    finish: () => {
      const isComplete = error === undefined && stopReason !== undefined;
      const told = usageFromWire(WIRE, usage);
      return readResult({ ...facts, content: blocks.blocks(), isComplete }, { usage: told, stopReason, error, fault });
    },
  };
};
