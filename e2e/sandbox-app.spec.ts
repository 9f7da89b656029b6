// Commands in the app itself: by hand in the terminal, and by the agent through the dispatcher.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { parseScenario } from '../src/model/simulator/scenario.ts';
import { createSimulator } from '../src/model/simulator/simulator.ts';
import { startSimServer, type SimServer } from '../src/platform/provider/node-sim-server.ts';
import { createNodeTokenizer } from '../src/platform/tokenizer/node-tokenizer.ts';
import { expect, test } from './fixtures/test.ts';
import { SessionPage } from './fixtures/session-page.ts';
import type { Workbench } from './fixtures/workbench.ts';

/** Loading Python on a slow machine. */
const SLOW = { timeout: 120_000 };

class Terminal {
  readonly region: Locator;
  readonly command: Locator;

  constructor(bench: Workbench) {
    this.region = bench.region('Terminal');
    this.command = this.region.getByRole('textbox', { name: 'Command' });
  }

  entry(number: number): Locator {
    return this.region.getByRole('listitem').nth(number);
  }

  async start(line: string): Promise<Locator> {
    const before = await this.region.getByRole('listitem').count();
    await this.command.fill(line);
    await this.command.press('Enter');
    return this.entry(before);
  }

  /** What a line gave, its end included. */
  async run(line: string): Promise<string> {
    const entry = await this.start(line);
    await expect(entry.getByText(/^(?:exit code|error:)/)).toBeVisible(SLOW);
    return (await entry.innerText()).replace(/\n{2,}/g, '\n').trim();
  }
}

const openTerminal = async (bench: Workbench): Promise<Terminal> => {
  await bench.open();
  await bench.show('Terminal');
  return new Terminal(bench);
};

test('TE1–TE4: commands, git and Python by hand, over the demo', async ({ bench, watched, page }) => {
  test.slow();
  const terminal = await openTerminal(bench);
  expect(watched.requests.filter((url) => /sandbox\.html|pyodide|shell\.worker/.test(url))).toEqual([]);
  expect(await terminal.run('ls')).toContain('AGENTS.md');
  expect(await terminal.run('git status --short')).toContain(
    'M harbour/refunds.py\n M tests/test_refunds.py\n?? TODO.md',
  );
  expect(await terminal.run('git log --oneline')).toContain('Add instructions and skills for agents');
  expect(watched.requests.filter((url) => url.includes('pyodide.asm.wasm'))).toEqual([]);
  expect(await terminal.run('python3 -m unittest')).toContain('AssertionError: 638 != 637');
  expect(await terminal.run('node -v')).toContain('error: node is not available in the browser sandbox');

  await terminal.command.press('ArrowUp');
  await expect(terminal.command).toHaveValue('node -v');
  await terminal.command.press('ArrowUp');
  await expect(terminal.command).toHaveValue('python3 -m unittest');
  await terminal.command.press('ArrowDown');
  await terminal.command.press('ArrowDown');
  await expect(terminal.command).toHaveValue('');

  const endless = await terminal.start(
    `python3 -c "import itertools; print('begun', flush=True); [0 for _ in itertools.count()]"`,
  );
  await expect(endless.getByText('begun', { exact: true })).toBeVisible(SLOW);
  await terminal.region.getByRole('button', { name: 'Stop' }).click();
  await expect(endless.getByText('error: cancelled')).toBeVisible();
  expect(await terminal.run('python3 -c "print(6 * 7)"')).toContain('42\nexit code 0');
  expect(await bench.findings()).toEqual([]);

  await page.getByRole('button', { name: 'Help: Terminal' }).click();
  await expect(page.getByRole('dialog').getByText('A terminal inside the app.')).toBeVisible();
});

/** The part of a session that these journeys need. */
class Talk {
  readonly bench: Workbench;
  readonly region: Locator;
  readonly page: Page;
  readonly dialog: Locator;

