/** The stable system prompt: the part that a provider's cache is to find again, byte for byte, on every turn (D12). */
import { sha256 } from '../../base/hash.ts';
import { codePointLength, groupDigits } from '../../base/text.ts';
import { preloadedHeading, RUN_METASKILL_LINE } from '../activation/texts.ts';
import { indexText } from '../library/index-text.ts';
import type { SkillStore } from '../library/store.ts';
import { isExecutable, type Dialect, type LibrarySkill, type MetaskillPolicy } from '../library/types.ts';
import type { ModelBook } from '../provider/model-book.ts';
import type { ToolSpec } from '../provider/types.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import { OPERATING_CONTEXT, OPERATING_CONTEXT_HEADING } from './operating-context.ts';
import { paddingNote, paddingTarget, type PaddingTarget } from './padding.ts';
import { makeSegment, toolSegment } from './segments.ts';
import type { PaddingPolicy, Segment, SegmentKind } from './types.ts';

export interface StableInput {
  readonly persona: string;
  /** As `discoverInstructions` joins them; empty if none exist. */
  readonly instructions: string;
  readonly store: SkillStore;
  /** What an agent would list, in place of the index (D46). */
  readonly listing?: string;
  readonly dialect: Dialect;
  readonly policy: MetaskillPolicy;
  readonly tools: readonly ToolSpec[];
  readonly padding: PaddingPolicy;
  readonly model: string;
  readonly book?: ModelBook;
}

export interface PassedOver {
  readonly name: string;
  /** Of its body. */
  readonly tokens: number;
  readonly why: string;
}

export interface StablePrompt {
  /** persona → instructions → skill-index → preloaded → operating-context; their texts joined are `text`. */
  readonly segments: readonly Segment[];
  readonly text: string;
  readonly toolSegments: readonly Segment[];
  /** Of tools and text as they would be without padding. */
  readonly natural: number;
  /** Of tools and text as they are. */
  readonly estimate: number;
  readonly target: PaddingTarget;
  /** Names of the skills whose bodies are in the prompt. */
  readonly preloaded: readonly string[];
  /** Skills that padding came to and left out. */
  readonly passedOver: readonly PassedOver[];
  readonly padded: boolean;
  /** One sentence about padding. */
  readonly note: string;
  /** Of tools and text: equal hashes, equal bytes. */
  readonly hash: string;
}

const SEPARATOR = '\n\n';
const INSTRUCTIONS_HEADING = '## Project instructions';
const PRELOADED_MARK = ' [preloaded]';

interface Part {
  readonly kind: SegmentKind;
  readonly id: string;
  readonly text: string;
}

const sectionOf = (item: LibrarySkill, policy: MetaskillPolicy): string => {
  const { skill, layer } = item;
  const isRunnable = isExecutable(skill.metaskill, layer, policy);
  return [preloadedHeading(skill.name), skill.body.trimEnd(), ...(isRunnable ? [RUN_METASKILL_LINE] : [])].join(
    SEPARATOR,
  );
};

interface Padding {
  readonly bodies: readonly Part[];
  readonly context: readonly Part[];
  readonly passedOver: readonly PassedOver[];
}

interface Unpadded {
  /** Of tools and text. */
  readonly codePoints: number;
  readonly hasText: boolean;
}

/** Bodies first, then the operating context, until `min` is reached. */
const padTo = (min: number, max: number, { codePoints, hasText }: Unpadded, input: StableInput): Padding => {
  const bodies: Part[] = [];
  const context: Part[] = [];
  const passedOver: PassedOver[] = [];
  let total = codePoints;
  const isEnough = (): boolean => estimateTokens(total) >= min;
  const costOf = (text: string): number =>
    (hasText || bodies.length + context.length > 0 ? SEPARATOR.length : 0) + codePointLength(text);

  for (const item of input.dialect === 'agents' ? [] : input.store.list()) {
    if (isEnough()) break;
    const { name, body, estimatedBodyTokens: tokens } = item.skill;
    if (body.trim() === '') {
      passedOver.push({ name, tokens, why: 'it has no body' });
      continue;
    }
    const text = sectionOf(item, input.policy);
    const after = total + costOf(text) + PRELOADED_MARK.length;
    if (estimateTokens(after) > max) {
      const why = `with its body the prefix would have ${groupDigits(estimateTokens(after))} tokens, more than ${groupDigits(max)}`;
      passedOver.push({ name, tokens, why });
      continue;
    }
    bodies.push({ kind: 'preloaded', id: `preloaded:${name}`, text });
    total = after;
  }
  for (const [index, paragraph] of OPERATING_CONTEXT.entries()) {
    if (isEnough()) break;
    const text = index === 0 ? OPERATING_CONTEXT_HEADING + SEPARATOR + paragraph : paragraph;
    const after = total + costOf(text);
    if (estimateTokens(after) > max) break;
    context.push({ kind: 'operating-context', id: `operating-context:${index}`, text });
    total = after;
  }
  return { bodies, context, passedOver };
};

const NO_PADDING: Padding = { bodies: [], context: [], passedOver: [] };

/** Empty parts are left out; what separates two parts belongs to the second. */
const joinParts = (parts: readonly Part[]): readonly Part[] =>
  parts
    .filter(({ text }) => text !== '')
    .map(({ kind, id, text }, index) => ({ kind, id, text: index === 0 ? text : SEPARATOR + text }));

const lengthOf = (parts: readonly { readonly text: string }[]): number =>
  parts.reduce((sum, { text }) => sum + codePointLength(text), 0);

/** Depends on its input alone: no clock, no order of files, no locale. */
export const assembleStable = (input: StableInput): StablePrompt => {
  const { store, dialect, policy } = input;
  const persona = input.persona.trim();
  const instructions = input.instructions.trim();
  const fixed: readonly Part[] = [
    { kind: 'persona', id: 'persona', text: persona },
    {
      kind: 'instructions',
      id: 'instructions',
      text: instructions === '' ? '' : INSTRUCTIONS_HEADING + SEPARATOR + instructions,
    },
  ];
  const indexPart = (preloaded: ReadonlySet<string>): Part => ({
    kind: 'skill-index',
    id: 'skill-index',
    text: input.listing ?? indexText(store, { dialect, policy, preloaded }),
  });

  const toolSegments = input.tools.map(toolSegment);
  const toolLength = lengthOf(toolSegments);
  const unpadded = joinParts([...fixed, indexPart(new Set())]);
  const codePoints = toolLength + lengthOf(unpadded);
  const natural = estimateTokens(codePoints);
  const target = paddingTarget(input.padding, input.model, input.book);
  const { min, max } = target;
  const { bodies, context, passedOver } =
    min === undefined || max === undefined || natural >= min
      ? NO_PADDING
      : padTo(min, max, { codePoints, hasText: unpadded.length > 0 }, input);

  const preloaded = bodies.map(({ id }) => id.slice('preloaded:'.length));
  const segments = joinParts([...fixed, indexPart(new Set(preloaded)), ...bodies, ...context]).map(
    ({ kind, id, text }) => makeSegment(kind, id, text, 'stable'),
  );
  const padded = bodies.length + context.length > 0;
  const estimate = estimateTokens(toolLength + lengthOf(segments));
  return {
    segments,
    text: segments.map(({ text }) => text).join(''),
    toolSegments,
    natural,
    estimate,
    target,
    preloaded,
    passedOver,
    padded,
    note: paddingNote(target, { natural, estimate }),
    hash: sha256([...toolSegments, ...segments].map(({ hash }) => hash).join('')),
  };
};
