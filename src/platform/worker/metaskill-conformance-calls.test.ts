// Conformance cases K (ask), C (command), R (trace) and B (budgets), with the real engine.
import { describe, expect, it } from 'vitest';
import { codePointLength } from '../../base/text.ts';
import type { CommandAnswer } from '../../model/metaskill/host-types.ts';
import { exited, useMetaskills } from './testing/metaskill-run.ts';
import { timePasses } from './testing/node-engine.ts';

const { play, value } = useMetaskills();

const RUNTIME = /^error: metaskill 't': runtime error: /;

describe('ask', () => {
  it('K01, FUN1: gives exactly answer, exhausted, turns and truncated', async () => {
    const { result } = await play(
      'r = ask("hello")\nreturn {"keys": sorted(r), "types": [type(r[k]) for k in sorted(r)]}',
    );
    expect(result).toContain(
      '"keys":["answer","exhausted","truncated","turns"],"types":["string","bool","bool","int"]',
    );
  });

  it.each(['"4"', 'None', '2.5', 'True'])('K04, FUN6: max_turns %s is a runtime error that names it', async (turns) => {
    const { result, asks } = await play(`ask("x", {"max_turns": ${turns}})`);
    expect(result).toMatch(RUNTIME);
    expect(result).toContain('max_turns');
    expect(asks).toEqual([]);
  });

  it.each(['ask("x")', 'ask("x", None)', 'ask("x", {})', 'ask("x", {"model": "big", "temperature": 0.5})'])(
    'K05, FUN6: %s asks with the defaults',
    async (call) => {
      const { asks, ok } = await play(call);
      expect(ok).toBe(true);
      expect(asks).toMatchObject([{ prompt: 'x', purpose: 'nested', maxTurns: 30 }]);
    },
  );

  it.each(['5', 'None', '["draft"]'])('FUN6: purpose %s is a runtime error that names it', async (purpose) => {
    const { result, asks } = await play(`ask("x", {"purpose": ${purpose}})`);
    expect(result).toMatch(RUNTIME);
    expect(result).toContain('purpose');
    expect(asks).toEqual([]);
  });

  it.each(['[1]', '"x"', '5'])('FUN6: opts %s of ask is a runtime error', async (opts) => {
    const { result, asks } = await play(`ask("x", ${opts})`);
    expect(result).toMatch(RUNTIME);
    expect(asks).toEqual([]);
  });

  it('K06: keywords work, missing and unknown arguments do not', async () => {
    const { asks } = await play('ask(prompt="p", opts={"max_turns": 2})');
    expect(asks).toMatchObject([{ prompt: 'p', maxTurns: 2 }]);
    const missing = await play('ask()');
    expect(missing.result).toMatch(RUNTIME);
    expect(missing.result).toContain('missing argument');
    const unknown = await play('ask("x", timeout=1)');
    expect(unknown.result).toMatch(RUNTIME);
    expect(unknown.result).toContain('unexpected keyword');
  });

  it('K09: a nested agent that returns nothing gives an empty answer and its own exhausted', async () => {
    const envelope = await value('return {"got": ask("x")}', {
      ask: () => Promise.resolve({ answer: '', exhausted: true, turns: 30 }),
    });
    expect(envelope['got']).toEqual({ answer: '', exhausted: true, turns: 30, truncated: false });
  });

  it.each([
    ['x', 20_000, false],
    ['x', 20_001, true],
    ['😀', 20_000, false],
    ['😀', 20_001, true],
  ])('K10: an answer of %s × %i has truncated %s', async (char, count, truncated) => {
    const envelope = await value(
      'r = ask("x")\nreturn {"n": len(r["answer"]), "truncated": r["truncated"], "rest": r["answer"].replace(input["c"], "")}',
      { input: { c: char }, answers: [char.repeat(count)] },
    );
    expect(envelope).toMatchObject({ n: 20_000 * new TextEncoder().encode(char).length, truncated, rest: '' });
  });

  it('K12, FUN2: a provider that fails ends the run, its text untouched', async () => {
    const { result, steps } = await play('ask("x")\nreturn "went on"', {
      ask: () => Promise.reject(new Error('provider down: 100% of %d {x}')),
    });
    expect(result).toMatch(/^error: metaskill 't': runtime error: SKILL\.star:2:5: provider down: 100% of %d \{x\}$/);
    expect(steps).toMatchObject([{ kind: 'ask', ok: false }]);
  });

  it('K13: a run inside a run is refused', async () => {
    const { result, events } = await play('return "ran"', { depth: 1 });
    expect(result).toMatch(/^error: run_metaskill/);
    expect(events).toEqual([]);
  });

  it('K14, FUN1: each ask hands over its prompt and nothing of those before', async () => {
    const { asks } = await play('ask("one")\nask("two")', { answers: ['first answer'] });
    expect(asks.map(({ prompt }) => prompt)).toEqual(['one', 'two']);
    for (const request of asks)
      expect(Object.keys(request).toSorted()).toEqual(['maxTurns', 'prompt', 'purpose', 'setWaiting', 'signal']);
  });

  it('K15: the purpose is nested unless it is given, and labels the step', async () => {
    const { asks, steps, events } = await play('ask("a")\nask("b", {"purpose": "draft"})');
    expect(asks.map(({ purpose }) => purpose)).toEqual(['nested', 'draft']);
    expect(steps.map(({ label }) => label)).toEqual(['nested', 'draft']);
    expect(events.flatMap((event) => (event.type === 'metaskill.step' ? [event.step.label] : []))).toEqual([
      'nested',
      'draft',
    ]);
  });
});