  constructor(bench: Workbench) {
    this.bench = bench;
    this.page = bench.page;
    this.region = bench.region('Session');
    this.dialog = this.page.getByRole('dialog', { name: 'Approve command' });
  }

  button(name: string): Locator {
    return this.region.getByRole('button', { name, exact: true });
  }

  turn(number: number): Locator {
    return this.region.getByRole('article', { name: `Turn ${number}`, exact: true });
  }

  async say(text: string): Promise<void> {
    await this.bench.show('Session');
    const message = this.region.getByRole('textbox', { name: 'Message' });
    await message.fill(text);
    await this.button('Send').click();
    await expect(message).toHaveValue('');
  }

  async settled(): Promise<void> {
    await expect(this.button('Stop')).toHaveAttribute('aria-disabled', 'true', SLOW);
  }

  async answer(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
    await expect(this.dialog).toBeHidden();
  }
}

test('DM1, SU11, SU12: fix-until-green: tests fail, the nested turn patches the file, tests pass, the difference is applied', async ({
  bench,
  page,
}) => {
  test.slow();
  await bench.open();
  const talk = new Talk(bench);
  await talk.say('The test suite is red since lunch. Make it pass again.');
  await expect(talk.dialog).toContainText('python3 -m unittest', SLOW);
  await expect(talk.dialog).toContainText('cover every command that starts with python3 -m unittest');
  await talk.answer('Allow in this session');
  // Loading takes a while, and the card says so.
  await expect(talk.turn(1).getByText(/^Loading Python/)).toBeVisible(SLOW);
  await talk.settled();
  const run = talk.turn(1).getByRole('group', { name: 'Run of fix-until-green' });
  await expect(run.getByText('accepted', { exact: true })).toBeVisible();
  await expect(run.getByText(/1 of \d+ asks · 2 of \d+ commands/)).toBeVisible();

  await bench.show('Changes');
  const change = bench.region('Changes').getByRole('article', { name: 'harbour/fares.py' });
  await expect(change.getByText('return cents // 2')).toBeVisible();
  await expect(bench.region('Changes').getByRole('article')).toHaveCount(1);
  await change.getByRole('button', { name: 'Apply harbour/fares.py' }).click();
  await expect(bench.region('Changes').getByText('No pending changes')).toBeVisible();

  // Only the folder outlives the page.
  await page.reload();
  await bench.ready();
  await bench.show('Terminal');
  const terminal = new Terminal(bench);
  expect(await terminal.run('grep -n return harbour/fares.py')).toContain('return cents // 2');
  expect(await terminal.run('python3 -m unittest')).toContain('OK\nexit code 0');
});

/** A repository made by git itself, as the files that lie in its folder. */
const realRepository = (): Readonly<Record<string, string>> => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-e2e-'));
  const put = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  try {
    for (const file of ['SKILL.md', 'SKILL.star'])
      put(`skills/diff-review/${file}`, readFileSync(`public/demo/skills/diff-review/${file}`, 'utf8'));
    put('fares.py', 'def share(total, people):\n    return total // max(1, len(people))\n');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'Start');
    git('gc', '-q');
    put('fares.py', 'def share(total, people):\n    return total // len(people)\n');
    const files: Record<string, string> = {};
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files[path.slice(folder.length + 1)] = readFileSync(path, 'base64');
    }
    return files;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The picker gives a folder of the browser with these files: everything beyond it is real. */
const offer = (page: Page, files: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate(async (given) => {
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle('picked', { create: true });
    for (const [path, content] of Object.entries(given)) {
      const parts = path.split('/');
      const name = parts.pop() ?? '';
      let folder = top;
      for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write(Uint8Array.from(atob(content), (sign) => sign.codePointAt(0) ?? 0));
      await stream.close();
    }
    Object.assign(window, { showDirectoryPicker: () => Promise.resolve(top) });
  }, files);

/** The files of the picked folder as they are on its disk now. */
const taken = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(async () => {
    const found: Record<string, string> = {};
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle, `${path}${name}/`);
        else {
          const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
          found[path + name] = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
        }
      }
    };
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle('picked'), '');
    return found;
  });

