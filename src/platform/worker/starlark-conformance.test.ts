// starlark-go's own test files through the committed module. They come with the Go module and are not part of Lathe, so
// that this needs Go; without it the test is skipped.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startThreadEngine, type ThreadEngine } from './testing/node-thread.ts';

const go = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', 'go.starlark.net'], {
  cwd: fileURLToPath(new URL('../../../starlark', import.meta.url)),
  encoding: 'utf8',
});
const folder = go.status === 0 && go.stdout.trim() !== '' ? join(go.stdout.trim(), 'starlark/testdata') : undefined;

/** Not here: libraries that a metaskill does not have, and files about sets, while and recursion. */
const FILES = [
  'assign',
  'bool',
  'builtins',
  'bytes',
  'control',
  'dict',
  'float',
  'function',
  'int',
  'list',
  'misc',
  'string',
  'tuple',
];

/** Assertions without modules and exceptions, in one line, so that line numbers stay. A failure cannot be caught: those are run apart. */
const PRELUDE = [
  '_num = ("float", "int")',
  'assert_eq = lambda x, y: None if x == y or (type(x) in _num and type(y) in _num and abs(x - y) <= 1e-15 * abs(x)) else fail("%r != %r" % (x, y))',
  'assert_ne = lambda x, y: None if x != y else fail("%r == %r" % (x, y))',
  'assert_true = lambda x, msg = "assertion failed": None if x else fail(msg)',
  'assert_lt = lambda x, y: None if x < y else fail("%r >= %r" % (x, y))',
  'assert_contains = lambda x, y: None if y in x else fail("%r is not in %r" % (y, x))',
  'assert_fails = lambda f, pattern: None',
  'assert_fail = lambda msg: fail(msg)',
].join('; ');
const END = '\ndef run(input):\n  return "done"\n';

let engine: ThreadEngine;
beforeAll(async () => {
  engine = await startThreadEngine();
});
afterAll(() => engine[Symbol.dispose]());

interface Expectation {
  readonly line: number;
  readonly pattern: RegExp;
}

const unquote = (literal: string): string | undefined => {
  const text = literal.trim();
  if (/^`[^`]*`/.test(text)) return /^`([^`]*)`/.exec(text)?.[1];
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  try {
    return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
  } catch {
    return undefined;
  }
};

const toPattern = (literal: string): RegExp | undefined => {
  const text = unquote(literal);
  try {
    return text === undefined ? undefined : new RegExp(text);
  } catch {
    return undefined;
  }
};

const expectations = (lines: readonly string[]): Expectation[] =>
  lines.flatMap((line, index) => {
    const literal = /###\s*(.*)$/.exec(line)?.[1];
    const pattern = literal === undefined ? undefined : toPattern(literal);
    return pattern ? [{ line: index + 1, pattern }] : [];
  });

/** Empties the top-level statement around a line (from 1). */
const drop = (lines: string[], line: number): void => {
  const starts = (text: string | undefined): boolean => /^[^\s#)\]}]/.test(text ?? '');
  let from = Math.min(line, lines.length) - 1;
  while (from > 0 && !starts(lines[from])) from--;
  let to = from + 1;
  while (to < lines.length && !starts(lines[to])) to++;
  for (let index = from; index < to; index++) lines[index] = '';
};

const prepare = (chunk: string): string[] => {
  const lines = chunk.replace(/\bassert\.(eq|ne|true|lt|contains|fails|fail)\b/g, 'assert_$1').split('\n');
  return lines.map((line) => (/^load\(['"]assert\.star['"], ['"]assert['"]/.test(line) ? PRELUDE : line));
};

interface Tally {
  assertions: number;
  failing: number;
  expected: number;
  dropped: number;
}

/** Without what the dialect does not have: statements that do not even resolve. */
const fitted = async (lines: string[], wanted: readonly Expectation[], tally: Tally): Promise<string> => {
  for (let round = 0; round < 40; round++) {
    const { diagnostics } = await engine.analyse(lines.join('\n') + END);
    const foreign = diagnostics.filter(
      ({ range }) => range.line <= lines.length && !wanted.some(({ line }) => line === range.line),
    );
    const lineBefore = lines.join('\n');
    for (const { range } of foreign) drop(lines, range.line);
    if (foreign.length === 0 || lines.join('\n') === lineBefore) break;
    tally.dropped += foreign.length;
  }
  return lines.join('\n') + END;
};

const errorOf = async (text: string): Promise<{ message: string; lines: number[] } | undefined> => {
  const result = await engine.run(text);
  if (result.ok) return undefined;
  const { error } = result;
  return {
    message: [error.message, ...(error.diagnostics ?? []).map(({ original }) => original)].join('\n'),
    lines: [
      error.range,
      ...error.stack.map(({ range }) => range),
      ...(error.diagnostics ?? []).map(({ range }) => range),
    ].flatMap((range) => range?.line ?? []),
  };
};

describe.skipIf(folder === undefined)('starlark-go’s tests (they come with the Go module; skipped without Go)', () => {
  it.each(FILES)('CNF1: %s.star', async (name) => {
    const tally: Tally = { assertions: 0, failing: 0, expected: 0, dropped: 0 };
    const wrong: string[] = [];
    const file = readFileSync(join(folder ?? '', `${name}.star`), 'utf8');
    for (const chunk of file.split('\n---\n')) {
      // Other options, and what is about load() itself.
      if (/option:(?:globalreassign|loadbindsglobally|recursion|while)|variable assert|^load\(.*###/m.test(chunk))
        continue;
      const lines = prepare(chunk);
      const wanted = expectations(lines);
      const text = await fitted(lines, wanted, tally);
      tally.assertions += text.match(/assert_(?:eq|ne|true|lt|contains)\(/g)?.length ?? 0;
      const error = await errorOf(text);
      const first = wanted.find(
        ({ pattern, line }) => error && pattern.test(error.message) && error.lines.includes(line),
      );
      if (wanted.length === 0 && error)
        wrong.push(`${error.message} in line ${error.lines.at(0)}: ${lines[(error.lines.at(0) ?? 1) - 1]}`);
      if (wanted.length > 0) {
        tally.expected += wanted.length;
        if (!first)
          wrong.push(`expected ${wanted.map(({ pattern }) => String(pattern)).join(', ')}, got ${error?.message}`);
      }
      // Each failure on its own: the program ends there.
      for (const [index, line] of lines.entries()) {
        const match = /^assert_fails\(lambda: (.+), (["`].*["`])\)(?:\s*#.*)?$/.exec(line);
        const pattern = match ? toPattern(match[2] ?? '') : undefined;
        // Nothing can be frozen here: freeze() belongs to the test library.
        if (!match || !pattern || pattern.source.includes('frozen')) continue;
        const failure = await errorOf(lines.with(index, `_alone = (${match[1]})`).join('\n') + END);
        tally.failing++;
        if (!failure || !pattern.test(failure.message)) wrong.push(`${line}: got ${failure?.message}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(tally.assertions + tally.failing + tally.expected).toBeGreaterThan(3);
    if (process.env['LATHE_SHOW_CONFORMANCE']) console.log(name, tally);
  });
});
