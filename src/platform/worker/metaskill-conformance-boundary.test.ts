// Conformance cases T (the tool boundary) and S (security), with the real engine.
import { describe, expect, it } from 'vitest';
import type { HostDeps, HostSkill } from '../../model/metaskill/host-types.ts';
import { gatherEvidence, guardSkill } from '../../model/metaskill/consent.ts';
import { admissionOf, type Provenance } from '../../model/metaskill/policy.ts';
import { memoryBook } from '../../model/metaskill/testing/memory-book.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { BODY, body, exited, useMetaskills } from './testing/metaskill-run.ts';

const { run, play, value } = useMetaskills();

const FILES = { 'SKILL.md': BODY, 'SKILL.star': body('return "ran"') };

const under = (
  change: Partial<Provenance>,
  book = memoryBook(),
  tree = createMemoryTree(FILES),
): { readonly skill: Partial<HostSkill> } => ({
  skill: guardSkill({
    name: 't',
    metaskill: { program: 'SKILL.star', language: 'starlark', fault: undefined },
    body: BODY,
    readProgram: () => Promise.resolve({ ok: true, text: FILES['SKILL.star'] }),
    admission: admissionOf({ name: 't', layer: 'user', isForeign: false, policy: 'local', ...change }),
    evidence: () => gatherEvidence(tree, '', 'SKILL.star'),
    book,
  }),
});

describe('the tool boundary', () => {
  it('T04: a static skill is not a metaskill', async () => {
    const { result } = await play('return "no"', { skill: { metaskill: undefined } });
    expect(result).toBe("error: skill 't' is not a metaskill");
  });

  it('T05: an external metaskill is refused under local, and runs under all with consent', async () => {
    const refused = await play('trace("ran")', under({}));
    expect(refused.result).toBe("error: external metaskill 't' is not allowed (policy: local)");
    expect(refused.events).toEqual([]);
    const book = memoryBook();
    book.answers.push(true);
    const { result } = await play('return "ran"', under({ policy: 'all' }, book));
    expect(result).toContain('"answer":"ran"');
  });

  it('T06, POL4: under off a local metaskill that is called directly does not run', async () => {
    const { result, events } = await play('return "ran"', under({ layer: 'project', policy: 'off' }));
    expect(result).toMatch(/^error: .*not allowed/);
    expect(events).toEqual([]);
  });

  it('T08: without an engine the error names the runtime', async () => {
    expect((await play('return 1', { noEngine: true })).result).toMatch(/^error: .*starlark runtime/);
  });

  it('T09: a program that was deleted after it was found cannot be read', async () => {
    const readProgram: HostSkill['readProgram'] = () => Promise.resolve({ ok: false, reason: 'no such file' });
    const { result } = await play('return 1', { skill: { readProgram } });
    expect(result).toBe('error: failed to read metaskill file: no such file');
  });

  it.each([[undefined], [null], [{}]])(
    'T10: the input %j asks for the keys with the whole instructions',
    async (input) => {
      const { result, events, asks } = await play('ask("x")', { input });
      expect(result).toMatch(/^error: input is required/);
      expect(result).toContain(BODY);
      expect([events, asks]).toEqual([[], []]);
    },
  );

  it.each([[[]], [''], [0], [false]])('T11: the input %j is as good as none', async (input) => {
    const { result, events } = await play('ask("x")', { input });
    expect(result).toMatch(/^error: input is required/);
    expect(result).toContain(BODY);
    expect(events).toEqual([]);
  });

  it.each([['str'], [[1]], [5], [true], ['[1]']])('T12: the input %j must be an object', async (input) => {
    const { result, events } = await play('return "ran"', { input });
    expect(result).toMatch(/^error: .*input must be an object/);
    expect(events).toEqual([]);
  });

  it('T12: the JSON text of an object is read as that object', async () => {
    expect(await value('return input["a"][1]', { input: ' {"a": ["x", "é"]} ' })).toMatchObject({ answer: 'é' });
  });

  it('T14: the policy is looked at before the input, the input before the program', async () => {
    expect((await play('return 1', { input: {}, ...under({}) })).result).toContain('not allowed (policy: local)');
    expect((await run('def run(:', { input: {} })).result).toMatch(/^error: input is required/);
  });

  it('T15: a call without name is told what is missing', async () => {
    expect((await play('return 1', { args: { name: undefined } })).result).toMatch(/^error: missing argument.*name/);
  });

  it.each([['3'], [1.5]])('T16: max_ask_calls %j is an error', async (asked) => {
    const { result, events } = await play('return "ran"', { args: { max_ask_calls: asked } });
    expect(result).toMatch(/^error: max_ask_calls must be an integer/);
    expect(events).toEqual([]);
  });

  it.each([
    [0, 1],
    [-1, 1],
    [1_000_000, 20],
  ])('T16: max_ask_calls %i becomes %i, and the clamp is reported', async (asked, allowed) => {
    const ran = await play('for i in range(30):\n    ask("x")', { args: { max_ask_calls: asked } });
    expect(ran.result).toBe(`error: metaskill 't': ask budget exhausted (${allowed} calls)`);
    expect(ran.asks).toHaveLength(allowed);
    expect(ran.events[0]).toMatchObject({ askCalls: allowed, notes: [expect.stringContaining(String(asked))] });
  });

  it('T17: with no commands allowed the first one ends the run', async () => {
    const { result, commands } = await play('command(["ls"])', { args: { max_command_calls: 0 } });
    expect(result).toMatch(/^error: .*command budget exhausted \(0 calls\)/);
    expect(commands).toEqual([]);
  });

  it('T18: a program that never asks does not need a budget', async () => {
    expect((await play('return "fine"', { args: { max_ask_calls: 0 } })).ok).toBe(true);
  });

  it.each([
    ['a syntax error', 'def run(input)\n  return 1'],
    ['an unknown name', body('return nope')],
    ['no run', 'x = 1'],
    ['a failing program', body('fail("x")')],
    ['a wrong result', body('return 1')],
    ['a value that is no JSON', body('return {"f": len}')],
    ['a failing ask', body('ask("x")')],
    ['a spent budget', body('for i in range(99):\n    command(["x"])')],
    ['recursion', 'def f(n):\n  return f(n)\n' + body('return f(1)')],
    ['a cycle', body('x = {}\nx["x"] = x\nreturn x')],
    ['frontmatter', '---\nname: t\n---\n' + body('return "x"')],
  ])('T19: %s ends as a string that starts with error:', async (_what, program) => {
    const ran = await run(program, { ask: () => Promise.reject(new Error('provider down')) });
    expect(ran.ok).toBe(false);
    expect(ran.result).toMatch(/^error: /);
    expect(ran.events.map(({ type }) => type)).toContain('metaskill.finished');
    expect(ran.entries.at(-1)).toMatchObject({ kind: 'metaskill_finish', data: { status: 'error' } });
  });
});

