/** The demo with commands that really run: a session with the simulator over the demo workspace. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../base/log.ts';
import { planDemoRepository } from '../model/sandbox/demo-history.ts';
import { NEW_SESSION } from '../model/workspace/session-plan.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import { createNodeSandbox } from '../platform/sandbox/node-sandbox.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { WHEELS } from '../platform/sandbox/testing/node-threads.ts';
import { startTestEngine, type TestEngine } from '../platform/worker/testing/node-engine.ts';
import { threadsFolder } from '../platform/worker/testing/threads-folder.ts';
import { folderAlone, openTerminal, startTerminalSession, type TerminalSession } from './session-runner.ts';

const DEMO = fileURLToPath(new URL('../../public/demo', import.meta.url));
const HISTORY = new URL('../../public/sandbox/demo-history.json', import.meta.url);

let engine: TestEngine | undefined;
const open: Sandbox[] = [];

beforeAll(() => {
  engine = startTestEngine();
});
afterAll(() => {
  for (const sandbox of open) sandbox[Symbol.dispose]();
  engine?.[Symbol.dispose]();
});

const start = async (): Promise<TerminalSession> => {
  if (!engine) throw new Error('not started');
  const threads = threadsFolder();
  const tree = createNodeTree(DEMO);
  return startTerminalSession(
    openTerminal({ engine: engine.engine, log: silentLog, startAt: 1_772_000_000_000 }),
    folderAlone(tree),
    {
      next: NEW_SESSION,
      sandbox: (files) => {
        const history = () => planDemoRepository(readFileSync(HISTORY, 'utf8'), tree);
        const sandbox = createNodeSandbox({ files, threads, wheels: WHEELS, history });
        open.push(sandbox);
        return { run: sandbox.run, policy: { headless: true, allowAll: true } };
      },
    },
  );
};

const stepsOf = ({
  journal,
}: TerminalSession): readonly { readonly kind: string; readonly ok: boolean; readonly response: string }[] =>
  journal.events.flatMap((event) => (event.type === 'metaskill.step' ? [event.payload] : []));
const envelopeOf = ({ journal }: TerminalSession): string =>
  journal.events.flatMap((event) => (event.type === 'metaskill.finished' ? [event.payload.status] : [])).at(-1) ?? '';

describe('the demo', () => {
  it('DM1: fix-until-green fails, the nested turn patches the file through the tools, the tests pass', async () => {
    const session = await start();
    const outcome = await session.session.send('The test suite is red since lunch. Make it pass again.');
    expect(outcome.kind).toBe('completed');
    expect(envelopeOf(session)).toBe('accepted');
    expect(stepsOf(session).map(({ kind, ok }) => [kind, ok])).toEqual([
      ['command', false],
      ['ask', true],
      ['command', true],
    ]);
    expect(stepsOf(session)[0]?.response).toContain('AssertionError: 638 != 637');
    const [change, ...more] = session.files.pending();
    expect(more).toEqual([]);
    expect(change?.path).toBe('harbour/fares.py');
    expect(new TextDecoder().decode(change?.after ?? new Uint8Array())).toContain('    return cents // 2\n');
  }, 240_000);

  it('DM2: diff-review reviews the real diff of the demo’s repository', async () => {
    const session = await start();
    await session.session.send('Is there a bug in my uncommitted changes? I want to open a pull request.');
    expect(envelopeOf(session)).toBe('reviewed');
    const [diff, review] = stepsOf(session);
    expect(diff?.response).toContain('diff --git a/harbour/refunds.py b/harbour/refunds.py');
    expect(review?.response).toMatch(/harbour\/refunds\.py:\d+: divides by zero/);
    expect(session.files.pending()).toEqual([]);
  }, 240_000);

  it('DM3: repo-pulse reads status and log; the commits are always the same', async () => {
    const session = await start();
    await session.session.send('Back from two weeks of holiday: what is the state of the repository?');
    expect(envelopeOf(session)).toBe('ok');
    const [status, log] = stepsOf(session);
    expect(status?.response).toContain(' M harbour/refunds.py\n M tests/test_refunds.py\n?? TODO.md');
    expect(log?.response).toMatch(
      /[0-9a-f]{7} Add instructions and skills for agents\n[0-9a-f]{7} Write down how fares round/,
    );
  }, 240_000);
});
