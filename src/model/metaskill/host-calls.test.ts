import { describe, expect, it } from 'vitest';
import type { CommandAnswer, HostDeps, MetaskillEvent } from './host-types.ts';
import { call, envelope } from './testing/host-run.ts';

describe('ask', () => {
  it('K01, FUN1: gives exactly answer, exhausted, turns and truncated; turns is the real number', async () => {
    const { result } = await call({
      ask: () => Promise.resolve({ answer: 'yes', exhausted: true, turns: 7 }),
      program: async ({ ask }) => ({ got: await ask('hello', { max_turns: 9 }) }),
    });
    expect(envelope(result)['got']).toEqual({ answer: 'yes', exhausted: true, turns: 7, truncated: false });
  });

  it('K04, K15, FUN1: turns are clamped to 1–30, default 30; the purpose is nested unless it is given', async () => {
    const seen: [number, string][] = [];
    const ask: HostDeps['ask'] = ({ maxTurns, purpose }) => {
      seen.push([maxTurns, purpose]);
      return Promise.resolve({ answer: '', exhausted: true, turns: 0 });
    };
    const events: MetaskillEvent[] = [];
    await call({
      ask,
      events,
      program: async (api) => {
        await api.ask('a');
        await api.ask('b', { max_turns: 99, purpose: 'draft' });
        await api.ask('c', { max_turns: 0 });
      },
    });
    expect(seen).toEqual([
      [30, 'nested'],
      [30, 'draft'],
      [1, 'nested'],
    ]);
    const notes = events.flatMap((event) => (event.type === 'metaskill.step' ? event.step.notes : []));
    expect(notes).toEqual(['max_turns 99 became 30', 'max_turns 0 became 1']);
  });

  it('K10, BUD5: 20,000 characters are kept, one more is cut, counted in code points', async () => {
    for (const [length, truncated] of [
      [20_000, false],
      [20_001, true],
    ] as const) {
      let seen: Record<string, unknown> = {};
      await call({
        ask: () => Promise.resolve({ answer: '😀'.repeat(length), exhausted: false, turns: 1 }),
        program: async ({ ask }) => {
          seen = await ask('x');
          return '';
        },
      });
      expect(seen).toMatchObject({ answer: '😀'.repeat(20_000), truncated });
    }
  });

  it('K12, FUN2: a provider that fails ends the run, with its text as it is', async () => {
    const { result, steps } = await call({
      ask: () => Promise.reject(new Error('provider down %d %s')),
      program: ({ ask }) => ask('x'),
    });
    expect(result).toBe("error: metaskill 't': runtime error: provider down %d %s");
    expect(steps).toMatchObject([{ kind: 'ask', ok: false, response: 'provider down %d %s' }]);
  });

  it('BUD2: an ask that fails has cost a call', async () => {
    const { trace } = await call({
      ask: () => Promise.reject(new Error('down')),
      program: ({ ask }) => ask('x'),
    });
    expect(JSON.parse(trace.at(-1) ?? '')).toMatchObject({ data: { ask_calls: 1 } });
  });

  it('B03, B04, TRC5: the budget ends the run; what was done stays in the record and not in the string', async () => {
    let after = false;
    const { result, steps, trace } = await call(
      {
        program: async ({ ask, trace: note }) => {
          for (let index = 0; index < 10; index++) {
            note('round', { index });
            await ask('x');
          }
          after = true;
        },
      },
      { max_ask_calls: 2 },
    );
    expect(result).toBe("error: metaskill 't': ask budget exhausted (2 calls)");
    expect(after).toBe(false);
    expect(steps).toHaveLength(2);
    expect(trace.map((entry) => (JSON.parse(entry) as { kind: string }).kind)).toEqual([
      'metaskill_start',
      'round',
      'round',
      'round',
      'metaskill_finish',
    ]);
  });
});

