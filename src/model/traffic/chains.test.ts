import { describe, expect, it } from 'vitest';
import {
  assistant,
  claude,
  marked,
  SECOND,
  T0,
  talk,
  text,
  tool,
  usage,
  user,
  W,
} from '../cache/explain/testing/recorded.ts';
import type { Json } from '../../base/json.ts';
import type { Call, Conversation } from './call.ts';
import { createSubjectReader } from '../cache/explain/subject.ts';
import { createChains } from './chains.ts';
import { explainCalls } from './explainer.ts';

type More = Partial<Omit<Call, 'body'>>;
let second = 0;
const rolling = (messages: readonly Json[], read: number, written: number, more: More = {}): Call => ({
  ...claude(
    { ...talk(messages), cache_control: { type: 'ephemeral' } },
    { startedAt: T0 + (second += 5) * SECOND, usage: usage(read, written) },
  ),
  ...more,
});
const said = (words: string): More => ({ response: { content: [{ type: 'text', text: words }] } });
const told = (calls: readonly Call[]) =>
  explainCalls(calls).map(({ chain, verdict }) => [chain.id, chain.kind, verdict.kind, verdict.cause]);

const hello = user('Hello, please look at the project.');
const next = user('And now?');

describe('chains', () => {
  it('TF4: parallel conversations with the same first message are held against their own', () => {
    const a1 = 'I see a project with two folders and a lot of files.';
    const b1 = 'There is nothing here that I could look at, I am afraid.';
    const calls = [
      rolling([hello], 0, W, said(a1)),
      rolling([hello], W, 0, said(b1)),
      rolling([hello, assistant(a1), next], W, 40, said('Fine.')),
      rolling([hello, assistant(b1), next], W, 42, said('Well.')),
      rolling([hello, assistant(a1), next, assistant('Fine.'), next], W + 40, 40),
      rolling([hello, assistant(b1), next, assistant('Well.'), next], W + 42, 40),
    ];
    const verdicts = explainCalls(calls);
    expect(verdicts.map(({ verdict }) => verdict.kind)).toEqual(['start', 'hit', 'hit', 'hit', 'hit', 'hit']);
    expect(verdicts.map(({ verdict }) => verdict.comparedWith)).toEqual([
      null,
      calls[0],
      calls[0],
      calls[1],
      calls[2],
      calls[3],
    ]);
  });

  it('TF4: of 600 equal requests each is weighed against the newest alone', () => {
    const subjects = createSubjectReader({});
    let reads = 0;
    const chains = createChains((call) => {
      reads++;
      return subjects(call);
    });
    for (let index = 0; index < 600; index++) {
      const call = rolling([hello], 0, W, said('Fine.'));
      const subject = subjects(call);
      if (subject.ok) chains.place(call, subject.value);
    }
    reads = 0;
    const last = rolling([hello], 0, W);
    const subject = subjects(last);
    if (subject.ok) chains.place(last, subject.value);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(200);
  });

  it('TF4: an answer that is there word for word outweighs another session id', () => {
    const answer = 'The folder has three skills and one of them is broken.';
    const calls = [
      rolling([hello], 0, W, { sessionId: 'a', ...said(answer) }),
      rolling([hello, assistant(answer), next], W, 40, { sessionId: 'b' }),
    ];
    expect(explainCalls(calls)[1]?.verdict).toMatchObject({ kind: 'hit', comparedWith: calls[0] });
  });

  it('TF5, TF6: a second continuation is a chain of its own, compared with what both come from', () => {
    const answer = 'One answer, of which there will be two continuations.';
    const calls = [
      rolling([hello], 0, W, said(answer)),
      rolling([hello, assistant(answer), user('Left.')], W, 30),
      rolling([hello, assistant(answer), user('Right.')], W, 30),
    ];
    const [first, left, right] = explainCalls(calls);
    expect(left?.chain.id).toBe(first?.chain.id);
    expect(right?.chain.id).not.toBe(first?.chain.id);
    expect(right?.verdict).toMatchObject({ kind: 'hit', comparedWith: calls[0] });
  });

  it('TF5: a changed beginning is held against the request that asked last, not against the first one', () => {
    const question = user('Then repair what you found in the third file, please.');
    const calls = [
      rolling([hello], 0, W),
      rolling([hello, assistant('I found a fault in the third file.'), question], W, 60),
      rolling([hello, assistant('Cut.'), question, assistant('It is repaired.'), next], W, 70),
    ];
    const [, , edited] = explainCalls(calls);
    expect(edited?.verdict).toMatchObject({ kind: 'miss', cause: 'history-edited', comparedWith: calls[1] });
    // Another conversation with the same questions continues from its own.
    const twin = [
      ...calls.slice(0, 2),
      rolling([hello], W, 0),
      rolling([hello, assistant('Nothing is wrong with any of these files.'), question], W, 60),
      rolling(
        [hello, assistant('Nothing is wrong with any of these files.'), question, assistant('Fine.'), next],
        W + 60,
        20,
      ),
    ];
    expect(explainCalls(twin).map(({ verdict }) => verdict.kind)).toEqual(['start', 'hit', 'start', 'hit', 'hit']);
  });

  it('EX52: a window that slides leaves the last question and its answer', () => {
    const asked = user('Then repair what you found in the third file, please.');
    const calls = [
      rolling([hello, assistant('I found a fault in the third file.'), asked], 0, W + 60),
      rolling([asked, assistant('It is repaired now.'), next], 0, W + 40),
    ];
    expect(explainCalls(calls)[1]?.verdict).toMatchObject({ kind: 'miss', cause: 'history-edited' });
  });

  it('TF6: a first message that is sent again behind its own continuation starts a conversation', () => {
    const calls = [
      rolling([hello], 0, W),
      rolling([hello, assistant('Yes.'), next], W, 30),
      rolling([hello], 0, W, { startedAt: T0 + 3_600_000 }),
    ];
    expect(told(calls).map(([, , kind, cause]) => [kind, cause])).toEqual([
      ['start', 'chain-start'],
      ['hit', 'hit'],
      ['start', 'chain-start'],
    ]);
  });

  it('TF10: calls are judged in the order of their time, and verdicts come in that of the recording', () => {
    const first = rolling([hello], 0, W, said('Yes, I have looked at it.'));
    const later = rolling([hello, assistant('Yes, I have looked at it.'), next], W, 40);
    const verdicts = explainCalls([later, first]);
    expect(verdicts.map(({ call, verdict }) => [call, verdict.kind, verdict.comparedWith])).toEqual([
      [later, 'hit', first],
      [first, 'start', null],
    ]);
  });

  it('TF7: a failed call is in the chain, and nothing continues from it', () => {
    const first = rolling([hello], 0, W);
    const { usage: _usage, ...failed } = rolling([hello, assistant('Yes.'), next], 0, 0, { failed: true });
    const calls = [first, failed, rolling([hello, assistant('Yes.'), next], W, 30)];
    const verdicts = explainCalls(calls);
    expect(new Set(verdicts.map(({ chain }) => chain.id)).size).toBe(1);
    expect(verdicts[1]?.verdict.kind).toBe('unknown');
    expect(verdicts[2]?.verdict).toMatchObject({ kind: 'hit', comparedWith: calls[0] });
  });

  it('TF3: what the source says of a conversation comes first', () => {
    const main: Conversation = { id: 's', kind: 'main' };
    const agent: Conversation = { id: 's/a1', kind: 'sub-agent', parent: 's' };
    const tools = { tools: [tool('read'), tool('write'), tool('task')] };
    const body = (messages: Json[], more: object): Call =>
      claude(
        { ...talk(messages), ...more, cache_control: { type: 'ephemeral' } },
        { startedAt: T0 + (second += 5) * SECOND, usage: usage(0, W) },
      );
    const calls = [
      { ...body([hello], tools), conversation: main },
      { ...body([hello], { tools: [tool('read')] }), conversation: agent },
      { ...body([hello, assistant('Ok.'), next], tools), usage: usage(W, 30), conversation: main },
    ];
    expect(told(calls)).toEqual([
      ['s', 'main', 'start', 'chain-start'],
      ['s/a1', 'sub-agent', 'start', 'chain-start'],
      ['s', 'main', 'hit', 'hit'],
    ]);
  });

  it('TF9: the request after a compaction is a start in the lane of its conversation', () => {
    const summary = user('This session is being continued from a previous conversation that ran out of context. …');
    const calls = [
      rolling([hello], 0, 3000),
      rolling([hello, assistant('Yes.'), next], 3000, 100),
      rolling([summary], 2000, 400),
      rolling([summary, assistant('Going on.'), next], 2400, 40),
    ];
    expect(told(calls)).toEqual([
      ['chain-1', 'main', 'start', 'chain-start'],
      ['chain-1', 'main', 'hit', 'hit'],
      ['chain-1', 'main', 'start', 'compaction'],
      ['chain-1', 'main', 'hit', 'hit'],
    ]);
  });

  it('TF9: also where the conversation had only one message', () => {
    const answer = 'I see a project with two folders and a lot of files.';
    const summary = user('This session is being continued from a previous conversation. We said hello.');
    const calls = [rolling([hello], 0, W, said(answer)), rolling([summary], W - 400, 300)];
    expect(told(calls)[1]).toEqual(['chain-1', 'main', 'start', 'compaction']);
  });

  it('TF9: a source that tells of a compaction is believed', () => {
    const conversation: Conversation = { id: 's', kind: 'main' };
    const calls = [
      { ...rolling([hello], 0, 3000), conversation },
      { ...rolling([user('Other words.')], 2000, 400), conversation: { ...conversation, isCompacted: true } },
    ];
    expect(told(calls)[1]).toEqual(['s', 'main', 'start', 'compaction']);
  });
});