describe('security', () => {
  /** Stands for the dispatcher: the same rule for the outer agent, the program and a nested agent. */
  const dispatch: HostDeps['command'] = ({ argv }) =>
    Promise.resolve(
      argv[0] === 'ls' ? exited(0, 'a.txt') : { kind: 'failed', message: `command '${argv[0]}' is not allowed` },
    );

  it('S01: what is refused to the outer agent is refused to command and inside ask', async () => {
    const nested: unknown[] = [];
    const ran = await play(
      [
        'first = command(["rm", "-r", "."])',
        'ask("please run rm")',
        'second = command(["ls"])',
        'return {"answer": second["result"], "first": first}',
      ].join('\n'),
      {
        command: dispatch,
        ask: async ({ signal, setWaiting }) => {
          nested.push(await dispatch({ argv: ['rm'], timeoutSeconds: 30, signal, setWaiting }));
          return { answer: 'refused', exhausted: false, turns: 1 };
        },
      },
    );
    expect(ran.envelope).toMatchObject({
      answer: 'a.txt',
      first: { ok: false, exit_code: -1, result: "error: command 'rm' is not allowed" },
    });
    expect(nested).toEqual([{ kind: 'failed', message: "command 'rm' is not allowed" }]);
    // Nothing but the dispatcher was asked, and with the very words of the program.
    expect(ran.commands.map(({ argv }) => argv)).toEqual([['rm', '-r', '.'], ['ls']]);
  });

  it('S02: a skill that was copied in needs consent, and again when a file of it changes', async () => {
    const tree = createMemoryTree(FILES);
    const book = memoryBook();
    const copied = under({ layer: 'project', isForeign: true }, book, tree);
    expect((await play('return "ran"', copied)).result).toMatch(/^error: external metaskill 't' is not allowed/);
    book.answers.push(true);
    expect((await play('return "ran"', copied)).ok).toBe(true);
    expect((await play('return "ran"', copied)).ok).toBe(true);
    await tree.write('notes.md', new TextEncoder().encode('new'));
    expect((await play('return "ran"', copied)).result).toMatch(/^error: external metaskill 't'/);
    expect(book.asked).toHaveLength(3);
  });

  it('S05: a command that a person denies is ok false with error:, and the run continues', async () => {
    const envelope = await value('return {"answer": "went on", "got": command(["make"])}', {
      command: ({ setWaiting }) => {
        setWaiting(true);
        setWaiting(false);
        return Promise.resolve({ kind: 'failed', message: "command 'make' was denied" });
      },
    });
    expect(envelope).toMatchObject({
      answer: 'went on',
      got: { ok: false, result: "error: command 'make' was denied" },
    });
  });
});
