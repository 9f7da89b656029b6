import { parseArgs, type ParseArgsConfig } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

export const parseArguments = (args: readonly string[], options: Options): Result<Parsed, string> => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return ok({ values: values as Parsed['values'], positionals });
  } catch (thrown) {
    return err(thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown));
  }
};

/** One of a fixed set of words. */
export const oneOf = <T extends string>(
  name: string,
  value: string | boolean | undefined,
  allowed: readonly T[],
  fallback: T,
): Result<T, string> => {
  if (value === undefined) return ok(fallback);
  const found = allowed.find((word) => word === value);
  return found === undefined ? err(`--${name} is one of ${allowed.join(', ')}; “${String(value)}” is not`) : ok(found);
};

/** Says what is wrong with a call; the exit code for it. */
export const wrongUse = (command: string, message: string): 2 => {
  process.stderr.write(`lathe ${command}: ${message}\n`);
  return 2;
};
