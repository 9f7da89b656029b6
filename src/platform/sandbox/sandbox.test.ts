/** How programs run, with workers in the test's own thread and a Python that is none. `attacks.test.ts` has the real ones. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandAnswer } from '../../model/metaskill/host-types.ts';
import { OUTPUT_LIMIT } from '../../model/sandbox/output.ts';
import { createPendingTree } from '../../model/tool/pending-tree.ts';
import { createFakeClock } from '../../model/tool/testing/fake-clock.ts';
import { after } from '../delay.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import type { Crash, Port } from '../worker/port.ts';
import { serveGit } from './git/git-thread.ts';
import type { ThreadKind } from './protocol.ts';
import { createSandbox, type RunRequest, type Sandbox, type SandboxDeps } from './sandbox.ts';
import { serveShell } from './shell/shell-thread.ts';
import { openInThread } from './testing/memory-ports.ts';

const FILES = {
  'a.txt': 'inside\n',
  'long.txt': 'x'.repeat(OUTPUT_LIMIT),
  'longer.txt': 'x'.repeat(OUTPUT_LIMIT + 1),
  'accents.txt': `x${'é'.repeat(OUTPUT_LIMIT)}`,
  'errors.txt': 'e'.repeat(20_000),
};

/** A worker that never answers, and dies when it is told to. */
const silentPort = (): Port & { readonly crash: (crash: Crash) => void; readonly isClosed: () => boolean } => {
  const handlers: ((crash: Crash) => void)[] = [];
  let isClosed = false;
  return {
    post: () => {},
    onMessage: () => {},
    onCrash: (handler) => void handlers.push(handler),
    close: () => {
      isClosed = true;
    },
    crash: (crash) => {
      for (const handler of handlers) handler(crash);
    },
    isClosed: () => isClosed,
  };
};

const open = (more: Partial<SandboxDeps> = {}) => {
  const opened: ThreadKind[] = [];
  const files = createPendingTree(createMemoryTree(FILES, 'desk'));
  const sandbox = createSandbox({
    files,
    open: (kind) => {
      opened.push(kind);
      return openInThread(kind === 'git' ? serveGit : serveShell);
    },
    python: { indexUrl: '', wheels: () => Promise.resolve([]) },
    now: Date.now,
    after,
    ...more,
  });
  const run = (argv: readonly string[], request: Partial<RunRequest> = {}): Promise<CommandAnswer> =>
    sandbox.execute({ argv, timeoutSeconds: 60, signal: new AbortController().signal, ...request });
  return { sandbox, files, opened, run };
};

let shared: ReturnType<typeof open>;
beforeAll(() => {
  shared = open();
});
afterAll(() => shared.sandbox[Symbol.dispose]());
const run = (argv: readonly string[]): Promise<CommandAnswer> => shared.run(argv);
const sh = (text: string): Promise<CommandAnswer> => run(['sh', '-c', text]);

describe('what a program is given', () => {
  it('SB1: a sign of a shell is plain text, in arguments and in the name; who wants a shell calls it', async () => {
    expect(await run(['echo', '$(cat a.txt)', '`ls`', '; rm a.txt', '|', '>', 'out', '*', '~'])).toEqual({
      kind: 'exited',
      exitCode: 0,
      output: '$(cat a.txt) `ls` ; rm a.txt | > out * ~\n',
    });
    for (const name of ["echo'; cat a.txt; '", 'echo x', '$(echo cat)', 'cat a.txt | wc'])
      expect(await run([name]), name).toMatchObject({ kind: 'failed' });
    expect(shared.files.pending()).toEqual([]);
    expect(await sh('cat a.txt | tr i I')).toMatchObject({ output: 'InsIde\n' });
  });
});

describe('what it gives back', () => {
  it('SB2: the exit code is the program’s; standard output comes before standard error', async () => {
    expect(await sh('echo wrong >&2; echo right; exit 3')).toEqual({
      kind: 'exited',
      exitCode: 3,
      output: 'right\nwrong\n',
    });
    expect(await run(['true'])).toMatchObject({ exitCode: 0, output: '' });
    expect(await run(['false'])).toMatchObject({ exitCode: 1 });
  });

  it('SB3: 256 KB are kept, one byte more is cut and said', async () => {
    expect(await run(['cat', 'long.txt'])).toEqual({
      kind: 'exited',
      exitCode: 0,
      output: 'x'.repeat(256 * 1024),
    });
    expect(await run(['cat', 'longer.txt'])).toEqual({
      kind: 'exited',
      exitCode: 0,
      output: 'x'.repeat(256 * 1024),
      truncated: true,
    });
  });

  it('SB3: standard error keeps 8 KB beside a long standard output', async () => {
    expect(await sh('cat longer.txt; cat errors.txt >&2')).toMatchObject({
      output: 'x'.repeat(248 * 1024) + 'e'.repeat(8 * 1024),
      truncated: true,
    });
    expect(await sh('cat longer.txt; echo short >&2')).toMatchObject({
      output: `${'x'.repeat(256 * 1024 - 6)}short\n`,
      truncated: true,
    });
    // Beside a short one it keeps all.
    expect(await sh('echo out; cat errors.txt >&2')).toEqual({
      kind: 'exited',
      exitCode: 0,
      output: `out\n${'e'.repeat(20_000)}`,
    });
  });

  it('SB3: no character is cut in two', async () => {
    // One byte, then two for each character: the last byte of the room is the first half of one.
    expect(await run(['cat', 'accents.txt'])).toMatchObject({
      output: `x${'é'.repeat((256 * 1024 - 2) / 2)}`,
      truncated: true,
    });
  });
});

