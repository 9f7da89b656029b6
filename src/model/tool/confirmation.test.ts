import { describe, expect, it } from 'vitest';
import { codePointLength } from '../../base/text.ts';
import { definitions } from './definitions.ts';
import { createPolicy } from './policy.ts';
import { createBench, makeTool, PARENT, TURN, use, type Bench } from './testing/bench-of-tools.ts';
import { settle } from './testing/fake-clock.ts';
import type { Approval, ApprovalRequest, Approve } from './types.ts';

const runner = makeTool('run_command', async () => ({ text: 'ran' }), {
  ...definitions.runCommand,
});

const asking = (approve?: Approve): Bench => createBench([runner], approve ? { approve } : {});
const answering = (approval: Approval): { bench: Bench; asked: ApprovalRequest[] } => {
  const asked: ApprovalRequest[] = [];
  const bench = asking(async (request) => {
    asked.push(request);
    return approval;
  });
  return { bench, asked };
};

describe('questions', () => {
  it('TO60: come before tool.called, with their two events', async () => {
    const { bench, asked } = answering({ decision: 'allow', scope: 'once' });
    const result = await bench.call('run_command', { argv: ['npm', 'test'], timeout_seconds: 5 });
    expect(result).toMatchObject({ text: 'ran', isError: false });
    expect(bench.types()).toEqual([
      'tool.confirmation_requested',
      'tool.confirmation_resolved',
      'tool.called',
      'tool.completed',
    ]);
    const [requested] = bench.find('tool.confirmation_requested');
    const [resolved] = bench.find('tool.confirmation_resolved');
    expect(requested).toMatchObject({
      turn_id: TURN,
      parent_event_id: PARENT,
      payload: {
        tool_use_id: result.toolUseId,
        tool_name: 'run_command',
        side_effects: 'execute',
        input_summary: '{"argv":["npm","test"],"timeout_seconds":5}',
        expires_at: 1_000_000 + 300_000,
        projected_modifications: null,
        command_summary: 'npm test',
      },
    });
    expect(resolved).toMatchObject({
      parent_event_id: requested?.id,
      actor: 'user',
      payload: {
        confirmation_request_id: requested?.payload.confirmation_request_id,
        decision: 'allow',
        scope: 'once',
        reason: null,
      },
    });
    expect(asked[0]).toMatchObject({ id: requested?.payload.confirmation_request_id, argv: ['npm', 'test'] });
    expect(bench.waits).toEqual([true, false]);
    expect(bench.clock.running()).toBe(0);
  });

  it('TO60: a long input is cut in the summary', async () => {
    const { bench } = answering({ decision: 'deny' });
    await bench.call('run_command', { argv: ['npm', '😀'.repeat(300)] });
    const summary = bench.find('tool.confirmation_requested')[0]?.payload.input_summary ?? '';
    expect(codePointLength(summary)).toBe(200);
    expect(summary.endsWith('😀...')).toBe(true);
  });

  it('TO61: a denial is told to the model with its reason, and nothing runs', async () => {
    const { bench } = answering({ decision: 'deny', reason: 'use pnpm' });
    expect(await bench.call('run_command', { argv: ['npm', 'i'] })).toMatchObject({
      text: "command 'npm' is not allowed: the user denied it: use pnpm",
      isError: true,
    });
    expect(bench.types()).toEqual(['tool.confirmation_requested', 'tool.confirmation_resolved', 'tool.failed']);
    expect(bench.find('tool.failed')[0]).toMatchObject({
      parent_event_id: PARENT,
      payload: { error_class: 'user_denied' },
    });
    expect(bench.find('tool.confirmation_resolved')[0]?.payload).toMatchObject({
      decision: 'deny',
      scope: null,
      reason: 'use pnpm',
    });
  });

  it('TO61: where nobody is there, asking is denying', async () => {
    for (const bench of [
      asking(),
      createBench([runner], {
        policy: createPolicy({ headless: true }),
        approve: async () => ({ decision: 'allow', scope: 'once' }),
      }),
    ]) {
      expect(await bench.call('run_command', { argv: ['npm', 'i'] })).toMatchObject({
        text: "command 'npm' is not allowed: it needs approval, and no one can approve it here",
      });
      expect(bench.types()).toEqual(['tool.failed']);
      expect(bench.find('tool.failed')[0]?.payload.error_class).toBe('permission_denied');
    }
  });

  it('TO62: end after 300 s', async () => {
    let signal: AbortSignal | undefined;
    const bench = asking((request) => {
      ({ signal } = request);
      return new Promise(() => {});
    });
    const result = bench.call('run_command', { argv: ['npm', 'i'] });
    await bench.clock.advance(299_999);
    expect(bench.types()).toEqual(['tool.confirmation_requested']);
    await bench.clock.advance(1);
    expect(await result).toMatchObject({
      text: "command 'npm' is not allowed: nobody answered within 300 s",
      isError: true,
    });
    expect(signal?.aborted).toBe(true);
    expect(bench.find('tool.confirmation_resolved')[0]).toMatchObject({
      actor: 'system',
      payload: { decision: 'timeout', scope: null },
    });
    expect(bench.find('tool.failed')[0]?.payload.error_class).toBe('confirmation_timeout');
    expect(bench.waits).toEqual([true, false]);
  });

  it('TO63: are asked one at a time, and an answer for the session answers those that wait', async () => {
    const asked: string[][] = [];
    const answers: ((approval: Approval) => void)[] = [];
    const bench = asking(({ argv }) => {
      asked.push([...(argv ?? [])]);
      return new Promise((resolve) => answers.push(resolve));
    });
    const all = bench.dispatch([
      use('run_command', { argv: ['npm', 'test', 'a'] }),
      use('run_command', { argv: ['npm', 'test', 'b'] }),
      use('run_command', { argv: ['npm', 'install'] }),
    ]);
    await settle();
    expect(asked).toEqual([['npm', 'test', 'a']]);
    answers[0]?.({ decision: 'allow', scope: 'session' });
    await settle();
    expect(asked).toEqual([
      ['npm', 'test', 'a'],
      ['npm', 'install'],
    ]);
    answers[1]?.({ decision: 'deny' });
    expect((await all).map(({ isError }) => isError)).toEqual([false, false, true]);
  });

  it('TO64: end with the turn', async () => {
    const bench = asking(() => new Promise(() => {}));
    const all = bench.dispatch([use('run_command', { argv: ['a'] }), use('run_command', { argv: ['b'] })]);
    await settle();
    bench.cancel();
    expect((await all).map(({ text }) => text)).toEqual(['cancelled', 'cancelled']);
    expect(bench.types()).toEqual([
      'tool.confirmation_requested',
      'tool.failed',
      'tool.confirmation_resolved',
      'tool.failed',
    ]);
    expect(bench.find('tool.confirmation_resolved')[0]).toMatchObject({
      actor: 'system',
      payload: { decision: 'deny', reason: 'cancelled' },
    });
    expect(bench.clock.running()).toBe(0);
  });

  it('TO64: also when the turn is stopped in the moment in which it is asked', async () => {
    const bench = asking(() => new Promise(() => {}));
    bench.journal.subscribe(({ type }) => type === 'tool.confirmation_requested' && bench.cancel());
    expect((await bench.call('run_command', { argv: ['a'] })).text).toBe('cancelled');
    expect(bench.clock.running()).toBe(0);
  });

  it('TO65: a dialog that breaks is a denial', async () => {
    const bench = asking(async () => {
      throw new Error('no window');
    });
    expect((await bench.call('run_command', { argv: ['a'] })).text).toBe(
      "command 'a' is not allowed: the user denied it: Lathe couldn’t ask for approval (no window)",
    );
  });
});

