/** The budgets of a metaskill run (D29). */
import { codePointLength, takeCodePoints } from '../../base/text.ts';

export const DEFAULT_ASK_CALLS = 5;
export const DEFAULT_COMMAND_CALLS = 10;
export const DEFAULT_TIMEOUT_S = 300;
export const DEFAULT_COMMAND_TIMEOUT_S = 30;
export const DEFAULT_TURNS = 30;

/** Of a nested answer, a command's result, and the whole result string, in code points. */
export const TEXT_LIMIT = 20_000;

export interface Range {
  readonly least: number;
  readonly most: number;
}

export const ASK_CALLS: Range = { least: 1, most: 20 };
export const COMMAND_CALLS: Range = { least: 0, most: 50 };
export const TURNS: Range = { least: 1, most: 30 };
export const COMMAND_TIMEOUT_S: Range = { least: 1, most: 120 };

export interface Clamped {
  readonly value: number;
  /** What was asked for, where it was out of range. */
  readonly asked: number | undefined;
}

export const clamp = (asked: number, { least, most }: Range): Clamped => {
  const value = Math.min(most, Math.max(least, asked));
  return { value, asked: value === asked ? undefined : asked };
};

/** At most `TEXT_LIMIT` code points. */
export const cutText = (text: string): { text: string; truncated: boolean } =>
  codePointLength(text) > TEXT_LIMIT
    ? { text: takeCodePoints(text, TEXT_LIMIT), truncated: true }
    : { text, truncated: false };
