// Thousands of generated programs: whatever they are, the engine answers in its protocol and lives on.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codePointLength } from '../../base/text.ts';
import { runMetaskill } from '../../model/metaskill/host.ts';
import type { CommandAnswer, HostDeps, HostSkill } from '../../model/metaskill/host-types.ts';
import { TEXT_LIMIT } from '../../model/metaskill/limits.ts';
import { documentedInputKeys } from '../../model/starlark/input-keys.ts';
import { checkProgram } from '../../model/starlark/program-rules.ts';
import { startTestEngine } from './testing/node-engine.ts';
import { startThreadEngine, type ThreadEngine } from './testing/node-thread.ts';
import { damaged, randomProgram } from './testing/random-programs.ts';

/** Raise them for a long night (`LATHE_FUZZ=20000`); a failure shows its program. */
const LONG = Number(process.env['LATHE_FUZZ'] ?? 0);
const PROGRAMS = LONG || 1800;
/** Each of these has a worker of its own, which is what takes the time. */
const METASKILLS = LONG || 300;
const TIMEOUT = 120_000 + 60 * PROGRAMS;

let engine: ThreadEngine;
beforeAll(async () => {
  engine = await startThreadEngine();
});
afterAll(() => engine[Symbol.dispose]());

/** Finds a fault without ending the test immediately: the list of them says more than the first. */
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
  { timeout: TIMEOUT },
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

it('FUZ2: damaged programs are checked and formatted without a crash', { timeout: TIMEOUT }, async () => {
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

const mix = (seed: number, salt: number): number => {
  const hash = Math.imul((seed + 1) ^ (salt * 0x9e3779b1), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
};

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { v: value };
  return value;
};

/** What a model may send for `input`: JSON, of any shape. */
const INPUTS: readonly unknown[] = [
  { k: 1 },
  { k: 'é😀', '': null },
  { k: 1.5, n: -0, big: 1e300, tiny: 5e-324, int: 2 ** 53 },
  { k: '\u0000\ud800', '\udc00': '\u2028' },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "10": 1, "2": 2}'),
  { k: deep(50) },
  { k: deep(3000) },
  { k: 'x'.repeat(30_000) },
  { k: Array.from({ length: 2000 }, (_, index) => index) },
  { k: undefined },
  '{"k": "as text"}',
  '{"k": ',
  'not an object',
  '',
  undefined,
  null,
  {},
  [],
  [{ k: 1 }],
  0,
  7.5,
  true,
];
const LIMITS: readonly unknown[] = [undefined, undefined, undefined, 0, 1, 3, 1000, -4, 1.5, 'five', null, [], 2 ** 60];
/** Answers of a host at its worst. */
const ANSWERS: readonly string[] = ['yes', '', '\u0000', '\ud800', 'é😀'.repeat(9000), '{"a": [1]}', '%s {} \\ "'];
const COMMANDS: readonly CommandAnswer[] = [
  { kind: 'exited', exitCode: 0, output: 'fine' },
  { kind: 'exited', exitCode: -1, output: '\u0000\ud800' },
  { kind: 'exited', exitCode: 3, output: 'o'.repeat(50_000), truncated: true },
  { kind: 'failed', message: 'not allowed' },
  { kind: 'failed', message: '', output: 'é😀' },
];
const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

/** One call of the tool, with everything drawn from its seed. */
const randomCall = (seed: number): { text: string; args: unknown; deps: Omit<HostDeps, 'engine'> } => {
  const draw = (salt: number): number => mix(seed, salt);
  const text = draw(1) % 10 === 0 ? damaged(randomProgram(seed), seed) : randomProgram(seed);
  const skill: HostSkill = {
    name: 't',
    metaskill: { program: 'SKILL.star', language: 'starlark', fault: undefined },
    body: draw(2) % 2 === 0 ? '' : 'Input keys:\n\n- `k`: any value.\n',
    refusal: undefined,
    readProgram: () => Promise.resolve({ ok: true, text }),
  };
  // Three of four have an input that is fine: otherwise few programs would run.
  const input = draw(3) % 4 === 0 ? pick(INPUTS, draw(4)) : { k: pick(INPUTS, draw(4)) ?? 1 };
  const args = { name: 't', input, max_ask_calls: pick(LIMITS, draw(5)), max_command_calls: pick(LIMITS, draw(6)) };
  let calls = 0;
  return {
    text,
    args:
      draw(7) % 50 === 0 ? pick<unknown>([null, undefined, 5, 'text', [], { name: 't' }, { name: 5 }], draw(8)) : args,
    deps: {
      find: (name) => (name === 't' ? skill : undefined),
      ask: () =>
        draw(9) % 8 === 0
          ? Promise.reject(new Error('the model is away'))
          : Promise.resolve({ answer: pick(ANSWERS, draw(10) + calls++), exhausted: draw(11) % 3 === 0, turns: 1 }),
      command: () =>
        draw(12) % 8 === 0
          ? Promise.reject(new Error('no shell'))
          : Promise.resolve(pick(COMMANDS, draw(13) + calls++)),
      now: () => performance.now(),
    },
  };
};

it('FUZ3: as a metaskill, each ends as a string, and no worker is left behind', { timeout: TIMEOUT }, async () => {
  using test = startTestEngine();
  const host = test.engine;
  const faults = new Faults();
  const lanes = 3;
  let most = 0;
  const ends = new Map<string, number>();
  const lane = async (first: number): Promise<void> => {
    for (let seed = first; seed < METASKILLS; seed += lanes) {
      const { text, args, deps } = randomCall(seed);
      const sent = args === undefined ? 'nothing' : JSON.stringify(args).slice(0, 300);
      const shown = `seed ${seed}, ${sent}\n${text}`;
      const outcome = await runMetaskill(args, { ...deps, engine: host }, { timeoutSeconds: 20 }).catch(
        (thrown: unknown) => ({ ok: false, result: thrown }),
      );
      const { result, ok } = outcome;
      most = Math.max(most, host.workers);
      const start = '[Metaskill: t completed]\n';
      if (typeof result !== 'string') {
        faults.unless(false, `not a string: ${String(result)}`, shown);
        continue;
      }
      faults.unless(
        ok ? result.startsWith(start) && isJson(result.slice(start.length)) : result.startsWith('error: '),
        `neither an envelope nor an error: ${result.slice(0, 200)}`,
        shown,
      );
      faults.unless(!ok || codePointLength(result) <= TEXT_LIMIT, 'an envelope that is too long', shown);
      faults.unless(!result.includes('the engine failed'), result.slice(0, 200), shown);
      const end = ok ? 'ok' : (/^error: (?:metaskill 't': )?(\w+)/.exec(result)?.[1] ?? 'other');
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
  // The spare of the last run may still be in progress.
  await host.warm();
  if (LONG) console.log(Object.fromEntries(ends), `at most ${most} workers at once`);
  expect(faults.list.slice(0, 5)).toEqual([]);
  expect(host.workers).toBe(1);
  // A run's own, the one that has just ended, and the spare that starts.
  expect(most).toBeLessThanOrEqual(2 * lanes + 1);
  // All sorts of ends: fine, a failure in the program, an input or a limit that is refused.
  expect([...ends.keys()]).toEqual(expect.arrayContaining(['ok', 'runtime', 'input', 'invalid']));
  host.dispose();
  await expect.poll(() => host.workers).toBe(0);
});
