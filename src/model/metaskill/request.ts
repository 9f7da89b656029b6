/** The arguments of `run_metaskill`, which the host validates itself so that the metaskill specification's own errors reach the model (D20). */
import { isObject, parseJson } from '../../base/json.ts';
import { err, ok, type Result, valueOr } from '../../base/result.ts';
import { ASK_CALLS, clamp, COMMAND_CALLS, DEFAULT_ASK_CALLS, DEFAULT_COMMAND_CALLS, type Range } from './limits.ts';

export interface Budget {
  readonly askCalls: number;
  readonly commandCalls: number;
  /** What was asked for and is out of range, in words. */
  readonly clamps: readonly string[];
}

const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isInteger(value) ? 'float' : typeof value;
};

const readLimit = (
  args: Readonly<Record<string, unknown>>,
  key: string,
  range: Range,
  fallback: number,
): Result<{ value: number; note: string | undefined }, string> => {
  const asked = args[key];
  if (asked === undefined || asked === null) return ok({ value: fallback, note: undefined });
  if (typeof asked !== 'number' || !Number.isInteger(asked))
    return err(`error: ${key} must be an integer, got ${typeName(asked)}`);
  const { value, asked: was } = clamp(asked, range);
  return ok({
    value,
    note: was === undefined ? undefined : `${key} ${was} is outside ${range.least}–${range.most} and became ${value}`,
  });
};

export const readBudget = (args: Readonly<Record<string, unknown>>): Result<Budget, string> => {
  const asks = readLimit(args, 'max_ask_calls', ASK_CALLS, DEFAULT_ASK_CALLS);
  if (!asks.ok) return asks;
  const commands = readLimit(args, 'max_command_calls', COMMAND_CALLS, DEFAULT_COMMAND_CALLS);
  if (!commands.ok) return commands;
  const clamps = [asks.value.note, commands.value.note].filter((note) => note !== undefined);
  return ok({ askCalls: asks.value.value, commandCalls: commands.value.value, clamps });
};

/** Models like to send an object as the JSON text of one. */
const objectOfText = (input: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (typeof input !== 'string' || !input.trim().startsWith('{')) return undefined;
  const parsed = valueOr(parseJson(input), undefined);
  return isObject(parsed) ? parsed : undefined;
};

export type InputProblem = { readonly kind: 'empty' } | { readonly kind: 'wrong'; readonly message: string };

/** Nothing, `{}`, `[]`, `""`, `0` and `false` are all empty. */
export const readInput = (raw: unknown, acceptsEmpty: boolean): Result<string, InputProblem> => {
  const parsed = objectOfText(raw);
  const input = parsed ?? raw;
  const isEmpty =
    !input || (Array.isArray(input) && input.length === 0) || (isObject(input) && Object.keys(input).length === 0);
  if (isEmpty) return acceptsEmpty ? ok('{}') : err({ kind: 'empty' });
  if (!isObject(input))
    return err({ kind: 'wrong', message: `error: input must be an object, got ${typeName(input)}` });
  // The text has every digit and tells 1.0 from 1, which a number here does not.
  if (parsed && typeof raw === 'string') return ok(raw.trim());
  try {
    return ok(JSON.stringify(input));
  } catch {
    return err({
      kind: 'wrong',
      message: 'error: input must be JSON: it refers to itself or holds a value without a JSON form',
    });
  }
};