const BAD_ARGV = {
  ok: false,
  exit_code: -1,
  result: 'error: argv must be a non-empty list of strings',
  truncated: false,
};

describe('command', () => {
  const got = async (answer: CommandAnswer): Promise<unknown> =>
    (await value('return {"got": command(["x"])}', { command: () => Promise.resolve(answer) }))['got'];

  it('C01: success is ok, 0 and the output', async () => {
    expect(await got(exited(0, 'out\n'))).toEqual({ ok: true, exit_code: 0, result: 'out\n', truncated: false });
  });

  it('C02, FUN3: success without output is an empty string', async () => {
    expect(await got(exited(0))).toEqual({ ok: true, exit_code: 0, result: '', truncated: false });
  });

  it('C03: the exit code is that of the process, and what it printed is there', async () => {
    expect(await got(exited(1, 'no'))).toMatchObject({ ok: false, exit_code: 1, result: 'no' });
    expect(await got(exited(3, 'out\nerr\n'))).toMatchObject({ ok: false, exit_code: 3, result: 'out\nerr\n' });
  });

  it.each(['Exit code: 7', 'error: not really'])('C05, FUN3: a success that prints %j is a success', async (output) => {
    expect(await got(exited(0, output))).toEqual({ ok: true, exit_code: 0, result: output, truncated: false });
  });

  it.each(['[]', '"echo hi"', 'None', '["a", 1]', '{}'])(
    'C06, FUN5: argv %s is an error of the command',
    async (argv) => {
      const ran = await play(`return {"got": command(${argv})}`);
      expect(ran.envelope['got']).toEqual(BAD_ARGV);
      expect(ran.commands).toEqual([]);
      expect(ran.entries.at(-1)?.data).toMatchObject({ command_calls: 1 });
    },
  );

  it('C07, FUN5: a tuple is not a list', async () => {
    expect((await value('return {"got": command(("ls", "-l"))}'))['got']).toEqual(BAD_ARGV);
  });

  it('C09: an unknown binary is ok false and error:', async () => {
    const result = await got({ kind: 'failed', message: "command not found: 'nope'" });
    expect(result).toMatchObject({ ok: false, exit_code: -1 });
    expect(result).toMatchObject({ result: expect.stringMatching(/^error: .*not found/) as string });
  });

  it('C10: a command that is not allowed is ok false, and the run continues', async () => {
    expect(await got({ kind: 'failed', message: "command 'echo' is not allowed" })).toEqual({
      ok: false,
      exit_code: -1,
      result: "error: command 'echo' is not allowed",
      truncated: false,
    });
  });

  it('C13: the timeout is 30 s, and at least 1 and at most 120', async () => {
    const { commands, steps } = await play(
      'command(["a"])\nfor t in [9999, 0, -5, 7]:\n    command(["a"], {"timeout": t})',
    );
    expect(commands.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([30, 120, 1, 1, 7]);
    expect(steps.map(({ notes }) => notes.length)).toEqual([0, 1, 1, 1, 0]);
  });

  it.each(['"5"', 'None', '1.5', 'True'])('C14, FUN6: timeout %s is a runtime error', async (timeout) => {
    const { result, commands } = await play(`command(["a"], {"timeout": ${timeout}})`);
    expect(result).toMatch(RUNTIME);
    expect(result).toContain('timeout');
    expect(commands).toEqual([]);
  });

  it('C15: a timeout is a failure however much was printed', async () => {
    const result = await got({ kind: 'failed', message: 'command timed out after 30s', output: 'x'.repeat(15_000) });
    expect(result).toMatchObject({ ok: false, exit_code: -1 });
    expect(result).toMatchObject({ result: expect.stringMatching(/^error: command timed out after 30s/) as string });
  });

  it('C16: 30,000 characters become 20,000 and truncated', async () => {
    const lines = 'r = command(["x"])\nreturn {"n": len(r["result"]), "ok": r["ok"], "truncated": r["truncated"]}';
    const envelope = await value(lines, { command: () => Promise.resolve(exited(0, 'x'.repeat(30_000))) });
    expect(envelope).toMatchObject({ n: 20_000, ok: true, truncated: true });
  });

  it.each(['[1]', '"x"'])('C17, FUN6: opts %s is a runtime error', async (opts) => {
    const { result, commands } = await play(`command(["a"], ${opts})`);
    expect(result).toMatch(RUNTIME);
    expect(commands).toEqual([]);
  });

  it('C17, FUN6: None means the defaults, and keywords work', async () => {
    const { commands } = await play('command(["a"], None)\ncommand(argv=["b"], opts={"timeout": 9})');
    expect(commands).toMatchObject([
      { argv: ['a'], timeoutSeconds: 30 },
      { argv: ['b'], timeoutSeconds: 9 },
    ]);
  });

  it('C18, FUN5: no shell reads the arguments', async () => {
    const { commands } = await play('command(["echo", "$HOME; rm -rf *", "a|b", "`x`", "", "é\\n"])');
    expect(commands[0]?.argv).toEqual(['echo', '$HOME; rm -rf *', 'a|b', '`x`', '', 'é\n']);
  });
});

describe('trace', () => {
  it('R01: data is there if there is some', async () => {
    const { entries } = await play('trace("a")\ntrace("b", {})\ntrace("c", None)\ntrace("d", {"x": 1})');
    expect(entries.slice(1, -1)).toEqual([{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }, { kind: 'd', data: { x: 1 } }]);
  });

  it('R02, BUD4: traces use no budget', async () => {
    const { envelope } = await play('for i in range(20):\n    trace("x")\nask("x")\ncommand(["x"])\nreturn "fine"', {
      args: { max_ask_calls: 1, max_command_calls: 1 },
    });
    expect(envelope).toMatchObject({ answer: 'fine' });
  });

  it('R03: gives None', async () => {
    expect(await value('return {"none": trace("x") == None}')).toMatchObject({ none: true });
  });

  it('R04, TRC2: 100 entries at most, the last of them the finish, the previous one how many are gone', async () => {
    const { envelope, events } = await play('for i in range(150):\n    trace("e", {"i": i})\nreturn "went on"');
    const trace = envelope['trace'] as { kind: string; data: Record<string, unknown> }[];
    expect(envelope['answer']).toBe('went on');
    expect(trace).toHaveLength(100);
    expect(trace[97]).toEqual({ kind: 'e', data: { i: 96 } });
    expect(trace[98]).toEqual({ kind: 'dropped', data: { entries: 53 } });
    expect(trace[99]?.kind).toBe('metaskill_finish');
    // A loop of traces must not flood the journal either.
    expect(events.filter(({ type }) => type === 'metaskill.trace')).toHaveLength(98);
  });

  it('R05, TRC3: an entry of 30,000 characters is cut to 2,000 and says so', async () => {
    const { trace, envelope, events } = await play('trace("big", {"x": "y" * 30000})\nreturn "ok"');
    expect(codePointLength(trace[1] ?? '')).toBeLessThanOrEqual(2000);
    expect(JSON.parse(trace[1] ?? '')).toMatchObject({ kind: 'big', truncated: true });
    expect(envelope['trace']).toHaveLength(3);
    const event = events.find(({ type }) => type === 'metaskill.trace');
    expect(event?.type === 'metaskill.trace' && event.dataJson.length).toBeLessThanOrEqual(2000);
  });

  it('R06, TRC4: a dict that changes later was recorded as it was', async () => {
    const { entries } = await play('d = {"l": [1]}\ntrace("x", d)\nd["l"].append(2)\nd["m"] = 1');
    expect(entries[1]).toEqual({ kind: 'x', data: { l: [1] } });
  });

  it.each(['5', 'None', '"k", [1]', '"k", 5', '"k", "text"'])(
    'R07, FUN6: trace(%s) is a runtime error',
    async (args) => {
      expect((await play(`trace(${args})`)).result).toMatch(RUNTIME);
    },
  );

  it('R09, TRC1: the host’s entries are the first and the last', async () => {
    const { entries } = await play(
      'ask("x")\ncommand(["x"])\ncommand([])\ntrace("mine")\nreturn {"status": "accepted"}',
    );
    expect(entries[0]).toEqual({ kind: 'metaskill_start', data: { name: 't', language: 'starlark' } });
    expect(entries.at(-1)).toEqual({
      kind: 'metaskill_finish',
      data: {
        name: 't',
        status: 'accepted',
        ask_calls: 1,
        command_calls: 2,
        duration_s: expect.any(Number) as number,
      },
    });
  });
});

describe('budgets', () => {
  it('B03, BUD2: two asks of ten, and then an error', async () => {
    const { result, asks } = await play('for i in range(10):\n    ask("x")', { args: { max_ask_calls: 2 } });
    expect(result).toBe("error: metaskill 't': ask budget exhausted (2 calls)");
    expect(asks).toHaveLength(2);
  });

  it('B03: by default there are 5 asks and 10 commands', async () => {
    const asking = await play('for i in range(30):\n    ask("x")');
    expect(asking.result).toContain('ask budget exhausted (5 calls)');
    expect(asking.asks).toHaveLength(5);
    const commanding = await play('for i in range(30):\n    command(["x"])');
    expect(commanding.result).toContain('command budget exhausted (10 calls)');
    expect(commanding.commands).toHaveLength(10);
  });

  it('B04, BUD2: what follows is not executed, there is no envelope, and the steps are kept', async () => {
    const ran = await play('ask("a")\nask("b")\ntrace("after")\nreturn "x"', { args: { max_ask_calls: 1 } });
    expect(ran.result).toBe("error: metaskill 't': ask budget exhausted (1 calls)");
    expect(ran.entries.map(({ kind }) => kind)).toEqual(['metaskill_start', 'metaskill_finish']);
    expect(ran.steps).toMatchObject([{ kind: 'ask', request: 'a' }]);
  });

  it('B05, BUD2: refused and invalid commands cost a call', async () => {
    const { result, steps } = await play('command([])\ncommand(["rm"])\ncommand(["ls"])', {
      args: { max_command_calls: 2 },
      command: () => Promise.resolve({ kind: 'failed', message: 'not allowed' }),
    });
    expect(result).toContain('command budget exhausted (2 calls)');
    expect(steps).toHaveLength(2);
  });

  it('B06, BUD3: cancellation is looked at before the budget', async () => {
    let stop = (): void => {};
    const { result } = await play('ask("a")\nask("b")', {
      args: { max_ask_calls: 1 },
      onStart: (cancel) => {
        stop = cancel;
      },
      ask: () => {
        stop();
        return Promise.resolve({ answer: '', exhausted: false, turns: 1 });
      },
    });
    expect(result).toBe("error: metaskill 't': cancelled");
  });

  it('B06, BUD3: the clock is looked at before the budget', async () => {
    const { result } = await play('ask("a")\nask("b")', {
      args: { max_ask_calls: 1 },
      timeoutSeconds: 1,
      ask: async () => {
        await timePasses(1300);
        return { answer: '', exhausted: false, turns: 1 };
      },
    });
    expect(result).toBe("error: metaskill 't': metaskill timeout (1s) exceeded");
  });
});
