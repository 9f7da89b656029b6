/** Causes 4, 5, 6, 14, 17, 18 and 19 in the conversation. */
import type { CacheBlock } from '../types.ts';
import type { Comparison } from './comparison.ts';
import { isSameBlock, type Subject } from './subject.ts';
import { hasMarkers, personalFinding, spreadOf, uniqueBlockFinding } from './system-causes.ts';
import { blockPosition, differenceOf, isSameButSpace, isSameValue } from './text-difference.ts';
import { reserialised, whitespace } from './tool-causes.ts';
import type { Finding } from './types.ts';
import { volatileValueAt } from './volatile-value.ts';
import { changeText, withArticle } from './words.ts';

const THINKING = /^(?:thinking|redacted_thinking|reasoning.*)$/;
export const isThinking = (block: CacheBlock | undefined): boolean => block !== undefined && THINKING.test(block.kind);

const findFrom = (blocks: readonly CacheBlock[], wanted: CacheBlock | undefined, from: number): number =>
  wanted ? blocks.findIndex((block, index) => index >= from && isSameBlock(block, wanted)) : -1;

interface Edit {
  readonly kind: 'removed' | 'inserted' | 'changed';
  /** How many blocks came or went. */
  readonly count: number;
}

const editOf = ({ base, current, common }: Comparison): Edit => {
  const gone = findFrom(base.blocks, current.blocks[common], common + 1);
  const come = findFrom(current.blocks, base.blocks[common], common + 1);
  if (gone !== -1 && (come === -1 || gone <= come)) return { kind: 'removed', count: gone - common };
  if (come !== -1) return { kind: 'inserted', count: come - common };
  return { kind: 'changed', count: 1 };
};

const REMINDER = /<system-reminder>|\breminder\b/i;

const blocksWere = (count: number): string => (count === 1 ? 'one block was' : `${count} blocks were`);

const describeEdit = (comparison: Comparison, edit: Edit): string => {
  const { base, current, common } = comparison;
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  const label = fresh?.label ?? old?.label ?? '';
  if (edit.kind === 'removed') {
    const isFront = common === current.messagesAt;
    const isReminder = old !== undefined && REMINDER.test(old.text);
    const why = isReminder ? 'a removed reminder' : isFront ? 'a sliding window' : 'truncation';
    return `History was shortened at ${label}: ${blocksWere(edit.count)} removed (${why}).`;
  }
  if (edit.kind === 'inserted')
    return `${blocksWere(edit.count)[0]?.toUpperCase()}${blocksWere(edit.count).slice(1)} inserted into history at ${label}.`;
  const isShorter = old && fresh && fresh.text.length < old.text.length / 2;
  if (fresh?.kind === 'tool_result' || fresh?.kind.endsWith('_output') || fresh?.role === 'tool')
    return `The tool result at ${label} was ${isShorter ? 'cleared or cut' : 'changed'} after it was sent.`;
  const size = ({ blocks, messagesAt }: Subject): number => blocks.length - messagesAt;
  if (size(current) <= size(base) / 2)
    return `History was replaced starting at ${label}. This looks like a compaction.`;
  return `${label} changed after it was sent.`;
};

const editedFinding = (comparison: Comparison): Finding => {
  const { base, current, common } = comparison;
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  const edit = editOf(comparison);
  const label = fresh?.label ?? old?.label ?? '';
  const isChange = edit.kind === 'changed' && old && fresh && old.kind === fresh.kind;
  const difference = isChange ? differenceOf(old, fresh) : undefined;
  const texts = difference?.texts;
  const value = texts && volatileValueAt(texts.before, texts.after, difference.position.offset, current.call.startedAt);
  return {
    cause: 'history-edited',
    position: difference?.position ?? blockPosition(label, old, fresh),
    evidence: [
      describeEdit(comparison, edit),
      ...(value ? [`The difference is ${withArticle(value.kind)}: ${changeText(value.before, value.after)}.`] : []),
      `The provider must rewrite everything from ${label}. The cache still has what comes before.`,
    ],
    repair:
      edit.kind === 'inserted'
        ? `Append at the end of the conversation instead of inserting at ${label}.`
        : edit.kind === 'removed'
          ? `Keep history as it was sent. If you must shorten it, do it rarely and in large steps. Each time costs one full write from ${label}.`
          : `Send ${label} again exactly as before${value ? `, without the ${value.kind}` : ''}. Append corrections instead of changing history. Clear or compact rarely and in large steps.`,
  };
};