describe('command() of a metaskill', () => {
  const context = { turnId: TURN, toolUseId: 'tu_x', parent: PARENT };
  const request = (argv: string[]) => ({
    argv,
    timeoutSeconds: 5,
    signal: new AbortController().signal,
    setWaiting: () => {},
  });
  const exited = { kind: 'exited', exitCode: 0, output: 'hi' } as const;

  it('TO66: has the policy and the questions of run_command', async () => {
    const ran: (readonly string[])[] = [];
    const bench = createBench([], {
      approve: async () => ({ decision: 'deny' }),
      runCommand: async ({ argv }) => {
        ran.push(argv);
        return exited;
      },
    });
    expect(await bench.dispatcher.command(request(['ls']), context)).toEqual(exited);
    expect(await bench.dispatcher.command(request(['echo', 'x']), context)).toEqual({
      kind: 'failed',
      message: "command 'echo' is not allowed: the user denied it",
    });
    expect(ran).toEqual([['ls']]);
    expect(bench.types()).toEqual(['tool.confirmation_requested', 'tool.confirmation_resolved']);
    expect(bench.find('tool.confirmation_requested')[0]).toMatchObject({
      parent_event_id: PARENT,
      payload: { tool_use_id: 'tu_x' },
    });
  });

  it('TO66: without a sandbox none exist', async () => {
    expect(await createBench([]).dispatcher.command(request(['ls']), context)).toEqual({
      kind: 'failed',
      message: 'no commands available',
    });
  });
});
