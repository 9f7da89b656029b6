import { describe, expect, it } from 'vitest';
import { setup, skillFile } from '../session/testing/setup.ts';
import type { LatheEvent } from '../event/types.ts';
import { createTranscriptReader } from './transcript.ts';
import { turnEnd, userText } from './turn-end.ts';
import type { ToolView, TranscriptItem, TurnView } from './types.ts';

const turnsOf = (items: readonly TranscriptItem[]): TurnView[] => items.filter((item) => item.kind === 'turn');
const toolsOf = ({ parts }: TurnView): ToolView[] =>
  parts.flatMap((part) =>
    part.kind === 'answer' ? part.blocks.flatMap((block) => (block.kind === 'tool' ? [block.tool] : [])) : [],
  );
const read = (events: readonly LatheEvent[]) => createTranscriptReader().read(events);

describe('the transcript', () => {
  it('SV3: a turn has its message and one answer per call', async () => {
    const { session, journal } = await setup({
      files: { 'notes.md': 'hello' },
      script: [
        {
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'notes.md' } },
          ],
          stopReason: 'tool_use',
        },
        { content: [{ type: 'text', text: 'It says hello.' }] },
      ],
    });
    await session.send('What is in notes.md?');
    const [turn] = turnsOf(read(journal.events));
    expect(turn).toMatchObject({ number: 1, status: 'completed' });
    expect(turn?.parts.map((part) => (part.kind === 'user' ? part.text : part.blocks.map(({ kind }) => kind)))).toEqual(
      ['What is in notes.md?', ['text', 'tool'], ['text']],
    );
    const [tool] = turn ? toolsOf(turn) : [];
    expect(tool).toMatchObject({ name: 'read_file', status: 'completed', by: 'model', result: { isError: false } });
    expect(tool?.result?.text).toContain('hello');
    expect(turn && userText(turn)).toBe('What is in notes.md?');
    expect(turn && turnEnd(turn)).toBeUndefined();
  });

  it('SV4: a result, or an error, is attached to its call, with the input and the time that it took', async () => {
    const { session, journal } = await setup({
      files: { 'notes.md': 'hello' },
      script: [
        {
          content: [
            { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'notes.md' } },
            { type: 'tool_use', id: 't2', name: 'read_file', input: { path: 'gone.md' } },
          ],
          stopReason: 'tool_use',
        },
        'Done.',
      ],
    });
    await session.send('Read both');
    const [turn] = turnsOf(read(journal.events));
    expect(turn?.parts.map(({ kind }) => kind)).toEqual(['user', 'answer', 'answer']);
    const [good, bad] = turn ? toolsOf(turn) : [];
    expect(good).toMatchObject({ input: { path: 'notes.md' }, status: 'completed', latencyMs: 0 });
    expect(good?.result).toMatchObject({ isError: false, text: expect.stringContaining('hello') });
    expect(bad).toMatchObject({ input: { path: 'gone.md' }, status: 'failed', result: { isError: true } });
    expect(bad?.result?.text).toContain('gone.md');
  });

  it('SV1, SV2: event by event is the same as immediately, and what has not changed is the same object', async () => {
    const { session, journal } = await setup({
      script: [{ content: [{ type: 'text', text: 'one' }] }, { content: [{ type: 'text', text: 'two' }] }],
    });
    await session.send('first');
    const reader = createTranscriptReader();
    const before = reader.read(journal.events);
    expect(reader.read(journal.events)).toBe(before);
    await session.send('second');
    const after = reader.read(journal.events);
    expect(turnsOf(after)[0]).toBe(turnsOf(before)[0]);
    expect(turnsOf(after)).toHaveLength(2);

    const slow = createTranscriptReader();
    const growing: LatheEvent[] = [];
    for (const event of journal.events) {
      growing.push(event);
      slow.read(growing);
    }
    expect(slow.read(growing)).toEqual(read(journal.events));
    expect(slow.read([])).toEqual([]);
  });

  it('SV5: loads, pointers, refusals and mentions are distinguished', async () => {
    const files = Object.fromEntries(
      ['one', 'two', 'three', 'four'].map((name) => [`skills/${name}/SKILL.md`, skillFile(name, `Body of ${name}.`)]),
    );
    const load = (id: string, name: string) => ({ type: 'tool_use', id, name: 'skill_load', input: { name } }) as const;
    const { session, journal } = await setup({
      files,
      script: [
        {
          content: [load('a', 'one'), load('b', 'one'), load('c', 'two'), load('d', 'four')],
          stopReason: 'tool_use',
        },
        { content: [{ type: 'text', text: 'done' }] },
      ],
    });
    await session.send('Use $three please');
    const [turn] = turnsOf(read(journal.events));
    const tools = turn ? toolsOf(turn) : [];
    expect(tools.map(({ by, skill }) => [by, skill?.name, skill?.kind])).toEqual([
      ['user', 'three', 'loaded'],
      ['model', 'one', 'loaded'],
      ['model', 'one', 'pointer'],
      ['model', 'two', 'loaded'],
      ['model', 'four', 'refused'],
    ]);
    expect(tools[4]?.error).toContain('activation budget exhausted');
  });

  it('SV6: a question to a person is shown with its answer', async () => {
    const call = (id: string) =>
      ({ type: 'tool_use', id, name: 'run_command', input: { argv: ['make', 'all'] } }) as const;
    const answers = [
      { decision: 'allow', scope: 'once' },
      { decision: 'deny', reason: 'too early' },
    ] as const;
    let asked = 0;
    const seen: string[] = [];
    const { session, journal } = await setup({
      script: [
        { content: [call('t1')], stopReason: 'tool_use' },
        { content: [call('t2')], stopReason: 'tool_use' },
        { content: [{ type: 'text', text: 'done' }] },
      ],
      runCommand: () => Promise.resolve({ kind: 'exited', exitCode: 0, output: 'made' }),
      approve: () => {
        const [turn] = turnsOf(read(journal.events));
        seen.push(turn ? (toolsOf(turn).at(-1)?.status ?? '') : '');
        return Promise.resolve(answers[asked++] ?? { decision: 'timeout' });
      },
    });
    await session.send('Build it');
    const [turn] = turnsOf(read(journal.events));
    const [first, second] = turn ? toolsOf(turn) : [];
    expect(seen).toEqual(['asking', 'asking']);
    expect(first).toMatchObject({
      status: 'completed',
      approvals: [{ status: 'allowed', summary: 'make all', scope: 'once' }],
    });
    expect(second).toMatchObject({ status: 'failed', approvals: [{ status: 'denied', reason: 'too early' }] });
  });

  it('SV7: what a program asks for is below its call; a run by a person is a turn of its own', async () => {
    const { session, journal } = await setup({
      files: {
        'skills/loop/SKILL.md': skillFile('loop', 'Input keys: none'),
        'skills/loop/SKILL.star': 'def run(input):\n  return ask("draft")\n',
      },
      program: async (api) => {
        api.trace('begin', { n: 1 });
        await api.ask('draft it');
        return { status: 'accepted', answer: 'ok' };
      },
      script: [
        {
          content: [{ type: 'tool_use', id: 'r1', name: 'run_metaskill', input: { name: 'loop', input: {} } }],
          stopReason: 'tool_use',
        },
        { content: [{ type: 'text', text: 'a draft' }] },
        { content: [{ type: 'text', text: 'done' }] },
        { content: [{ type: 'text', text: 'another draft' }] },
      ],
    });
    await session.send('Run the loop');
    await session.runMetaskill({ name: 'loop', input: {} });
    const turns = turnsOf(read(journal.events));
    expect(turns.map(({ number }) => number)).toEqual([1, 2]);
    const [tool] = turns[0] ? toolsOf(turns[0]) : [];
    expect(tool?.run).toMatchObject({ name: 'loop', finished: { asks: 1 } });
    expect(tool?.run?.entries.map(({ kind }) => kind)).toEqual(['trace', 'ask']);
    expect(tool?.nested.map(({ number, status }) => [number, status])).toEqual([[0, 'completed']]);
    const [own] = turns[1] ? toolsOf(turns[1]) : [];
    expect(own).toMatchObject({ by: 'user', name: 'run_metaskill', status: 'completed' });
    expect(own?.nested).toHaveLength(1);
  });

  it('SV8, SV11: retries, the failure, and what had come', async () => {
    const error = {
      class: 'server_error',
      code: 'overloaded',
      message: 'It is overloaded.',
      nextStep: 'Try again.',
      retryable: true,
    } as const;
    const { session, journal } = await setup({
      script: [
        {
          error: { ...error, code: 'connection_lost', message: 'It broke off.' },
          content: [{ type: 'text', text: 'half a sen' }],
          usage: { uncached: 10, output: 2, partial: true },
        },
      ],
      wrap: (provider) => ({
        ...provider,
        call: (request, options) => {
          options.onEvent?.({ type: 'attempt_failed', attempt: 1, error, retryInMs: 10 });
          return provider.call(request, options);
        },
      }),
    });
    await session.send('Go');
    const [turn] = turnsOf(read(journal.events));
    const answer = turn?.parts.find((part) => part.kind === 'answer');
    expect(answer).toMatchObject({
      partial: true,
      blocks: [{ kind: 'text', text: 'half a sen' }],
      call: { status: 'failed', failure: { code: 'connection_lost' }, retries: [{ code: 'overloaded' }] },
    });
    expect(turn && turnEnd(turn)).toMatchObject({ tone: 'error', actions: ['try-again'] });
  });

  it('SV9: a turn that was left running is interrupted, and nothing in it runs', async () => {
    const { session, journal } = await setup({
      files: { 'a.md': 'x' },
      script: [
        {
          content: [{ type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a.md' } }],
          stopReason: 'tool_use',
        },
        { content: [{ type: 'text', text: 'done' }] },
      ],
    });
    await session.send('Go');
    const cut = journal.events.findIndex(({ type }) => type === 'tool.called');
    const again = await setup({ script: [], events: journal.events.slice(0, cut + 1) });
    const items = read(again.journal.events);
    const [turn] = turnsOf(items);
    expect(turn?.status).toBe('interrupted');
    expect(turn && toolsOf(turn)[0]?.status).toBe('cancelled');
    expect(turn && turnEnd(turn)?.title).toBe('Interrupted');
    expect(items.at(-1)).toMatchObject({ kind: 'mark', lines: ['Opened again.'] });
  });

  it('SV10: a change of settings is where it happened', async () => {
    const { session, journal } = await setup({
      script: [{ content: [{ type: 'text', text: 'one' }] }, { content: [{ type: 'text', text: 'two' }] }],
    });
    await session.send('first');
    session.change({ model: 'claude-opus-5', effort: 'low' });
    session.change({ model: 'claude-opus-5' });
    await session.send('second');
    const items = read(journal.events);
    expect(items.map(({ kind }) => kind)).toEqual(['mark', 'turn', 'mark', 'turn']);
    expect(items[2]).toMatchObject({
      lines: [
        'Model: claude-haiku-4-5 → claude-opus-5, starting with the next request.',
        'Effort: model default → low, starting with the next request.',
      ],
    });
  });

  it('SV11: a limit says how to continue', async () => {
    const { session, journal } = await setup({
      files: { 'a.md': 'x' },
      plan: { limits: { max_turns: 1 } },
      settings: { token_limit: 100_000 },
      script: [
        {
          content: [{ type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a.md' } }],
          stopReason: 'tool_use',
        },
      ],
    });
    await session.send('Go');
    session.change({ token_limit: 1 });
    await session.send('Again');
    const ends = turnsOf(read(journal.events)).map((turn) => turnEnd(turn)?.actions);
    expect(ends).toEqual([['go-on'], ['limits', 'try-again']]);
  });
});
