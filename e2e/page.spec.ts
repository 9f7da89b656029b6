import { policy, serverHeaders } from '../scripts/policy.ts';
import { serveBelow } from './fixtures/static-server.ts';
import { expect, foreign, test, watch } from './fixtures/test.ts';
import { Workbench } from './fixtures/workbench.ts';

const regions = [
  'Sources',
  'Ledger',
  'What if',
  'Cache waterfall',
  'Prefix',
  'Session',
  'Activation budget',
  'Event stream',
];

/** Before anything that it is to hold for. */
const firstTag = /<head>\s*<meta http-equiv="Content-Security-Policy"/;

test('the page starts in Sessions with its regions', async ({ bench, page, watched }) => {
  await bench.open('');
  for (const name of regions) await expect(bench.region(name)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Lathe', level: 1 })).toBeVisible();
  expect(watched.requests.length).toBeGreaterThan(0);
});

test('the policy is sent as a header, and is the first tag of the head', async ({ page }) => {
  const response = await page.goto('./');
  expect(response?.headers()['content-security-policy']).toBe(serverHeaders['Content-Security-Policy']);
  expect(await response?.text()).toMatch(firstTag);
  await expect(page.locator('meta[http-equiv]')).toHaveAttribute('content', policy);
  const script = await page.request.get((await page.locator('script[src]').getAttribute('src')) ?? '');
  expect(script.headers()['content-security-policy']).toBe(serverHeaders['Content-Security-Policy']);
});

test('a missing file is a 404, not the page', async ({ page }) => {
  expect((await page.request.get('./missing.wasm')).status()).toBe(404);
});

test('the demo folder can be listed and read', async ({ page }) => {
  const files: { path: string; size: number }[] = await (await page.request.get('./demo/index.json')).json();
  expect(files.length).toBeGreaterThan(0);
  expect(files.map((file) => file.path)).toContain('skills/must-have-heading/SKILL.star');
  for (const { path, size } of files) {
    const body = await (await page.request.get(`./demo/${path}`)).body();
    expect({ path, size: body.length }).toEqual({ path, size });
  }
});

test('the page works below a path of a server that sends no policy', async ({ bench, page }) => {
  const server = await serveBelow('dist', '/some/path/');
  try {
    const response = page.waitForResponse(server.address);
    await bench.open('', { address: server.address });
    expect((await response).headers()['content-security-policy']).toBeUndefined();
    expect(await (await response).text()).toMatch(firstTag);
    for (const name of regions) await expect(bench.region(name)).toBeVisible();
    await expect(page.locator('meta[http-equiv]')).toHaveAttribute('content', policy);
  } finally {
    await server.close();
  }
});

test('the watch over all tests sees what it is there for', async ({ browser }) => {
  const server = await serveBelow('dist', '/');
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    const watched = await watch(context);
    const page = await context.newPage();
    await page.goto(server.address);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.name = "inline script ran"';
      document.head.append(script);
      setTimeout(() => {
        throw new Error('thrown');
      });
    });
    await page.evaluate(() => fetch('http://localhost:9/elsewhere', { mode: 'no-cors' }).catch(() => undefined));
    expect(await page.evaluate(() => window.name)).toBe('');
    await expect.poll(() => watched.faults).toContain('policy: script-src-elem blocked inline');
    await expect.poll(() => watched.faults).toContain('page: thrown');
    expect(watched.faults.some((fault) => fault.startsWith('console: '))).toBe(true);
    expect(foreign(watched, page)).toEqual(['http://localhost:9/elsewhere']);
  } finally {
    await context.close();
    await server.close();
  }
});

test('axe sees what it is there for', async ({ bench, page }) => {
  await bench.open();
  await page.evaluate(() => document.body.append(document.createElement('button')));
  expect(await bench.findings()).toEqual(['button-name: <button></button>']);
});

test('a demo that cannot be loaded says so where it would be, and can be tried again', async ({ page, context }) => {
  const bench = new Workbench(page);
  await context.route('**/demo/index.json', (route) => route.fulfill({ status: 200, json: { not: 'a list' } }), {
    times: 1,
  });
  await page.goto('./#view=skills');
  const library = bench.region('Library');
  await expect(library.getByText('Can’t open demo')).toBeVisible();
  expect(await bench.findings()).toEqual([]);
  await library.getByRole('button', { name: 'Try again' }).click();
  await bench.ready();
});

test('opening can be cancelled and taken up again', async ({ page, context }) => {
  const bench = new Workbench(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(
    '**/demo/index.json',
    async (route) => {
      await held;
      await route.continue();
    },
    { times: 1 },
  );
  await page.goto('./#view=skills');
  const library = bench.region('Library');
  await expect(library.getByRole('progressbar')).toBeVisible();
  expect(await bench.findings()).toEqual([]);
  await library.getByRole('button', { name: 'Cancel' }).click();
  await expect(library.getByText('Opening canceled')).toBeVisible();
  // The demo comes after the click: before, it would take the button away from under the pointer.
  await library.getByRole('button', { name: 'Open again' }).click();
  await expect(library.getByRole('progressbar')).toBeVisible();
  release();
  await bench.ready();
});
