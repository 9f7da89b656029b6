import { describe, expect, it } from 'vitest';
import { runMetaskill } from '../metaskill/host.ts';
import type { HostDeps, StartedRun } from '../metaskill/host-types.ts';
import type { RunHost, RunRequest, StarlarkEngine } from '../starlark/engine.ts';
import type { Pause, RunResult } from '../starlark/messages.ts';
import { setup, skillFile } from './testing/setup.ts';
import { runMetaskillTool, type RunWatch } from './metaskills.ts';
import type { SessionCore } from './core.ts';

const RANGE = { line: 7, column: 1, endLine: 7, endColumn: 2 };
const PAUSE: Pause = { reason: 'breakpoint', file: 'SKILL.star', range: RANGE, frames: [], globals: [] };
const STATS = { steps: 0, ms: 0, hostMs: 0, heldMs: 0 };

/** An engine that does what a test tells it, when it tells it. */
const createHandEngine = () => {
  let host: RunHost | undefined;
  let request: RunRequest | undefined;
  let end: ((result: RunResult) => void) | undefined;
  const resumed: string[] = [];
  const engine: StarlarkEngine = {
    analyse: () => Promise.reject(new Error('not here')),
    format: () => Promise.reject(new Error('not here')),
    run: (given, by) => {
      request = given;
      host = by;
      return {
        result: new Promise((resolve) => {
          end = resolve;
        }),
        cancel: () => end?.({ ok: false, error: { kind: 'cancelled', message: 'cancelled', stack: [] }, stats: STATS }),
        setWaiting: () => {},
        pause: () => host?.paused?.({ ...PAUSE, reason: 'pause' }),
        resume: (how) => resumed.push(how),
        setBreakpoints: () => {},
        evaluate: () => Promise.resolve({ ok: false, message: 'no' }),
        expand: () => Promise.resolve({ ok: true, value: [] }),
      };
    },
  };
  return {
    engine,
    resumed,
    host: () => host,
    request: () => request,
    end: (value = '"ok"') => end?.({ ok: true, valueJson: value, valueType: 'string', stats: STATS }),
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const watchAll = () => {
  const told: string[] = [];
  let run: StartedRun | undefined;
  const watch: RunWatch = {
    debug: (name) => {
      told.push(`debug ${name}`);
      return { breakpoints: [{ line: 7 }], stopOnEntry: false };
    },
    started: (id, started) => {
      run = started;
      told.push(`started ${id} ${started.name} ${started.inputJson}`);
    },
    paused: (id, { range }) => told.push(`paused ${id} ${range.line}`),
    line: (id, line) => told.push(`line ${id} ${line}`),
    ended: (id, { result }) => told.push(`ended ${id} ${result.split('\n')[0]}`),
  };
  return { watch, told, run: () => run };
};

const start = async () => {
  const hand = createHandEngine();
  const watching = watchAll();
  const held: boolean[] = [];
  const core = {
    deps: { now: () => 0 },
    state: { calls: [] },
  } as unknown as SessionCore;
  const skill = {
    name: 'loop',
    metaskill: { program: 'SKILL.star', fault: undefined } as never,
    body: 'Input keys: none',
    refusal: undefined,
    readProgram: () => Promise.resolve({ ok: true, text: 'def run(input):\n    return "ok"\n' } as const),
  };
  const outcome = runMetaskillTool(
    core,
    {
      engine: () => Promise.resolve(hand.engine),
      find: () => skill,
      command: () => Promise.resolve({ kind: 'failed', message: 'none' }),
      watch: watching.watch,
    },
    { name: 'loop', input: {} },
    {
      toolUseId: 'tu',
      turnId: 'turn',
      signal: new AbortController().signal,
      depth: 0,
      eventId: 'event',
      emit: () => '',
      setWaiting: (waiting) => held.push(waiting),
    },
    '',
  );
  await settled();
  return { hand, ...watching, held, outcome };
};

describe('watching runs', () => {
  it('SE38: breakpoints go in, and everything that happens comes out', async () => {
    const { hand, told, outcome } = await start();
    expect(hand.request()?.debug).toEqual({ breakpoints: [{ line: 7 }], stopOnEntry: false });
    hand.host()?.progress?.({ steps: 1, ms: 1, memoryBytes: 1, range: { ...RANGE, line: 3 } });
    hand.host()?.paused?.(PAUSE);
    hand.end();
    await outcome;
    expect(told).toEqual([
      'debug loop',
      'started tu loop {}',
      'line tu 3',
      'paused tu 7',
      'ended tu [Metaskill: loop completed]',
    ]);
  });

  it('SE38: while it is paused no clock of the turn runs', async () => {
    const { hand, held, run, outcome } = await start();
    hand.host()?.paused?.(PAUSE);
    expect(held).toEqual([true]);
    run()?.control.resume('stepOver');
    expect(held).toEqual([true, false]);
    expect(hand.resumed).toEqual(['stepOver']);
    hand.end();
    await outcome;
    expect(held).toEqual([true, false]);
  });

  it('SE38: a run that is stopped while it is paused lets go of the clock', async () => {
    const { hand, held, run, outcome } = await start();
    hand.host()?.paused?.(PAUSE);
    run()?.control.cancel();
    expect((await outcome).ok).toBe(false);
    expect(held).toEqual([true, false]);
  });

  it('SE38: without a watcher a run cannot be paused', async () => {
    const hand = createHandEngine();
    const deps: HostDeps = {
      engine: hand.engine,
      find: () => ({
        name: 'loop',
        metaskill: { program: 'SKILL.star', fault: undefined } as never,
        body: 'Input keys: none',
        refusal: undefined,
        readProgram: () => Promise.resolve({ ok: true, text: '' }),
      }),
      ask: () => Promise.reject(new Error('no')),
      command: () => Promise.reject(new Error('no')),
      now: () => 0,
    };
    const outcome = runMetaskill({ name: 'loop', input: {} }, deps);
    await settled();
    expect(hand.request()?.debug).toBeUndefined();
    hand.end();
    expect((await outcome).ok).toBe(true);
  });

  it('SE38: a session passes its watcher on, for the model’s runs and for a person’s', async () => {
    const { watch, told } = watchAll();
    const { session } = await setup({
      files: {
        'skills/loop/SKILL.md': skillFile('loop', 'Input keys: none'),
        'skills/loop/SKILL.star': 'def run(input):\n    return "ok"\n',
      },
      program: () => 'ok',
      watchRuns: watch,
      script: [
        { content: [{ type: 'tool_use', id: 'r1', name: 'run_metaskill', input: { name: 'loop', input: {} } }] },
        'Done.',
      ],
    });
    await session.send('Go');
    await session.runMetaskill({ name: 'loop', input: {} });
    expect(told.filter((line) => line.startsWith('ended'))).toHaveLength(2);
  });
});
