/** Codex says in every request which thread it belongs to. */
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import type { Call, ChainKind } from '../call.ts';

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const SUMMARY = 'Another language model started to solve';

const isMade = (item: Json): boolean =>
  isObject(item) && (item['role'] === 'assistant' || (text(item['type']) ?? '').endsWith('_call'));

/** The summary of what was said before is there, and nothing was said since. */
const startsFromSummary = (input: readonly Json[]): boolean => {
  const at = input.findLastIndex((item) => JSON.stringify(item).includes(SUMMARY));
  return at !== -1 && !input.slice(at + 1).some(isMade);
};

/** Undefined for a request that is not one of Codex. */
export const codexConversation = (
  body: JsonObject | undefined,
): Pick<Call, 'harness' | 'sessionId' | 'conversation'> | undefined => {
  const metadata = isObject(body?.['client_metadata']) ? body['client_metadata'] : {};
  const turn = valueOr(parseJson(text(metadata['x-codex-turn-metadata']) ?? ''), undefined);
  if (!isObject(turn)) return undefined;
  const thread = text(turn['thread_id']);
  if (thread === undefined) return { harness: { name: 'codex' } };
  const session = text(turn['session_id']) ?? text(body?.['prompt_cache_key']) ?? thread;
  const isSub = turn['thread_source'] === 'subagent';
  const isCompaction = turn['request_kind'] === 'compaction';
  const kind: ChainKind = isCompaction ? 'compaction' : isSub ? 'sub-agent' : 'main';
  const parent = isCompaction ? thread : isSub && session !== thread ? session : undefined;
  return {
    harness: { name: 'codex' },
    sessionId: session,
    conversation: {
      id: isCompaction ? `${thread}/compaction/${text(turn['window_id']) ?? ''}` : thread,
      kind,
      ...(parent !== undefined && { parent }),
      ...(!isCompaction && startsFromSummary(list(body?.['input'])) && { isCompacted: true }),
    },
  };
};
