/**
 * Whether a request continues with the conversation of an earlier one. There is no session on the wire: what was said and
 * what was answered tell.
 */
import { isObject, type Json } from '../../../base/json.ts';
import type { CacheBlock } from '../types.ts';
import { commonBlocks } from './comparison.ts';
import type { Subject } from './subject.ts';
import { isAlike } from './text-difference.ts';
import type { Relation } from './types.ts';

/**
 * What ties two requests together, from the strongest: the answer is in the later one; its whole conversation does, at
 * the head; it is the same conversation; it was replaced by a summary; most of it is there; its beginning is another version.
 */
export const BONDS = ['answer', 'head', 'same', 'summary', 'most', 'version', 'none'] as const;
export type Bond = (typeof BONDS)[number];

/** What an answer can be recognized by. */
export interface AnswerMarks {
  /** Ids of calls, which no other answer has. */
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

/** A string this long is hardly said twice. */
const TELLING = 24;

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const spoken = (value: Json | undefined): readonly string[] =>
  typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
const named = (value: Json | undefined): readonly string[] =>
  typeof value === 'string' && value !== '' ? [value] : [];

/** Of one block, item or message, on any wire. */
const marksOf = (value: Json): AnswerMarks => {
  if (typeof value === 'string') return { ids: [], texts: spoken(value) };
  if (!isObject(value)) return { ids: [], texts: [] };
  const inner = [...list(value['content']), ...list(value['tool_calls'])].map(marksOf);
  // `id` of a Responses item is not sent back by every client; `call_id` is.
  const isCall = typeof value['type'] === 'string' && /tool_use$|^function$/.test(value['type']);
  return {
    ids: [...named(value['call_id']), ...(isCall ? named(value['id']) : []), ...inner.flatMap(({ ids }) => ids)],
    texts: [
      ...spoken(value['text']),
      ...(typeof value['content'] === 'string' ? spoken(value['content']) : []),
      ...inner.flatMap(({ texts }) => texts),
    ],
  };
};

const NO_MARKS: AnswerMarks = { ids: [], texts: [] };

/** Of an answer in its wire's form: blocks, output items, or a chat message. */
export const answerMarks = (content: Json | undefined): AnswerMarks => {
  const all = (Array.isArray(content) ? list(content) : isObject(content) ? [content] : []).map(marksOf);
  return all.length === 0 ? NO_MARKS : { ids: all.flatMap(({ ids }) => ids), texts: all.flatMap(({ texts }) => texts) };
};

const BLOCK_MARKS = new WeakMap<CacheBlock, AnswerMarks>();

/** Whether a block was said by the model. */
const isAnswer = ({ role, kind }: CacheBlock): boolean =>
  role === 'assistant' || kind === 'function_call' || kind === 'custom_tool_call';

export const blockMarks = (block: CacheBlock): AnswerMarks => {
  const known = BLOCK_MARKS.get(block);
  if (known) return known;
  let marks = NO_MARKS;
  if (isAnswer(block)) {
    // A member of a chat message is `"key":value`.
    const isMember = block.text.startsWith('"');
    const value = JSON.parse(isMember ? `{${block.text}}` : block.text) as Json;
    marks = marksOf(isMember && isObject(value) ? (value['content'] ?? null) : value);
  }
  BLOCK_MARKS.set(block, marks);
  return marks;
};

const messagesOf = ({ blocks, messagesAt }: Subject): readonly CacheBlock[] => blocks.slice(messagesAt);

/** Whether the model said it, in messages of these numbers. The answer that a request continues from is near its end. */
const isSaid = (
  { blocks, messagesAt }: Subject,
  key: keyof AnswerMarks,
  mark: string,
  from = -1,
  to = Infinity,
): boolean => {
  for (let at = blocks.length - 1; at >= messagesAt; at--) {
    const block = blocks[at] as CacheBlock;
    const message = block.message ?? -1;
    if (message >= from && message <= to && isAnswer(block) && blockMarks(block)[key].includes(mark)) return true;
  }
  return false;
};

/** All that was answered is in the later request: ids anywhere, words anywhere if there are enough, else in their place. */
const holdsAnswer = (base: Subject, current: Subject): boolean => {
  const { ids, texts } = answerMarks(base.call.response?.content);
  if (ids.length + texts.length === 0) return false;
  if (!ids.every((id) => isSaid(current, 'ids', id))) return false;
  const isTelling = ids.length > 0 || texts.some((text) => text.length >= TELLING);
  const last = base.blocks.at(-1)?.message ?? -1;
  return texts.every((text) =>
    isTelling ? isSaid(current, 'texts', text) : isSaid(current, 'texts', text, last + 1, last + 2),
  );
};

/** Messages, not blocks; items of the Responses wire count one each. */
const messageCount = ({ blocks, messagesAt }: Subject): number => {
  let count = 0;
  for (let at = messagesAt; at < blocks.length; at++)
    if (at === messagesAt || blocks[at]?.message !== blocks[at - 1]?.message) count++;
  return count;
};

/** Another answer is where this one's should. */
const isContradicted = (base: Subject, current: Subject): boolean => {
  const { ids, texts } = answerMarks(base.call.response?.content);
  if (ids.length + texts.length === 0) return false;
  const next = current.blocks[current.messagesAt + base.blocks.length - base.messagesAt];
  if (!next || !isAnswer(next)) return false;
  const behind = messagesOf(current).filter((block) => block.message === next.message || isAnswer(block));
  const marks = behind.map(blockMarks);
  return (
    !ids.some((id) => marks.some((mark) => mark.ids.includes(id))) &&
    !texts.some((text) => marks.some((mark) => mark.texts.includes(text)))
  );
};

const keyOf = ({ role, text }: CacheBlock): string => `${role ?? ''} ${text}`;

/** Half of what was said before is said again. */
const holdsMost = (base: Subject, current: Subject): boolean => {
  const own = messagesOf(base);
  const known = new Set(messagesOf(current).map(keyOf));
  return own.filter((block) => known.has(keyOf(block))).length * 2 >= own.length;
};

/** A block of this many characters of JSON is hardly sent twice. */
const TELLING_BLOCK = 48;

/**
 * The last message that was sent is in the later request, with an answer after it, though its beginning changed: then
 * how many of the earlier blocks are there. 0 if not, or if another answer than the known one is there.
 */
export const heldBehindQuestion = (base: Subject, current: Subject): number => {
  const asked = base.blocks.at(-1);
  const { ids, texts } = answerMarks(base.call.response?.content);
  if (!asked || isAnswer(asked) || asked.text.length < TELLING_BLOCK || ids.length + texts.length > 0) return 0;
  const later = messagesOf(current);
  const at = later.findLastIndex((block) => keyOf(block) === keyOf(asked));
  const next = later[at + 1];
  if (at === -1 || !next || !isAnswer(next)) return 0;
  const known = new Set(later.slice(0, at + 1).map(keyOf));
  return messagesOf(base).filter((block) => known.has(keyOf(block))).length;
};

/** How known harnesses, and plain words, begin a conversation that was summed up. */
const SUMMARY =
  /session is being continued from a previous conversation|another language model started to solve|\bsummary of (?:the|our|your) (?:conversation|(?:earlier|previous|prior) (?:conversation|messages|turns|session))|conversation (?:so far )?(?:was|has been) (?:summari[sz]ed|compacted)/i;

const isSummary = (block: CacheBlock | undefined): boolean => block !== undefined && SUMMARY.test(block.text);

/** Ids that both recordings have and that differ. */
const areApart = (base: Subject, current: Subject): boolean => {
  const differ = (left: string | undefined, right: string | undefined): boolean =>
    left !== undefined && right !== undefined && left !== right;
  return differ(base.call.sessionId, current.call.sessionId) || differ(base.call.agentId, current.call.agentId);
};

export const bondOf = (base: Subject, current: Subject): Bond => {
  if (holdsAnswer(base, current)) return 'answer';
  if (areApart(base, current)) return 'none';
  const reason = current.call.diagnosis?.reason;
  if (reason === 'messages_changed') return 'most';
  if (reason === 'context_compacted') return 'summary';
  const [before, after] = [messageCount(base), messageCount(current)];
  if (before === 0 || after === 0) return 'none';
  const common = commonBlocks(base, current, base.messagesAt, current.messagesAt);
  const rest = current.blocks.length - current.messagesAt - common;
  if (common === base.blocks.length - base.messagesAt)
    return rest === 0 ? 'same' : isContradicted(base, current) ? 'none' : 'head';
  if (rest === 0) return 'none';
  const first = current.blocks[current.messagesAt + common];
  const isNewBeginning = common === 0 && !isSummary(base.blocks[base.messagesAt]);
  if ((after < before || isNewBeginning) && isSummary(first)) return 'summary';
  // One that differs in its last message only is another question over the same examples.
  if (after === before && first?.message === current.blocks.at(-1)?.message) return 'none';
  if (holdsMost(base, current) || heldBehindQuestion(base, current) > 0) return 'most';
  const old = base.blocks[base.messagesAt + common];
  return after > before && !isContradicted(base, current) && isAlike(old, first) ? 'version' : 'none';
};

export const relationOf = (bond: Bond): Relation => {
  if (bond === 'none') return 'beside';
  if (bond === 'same') return 'again';
  return bond === 'summary' ? 'compacted' : 'continues';
};