/** What the real git says of these files; its own check comes first. */
const gitLog = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-e2e-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), Buffer.from(content, 'base64'));
    }
    mkdirSync(join(folder, '.git/refs/heads'), { recursive: true });
    execFileSync('git', ['fsck', '--strict'], { cwd: folder, stdio: 'pipe' });
    return execFileSync('git', ['log', '--format=%s'], { cwd: folder, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test('DM2, SV63: diff-review reviews the real diff of a repository that git has made, and nothing asks', async ({
  bench,
  page,
}) => {
  test.slow();
  await bench.open();
  await offer(page, realRepository());
  await bench.region('Library').getByRole('button', { name: 'Open folder' }).click();
  await expect(page.getByRole('banner').getByText('1 skill')).toBeVisible();
  await bench.show('Terminal');
  const terminal = new Terminal(bench);
  expect(await terminal.run('git status --short')).toContain(' M fares.py\nexit code 0');
  expect(await terminal.run('git diff')).toContain(
    '-    return total // max(1, len(people))\n+    return total // len(people)\n',
  );

  const talk = new Talk(bench);
  await talk.say('Is there a bug in my uncommitted changes? I want to open a pull request.');
  await expect(talk.turn(1)).toBeVisible(SLOW);
  await talk.settled();
  const run = talk.turn(1).getByRole('group', { name: 'Run of diff-review' });
  await expect(run.getByText('reviewed', { exact: true })).toBeVisible();
  // The finding is in the answer of the nested turn and in the result.
  await expect(talk.turn(1).getByText('fares.py:2: divides by zero').first()).toBeAttached();
  await expect(talk.turn(1).getByText(/You allowed/)).toHaveCount(0);

  // A commit is applied as a whole, and is one for git too.
  await bench.show('Terminal');
  expect(await terminal.run('git commit -am "Share"')).toContain('1 file changed');
  await bench.show('Changes');
  const changes = bench.region('Changes');
  await expect(changes.getByRole('article')).toHaveCount(1);
  await changes.getByRole('button', { name: 'Apply .git' }).click();
  await expect(changes.getByText('No pending changes')).toBeVisible();
  expect(gitLog(await taken(page))).toBe('Share\nStart\n');
});

const SCENARIO = `
rules:
  - when: { contains: copy it, last_role: user }
    reply: { tool_calls: [{ name: run_command, input: { argv: [cp, AGENTS.md, COPY.md] } }] }
  - when: { contains: throw it away, last_role: user }
    reply: { tool_calls: [{ name: run_command, input: { argv: [rm, TODO.md] } }] }
  - when: { contains: look at it, last_role: user }
    reply: { tool_calls: [{ name: run_command, input: { argv: [git, status] } }] }
  - when: { tool_result_of: run_command, contains: not on a Friday }
    reply: { text: 'I leave it, because it is Friday.' }
  - when: { tool_result_of: run_command }
    reply: { text: 'It is done.' }
`;

test.describe('run_command', () => {
  let server: SimServer;
  test.beforeAll(async () => {
    const scenario = parseScenario(SCENARIO);
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
    server = await startSimServer({
      simulator: createSimulator({
        tokenizer: createNodeTokenizer(),
        clock: { now: () => Date.now() },
        scenario: scenario.value,
      }),
      port: 0,
      speed: 0,
    });
  });
  test.afterAll(() => server.close());

  const connect = async (bench: Workbench): Promise<Talk> => {
    await bench.open('');
    const talk = new Talk(bench);
    const { page } = bench;
    const session = new SessionPage(bench);
    await session.chooseModel('Provider', /^Anthropic/);
    const settings = await session.settings();
    await settings.getByRole('textbox', { name: 'Base URL' }).fill(server.url);
    await settings.getByRole('button', { name: 'Keys…' }).click();
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByRole('textbox', { name: 'Key for Anthropic' }).fill('any-key-will-do');
    await keys.getByRole('button', { name: 'Use the key for Anthropic' }).click();
    await keys.getByRole('button', { name: 'Done' }).click();
    return talk;
  };

  test('SU5, SU11, SX1: asks once, for this session, or always; a denial and its reason reach the model', async ({
    bench,
    page,
    watched,
  }) => {
    test.slow();
    const talk = await connect(bench);
    const turns = { count: 0 };
    const ask = async (text: string): Promise<Locator> => {
      await talk.say(text);
      turns.count++;
      return talk.turn(turns.count);
    };

    // What only reads does not ask.
    let turn = await ask('Please look at it.');
    await talk.settled();
    await expect(turn.getByText('It is done.')).toBeVisible();
    await expect(turn.getByText(/You allowed/)).toHaveCount(0);

    turn = await ask('Please copy it.');
    await expect(talk.dialog).toContainText('cp AGENTS.md COPY.md', SLOW);
    await expect(talk.dialog).toContainText('cover every command that starts with cp');
    expect(await bench.findings('[role=dialog]')).toEqual([]);
    await talk.answer('Allow once');
    await talk.settled();
    await expect(turn.getByText('You allowed “cp AGENTS.md COPY.md” once.')).toBeAttached();
    await bench.show('Changes');
    await expect(bench.region('Changes').getByRole('article', { name: 'COPY.md' })).toBeVisible();
    await bench.region('Changes').getByRole('button', { name: 'Discard COPY.md' }).click();
    await expect(bench.region('Changes').getByText('No pending changes')).toBeVisible();

    // Once was once. Denied with a reason, nothing happens, and the model is notified.
    turn = await ask('Please throw it away.');
    await expect(talk.dialog).toContainText('rm TODO.md', SLOW);
    await talk.dialog.getByRole('button', { name: 'Deny…' }).click();
    await talk.dialog.getByRole('textbox', { name: 'Reason' }).fill('not on a Friday');
    await talk.answer('Deny');
    await talk.settled();
    await expect(turn.getByText('I leave it, because it is Friday.')).toBeVisible();
    await expect(turn.getByText('You denied “rm TODO.md”: not on a Friday.')).toBeVisible();
    await expect(bench.region('Changes').getByText('No pending changes')).toBeVisible();

    turn = await ask('Please copy it again: copy it.');
    await expect(talk.dialog).toBeVisible(SLOW);
    await talk.answer('Allow in this session');
    await talk.settled();
    turn = await ask('And once more, copy it.');
    await talk.settled();
    await expect(turn.getByText('It is done.')).toBeVisible();
    await expect(turn.getByText(/You allowed/)).toHaveCount(0);

    // Another session asks again, unless it is always allowed.
    await talk.button('New session').click();
    turns.count = 0;
    await ask('Please copy it.');
    await expect(talk.dialog).toBeVisible(SLOW);
    await talk.answer('Always allow this command');
    await talk.settled();
    await talk.button('New session').click();
    turns.count = 0;
    turn = await ask('Please copy it.');
    await talk.settled();
    await expect(turn.getByText('It is done.')).toBeVisible();

    // What was allowed permanently can be taken back, and holds immediately.
    await bench.show('Terminal');
    await bench.region('Terminal').getByRole('button', { name: 'Allowed commands…' }).click();
    const allowed = page.getByRole('dialog', { name: 'Allowed commands' });
    expect(await bench.findings('[role=dialog]')).toEqual([]);
    await allowed.getByRole('button', { name: 'Revoke cp' }).click();
    await expect(allowed.getByText("You haven't allowed any commands permanently.")).toBeVisible();
    await allowed.getByRole('button', { name: 'Done' }).click();
    await ask('Please copy it.');
    await expect(talk.dialog).toBeVisible(SLOW);
    await talk.answer('Allow once');
    await talk.settled();
    // They went to the simulator on this machine.
    watched.requests.length = 0;
  });
});

test('WA2: with “Write files without asking” a command writes to the folder immediately', async ({ bench, page }) => {
  await bench.open();
  await bench.show('Settings');
  await bench.region('Settings').getByText('Write files without asking', { exact: true }).click();
  await expect(bench.region('Settings').getByText('write to your folder immediately')).toBeVisible();
  await bench.show('Terminal');
  const terminal = new Terminal(bench);
  expect(await terminal.run('cp AGENTS.md COPY.md')).toContain('exit code 0');
  await bench.show('Changes');
  await expect(bench.region('Changes').getByText('No pending changes')).toBeVisible();
  await page.reload();
  await bench.ready();
  await bench.show('Terminal');
  expect(await terminal.run('diff AGENTS.md COPY.md')).toContain('exit code 0');
});

/** In Node the whole list is in `attacks.test.ts`; these are those that a browser might take worse. */
const ATTACKS: readonly (readonly [what: string, line: string, says: RegExp])[] = [
  ['files outside', 'cat /etc/passwd', /No such file|exit code [1-9]/],
  ['a fork bomb', `sh -c ':(){ :|:& };:'`, /exceeded|too many|limit/i],
  ['a loop without end', `sh -c 'while true; do :; done'`, /exceeded|too many|limit/i],
  ['recursion without end', `sh -c 'f() { f; }; f'`, /exceeded|too many|limit/i],
  ['output without end', `sh -c 'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done'`, /exceeded|too many|limit/i],
  ['a string without end', `sh -c 'x=a; while :; do x=$x$x; done'`, /exceeded|too many|limit/i],
  ['a gigabyte of output', `python3 -c "for _ in range(1024): print('x' * 2**20)"`, /The output is cut/],
  ['recursion in Python', `python3 -c "f = lambda: f(); f()"`, /RecursionError/],
  [
    'recursion without a limit in Python',
    `python3 -c "import sys; sys.setrecursionlimit(10**8); f = lambda: f(); f()"`,
    /error: |exit code [1-9]/,
  ],
  ['memory without end', `python3 -c "x = [bytearray(2**26) for _ in range(10**6)]"`, /MemoryError|error: /],
  ['processes', `python3 -c "import os; os.fork()"`, /Error/],
  ['names of JavaScript', '__proto__', /error: __proto__ is not available/],
  [
    'an archive that explodes',
    `sh -c 'python3 -c "import gzip; open(chr(98), chr(119)+chr(98)).write(gzip.compress(bytes(200 * 2**20)))"; mv b b.gz; gunzip b.gz'`,
    /unpacks to more than 128 MB/,
  ],
];

test('AT1–AT5: what a hostile program tries ends with a clear error and a living page', async ({ bench }) => {
  test.slow();
  const terminal = await openTerminal(bench);
  for (const [what, line, says] of ATTACKS) {
    expect(await terminal.run(line), what).toMatch(says);
    expect(await terminal.run('wc -l USER.md'), `after ${what}`).toContain('10 USER.md');
    await terminal.region.getByRole('button', { name: 'Clear' }).click();
  }
});

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow' });

  test('OF6: commands, git and Python run without a network after they were used once', async ({
    bench,
    page,
    context,
  }) => {
    test.slow();
    const terminal = await openTerminal(bench);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller === null)
        await new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        });
    });
    expect(await terminal.run('python3 -c "print(1)"')).toContain('1\nexit code 0');
    await context.setOffline(true);
    await page.reload();
    await bench.ready();
    await bench.show('Terminal');
    expect(await terminal.run('ls')).toContain('AGENTS.md');
    expect(await terminal.run('git status --short')).toContain('?? TODO.md');
    expect(await terminal.run('python3 -c "print(6 * 7)"')).toContain('42\nexit code 0');
  });
});
