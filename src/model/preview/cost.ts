/** What a skill costs: its line on every request, its body when it is loaded. */
import { codePointLength } from '../../base/text.ts';
import { HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS, WARN_CUMULATIVE_ACTIVATION_TOKENS } from '../activation/budget.ts';
import type { Dialect } from '../library/types.ts';
import type { StablePrompt } from '../prompt/assemble.ts';
import { modelFacts } from '../provider/model-book.ts';
import type { Tokenizer } from '../provider/types.ts';
import { DEFAULT_MODEL } from '../session/start.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import { BODY_TOKEN_WARNING } from '../skill/skill.ts';
import type { EditedLibrary } from './edited.ts';
import { modelSees } from './seen.ts';

export interface TokenFigure {
  readonly text: string;
  /** By the estimate of D14. */
  readonly tokens: number;
}

export interface SkillCost {
  readonly indexLine: TokenFigure;
  readonly body: TokenFigure;
  /** Recommended at most. */
  readonly bodyAdvice: number;
  /** Body tokens over the cap; 1 and more: it can never be activated. */
  readonly shareOfCap: number;
  readonly shareOfWarning: number;
  readonly warnTokens: number;
  readonly capTokens: number;
  readonly preloading: {
    readonly kind: 'preloaded' | 'passed-over' | 'full' | 'never' | 'not-needed';
    readonly why: string;
  };
  readonly model: string;
}

const figure = (text: string): TokenFigure => ({ text, tokens: estimateTokens(codePointLength(text)) });

const preloadingOf = (prompt: StablePrompt, name: string, dialect: Dialect): SkillCost['preloading'] => {
  if (prompt.preloaded.includes(name))
    return {
      kind: 'preloaded',
      why: 'Its body is in the prompt from the start, as padding; loading it costs nothing more.',
    };
  const passedOver = prompt.passedOver.find((one) => one.name === name);
  if (passedOver) return { kind: 'passed-over', why: `Padding came to it and left it out: ${passedOver.why}.` };
  if (!prompt.padded) return { kind: 'not-needed', why: `The prompt is ${prompt.note}.` };
  return dialect === 'agents'
    ? { kind: 'never', why: 'In dialect agents padding is never made of bodies.' }
    : { kind: 'full', why: 'Padding was full before its turn came: bodies go in by name.' };
};

export const skillCost = (edited: EditedLibrary): SkillCost | undefined => {
  const { item, name, plan } = edited;
  if (!item || name === undefined) return undefined;
  const dialect = plan.dialect ?? 'metis';
  const seen = modelSees(edited).find((one) => one.dialect === dialect);
  if (!seen) return undefined;
  const { prompt } = seen.planned;
  const { body, estimatedBodyTokens: tokens } = item.skill;
  return {
    indexLine: figure(seen.indexLine),
    body: { text: body, tokens },
    bodyAdvice: BODY_TOKEN_WARNING,
    shareOfCap: tokens / HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS,
    shareOfWarning: tokens / WARN_CUMULATIVE_ACTIVATION_TOKENS,
    warnTokens: WARN_CUMULATIVE_ACTIVATION_TOKENS,
    capTokens: HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS,
    preloading: preloadingOf(prompt, name, dialect),
    model: plan.settings?.model ?? DEFAULT_MODEL,
  };
};

/** Counts of a model, as far as they can be reported without asking it. */
export const calibratedTokens = async (
  texts: readonly string[],
  model: string,
  tokenizer: Tokenizer,
): Promise<readonly number[]> => {
  const { tokenFactor } = modelFacts(model);
  return (await tokenizer.count(texts)).map((count) => Math.ceil(count * tokenFactor));
};
