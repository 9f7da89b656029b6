/** How full the model's window is, and with what. */
import { codePointLength, plural } from '../../base/text.ts';
import { readRequest } from '../cache/read-request.ts';
import type { Payload } from '../event/types.ts';
import { toolSegment } from '../prompt/segments.ts';
import type { SegmentKind } from '../prompt/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import { promptTokens, type ToolSpec, type Usage, type Wire } from '../provider/types.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import { groupDigits } from './words.ts';

export const CONTEXT_SOURCES = [
  'tools',
  'persona',
  'instructions',
  'index',
  'padding',
  'volatile',
  'messages',
] as const;
export type ContextSource = (typeof CONTEXT_SOURCES)[number];

export interface ContextUse {
  /** In the order of the wire; those without tokens are left out. They add up to `used`. */
  readonly parts: readonly { readonly source: ContextSource; readonly tokens: number }[];
  readonly used: number;
  /** Whether the provider counted, or Lathe estimates. The shares are always estimated. */
  readonly counted: boolean;
  readonly window: number | undefined;
  /** Of the window, from 0. */
  readonly share: number | undefined;
  /** What to do, when there is something to do. */
  readonly warning: string | undefined;
}

export interface ContextQuestion {
  readonly config: Pick<Payload<'session.configured'>, 'tools' | 'segments'>;
  readonly body: string;
  readonly wire: Wire;
  readonly model: string;
  readonly usage?: Usage;
  readonly maxOutputTokens: number;
  readonly book?: ModelBook;
}

const NEARLY_FULL = 0.8;

const SOURCE_OF: Readonly<Partial<Record<SegmentKind, ContextSource>>> = {
  persona: 'persona',
  instructions: 'instructions',
  'skill-index': 'index',
  preloaded: 'padding',
  'operating-context': 'padding',
};

const estimate = (text: string): number => estimateTokens(codePointLength(text));

/** Whole numbers in the proportions of `parts` that add up to `total`. */
const scaled = (parts: readonly number[], total: number): readonly number[] => {
  const sum = parts.reduce((all, part) => all + part, 0);
  if (sum === 0) return parts;
  let before = 0;
  let given = 0;
  return parts.map((part) => {
    before += part;
    const upTo = Math.round((before / sum) * total);
    const own = upTo - given;
    given = upTo;
    return own;
  });
};

const warningOf = (used: number, window: number | undefined, maxOutputTokens: number): string | undefined => {
  if (window === undefined) return undefined;
  const left = window - used;
  if (left <= 0)
    return 'The context window is full. The next request will fail. Start a new session, or fork from an earlier turn.';
  if (used / window >= NEARLY_FULL)
    return `${plural(left, 'token')} left. Start a new session or fork from an earlier turn before requests fail.`;
  if (maxOutputTokens > left)
    return `${plural(left, 'token')} left, and a response can have ${groupDigits(maxOutputTokens)}. Lower Max output tokens, or start a new session.`;
  return undefined;
};

/** Nothing if the body cannot be read. */
export const contextUse = (question: ContextQuestion): ContextUse | undefined => {
  const { config, body, wire, model, usage, maxOutputTokens, book } = question;
  const read = readRequest(body, wire);
  if (!read.ok) return undefined;
  const tokens: Record<ContextSource, number> = {
    tools: 0,
    persona: 0,
    instructions: 0,
    index: 0,
    padding: 0,
    volatile: 0,
    messages: 0,
  };
  // An `ask` is sent without `run_metaskill`; a body without tools has none.
  const sent = read.value.blocks.filter(({ tier }) => tier === 'tools').length;
  for (const tool of (config.tools as readonly ToolSpec[]).slice(0, sent)) tokens.tools += toolSegment(tool).tokens;
  let stable = 0;
  for (const { kind, text } of config.segments) {
    const source = SOURCE_OF[kind];
    if (source === undefined) continue;
    tokens[source] += estimate(text);
    stable += estimate(text);
  }
  let system = 0;
  for (const { tier, text } of read.value.blocks) {
    if (tier === 'system') system += estimate(text);
    if (tier === 'messages') tokens.messages += estimate(text);
  }
  tokens.volatile = Math.max(0, system - stable);
  const estimated = CONTEXT_SOURCES.reduce((sum, source) => sum + tokens[source], 0);
  const used = usage ? promptTokens(usage) : estimated;
  const shares = scaled(
    CONTEXT_SOURCES.map((source) => tokens[source]),
    used,
  );
  const window = modelFacts(model, book).contextWindow;
  return {
    parts: CONTEXT_SOURCES.map((source, index) => ({ source, tokens: shares[index] ?? 0 })).filter(
      (part) => part.tokens > 0,
    ),
    used,
    counted: usage !== undefined,
    window,
    share: window === undefined ? undefined : used / window,
    warning: warningOf(used, window, maxOutputTokens),
  };
};
