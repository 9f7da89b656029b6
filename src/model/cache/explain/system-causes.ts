/** Causes 1, 4, 17 and 18 in the system prompt; also 6 where a block of it is another one each time. */
import { commonLength } from '../../../base/json-rescan.ts';
import { type Comparison, isOtherSession } from './comparison.ts';
import { isSameBlock, type Subject } from './subject.ts';
import { type BlockDifference, blockPosition, differenceOf, isSameButSpace, isSameValue } from './text-difference.ts';
import { reserialised, whitespace } from './tool-causes.ts';
import type { Finding } from './types.ts';
import { isTelling, type VolatileValue, volatileValueAt } from './volatile-value.ts';
import { changeText, withArticle, durationText, quote } from './words.ts';

const PERSONAL =
  /(?<![a-z])(?:user|customer|client|tenant|account|member|employee|patient|student|e-?mail|profile|name|organi[sz]ation|company|team|locale|language|plan|role)s?(?![a-z])/i;
const GIT = /\b(?:git|branch|commit|untracked|modified:|working tree)\b/i;

/** The line that holds an offset. */
const lineAt = (text: string, offset: number): string => {
  const from = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  const to = text.indexOf('\n', offset);
  return text.slice(Math.max(from, offset - 200), to === -1 ? offset + 200 : Math.min(to, offset + 200));
};

/** What leads up to an offset in its sentence. What a line says further on, or said before, is about something else. */
const leadAt = (text: string, offset: number): string => {
  const lead = text.slice(Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - 200), offset);
  return lead.split(/[.!?]\s/).at(-1) ?? '';
};

/** How many characters of the later text, from an offset on, stand in pieces that the earlier one has too. */
const sharedAfter = (before: string, after: string, offset: number): number => {
  const pieces = (text: string): string[] => text.slice(offset).split(/(?<=[.!?\n])\s+|\n/);
  const known = new Set(pieces(before));
  const shared = pieces(after).reduce((sum, piece) => sum + (known.has(piece) ? piece.length : 0), 0);
  const [a, b] = [before.slice(offset), after.slice(offset)];
  const limit = Math.min(a.length, b.length);
  let suffix = 0;
  while (suffix < limit && a.charCodeAt(a.length - 1 - suffix) === b.charCodeAt(b.length - 1 - suffix)) suffix++;
  return Math.max(shared, suffix);
};

interface Spread {
  /** Characters that both requests have before the difference, and those that they share behind it. */
  readonly ahead: number;
  readonly behind: number;
}

/** Compares what is the same before the difference with what is the same behind it, up to the end of the shared part. */
export const spreadOf = ({ base, current, common }: Comparison, texts: BlockDifference['texts']): Spread => {
  const own = current.blocks[common];
  const offset = texts ? commonLength(texts.before, texts.after) : 0;
  const before = current.blocks.slice(0, common).reduce((sum, block) => sum + block.text.length, 0);
  const later = current.blocks.slice(common + 1);
  const known = new Set(base.blocks.slice(common + 1).map((block) => block.text));
  const equal = later.reduce((sum, block) => sum + (known.has(block.text) ? block.text.length : 0), 0);
  const inside = texts ? sharedAfter(texts.before, texts.after, offset) : 0;
  return { ahead: before + (own ? offset : 0), behind: equal + inside };
};

const isPersonal = (comparison: Comparison, difference: BlockDifference, value: VolatileValue | undefined): boolean => {
  if (!isOtherSession(comparison)) return false;
  const { texts, position } = difference;
  const line = texts ? leadAt(texts.after, position.offset) : '';
  const { ahead, behind } = spreadOf(comparison, texts);
  if (
    value &&
    isTelling(value) &&
    !(/id$|UUID|ULID/.test(value.kind) && PERSONAL.test(line) && !/session|request|trace/i.test(line))
  )
    return false;
  if (behind <= ahead) return false;
  return PERSONAL.test(line) || !value;
};

/** Some models match any prefix: nothing can be marked in their requests, so no advice may speak of it. */
export const hasMarkers = ({ breakpoints }: Subject): boolean => breakpoints[0]?.origin !== 'whole';
const elsewhere = (current: Subject): string =>
  hasMarkers(current)
    ? 'behind the last breakpoint of the system prompt, or into the last message'
    : 'into the last message';

/** That it is the data of a user is an inference, however well it fits. */
export const personalFinding = ({ position }: BlockDifference, isMarked: boolean): Finding => ({
  cause: 'per-user-data-first',
  position,
  evidence: [
    `Two sessions part early, at ${position.label}: ${quote(position.before)} then ${quote(position.after)}. What follows is nearly the same in both, and none of it can be shared.`,
  ],
  repair: `Put what all users share first${isMarked ? ' and close it with a breakpoint' : ''}; move the data of one user (${quote(position.after)}) after it, at best into the first message.`,
  certainty: 'likely',
});