describe('command', () => {
  const seen = async (
    answer: CommandAnswer,
    argv: unknown = ['x'],
    opts?: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    let value: Record<string, unknown> = {};
    await call({
      command: () => Promise.resolve(answer),
      program: async ({ command }) => {
        value = await command(argv, opts);
        return '';
      },
    });
    return value;
  };

  it('C01–C03, C05, FUN3: ok and the exit code come from the process, never from its text', async () => {
    expect(await seen({ kind: 'exited', exitCode: 0, output: 'Exit code: 7\nerror: no' })).toEqual({
      ok: true,
      exit_code: 0,
      result: 'Exit code: 7\nerror: no',
      truncated: false,
    });
    expect(await seen({ kind: 'exited', exitCode: 0, output: '' })).toMatchObject({ ok: true, result: '' });
    expect(await seen({ kind: 'exited', exitCode: 3, output: 'out err' })).toMatchObject({
      ok: false,
      exit_code: 3,
      result: 'out err',
    });
  });

  it.each([[[]], ['echo hi'], [null], [['a', 1]], [{}]])(
    'C06, FUN4, FUN5: argv %j is an error of the command, not of the run',
    async (argv) => {
      expect(await seen({ kind: 'exited', exitCode: 0, output: '' }, argv)).toEqual({
        ok: false,
        exit_code: -1,
        result: 'error: argv must be a non-empty list of strings',
        truncated: false,
      });
    },
  );

  it('B05, BUD2: an invalid command costs a call', async () => {
    const { result } = await call(
      { program: async ({ command }) => [await command([]), await command(['ls'])] },
      { max_command_calls: 1 },
    );
    expect(result).toContain('command budget exhausted (1 calls)');
  });

  it('C09, C10, S05, FUN4: what the host refuses has exit code -1 and starts with error:', async () => {
    expect(await seen({ kind: 'failed', message: "command 'echo' is not allowed" })).toEqual({
      ok: false,
      exit_code: -1,
      result: "error: command 'echo' is not allowed",
      truncated: false,
    });
  });

  it('C13: the timeout is clamped to 1–120 seconds, default 30', async () => {
    const seconds: number[] = [];
    await call({
      command: ({ timeoutSeconds }) => {
        seconds.push(timeoutSeconds);
        return Promise.resolve({ kind: 'exited', exitCode: 0, output: '' });
      },
      program: async ({ command }) => {
        for (const opts of [{}, { timeout: 9999 }, { timeout: 0 }, { timeout: -5 }, { timeout: 7 }])
          await command(['x'], opts);
      },
    });
    expect(seconds).toEqual([30, 120, 1, 1, 7]);
  });

  it('C15, C16, FUN4: output is cut at 20,000 characters and says so; a timeout is a failure whatever was printed', async () => {
    expect(await seen({ kind: 'exited', exitCode: 0, output: 'x'.repeat(30_000) })).toMatchObject({
      ok: true,
      truncated: true,
      result: 'x'.repeat(20_000),
    });
    const late = await seen({ kind: 'failed', message: 'command timed out after 30s', output: 'x'.repeat(30_000) });
    expect(late).toMatchObject({ ok: false, exit_code: -1, truncated: true });
    expect(String(late['result'])).toMatch(/^error: command timed out after 30s\n/);
  });

  it('FUN4: what timed out has the output so far behind its error, and the run continues', async () => {
    expect(await seen({ kind: 'failed', message: 'command timed out after 30s', output: 'half\n' })).toEqual({
      ok: false,
      exit_code: -1,
      result: 'error: command timed out after 30s\nhalf\n',
      truncated: false,
    });
    const { result } = await call({
      command: () => Promise.reject(new Error('worker gone')),
      program: async ({ command }) => `went on: ${String((await command(['x']))['result'])}`,
    });
    expect(envelope(result)['answer']).toBe('went on: error: worker gone');
  });

  it('FUN5: items reach the sandbox as they are', async () => {
    const given: (readonly string[])[] = [];
    const argv = ['echo', '$HOME; rm -rf *', 'a b', '', 'é\n'];
    await call({
      command: (request) => {
        given.push(request.argv);
        return Promise.resolve({ kind: 'exited', exitCode: 0, output: '' });
      },
      program: ({ command }) => command(argv),
    });
    expect(given).toEqual([argv]);
  });

  it('BUD5: a result is counted in code points', async () => {
    for (const [length, truncated] of [
      [20_000, false],
      [20_001, true],
    ] as const)
      expect(await seen({ kind: 'exited', exitCode: 0, output: '😀'.repeat(length) })).toMatchObject({
        result: '😀'.repeat(20_000),
        truncated,
      });
  });
});

describe('waiting for a person', () => {
  it('FUN7: is announced to the engine by asks and commands alike', async () => {
    const waiting: boolean[] = [];
    await call({
      waiting,
      ask: async ({ setWaiting }) => {
        await Promise.resolve();
        setWaiting(true);
        setWaiting(false);
        return { answer: '', exhausted: false, turns: 1 };
      },
      command: ({ setWaiting }) => {
        setWaiting(true);
        return Promise.resolve({ kind: 'exited', exitCode: 0, output: '' });
      },
      program: async ({ ask, command }) => {
        await ask('x');
        await command(['x']);
      },
    });
    expect(waiting).toEqual([true, false, true]);
  });
});
