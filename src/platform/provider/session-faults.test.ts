// Whatever a provider sends, a turn ends with what came and says why, and the session continues.
import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { createUlid } from '../../base/ulid.ts';
import { createJournal } from '../../model/event/journal.ts';
import { exportJsonl } from '../../model/event/jsonl.ts';
import { openWorkspace } from '../../model/workspace/open-workspace.ts';
import { startSession } from '../../model/session/session.ts';
import { createShadow } from '../../model/session/shadow.ts';
import { replay } from '../../model/session/state.ts';
import { createSimulator } from '../../model/simulator/simulator.ts';
import type { ProviderId } from '../../model/provider/types.ts';
import type { FaultKind } from '../../model/simulator/types.ts';
import { createPendingTree } from '../../model/tool/pending-tree.ts';
import { createPolicy } from '../../model/tool/policy.ts';
import { after } from '../delay.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { createMemoryTokenizer } from '../tokenizer/memory-tokenizer.ts';
import { createProvider } from './create-provider.ts';
import { createSimulatedFetch } from './simulated-fetch.ts';

const KEY = 'sk-ant-api03-very-secret-key-0123456789';

type Case = readonly [provider: ProviderId, model: string];

const setup = async ([provider, model]: Case, faults: readonly (FaultKind | undefined)[]) => {
  const { log, lines } = collectLog();
  const tokenizer = createMemoryTokenizer();
  const now = (): number => Date.now();
  const simulator = createSimulator({
    tokenizer,
    clock: { now },
    faults: faults.map((kind) => kind && { kind }),
  });
  const client = createProvider({
    provider,
    apiKey: KEY,
    baseUrl: provider === 'anthropic' ? 'https://sim.example' : 'https://sim.example/v1',
    fetch: createSimulatedFetch(simulator, { speed: 0 }),
    now,
    isBrowser: false,
    idleMs: 150,
    timeoutMs: 400,
    sleep: () => Promise.resolve(),
    log,
  });
  const tree = createMemoryTree({}, 'desk');
  const workspace = await openWorkspace({ project: { tree } }, { profile: 'standard', dialect: 'metis', log });
  const ulid = createUlid({ now, random: Math.random });
  const journal = createJournal({ sessionId: 'sess_faults', now, ulid, log });
  const session = startSession(
    { workspaceName: 'desk', workspace, settings: { provider, model, thinking: { mode: 'off' } } },
    {
      journal,
      client: () => client,
      scope: () => 'k',
      now,
      newId: ulid,
      after,
      shadow: createShadow({ tokenizer, log }),
      log,
    },
    {
      files: createPendingTree(tree),
      policy: createPolicy({ headless: true }),
      hostSkills: { find: () => undefined },
      engine: () => Promise.resolve(undefined),
      platform: 'test',
    },
  );
  return { session, journal, lines };
};

const ENDS_THE_TURN: readonly FaultKind[] = ['cut', 'stream_error', 'hang', 'malformed_sse', 'truncated_json'];
const IS_RETRIED: readonly FaultKind[] = ['rate_limit', 'overloaded', 'server_error'];

const CASES: readonly Case[] = [
  ['anthropic', 'claude-haiku-4-5'],
  ['openai', 'gpt-6-sol'],
  ['compatible', 'gpt-6-luna'],
];

describe.each(CASES)('faults of a provider: %s', (...model) => {
  it.each(ENDS_THE_TURN)('SE16: %s ends the turn visibly, and the next one works', async (fault) => {
    // The same fault for every attempt that is made.
    const { session, journal } = await setup(model, [fault, fault, fault]);
    const outcome = await session.send('Hello there');
    expect(outcome.kind).toBe('cancelled');
    expect('reason' in outcome && outcome.reason).toBe('error');
    expect('message' in outcome && outcome.message.length).toBeGreaterThan(20);
    const failure = session.state.calls[0]?.failure;
    expect(failure?.final).toBe(true);
    expect(failure?.next_step).not.toBe('');
    let again = await session.send('Hello again');
    // Attempts that were not made leave their faults for the next calls.
    for (let more = 0; more < 2 && again.kind !== 'completed'; more++) again = await session.send('Hello again');
    expect(again.kind).toBe('completed');
    expect(replay('sess_faults', journal.events)).toEqual(session.state);
  });

  it.each(IS_RETRIED)('SE17: %s is tried again, and each attempt is reported', async (fault) => {
    const { session, journal } = await setup(model, [fault, fault]);
    expect(await session.send('Hello there')).toMatchObject({ kind: 'completed' });
    const failed = journal.events.filter(({ type }) => type === 'llm.call_failed');
    expect(failed.map(({ payload }) => 'final' in payload && payload.final)).toEqual([false, false]);
    expect(journal.events.filter(({ type }) => type === 'request.sent')).toHaveLength(3);
  });

  it.each(IS_RETRIED)('SE17, SV50: after %s the response is that of the last attempt alone', async (fault) => {
    const { session, journal } = await setup(model, [fault]);
    await session.send('Hello there');
    const [response] = journal.events.flatMap((event) => (event.type === 'response.received' ? [event.payload] : []));
    expect(response?.status).toBe(200);
    expect(response?.text).toMatch(/^(?:event|data): /);
    expect(response?.text).not.toContain('"error":{');
  });

  it.each(['unknown_block', 'slow', 'refusal', 'malformed_tool_input'] as const)(
    'SE16: %s is lived with',
    async (fault) => {
      const { session } = await setup(model, [fault]);
      const outcome = await session.send('Hello there');
      expect(outcome.kind).toBe('completed');
      expect(await session.send('Hello again')).toMatchObject({ kind: 'completed' });
    },
  );

  it('SE54: neither journal, export nor log hold the key', async () => {
    const { session, journal, lines } = await setup(model, ['overloaded', 'stream_error', undefined]);
    await session.send('Hello there');
    await session.send('Hello again');
    const everything = exportJsonl(journal.events, { content: 'all' }) + JSON.stringify(lines);
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain('very-secret');
  });
});