const nowText = (value: VolatileValue, gap: number): string =>
  value.isNow ? ` It is the time of the request, ${durationText(gap)} after the one before.` : '';

const volatileFinding = (
  comparison: Comparison,
  difference: BlockDifference,
  value: VolatileValue | undefined,
): Finding => {
  const { position, texts } = difference;
  const { current, common, gap } = comparison;
  const isAlone = common > 0 && current.blocks[common]?.marker !== undefined && !current.blocks[common - 1]?.marker;
  const line = texts ? lineAt(texts.after, position.offset) : '';
  const kind = value ? withArticle(value.kind) : GIT.test(line) ? 'git status' : 'text';
  const said = value
    ? changeText(value.before, value.after)
    : `${quote(position.before)} then ${quote(position.after)}`;
  const what = value
    ? `the ${value.kind} ${quote(value.after === '' ? value.before : value.after)}`
    : kind === 'text'
      ? `what changes there`
      : 'the git status';
  const move = isAlone
    ? `Move the marker from ${position.label} to ${current.blocks[common - 1]?.label}, which did not change, or the value into the last message`
    : `Move ${what} out of ${position.label} ${elsewhere(current)}`;
  return {
    cause: 'volatile-value-in-system',
    position,
    evidence: [
      `The system prompt changes at ${position.label}, character ${position.offset}: ${kind}, ${said}.${value ? nowText(value, gap) : ''}`,
      'Everything behind it has to be written again.',
    ],
    repair: `${move}, or fix it at the start of the session.`,
    ...(!value && { certainty: 'likely' as const }),
  };
};

export const systemFinding = (comparison: Comparison): Finding => {
  const { base, current, common } = comparison;
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  const isOwn = fresh?.tier === 'system' && old?.tier === 'system';
  if (!isOwn || !old || !fresh) {
    const label = fresh?.tier === 'system' ? fresh.label : (old?.label ?? 'system');
    const what = fresh?.tier === 'system' ? 'a block was added' : 'a block was removed';
    return {
      cause: 'volatile-value-in-system',
      position: blockPosition(label, old, fresh),
      evidence: [`The system prompt has other blocks than before: at ${label} ${what}.`],
      repair: `Keep the blocks of the system prompt the same in every request; put what comes and goes (${label}) ${elsewhere(current)}.`,
    };
  }
  if (isSameValue(old, fresh)) return reserialised(old, fresh, 'the system prompt');
  if (isSameButSpace(old, fresh)) return whitespace(old, fresh);
  const difference = differenceOf(old, fresh);
  const { texts, position } = difference;
  const value = texts && volatileValueAt(texts.before, texts.after, position.offset, current.call.startedAt);
  if (isPersonal(comparison, difference, value)) return personalFinding(difference, hasMarkers(current));
  // A whole block that has nothing in common with its predecessor, and the only marker is on it.
  const marker = current.breakpoints[0];
  const isUnique =
    texts !== undefined && position.offset < 12 && !value && current.blocks.length > common && common > 0;
  if (
    isUnique &&
    marker?.origin !== 'whole' &&
    marker?.index === common &&
    !current.blocks
      .slice(common + 1)
      .some((block, index) => isSameBlock(block, base.blocks[common + 1 + index]) && block.tier === 'system')
  )
    return uniqueBlockFinding(comparison);
  return volatileFinding(comparison, difference, value);
};

/** Cause 6. */
export const uniqueBlockFinding = ({ base, current, common }: Comparison): Finding => {
  const marked = current.breakpoints.find(({ index }) => index >= common);
  const label = current.blocks[marked?.index ?? common]?.label ?? current.blocks.at(-1)?.label ?? '';
  const stable = current.blocks[common - 1]?.label;
  const [old, fresh] = [base.blocks[common], current.blocks[common]];
  const isRepeated = (current.usage?.read ?? 1) === 0 && (base.usage?.read ?? 1) === 0;
  const key = current.facts.caching === 'openai-breakpoints' ? 'prompt_cache_breakpoint' : 'cache_control';
  const how = marked?.origin === 'automatic' ? 'The automatic breakpoint falls on' : 'The breakpoint is on';
  return {
    cause: 'breakpoint-on-unique-block',
    position: old && fresh ? differenceOf(old, fresh).position : blockPosition(label, old, fresh),
    evidence: [
      `${how} ${label}, which is another one in every request, so what is written there is never read.`,
      ...(stable ? [`Both requests are the same up to ${stable}, and no breakpoint lies there.`] : []),
      ...(isRepeated ? ['Both requests wrote and neither read.'] : []),
    ],
    repair: stable
      ? `Put ${key} on ${stable}, the last block that stays the same, instead of (or beside) ${label}.`
      : `Put what stays the same in front of ${label}, and the breakpoint at its end.`,
  };
};