describe('chains of Claude Code by their content', () => {
  const identity = text("You are Claude Code, Anthropic's official CLI for Claude.");
  const billing = (count: number): Json =>
    text(`x-anthropic-billing-header: cc_version=2.1.326.abc; cc_entrypoint=cli; cch=${count};`);
  const names = (count: number): Json[] => Array.from({ length: count }, (_, index) => tool(`Tool${index}`));
  const call = (system: readonly Json[], tools: readonly Json[], messages: readonly Json[], read: number): Call =>
    claude(
      { system: [...system], tools: [...tools], messages: [...messages], cache_control: { type: 'ephemeral' } },
      { startedAt: T0 + (second += 5) * SECOND, usage: usage(read, 5000) },
    );
  const main = [billing(1), identity, marked('You are an interactive agent. '.repeat(200))];

  it('TF8, TF11: neither a sub-agent nor a title is a miss of the main conversation', () => {
    const agent = [billing(2), identity, marked(`You are an agent for Claude Code. ${'Search. '.repeat(900)}`)];
    const calls = [
      call(main, names(12), [hello], 0),
      call(agent, names(8), [user('Find the tests.')], 0),
      call([billing(3), identity, text('Generate a concise, sentence-case title.')], [], [hello], 0),
      call(main, names(12), [hello, assistant('Ok.'), next], 5000),
    ];
    expect(told(calls).map(([, kind, verdict]) => [kind, verdict])).toEqual([
      ['main', 'start'],
      ['sub-agent', 'start'],
      ['side-call', 'start'],
      ['main', 'hit'],
    ]);
  });

  it('TF6: sub-agents that are started together with the same words are conversations of their own', () => {
    const agent = [billing(2), identity, marked(`You are an agent for Claude Code. ${'Search. '.repeat(900)}`)];
    const task = user('Find the tests.');
    const sent = (messages: readonly Json[], read: number, ms: number): Call => ({
      ...call(agent, names(8), messages, read),
      startedAt: T0 + 3_600_000 + ms,
    });
    const calls = [
      sent([task], 0, 0),
      sent([task], 0, 700),
      sent([task, assistant('Found.'), next], 5000, 9000),
      sent([task, assistant('Found.'), next], 5000, 9700),
      sent([task, assistant('Found.'), next, assistant('Yes.'), next], 0, 20_000),
    ];
    const verdicts = told(calls);
    expect(verdicts.map(([, , kind]) => kind)).toEqual(['start', 'start', 'hit', 'hit', 'miss']);
    expect(verdicts[0]?.[0]).not.toBe(verdicts[1]?.[0]);
  });

  it('TF8: the request that sums up reads the conversation and has a chain of its own', () => {
    const order = user(
      'CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of the conversation.',
    );
    const calls = [call(main, names(12), [hello], 0), call(main, names(12), [hello, assistant('Ok.'), order], 5000)];
    expect(told(calls)[1]?.slice(1)).toEqual(['compaction', 'hit', 'hit']);
  });
});