const thinkingFinding = ({ base, current, common }: Comparison): Finding => {
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  const label = (isThinking(old) ? old?.label : fresh?.label) ?? '';
  const isBoth = isThinking(old) && isThinking(fresh);
  const what = isBoth ? 'changed' : isThinking(old) ? 'is missing' : 'is new';
  return {
    cause: 'thinking-blocks-changed',
    position: isBoth && old && fresh ? differenceOf(old, fresh).position : blockPosition(label, old, fresh),
    evidence: [`The ${old && isThinking(old) ? old.kind : (fresh?.kind ?? 'thinking')} block at ${label} ${what}.`],
    repair: `Send the assistant’s content back unchanged, including ${label} and its signature.`,
  };
};

/** How a reminder begins: its tag, or its first words with numbers aside. */
const shapeOf = ({ text }: CacheBlock): string =>
  /"(?:text|content)":"(<[\w-]+>)/.exec(text)?.[1] ?? text.replace(/[\d]+/g, '#').slice(0, 40);

/** A marked block at the very end that every request has in another form, such as a reminder: behind a message, or alone. */
const isMovingTail = ({ base, current, common }: Comparison): boolean => {
  const last = base.breakpoints.at(-1)?.index;
  if (base.breakpoints.at(-1)?.origin === 'whole') return false;
  const [old, fresh] = [base.blocks[common], current.blocks[current.breakpoints.at(-1)?.index ?? -1]];
  if (last !== common || !old || !fresh || common === 0) return false;
  // One that is a message of its own was taken away, not changed, if the answer is in its place.
  const isAlone = base.blocks[common - 1]?.message !== old.message;
  if (isAlone && current.blocks[common]?.role === old.role) return false;
  return shapeOf(old) === shapeOf(fresh);
};

/** Cause 19, the form that has to do with breakpoints: nothing but the last message is marked, and that is always new. */
const implicitTail = ({ current, common, base }: Comparison): Finding => {
  const instructions = current.blocks.find((block) => block.kind === 'instructions');
  const last = current.blocks[current.breakpoints.at(-1)?.index ?? -1];
  const stable = current.blocks[common - 1]?.label ?? '';
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  return {
    cause: 'openai-cache-key',
    position: old && fresh ? differenceOf(old, fresh).position : blockPosition(last?.label ?? '', old, fresh),
    evidence: [
      `The only breakpoint is the implicit one on ${last?.label ?? 'the last message'}, which is new in every request. This model matches only at breakpoints.`,
      ...(instructions ? ['The stable part is in `instructions`, which can’t have a marker.'] : []),
    ],
    repair: instructions
      ? 'Move the instructions into a developer message at the start of the input, and mark its last part with prompt_cache_breakpoint.'
      : `Mark ${stable === '' ? 'the end of the stable part' : stable} with prompt_cache_breakpoint.`,
  };
};

export const messageFinding = (comparison: Comparison): Finding => {
  const { base, current, common, continues } = comparison;
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  if (old && fresh && old.kind === fresh.kind) {
    const call = old.kind === 'tool_use' ? 'the input of the tool call' : fresh.label;
    if (isSameValue(old, fresh) && !isThinking(old)) return reserialised(old, fresh, call);
    if (isSameButSpace(old, fresh) && !isThinking(old)) return whitespace(old, fresh);
  }
  if (isThinking(old) || (isThinking(fresh) && continues)) return thinkingFinding(comparison);
  if (continues) return isMovingTail(comparison) ? uniqueBlockFinding(comparison) : editedFinding(comparison);
  if (old && fresh) {
    const difference = differenceOf(old, fresh);
    const { ahead, behind } = spreadOf(comparison, difference.texts);
    const firstMessage = current.blocks[current.messagesAt]?.message;
    if (behind > ahead && behind > 200 && fresh.message === firstMessage)
      return personalFinding(difference, hasMarkers(current));
  }
  const isImplicit = current.breakpoints.every(({ origin }) => origin === 'implicit');
  if (current.facts.caching === 'openai-breakpoints' && isImplicit) return implicitTail(comparison);
  return uniqueBlockFinding(comparison);
};
