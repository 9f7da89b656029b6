// The terminal by itself, built as the app is built, on a server that sends no header: only the pages' own policies hold.
import type { Page } from '@playwright/test';
import { findings } from './fixtures/axe.ts';
import { expect, testOf } from './fixtures/part-page.ts';

const test = testOf('sandbox');
test.describe.configure({ mode: 'default' });

const run = async (page: Page, line: string): Promise<string> => {
  const before = await page.getByRole('listitem').count();
  await page.getByLabel('Command').fill(line);
  await page.getByLabel('Command').press('Enter');
  const entry = page.getByRole('listitem').nth(before);
  await expect(entry.getByText(/^(?:exit code|error:)/)).toBeVisible({ timeout: 90_000 });
  return (await entry.innerText())
    .slice(line.length + 2)
    .replace(/\n{2,}/g, '\n')
    .trim();
};

test('commands, git and Python run in the page, from its own files', async ({ page, watched }) => {
  await page.goto('./');
  expect(await run(page, 'ls')).toBe('README.md\nfares.py\npytest_style_test.py\ntest_fares.py\nexit code 0');
  expect(await run(page, `sh -c 'grep -c return *.py | sort | head -1'`)).toContain('fares.py:1');
  expect(await run(page, 'node -v')).toContain('error: node is not available in the browser sandbox');
  expect(await run(page, 'git status')).toContain(
    'fatal: not a git repository (or any of the parent directories): .git\nexit code 128',
  );
  expect(await run(page, 'git init -b main')).toContain('Initialized empty Git repository');
  expect(await run(page, 'git add -A')).toBe('exit code 0');
  expect(await run(page, 'git commit -m Start')).toContain('(root-commit)');
  expect(watched.requests.filter((url) => url.includes('pyodide'))).toEqual([]);
  expect(await run(page, 'python3 -m unittest')).toMatch(
    /AssertionError: 2 != 3[^]*FAILED \(failures=1\)\nexit code 1/,
  );
  expect(await run(page, 'sed -i "s/cents .. 2/-(-cents \\/\\/ 2)/" fares.py')).toBe('exit code 0');
  expect(await run(page, 'python3 -m unittest')).toMatch(/OK\nexit code 0/);
  expect(await run(page, 'git diff')).toContain('-    return cents // 2\n+    return -(-cents // 2)');
  expect(await run(page, 'pytest -q pytest_style_test.py')).toContain('1 passed');
  expect(await run(page, 'tar czf a.tgz fares.py')).toBe('exit code 0');
  expect(await run(page, 'tar tzf a.tgz')).toBe('fares.py\nexit code 0');
  expect(await findings(page)).toEqual([]);
});

test('a program that does not stop is stopped, and the next one works', async ({ page }) => {
  await page.goto('./');
  const endless = `python3 -c "import itertools; print('begun', flush=True); [0 for _ in itertools.count()]"`;
  await page.getByLabel('Command').fill(endless);
  await page.getByLabel('Command').press('Enter');
  await expect(page.getByText('begun', { exact: true })).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('error: cancelled')).toBeVisible();
  expect(await run(page, 'python3 -c "print(6 * 7)"')).toBe('42\nexit code 0');
  await page.getByLabel('Command').press('ArrowUp');
  await expect(page.getByLabel('Command')).toHaveValue('python3 -c "print(6 * 7)"');
});

const PROBES: readonly (readonly [what: string, code: string, says: RegExp])[] = [
  ['modules of JavaScript', 'import js', /No module named 'js'/],
  ['Pyodide itself', 'import pyodide_js', /No module named 'pyodide_js'/],
  [
    'text as code',
    'import ctypes; ctypes.CDLL(None).emscripten_run_script(b\'fetch(\\"/\\")\')',
    /code cannot be made|Content Security|exit code (?!0)/,
  ],
  ['the network', "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')", /the sandbox has no network/],
];
test('Python does not reach what is outside of it', async ({ page, watched }) => {
  await page.goto('./');
  for (const [what, code, says] of PROBES) expect(await run(page, `python3 -c "${code}"`), what).toMatch(says);
  // That the policy has stopped something is as it should be; that nothing left is looked at after every test.
  watched.faults.length = 0;
});

test('RC3: reaches no host but its own', async ({ page, watched }) => {
  await page.goto('./sandbox.html');
  const reached = await page.evaluate(async () => {
    const tries: Record<string, () => Promise<unknown>> = {
      fetch: () => fetch('https://example.com/'),
      socket: () =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket('wss://example.com/');
          socket.onopen = resolve;
          socket.onerror = reject;
        }),
      text: async () => (Reflect.get(globalThis, 'eval') as (text: string) => unknown)('1'),
    };
    const open: string[] = [];
    for (const [name, act] of Object.entries(tries)) {
      try {
        await act();
        open.push(name);
      } catch {
        // As it should be.
      }
    }
    return open;
  });
  expect(reached).toEqual([]);
  // What was tried is in the console and among the requests.
  watched.faults.length = 0;
  watched.requests.length = 0;
});

test('RC3: a worker from a blob has the frame’s policy, which lets it reach its own files and no other host', async ({
  page,
  watched,
}) => {
  await page.goto('./sandbox.html');
  const told = await page.evaluate(async () => {
    const text = `
      const refused = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        refused.push(effectiveDirective + ' ' + blockedURI));
      const reach = (address) => fetch(address).then(({ ok }) => ok, () => false);
      Promise.all([reach('${location.href}'), reach('https://example.com/x')]).then(([own, other]) =>
        setTimeout(() => postMessage({ own, other, refused })));`;
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    return new Promise((resolve) => {
      worker.addEventListener('message', ({ data }) => resolve(data));
    });
  });
  expect(told).toEqual({ own: true, other: false, refused: ['connect-src https://example.com/x'] });
  watched.faults.length = 0;
  watched.requests.length = 0;
});
