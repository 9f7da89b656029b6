// Thousands of generated programs: whatever they are, the engine answers in its protocol and lives on.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentedInputKeys } from '../../model/starlark/input-keys.ts';
import { checkProgram } from '../../model/starlark/program-rules.ts';
import { startThreadEngine, type ThreadEngine } from './testing/node-thread.ts';
import { damaged, randomProgram } from './testing/random-programs.ts';

/** Raise it for a long night; a failure names its seed. */
const PROGRAMS = Number(process.env['LATHE_FUZZ'] ?? 3000);

let engine: ThreadEngine;
beforeAll(async () => {
  engine = await startThreadEngine();
});
afterAll(() => engine[Symbol.dispose]());

/** Finds a fault without ending the test at once: the list of them says more than the first. */
class Faults {
  readonly list: string[] = [];

  unless(fine: boolean, what: string, text: string): void {
    if (!fine) this.list.push(`${what}\n${text}`);
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const program = (text: string) => ({ file: 'SKILL.star', text });

it(
  'FUZ1: generated programs run to a value or an error, and are judged without a crash',
  { timeout: 300_000 },
  async () => {
    const kinds = new Set<string>();
    const faults = new Faults();
    for (let seed = 0; seed < PROGRAMS; seed++) {
      const text = randomProgram(seed);
      const result = await engine.run(text, { maxSteps: 20_000, timeoutMs: 5000 });
      const kind = result.ok ? 'ok' : result.error.kind;
      kinds.add(kind);
      faults.unless(result.ok ? isJson(result.valueJson) : result.error.message !== '', 'no answer', text);
      faults.unless(kind !== 'engine', 'the engine failed', text);
      if (seed % 5 !== 0) continue;
      const analysis = await engine.analyse(text);
      const compiles = kind !== 'syntax' && kind !== 'resolve';
      faults.unless((analysis.diagnostics.length === 0) === compiles, 'check and run disagree', text);
      checkProgram({ program: program(text), analysis });
    }
    expect(faults.list).toEqual([]);
    expect(engine.crashes()).toBe(0);
    // The generator makes all sorts.
    expect([...kinds]).toEqual(expect.arrayContaining(['ok', 'runtime', 'contract', 'value']));
  },
);

it('FUZ2: damaged programs are checked and formatted without a crash', { timeout: 300_000 }, async () => {
  const demo = new URL('../../../public/demo/skills/', import.meta.url);
  const texts = readdirSync(demo).flatMap((name) => {
    const folder = new URL(`${name}/`, demo);
    return readdirSync(folder).includes('SKILL.star') ? [readFileSync(new URL('SKILL.star', folder), 'utf8')] : [];
  });
  const faults = new Faults();
  for (let seed = 0; seed < PROGRAMS / 3; seed++) {
    const text = damaged(texts[seed % texts.length] ?? '', seed);
    const analysis = await engine.analyse(text);
    for (const { range, message } of analysis.diagnostics) {
      faults.unless(message !== '', 'no message', text);
      faults.unless(
        range.endLine > range.line || range.endColumn >= range.column,
        'a range that ends before it starts',
        text,
      );
    }
    for (const { range, fixes } of checkProgram({ program: program(text), analysis })) {
      const edits = fixes.flatMap(({ action }) =>
        action.kind === 'edit' ? action.edits.map((edit) => edit.range) : [],
      );
      faults.unless(
        [range, ...edits].every(({ end }) => end <= text.length),
        'a range outside of the text',
        text,
      );
    }
    documentedInputKeys(text);
    const formatted = await engine.format(text);
    const again = formatted.ok ? await engine.format(formatted.text) : formatted;
    faults.unless(
      formatted.ok === again.ok && (!again.ok || !formatted.ok || again.text === formatted.text),
      'formatting is not idempotent',
      text,
    );
  }
  expect(faults.list).toEqual([]);
  expect(engine.crashes()).toBe(0);
});
