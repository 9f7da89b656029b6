import { describe, expect, it } from 'vitest';
import type { MetaskillEvent } from './host-types.ts';
import { call, envelope, run } from './testing/host-run.ts';
import type { ScriptApi } from './testing/scripted-engine.ts';

describe('the end of a run', () => {
  it('N05, ENV2: other types are invalid', async () => {
    expect((await call({ program: () => 42 })).result).toBe(
      "error: metaskill 't': invalid metaskill return value: int",
    );
    expect((await call({ program: () => [1] })).result).toBe(
      "error: metaskill 't': invalid metaskill return value: list",
    );
  });

  it('R09, TRC1: the trace starts and ends with the host’s entries', async () => {
    const { result } = await call({
      program: async ({ ask, trace }) => {
        await ask('x');
        trace('mine', { a: 1 });
        return { status: 'accepted', answer: 'ok' };
      },
    });
    expect(result.split('\n')[0]).toBe('[Metaskill: t completed]');
    const trace = envelope(result)['trace'] as { kind: string; data: Record<string, unknown> }[];
    expect(trace[0]).toEqual({ kind: 'metaskill_start', data: { name: 't', language: 'starlark' } });
    expect(trace[1]).toEqual({ kind: 'mine', data: { a: 1 } });
    expect(trace[2]).toMatchObject({
      kind: 'metaskill_finish',
      data: { name: 't', status: 'accepted', ask_calls: 1, command_calls: 0, duration_s: expect.any(Number) as number },
    });
  });

  it('an error is cut at 20,000 characters, visibly', async () => {
    const { result } = await call({ program: () => Promise.reject(new Error('😀'.repeat(30_000))) });
    expect(Array.from(result)).toHaveLength(20_000);
    expect(result).toMatch(/^error: metaskill 't': .*\[truncated\]$/u);
  });

  it('T19: an input that is no JSON is an error too', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const input of [cyclic, { big: 1n }])
      expect((await run({ name: 't', input })).result).toMatch(/^error: input must be JSON/);
  });

  it('R02, BUD4: trace and print cost nothing', async () => {
    const program = async ({ ask, command, trace, print }: ScriptApi) => {
      for (let index = 0; index < 20; index++) {
        trace('x');
        print('x');
      }
      await ask('x');
      await command(['x']);
    };
    expect((await call({ program }, { max_ask_calls: 1, max_command_calls: 1 })).ok).toBe(true);
  });

  it('X03, X05: cancelling ends the run and what it waits for', async () => {
    let wasAborted = false;
    let stop = (): void => {};
    const outcome = await call({
      onStart: (cancel) => {
        stop = cancel;
      },
      ask: ({ signal }) => {
        setTimeout(() => stop());
        return new Promise((_, reject) => {
          (signal as unknown as EventTarget).addEventListener('abort', () => {
            wasAborted = true;
            reject(new Error('aborted'));
          });
        });
      },
      program: async ({ ask }) => ask('slow'),
    });
    expect(outcome.result).toBe("error: metaskill 't': cancelled");
    expect(wasAborted).toBe(true);
  });

  it('X05, EVT1, EVT2: a call that never answers is a step that failed, recorded before the finish', async () => {
    const events: MetaskillEvent[] = [];
    let stop = (): void => {};
    const { steps } = await call({
      events,
      onStart: (cancel) => {
        stop = cancel;
      },
      ask: () => {
        setTimeout(() => stop());
        return new Promise(() => {});
      },
      program: ({ ask }) => ask('slow'),
    });
    expect(steps).toMatchObject([{ kind: 'ask', request: 'slow', ok: false, response: 'cancelled' }]);
    expect(events.map(({ type }) => type)).toEqual(['metaskill.started', 'metaskill.step', 'metaskill.finished']);
  });

  it('EVT1: events tell the run as it happens; a failure ends with one finished and nothing behind it', async () => {
    const events: MetaskillEvent[] = [];
    await call({
      events,
      program: async ({ ask, trace }) => {
        await ask('x');
        trace('k', { v: 1 });
        throw new Error('boom');
      },
    });
    expect(events.map(({ type }) => type)).toEqual([
      'metaskill.started',
      'metaskill.step',
      'metaskill.trace',
      'metaskill.finished',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'error', askCalls: 1 });
  });

  it('EVT1: a refusal sends no event, a run that succeeds one started and one finished', async () => {
    const events: MetaskillEvent[] = [];
    await run({ name: 't', input: {} }, { events });
    expect(events).toEqual([]);
    await call({ events });
    expect(events.map(({ type }) => type)).toEqual(['metaskill.started', 'metaskill.finished']);
  });

  it('EVT2: an answer that comes after the end is dropped', async () => {
    const events: MetaskillEvent[] = [];
    let stop = (): void => {};
    let answer = (): void => {};
    const outcome = await call({
      events,
      onStart: (cancel) => {
        stop = cancel;
      },
      ask: () => {
        setTimeout(() => stop());
        return new Promise((resolve) => {
          answer = () => resolve({ answer: 'late', exhausted: false, turns: 1 });
        });
      },
      program: ({ ask }) => ask('slow'),
    });
    const before = events.length;
    answer();
    await new Promise((resolve) => setTimeout(resolve));
    expect(events).toHaveLength(before);
    expect(outcome.steps).toMatchObject([{ ok: false, response: 'cancelled' }]);
    expect(JSON.stringify(events)).not.toContain('late');
  });

  it('EVT3: print is no event and no trace: it goes to the console of the run', async () => {
    const events: MetaskillEvent[] = [];
    const console: string[] = [];
    const outcome = await call({
      events,
      onPrint: (text) => console.push(text),
      program: ({ print }) => {
        print('hello');
        return 'done';
      },
    });
    expect(console).toEqual(['hello']);
    expect(outcome.printed).toEqual(['hello']);
    expect(events.map(({ type }) => type)).toEqual(['metaskill.started', 'metaskill.finished']);
    expect(outcome.result).not.toContain('hello');
    expect(outcome.trace.join('')).not.toContain('hello');
  });

  it('TRC1, TRC5: a failed run keeps its steps and its trace, which are not in the string', async () => {
    const { result, steps, trace } = await call({
      program: async ({ ask, command, trace: note }) => {
        note('mine', { a: 1 });
        await ask('x');
        await command(['x']);
        throw new Error('boom');
      },
    });
    expect(result).toBe("error: metaskill 't': runtime error: boom");
    expect(steps.map(({ kind }) => kind)).toEqual(['ask', 'command']);
    const entries = trace.map((entry) => JSON.parse(entry) as unknown);
    expect(entries).toEqual([
      { kind: 'metaskill_start', data: { name: 't', language: 'starlark' } },
      { kind: 'mine', data: { a: 1 } },
      {
        kind: 'metaskill_finish',
        data: { name: 't', status: 'error', ask_calls: 1, command_calls: 1, duration_s: expect.any(Number) as number },
      },
    ]);
  });

  it('ENV2: a status error of the program is a success of the run', async () => {
    const { result, ok, trace } = await call({ program: () => ({ status: 'error', answer: 'no repository' }) });
    expect(ok).toBe(true);
    expect(envelope(result)).toMatchObject({ status: 'error', answer: 'no repository' });
    expect(JSON.parse(trace.at(-1) ?? '')).toMatchObject({ data: { status: 'error' } });
  });
});
