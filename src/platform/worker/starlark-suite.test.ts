// The public conformance suite of the Starlark specification (bazelbuild/starlark, test_suite) through the committed
// module. It is not part of Lathe: see docs/STARLARK-CONFORMANCE.md for where it comes from and what came out.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startThreadEngine, type ThreadEngine } from './testing/node-thread.ts';

/** A copy that somebody names, else the newest one in the cache of Go modules. Nothing is downloaded here. */
const findSuite = (): string | undefined => {
  const named = process.env['LATHE_STARLARK_SUITE'];
  if (named && !existsSync(join(named, 'go'))) throw new Error(`LATHE_STARLARK_SUITE: ${named} has no folder go/`);
  if (named) return named;
  const go = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' });
  const parent = go.status === 0 ? join(go.stdout.trim(), 'github.com/bazelbuild') : '';
  const newest = existsSync(parent)
    ? readdirSync(parent)
        .filter((name) => name.startsWith('starlark@'))
        .toSorted()
        .at(-1)
    : undefined;
  const folder = newest === undefined ? undefined : join(parent, newest, 'test_suite/testdata');
  return folder !== undefined && existsSync(join(folder, 'go')) ? folder : undefined;
};

const suite = findSuite();
const FILES =
  suite === undefined
    ? []
    : ['go', 'java', 'rust'].flatMap((folder) =>
        readdirSync(join(suite, folder))
          .filter((name) => name.endsWith('.star'))
          .toSorted()
          .map((name) => `${folder}/${name}`),
      );

/** In one line, before the first of a chunk. The suite's own prelude only prints, and its runner then drops what was printed. */
const prelude = (equal: '==' | '!='): string =>
  [
    `assert_eq = lambda x, y: None if x ${equal} y else fail("assert_eq: %r, %r" % (x, y))`,
    'assert_ne = lambda x, y: None if x != y else fail("assert_ne: %r == %r" % (x, y))',
    'assert_ = lambda cond, msg = "assertion failed": None if cond else fail("assert_: %s" % msg)',
  ].join('; ');
const END = '\ndef run(input):\n  return "done"\n';

interface Chunk {
  /** Of its first line in the file. */
  readonly line: number;
  readonly text: string;
  /** The error of an implementation in Go; a chunk has at most one. */
  readonly expected: string | undefined;
}

const readChunks = (file: string): Chunk[] => {
  const chunks: Chunk[] = [];
  let lines: string[] = [];
  let expected: string | undefined;
  let start = 1;
  const all = readFileSync(join(suite ?? '', file), 'utf8').split('\n');
  for (const [index, raw] of [...all, '---'].entries()) {
    const line = raw.trimEnd();
    if (line === '---') {
      chunks.push({ line: start, text: lines.join('\n'), expected });
      lines = [];
      expected = undefined;
      start = index + 2;
      continue;
    }
    const match = /^(.*?) *### *(?:(go|java|rust):)? *(.*)$/.exec(line);
    const implementation = match?.[2];
    if (match && (implementation === undefined || implementation === 'go')) {
      if (expected !== undefined) throw new Error(`${file}:${index + 1}: a second expectation`);
      expected = match[3] ?? '';
    }
    lines.push(match?.[1] ?? line);
  }
  return chunks;
};

let engine: ThreadEngine;
beforeAll(async () => {
  if (suite !== undefined) engine = await startThreadEngine();
});
afterAll(() => engine?.[Symbol.dispose]());

/** How a chunk failed, in the words of starlark-go's traceback, which names the builtin that failed; undefined if it did not. */
const failureOf = async ({ text }: Chunk, equal: '==' | '!='): Promise<string | undefined> => {
  const result = await engine.run(`${prelude(equal)}\n${text}${END}`);
  if (result.ok) return result.valueJson === '"done"' ? undefined : `returned ${result.valueJson}`;
  const { message, stack, diagnostics = [] } = result.error;
  const builtins = stack.filter(({ builtin }) => builtin).map(({ name }) => `Error in ${name}: ${message}`);
  return [message, ...builtins, ...diagnostics.map(({ original }) => original)].join('\n');
};

/** As the suite's own runner compares: small letters, as text or as an expression. */
const matches = (pattern: string, message: string): boolean => {
  const [wanted, got] = [pattern.toLowerCase(), message.toLowerCase()];
  return got.includes(wanted) || new RegExp(wanted).test(got);
};

/** What is wrong with a chunk, or undefined. */
const judge = async (chunk: Chunk, equal: '==' | '!=' = '=='): Promise<string | undefined> => {
  const failure = await failureOf(chunk, equal);
  const { expected } = chunk;
  if (expected === undefined) return failure === undefined ? undefined : `unexpected: ${failure}`;
  if (failure === undefined) return `expected ${expected}, but it ran to its end`;
  return matches(expected, failure) ? undefined : `expected ${expected}, got ${failure}`;
};

// Skipped without a copy of the suite: it is not Lathe's to ship, and a test does not download.
describe.skipIf(suite === undefined)(
  'the conformance suite of the Starlark specification (skipped without a copy)',
  () => {
    const tally = { chunks: 0, passed: 0, expectations: 0 };

    it.each(FILES)('CNF2: %s', async (file) => {
      const wrong: string[] = [];
      for (const chunk of readChunks(file)) {
        const fault = await judge(chunk);
        tally.chunks++;
        if (chunk.expected !== undefined) tally.expectations++;
        if (fault === undefined) tally.passed++;
        else wrong.push(`${file}:${chunk.line}: ${fault}`);
      }
      expect(wrong).toEqual([]);
    });

    it(
      'CNF3: with assert_eq turned round the chunks that use it fail, so that the harness looks',
      { timeout: 60_000 },
      async () => {
        let failed = 0;
        const unnoticed: string[] = [];
        for (const file of FILES) {
          for (const chunk of readChunks(file)) {
            const fault = await judge(chunk, '!=');
            if (fault !== undefined) failed++;
            // One that ends in an error may end there before it compares anything.
            else if (chunk.expected === undefined && /^assert_eq\(/m.test(chunk.text))
              unnoticed.push(`${file}:${chunk.line}`);
          }
        }
        if (process.env['LATHE_SHOW_CONFORMANCE']) console.log(tally, { turnedRound: failed });
        expect(unnoticed).toEqual([]);
        expect(failed).toBeGreaterThan(100);
      },
    );
  },
);
