import { describe, expect, it } from 'vitest';
import { explainCalls } from '../explainer.ts';
import { createRecordingReader } from './read-recording.ts';
import { joinSources, type SourceFile } from './sources.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 1, 11, 20, minute)).toISOString();
const user = (minute: number, session: string, content: string, more: object = {}): string =>
  JSON.stringify({
    type: 'user',
    parentUuid: null,
    isSidechain: false,
    sessionId: session,
    uuid: `${session}${minute}`,
    timestamp: at(minute),
    message: { role: 'user', content },
    ...more,
  });
const answer = (
  minute: number,
  session: string,
  id: string,
  read: number,
  written: number,
  more: object = {},
): string =>
  JSON.stringify({
    type: 'assistant',
    parentUuid: null,
    isSidechain: false,
    sessionId: session,
    uuid: `${session}${minute}a`,
    timestamp: at(minute),
    message: {
      id,
      model: 'claude-opus-4-6',
      content: [{ type: 'text', text: `The answer ${id}, which nobody else gives.` }],
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
        output_tokens: 5,
      },
    },
    ...more,
  });

const open = (file: string, ...lines: string[]): SourceFile => {
  const reader = createRecordingReader(file);
  for (const line of lines) reader.add(line);
  return { file, ...reader.end() };
};

const told = (...files: SourceFile[]): unknown =>
  explainCalls(joinSources(files).calls).map(({ call, chain, verdict }) => [
    call.id,
    call.source?.file,
    chain.kind,
    verdict.kind,
    verdict.cause,
  ]);

describe('several files', () => {
  it('TF13: a sub-agent in its own file is a chain below its session', () => {
    const agent = { isSidechain: true, agentId: 'a1' };
    const main = open(
      'main.jsonl',
      user(0, 's', 'Hello'),
      answer(1, 's', 'm1', 0, 20_000),
      user(3, 's', 'On.'),
      answer(3, 's', 'm3', 20_000, 30),
    );
    const sub = open('agent-a1.jsonl', user(2, 's', 'Look.', agent), answer(2, 's', 'm2', 0, 9_000, agent));
    expect(told(main, sub)).toEqual([
      ['m1', 'main.jsonl', 'main', 'start', 'chain-start'],
      ['m3', 'main.jsonl', 'main', 'hit', 'hit'],
      ['m2', 'agent-a1.jsonl', 'sub-agent', 'start', 'chain-start'],
    ]);
  });

  it('TF14: an answer that several files hold is one call, and a fork continues where it was forked', () => {
    const lines = (session: string) => [user(0, session, 'Hello'), answer(1, session, 'm1', 0, 20_000)];
    const first = open('first.jsonl', ...lines('s'));
    const fork = open('fork.jsonl', ...lines('t'), user(2, 't', 'On.'), answer(2, 't', 'm2', 20_000, 30));
    expect(told(first, fork)).toEqual([
      ['m1', 'first.jsonl', 'main', 'start', 'chain-start'],
      ['m2', 'fork.jsonl', 'main', 'hit', 'hit'],
    ]);
  });

  it('CC4: what the main file repeats of a sub-agent counts only where no file has it', () => {
    const progress = JSON.stringify({
      type: 'progress',
      sessionId: 's',
      uuid: 'p',
      timestamp: at(2),
      parentUuid: null,
      isSidechain: false,
      data: { type: 'agent_progress', agentId: 'a1', message: JSON.parse(answer(2, 's', 'm2', 0, 9_000)) as object },
    });
    const main = open('main.jsonl', user(0, 's', 'Hello'), answer(1, 's', 'm1', 0, 20_000), progress);
    const agent = { isSidechain: true, agentId: 'a1' };
    const sub = open('agent-a1.jsonl', user(2, 's', 'Look.', agent), answer(2, 's', 'm2', 0, 9_000, agent));
    expect(joinSources([main]).calls.map(({ id, source }) => [id, source?.file])).toEqual([
      ['m1', 'main.jsonl'],
      ['m2', 'main.jsonl'],
    ]);
    expect(joinSources([main, sub]).calls.map(({ id, source }) => [id, source?.file])).toEqual([
      ['m1', 'main.jsonl'],
      ['m2', 'agent-a1.jsonl'],
    ]);
  });

  it('TF15: what cannot be read is reported once, with its file and line; a cut last line is not', () => {
    const file = open('x.jsonl', user(0, 's', 'Hello'), '{"type":"user"', answer(1, 's', 'm1', 0, 20_000), '{"cut');
    expect(joinSources([file, open('empty.jsonl', '')]).faults).toEqual([
      { file: 'x.jsonl', line: 2, message: 'the line is not a JSON object.' },
      { file: 'empty.jsonl', line: 1, message: 'the file is empty.' },
    ]);
  });

  it('TF14: what was captured of a program is the call that its transcript holds', () => {
    const captured = (id: string): string =>
      JSON.stringify({
        provider: 'anthropic',
        wire: 'anthropic-messages',
        body: '{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}',
        started_at: Date.UTC(2026, 1, 11, 20, 1),
        response: { id, type: 'message', role: 'assistant', content: [], usage: { input_tokens: 3, output_tokens: 5 } },
      });
    const transcript = open('a.jsonl', user(1, 's', 'Hi'), answer(2, 's', 'msg_1', 0, 9000));
    const files = [open('capture.jsonl', captured('msg_1'), captured('msg_2')), transcript];
    for (const list of [files, files.toReversed()])
      expect(joinSources(list).calls.map(({ source, body }) => [source?.file, body.length > 0])).toEqual([
        ['capture.jsonl', true],
        ['capture.jsonl', true],
      ]);
  });
});
