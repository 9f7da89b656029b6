import { describe, expect, it } from 'vitest';
import type { HostSkill, MetaskillEvent, RunStart } from './host-types.ts';
import { admissionOf } from './policy.ts';
import { readInput } from './request.ts';
import { BODY, call, envelope, run, type Setup } from './testing/host-run.ts';
import { runMetaskillTool } from './tool-schema.ts';

describe('the tool boundary', () => {
  it('T02, POL4: the enum has the executable names, by code point; without any there is no tool', () => {
    // In UTF-16 the last two change places.
    expect(runMetaskillTool(['b', '😀', '～', 'a'])?.input_schema.properties.name.enum).toEqual(['a', 'b', '～', '😀']);
    expect(runMetaskillTool([])).toBeUndefined();
  });

  it('T04: a static skill is refused', async () => {
    expect((await call({ skill: { metaskill: undefined } })).result).toBe("error: skill 't' is not a metaskill");
  });

  it('T05, T06, POL4: the refusal of the policy is what the model gets, before anything else is looked at', async () => {
    const refusal = "error: external metaskill 't' is not allowed (policy: local)";
    const outcome = await run({ name: 't', input: {} }, { skill: { refusal } });
    expect(outcome).toMatchObject({ result: refusal, ok: false, runs: 0 });
  });

  it('POL5: consent is asked for after the policy and before the input; its refusal is what the model gets', async () => {
    const starts: RunStart[] = [];
    const start = { turnId: 'turn-1' };
    const consent = (given: RunStart): Promise<string | undefined> => {
      starts.push(given);
      return Promise.resolve('error: not trusted');
    };
    const outcome = await run({ name: 't', input: {} }, { skill: { consent }, start });
    expect(outcome).toMatchObject({ result: 'error: not trusted', ok: false, runs: 0 });
    expect(starts).toEqual([start]);
    await run({ name: 't', input: { k: 1 } }, { skill: { consent, refusal: 'error: off' } });
    expect(starts).toHaveLength(1);
    const agreed = await call({ skill: { consent: () => Promise.resolve(undefined) } });
    expect(agreed.ok).toBe(true);
  });

  it('HOST1: a book that cannot be read refuses the start', async () => {
    const consent = (): Promise<never> => Promise.reject(new Error('database closed'));
    expect((await call({ skill: { consent } })).result).toBe(
      "error: external metaskill 't' is not allowed (consent cannot be read: database closed)",
    );
  });

  it('HOST2: the first check that fails decides; before all have passed nothing is spent, told, or started', async () => {
    const metaskill = { program: 'SKILL.star', language: 'starlark' } as const;
    /** From the last check to the first. Each comes on top of those before it, and its refusal is the one that is given. */
    const faults: readonly (readonly [refusal: string, args: Readonly<Record<string, unknown>>, setup: Setup])[] = [
      ['error: max_ask_calls must be an integer, got ', { max_ask_calls: '3' }, {}],
      ['error: input must be an object, got ', { input: 5 }, {}],
      ['error: input is required. ', { input: {} }, {}],
      [
        'error: failed to read metaskill file: gone',
        {},
        { skill: { readProgram: () => Promise.resolve({ ok: false, reason: 'gone' }) } },
      ],
      [
        "error: metaskill 't': the program SKILL.star is larger than 1 MiB",
        {},
        { skill: { metaskill: { ...metaskill, fault: 'too-large' } } },
      ],
      ['error: starlark runtime not available', {}, { engine: false }],
      ['error: no consent', {}, { skill: { consent: () => Promise.resolve('error: no consent') } }],
      ['error: policy', {}, { skill: { refusal: 'error: policy' } }],
      ["error: skill 't' is not a metaskill", {}, { skill: { metaskill: undefined } }],
      ["error: unknown metaskill: 'u'", { name: 'u' }, {}],
      ['error: missing argument: name', { name: '' }, {}],
      ['error: run_metaskill is not available inside a metaskill', {}, { depth: 1 }],
    ];
    const events: MetaskillEvent[] = [];
    const args = { name: 't', input: { k: 1 } };
    const skill: Partial<HostSkill> = {};
    const setup: Setup = { events, skill };
    for (const [refusal, moreArgs, { skill: moreSkill, ...more }] of faults) {
      Object.assign(args, moreArgs);
      Object.assign(skill, moreSkill);
      Object.assign(setup, more);
      const outcome = await run(args, setup);
      expect(outcome.result.slice(0, refusal.length)).toBe(refusal);
      expect(outcome).toMatchObject({ ok: false, runs: 0, steps: [], trace: [] });
    }
    expect(events).toEqual([]);
    expect(await call({ events })).toMatchObject({ ok: true, runs: 1 });
    expect(events[0]?.type).toBe('metaskill.started');
  });

  it.each([
    ['x', "'x'"],
    ["o'x", '"o\'x"'],
    ['o\'x"y', "'o\\'x\"y'"],
  ])('HOST3: the name %s is written %s in every message', async (name, written) => {
    const args = { name, input: { k: 1 } };
    const refusals: readonly (readonly [Setup, string])[] = [
      [{}, `error: unknown metaskill: ${written}`],
      [{ skill: { name, metaskill: undefined } }, `error: skill ${written} is not a metaskill`],
      [
        { skill: { name, metaskill: { program: 'SKILL.star', language: 'starlark', fault: 'not-utf8' } } },
        `error: metaskill ${written}: the program SKILL.star is not UTF-8`,
      ],
      [
        { skill: { name, consent: () => Promise.reject(new Error('closed')) } },
        `error: external metaskill ${written} is not allowed (consent cannot be read: closed)`,
      ],
      [{ skill: { name }, program: () => 5 }, `error: metaskill ${written}: invalid metaskill return value: int`],
    ];
    for (const [setup, message] of refusals) expect((await run(args, setup)).result).toBe(message);
    expect(admissionOf({ name, layer: 'project', isForeign: false, policy: 'off' })).toMatchObject({
      refusal: `error: metaskill ${written} is not allowed (policy: off)`,
    });
  });

  it('HOST4: arguments that the tool does not know are ignored', async () => {
    const plain = await call();
    expect(await call({}, { max_turns: 'many', timeout: null, depth: 5 })).toEqual(plain);
    expect(plain).toMatchObject({ ok: true, notes: [] });
  });

  it('T08: without an engine the error names it', async () => {
    expect((await call({ engine: false })).result).toMatch(/^error: .*starlark runtime/);
  });

  it('T09: a program that is gone is an error with its reason', async () => {
    const readProgram = () =>
      Promise.resolve({ ok: false, reason: 'no such file' }) as ReturnType<HostSkill['readProgram']>;
    expect((await call({ skill: { readProgram } })).result).toBe('error: failed to read metaskill file: no such file');
  });

  it('T09, T19: a reader that throws is the same error, not an exception', async () => {
    const readProgram = () => Promise.reject(new Error('disk gone'));
    expect((await call({ skill: { readProgram } })).result).toBe('error: failed to read metaskill file: disk gone');
  });

  it.each([[undefined], [null], [{}], [[]], [''], [0], [false]])(
    'T10, T11, HOST5: the input %j asks for the keys, with the instructions, and runs nothing',
    async (input) => {
      const outcome = await run({ name: 't', input });
      expect(outcome.result).toMatch(/^error: input is required/);
      expect(outcome.result).toContain(BODY);
      expect(outcome.result).toContain('Retry run_metaskill');
      expect(outcome.runs).toBe(0);
    },
  );

  it('T10, HOST5, BUD5: instructions in an error are cut at 20,000 characters, visibly', async () => {
    const { result } = await run({ name: 't' }, { skill: { body: '😀'.repeat(20_001) } });
    expect(result).toContain(`expects:\n\n${'😀'.repeat(20_000)}\n[truncated at 20000 characters]\n\nRetry`);
    const whole = await run({ name: 't' }, { skill: { body: '😀'.repeat(20_000) } });
    expect(whole.result).not.toContain('truncated');
  });

  it.each([[undefined], [null], [{}], [[]], [''], [0], [false]])(
    'HOST5: the input %j is {} for a skill without keys',
    async (input) => {
      const { result } = await run(
        { name: 't', input },
        { skill: { body: 'Input keys: none\n' }, program: (api) => JSON.stringify(api.input) },
      );
      expect(envelope(result)['answer']).toBe('{}');
    },
  );

  it('META6: a skill that documents no keys takes an empty input', async () => {
    const outcome = await run({ name: 't', input: {} }, { skill: { body: 'Sums up.\n\n**Input keys**: None\n' } });
    expect(outcome.ok).toBe(true);
  });

  it('META6: a sentence about keys that begins with none is not that line', async () => {
    const { result } = await run(
      { name: 't', input: {} },
      { skill: { body: 'Input keys:\n\nNone may be left out.\n' } },
    );
    expect(result).toMatch(/^error: input is required/);
  });

  it.each([['str'], [[1]], [5], ['[1]'], ['{bad'], ['"{}"']])(
    'T12, HOST6: the input %j is not an object',
    async (input) => {
      expect((await run({ name: 't', input })).result).toMatch(/^error: input must be an object, got /);
    },
  );

  it('T12, HOST6: the JSON text of an object is read as that object', async () => {
    const { result } = await run(
      { name: 't', input: '{"k": [1]}' },
      { program: ({ input }) => ({ answer: JSON.stringify(input) }) },
    );
    expect(envelope(result)['answer']).toBe('{"k":[1]}');
    // An empty one is as empty as the object.
    expect((await run({ name: 't', input: '{}' })).result).toMatch(/^error: input is required/);
  });

  it('T12, L24, HOST6: the numbers of such a string keep their digits and their type', () => {
    const text = '{"one": 1.0, "big": 12345678901234567890123}';
    expect(readInput(` ${text}\n`, false)).toEqual({ ok: true, value: text });
  });

  it('T14: policy before input, input before the program', async () => {
    expect(
      (await run({ name: 't', input: {} }, { program: () => Promise.reject(new Error('syntax')) })).result,
    ).toMatch(/^error: input is required/);
  });

  it('T15, T19: missing or strange arguments are strings that start with error:', async () => {
    for (const args of [undefined, null, 5, 'x', [], {}, { name: 5 }, { name: '' }])
      expect((await run(args)).result).toBe('error: missing argument: name');
    expect((await run({ name: "o'x", input: { k: 1 } })).result).toBe('error: unknown metaskill: "o\'x"');
  });

  it.each([['3'], [1.5], [true], [[]]])('T16: max_ask_calls %j is not an integer', async (value) => {
    expect((await call({}, { max_ask_calls: value })).result).toMatch(/^error: max_ask_calls must be an integer/);
  });

  it('T16: integers out of range are clamped, and the clamp is reported', async () => {
    const events: MetaskillEvent[] = [];
    await call({ events }, { max_ask_calls: 1_000_000, max_command_calls: -1 });
    expect(events[0]).toMatchObject({
      askCalls: 20,
      commandCalls: 0,
      notes: [expect.stringContaining('became 20'), expect.stringContaining('became 0')],
    });
  });

  it('T17: no commands means none', async () => {
    const { result } = await call({ program: ({ command }) => command(['ls']) }, { max_command_calls: 0 });
    expect(result).toBe("error: metaskill 't': command budget exhausted (0 calls)");
  });

  it('K13: a metaskill inside a metaskill is refused', async () => {
    expect(await call({ depth: 1 })).toMatchObject({
      result: expect.stringMatching(/^error: run_metaskill is not available/) as string,
      runs: 0,
    });
  });

  it.each([
    ['not-utf8', 'not UTF-8'],
    ['own-frontmatter', 'frontmatter of its own'],
    ['too-large', 'larger than 1 MiB'],
  ] as const)('P20, P21, DIA3: a program that is %s says so when it is run', async (fault, text) => {
    const { result } = await call({ skill: { metaskill: { program: 'SKILL.star', language: 'starlark', fault } } });
    expect(result).toMatch(/^error: metaskill 't': the program SKILL\.star /);
    expect(result).toContain(text);
  });

  it('HOST7: a byte order mark before the program is dropped, and only there', async () => {
    const text = 'x = "\uFEFF"\n';
    const sources: string[] = [];
    for (const given of [text, `\uFEFF${text}`])
      await call({
        skill: { readProgram: () => Promise.resolve({ ok: true, text: given }) },
        program: ({ source }) => void sources.push(source),
      });
    expect(sources).toEqual([text, text]);
  });

  it('HOST7: a program over 64 KiB runs', async () => {
    const text = '#'.repeat(64 * 1024 + 1);
    const { result } = await call({
      skill: { readProgram: () => Promise.resolve({ ok: true, text }) },
      program: ({ source }) => `${source.length}`,
    });
    expect(envelope(result)['answer']).toBe('65537');
  });
});
