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

/** How many characters of the later text, from an offset on, are in pieces that the earlier one has too. */
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
  /** Characters that both requests have before the difference, and those that they share after it. */
  readonly ahead: number;
  readonly behind: number;
}

/** Compares what is the same before the difference with what is the same after it, up to the end of the shared part. */
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
    ? 'to a place after the last breakpoint of the system prompt, or into the last message'
    : 'into the last message';

/** That it is the data of a user is an inference, however well it fits. */
export const personalFinding = ({ position }: BlockDifference, isMarked: boolean): Finding => ({
  cause: 'per-user-data-first',
  position,
  evidence: [
    `Two sessions diverge early, at ${position.label}: ${quote(position.before)} then ${quote(position.after)}. The rest is nearly the same, but they can’t share it.`,
  ],
  repair: `Put the text that all users share first${isMarked ? ', with a breakpoint at its end' : ''}. Move the data of one user (${quote(position.after)}) after it, ideally into the first message.`,
  certainty: 'likely',
});

const nowText = (value: VolatileValue, gap: number): string =>
  value.isNow ? ` This is the request time, ${durationText(gap)} after the previous request.` : '';

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
      ? `the changing text`
      : 'the git status';
  const move = isAlone
    ? `Move the marker from ${position.label} to ${current.blocks[common - 1]?.label}, which didn’t change, or move the value into the last message`
    : `Move ${what} from ${position.label} ${elsewhere(current)}`;
  return {
    cause: 'volatile-value-in-system',
    position,
    evidence: [
      `The system prompt changes at ${position.label}, character ${position.offset}: ${kind}, ${said}.${value ? nowText(value, gap) : ''}`,
      'The provider must rewrite everything after it.',
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
    const what = fresh?.tier === 'system' ? 'one was added' : 'one was removed';
    return {
      cause: 'volatile-value-in-system',
      position: blockPosition(label, old, fresh),
      evidence: [`The system prompt has different blocks: ${what} at ${label}.`],
      repair: `Keep the system prompt’s blocks the same in every request. Move the block that comes and goes (${label}) ${elsewhere(current)}.`,
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
      `${how} ${label}, which differs in every request, so no request reads what it writes.`,
      ...(stable ? [`Both requests are the same up to ${stable}, which has no breakpoint.`] : []),
      ...(isRepeated ? ['Both requests wrote and neither read.'] : []),
    ],
    repair: stable
      ? `Put ${key} on ${stable}, the last stable block, instead of (or as well as) ${label}.`
      : `Put the stable part before ${label}, with the breakpoint at its end.`,
  };
};
