import { parseArgs, type ParseArgsConfig } from 'node:util';
import { errorLine } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { err, ok, type Result } from '../base/result.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** A list where an option may be given several times. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

interface Parsed {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** `--max-ask-calls -1` means a number, not an option that is called `1`. */
const joinNumbers = (args: readonly string[], options: Options): readonly string[] => {
  const joined: string[] = [];
  for (const word of args) {
    const before = joined.at(-1) ?? '';
    const takesValue = before.startsWith('--') && options[before.slice(2)]?.type === 'string';
    if (takesValue && /^-\d/.test(word)) joined.splice(-1, 1, `${before}=${word}`);
    else joined.push(word);
  }
  return joined;
};

export const parseArguments = (args: readonly string[], options: Options): Result<Parsed, string> => {
  try {
    const { values, positionals } = parseArgs({
      args: [...joinNumbers(args, options)],
      options,
      allowPositionals: true,
    });
    return ok({ values: values as Parsed['values'], positionals });
  } catch (thrown) {
    return err(inOurWords(errorLine(thrown), options));
  }
};

const list = (options: Options): readonly string[] => Object.keys(options).map((name) => `--${name}`);

/** Node's texts name the fault, but not what to do. */
const inOurWords = (message: string, options: Options): string => {
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) {
    const known = list(options);
    const near = nearest(unknown, known);
    return near === undefined
      ? `unknown option: ${unknown}; expected ${known.join(', ')}`
      : `unknown option: ${unknown}. Did you mean ${near}?`;
  }
  const [, valueless] = /^Option '(?:-\w, )?(--[^' ]+).*(?:argument missing|is ambiguous)/.exec(message) ?? [];
  if (valueless !== undefined)
    return `missing value: ${valueless}. If the value starts with a dash, write ${valueless}=-…`;
  const [, flag] = /^Option '(?:-\w, )?(--[^' ]+)' does not take an argument/.exec(message) ?? [];
  return flag === undefined ? message : `${flag} doesn't take a value`;
};

/** Nothing where the option was not given. */
export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

export const listOf = (values: Values, name: string): readonly string[] => {
  const value = values[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};

/** One of a fixed set of words. */
export const oneOf = <T extends string>(
  name: string,
  value: Values[string],
  allowed: readonly T[],
  fallback: T,
): Result<T, string> => {
  if (value === undefined) return ok(fallback);
  const found = allowed.find((word) => word === value);
  return found === undefined ? err(`invalid --${name} '${String(value)}'; expected ${allowed.join(', ')}`) : ok(found);
};

/** Prints a usage error, with the right call below it if there is one. Returns the exit code. */
export const wrongUse = (command: string, message: string, usage?: string): 2 => {
  process.stderr.write(`lathe ${command}: ${message}\n${usage === undefined ? '' : `usage: lathe ${usage}\n`}`);
  return 2;
};