describe('what cannot be run', () => {
  const failing = async (sandbox: Sandbox, crash: () => void, message: string): Promise<void> => {
    const answer = sandbox.execute({ argv: ['ls'], timeoutSeconds: 60, signal: new AbortController().signal });
    await Promise.resolve();
    crash();
    expect(await answer).toEqual({ kind: 'failed', message });
  };

  it('SB4: an unknown program fails with what is available', async () => {
    const answer = await run(['node', '-v']);
    expect(answer).toMatchObject({ kind: 'failed' });
    const message = answer.kind === 'failed' ? answer.message : '';
    expect(message).toMatch(/^node is not available in the browser sandbox/);
    for (const program of ['git', 'grep', 'ls', 'python3', 'sh'])
      expect(message).toMatch(new RegExp(`\\b${program}\\b`));
  });

  it('SB4: time that runs out, a cancellation and a worker that dies are failures without error: in front', async () => {
    const ports: ReturnType<typeof silentPort>[] = [];
    const clock = createFakeClock();
    const { sandbox, run: start } = open({
      open: () => {
        const port = silentPort();
        ports.push(port);
        return port;
      },
      now: clock.now,
      after: clock.after,
    });
    const late = start(['ls'], { timeoutSeconds: 30 });
    await clock.advance(30_000);
    expect(await late).toEqual({ kind: 'failed', message: 'timed out after 30 s' });
    const controller = new AbortController();
    const cancelled = start(['ls'], { signal: controller.signal });
    controller.abort();
    expect(await cancelled).toEqual({ kind: 'failed', message: 'cancelled' });
    expect(await start(['ls'], { signal: controller.signal })).toEqual({ kind: 'failed', message: 'cancelled' });
    // SB5 in small: none of these workers is used again.
    expect(ports.map(({ isClosed }) => isClosed())).toEqual([true, true]);
    await failing(
      sandbox,
      () => ports.at(-1)?.crash({ kind: 'exit', message: 'exit code 9' }),
      'ls was ended: exit code 9',
    );
    await failing(
      sandbox,
      () => ports.at(-1)?.crash({ kind: 'memory', message: 'heap' }),
      'ls needed more memory than there is and was ended',
    );
    sandbox[Symbol.dispose]();
  });

  it('SB6: loading Python counts on no clock, and is given up after four minutes', async () => {
    const clock = createFakeClock();
    const port = silentPort();
    const { sandbox, run: start } = open({ open: () => port, now: clock.now, after: clock.after });
    const waiting: boolean[] = [];
    const answers: CommandAnswer[] = [];
    const loading = start(['python3', '-V'], { timeoutSeconds: 5, setWaiting: (is) => waiting.push(is) });
    void loading.then((given) => answers.push(given));
    await clock.advance(239_000);
    expect(answers).toEqual([]);
    expect(waiting).toEqual([true]);
    await clock.advance(1000);
    const answer = await loading;
    expect(answer.kind === 'failed' && answer.message).toContain('didn’t load in time');
    expect(waiting).toEqual([true, false]);
    sandbox[Symbol.dispose]();
  });
});

describe('several programs', () => {
  it('SB7: run at the same time in workers of their own', async () => {
    const { sandbox, opened, run: start } = open();
    const first = start(['sh', '-c', 'while [ ! -e flag ]; do sleep 0.01; done; echo seen']);
    const second = start(['touch', 'flag']);
    expect(sandbox.state().running).toBe(2);
    expect(await second).toMatchObject({ exitCode: 0 });
    expect(await first).toMatchObject({ exitCode: 0, output: 'seen\n' });
    expect(opened).toEqual(['shell', 'shell']);
    // Afterwards a worker serves the next program.
    await start(['ls']);
    expect(opened).toHaveLength(2);
    sandbox[Symbol.dispose]();
  });

  it('SB8: git works inside sh -c, pipes included', async () => {
    expect(await sh('git init -q -b main && git status --short | grep -c txt')).toMatchObject({
      exitCode: 0,
      output: '5\n',
    });
    expect(await sh('cd /tmp && git status')).toMatchObject({ exitCode: 128 });
  });
});
