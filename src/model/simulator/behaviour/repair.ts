/**
 * Repairs what a failing assertion shows, where the fault is a small one: rounding, a boundary, one too many or too few. It
 * reads the test to learn which function is meant, then the function, and changes one line. What it cannot place it leaves.
 */

export interface Failure {
  readonly testFile: string;
  /** The line of the test that failed, as text. */
  readonly check: string;
  readonly actual: string;
  readonly expected: string;
}

const unrooted = (path: string): string => path.replace(/^\/workspace\//, '').replace(/^\.\//, '');

/** The first failing comparison of a run of unittest or pytest. */
export const readFailure = (output: string): Failure | undefined => {
  const unittest =
    /File "([^"\n]+)", line \d+, in test\w*\n\s*([^\n]*assert[^\n]*)\n(?:\s*[~^ ]+\n)?AssertionError: (\S+) != (\S+)/.exec(
      output,
    );
  if (unittest) {
    const [, testFile = '', check = '', actual = '', expected = ''] = unittest;
    return { testFile: unrooted(testFile), check: check.trim(), actual, expected };
  }
  const pytest =
    /^>\s+assert (\w+\(.*\)) == (\S+)$[^]*?^E\s+(?:assert|AssertionError: assert) (\S+) == (\S+)[^]*?^([\w./-]+\.py):\d+: /m.exec(
      output,
    );
  if (!pytest) return undefined;
  const [, call = '', , actual = '', expected = '', testFile = ''] = pytest;
  return { testFile: unrooted(testFile), check: `assert ${call} == ${expected}`, actual, expected };
};

/** The function that is called first in a check. */
export const functionIn = (check: string): string | undefined =>
  [...check.matchAll(/(?<![.\w])([A-Za-z_]\w*)\(/g)]
    .map(([, name = '']) => name)
    .find((name) => !/^(?:assert\w*|self|len|str|int|list|sorted)$/.test(name));

/** Where a test may get a function from: below the workspace, or below a folder that the test is in. */
export const sourcesOf = (test: string, testFile: string, name: string): readonly string[] => {
  for (const [, module = '', names = ''] of test.matchAll(/^from ([\w.]+) import ([^\n#]+|\([^)]*\))/gm)) {
    if (!new RegExp(`\\b${name}\\b`).test(names)) continue;
    const path = `${module.replaceAll('.', '/')}.py`;
    const folders = testFile.split('/').slice(0, -1);
    return [path, ...folders.map((_step, index) => `${folders.slice(0, index + 1).join('/')}/${path}`)];
  }
  return [];
};

/** The lines of a function, behind its heading. */
const bodyOf = (source: string, name: string): readonly string[] => {
  const lines = source.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\s*def ${name}\\(`).test(line));
  if (start === -1) return [];
  const indent = /^\s*/.exec(lines[start] ?? '')?.[0].length ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) <= indent);
  return end === -1 ? rest : rest.slice(0, end);
};

interface Rule {
  readonly fits: (difference: number) => boolean;
  readonly pattern: RegExp;
  readonly by: string;
  readonly cause: string;
}

const tooMuch = (difference: number): boolean => difference > 0;
const tooLittle = (difference: number): boolean => difference < 0;
const any = (): boolean => true;

/** In the order in which they are tried. */
const RULES: readonly Rule[] = [
  {
    fits: tooMuch,
    pattern: /\bround\(([^()]+?) \/ ([^()]+?)\)/,
    by: '$1 // $2',
    cause: 'it rounds to the nearest number where it has to round down',
  },
  {
    fits: tooLittle,
    pattern: /\bround\(([^()]+?) \/ ([^()]+?)\)/,
    by: '-(-($1) // $2)',
    cause: 'it rounds to the nearest number where it has to round up',
  },
  {
    fits: tooMuch,
    pattern: /\bmath\.ceil\(([^()]+?) \/ ([^()]+?)\)/,
    by: '$1 // $2',
    cause: 'it rounds up where it has to round down',
  },
  {
    fits: tooLittle,
    pattern: /\b(?:math\.floor|int)\(([^()]+?) \/ ([^()]+?)\)/,
    by: '-(-($1) // $2)',
    cause: 'it rounds down where it has to round up',
  },
  {
    fits: any,
    pattern: /(?<![\w)/]) ?(\w+) \/ (\w+)(?![\w(])/,
    by: '$1 // $2',
    cause: 'it divides without rounding down',
  },
  { fits: any, pattern: / > (?!=)/, by: ' >= ', cause: 'the boundary itself is left out' },
  { fits: any, pattern: / < (?!=)/, by: ' <= ', cause: 'the boundary itself is left out' },
  { fits: any, pattern: / >= /, by: ' > ', cause: 'the boundary itself is taken in' },
  { fits: any, pattern: / <= /, by: ' < ', cause: 'the boundary itself is taken in' },
  { fits: tooLittle, pattern: /\brange\(([^(),]+)\)/, by: 'range($1 + 1)', cause: 'the last one is left out' },
  { fits: tooLittle, pattern: / - 1\b/, by: '', cause: 'one is taken away too many' },
  { fits: tooMuch, pattern: / \+ 1\b/, by: '', cause: 'one is added too many' },
];

export interface Repair {
  readonly old: string;
  readonly new: string;
  readonly cause: string;
}

const isCode = (line: string): boolean => !/^\s*(?:#|"""|'''|$)/.test(line);

/** One line of the function, and what takes its place; nothing if no rule fits. */
export const repairFor = (source: string, name: string, { actual, expected }: Failure): Repair | undefined => {
  const difference = Number(actual) - Number(expected);
  const lines = bodyOf(source, name).filter(isCode);
  for (const { fits, pattern, by, cause } of RULES) {
    if (Number.isNaN(difference) ? fits !== any : !fits(difference)) continue;
    // A line that occurs twice cannot be named without more of what is around it.
    const line = lines.find((one) => pattern.test(one) && source.split(one).length === 2);
    if (line !== undefined) return { old: line, new: line.replace(pattern, by), cause };
  }
  return undefined;
};
