// The tables for hover and completion name exactly what the engine has.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  BUILTINS,
  CONSTANTS,
  DICT_METHODS,
  type DialectEntry,
  HOST_FUNCTIONS,
  KEYWORDS,
  LIST_METHODS,
  STRING_METHODS,
} from '../../model/starlark/dialect.ts';
import { startThreadEngine, type ThreadEngine } from './testing/node-thread.ts';

let engine: ThreadEngine;
beforeAll(async () => {
  engine = await startThreadEngine();
});
afterAll(() => engine[Symbol.dispose]());

const names = (list: readonly DialectEntry[]): string[] => list.map(({ name }) => name).toSorted();

it.each([
  ['""', STRING_METHODS],
  ['[]', LIST_METHODS],
  ['{}', DICT_METHODS],
])('DIA2: the methods of %s', async (value, methods) => {
  const result = await engine.run(`def run(input):\n  return {"names": dir(${value})}`);
  expect(result.ok && JSON.parse(result.valueJson)).toEqual({ names: names(methods) });
});

it('DIA2: the functions and constants', async () => {
  const all = [...HOST_FUNCTIONS, ...BUILTINS, ...CONSTANTS];
  expect((await engine.analyse(names(all).join('\n'))).diagnostics).toEqual([]);
  // And no other: these are Python's.
  const { diagnostics } = await engine.analyse('set\nsum\nround\nmap\nopen\ninput\njson\nfilter\n');
  expect(diagnostics).toHaveLength(8);
});

it('DIA1: the keywords', async () => {
  for (const word of KEYWORDS) {
    expect(
      (await engine.analyse(`${word} = 1`)).diagnostics.map(({ kind }) => kind),
      word,
    ).toContain('syntax');
  }
});
