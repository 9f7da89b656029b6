import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { serveBelow } from './fixtures/static-server.ts';
import { expect, test } from './fixtures/test.ts';

test.use({ serviceWorkers: 'allow' });

/** Waits until the service worker of this page is in charge of the next load. */
const installed = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const isInCharge = () => navigator.serviceWorker.controller !== null;
    if (!isInCharge()) {
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
      });
    }
    return registration.active?.state;
  });

test('the page works offline after one visit, below a path', async ({ bench, page }) => {
  const server = await serveBelow('dist', '/some/path/');
  try {
    await bench.open('', { address: server.address });
    await installed(page);
    // The large files are kept when the page is idle, the engine as the last of them.
    const isKept = () => page.evaluate(async () => (await caches.match('starlark.wasm')) !== undefined);
    await expect.poll(isKept).toBe(true);
  } finally {
    await server.close();
  }
  // The server is gone permanently: what comes now comes from the cache. First in the page as it is, then loaded again.
  await bench.show('Settings');
  await expect(bench.region('Settings').getByText('Storage used')).toBeVisible();
  await bench.go('Skills');
  await bench.skill('api-review').click();
  await page.reload();
  await bench.ready();
  await expect(bench.article('skills/api-review')).toBeVisible();
  await page.getByRole('button', { name: 'Help: Library' }).click();
  await expect(page.getByRole('heading', { name: 'Layers' })).toBeVisible();
  await page.keyboard.press('Escape');
  await bench.show('Settings');
  await expect(bench.region('Settings').getByText('Storage used')).toBeVisible();
});

test('what is not of the build goes past the cache', async ({ bench, page }) => {
  await bench.open();
  await installed(page);
  await page.reload();
  await bench.ready();
  const answer = await page.evaluate(async () => {
    const before = navigator.serviceWorker.controller !== null;
    const asked = await fetch('./index.html?x=1');
    const posted = await fetch('./index.html', { method: 'POST' }).then((response) => response.status);
    const names = await caches.keys();
    const kept = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    return {
      before,
      asked: asked.ok,
      posted,
      queries: kept.flat().filter((url) => url.includes('?')),
      caches: names.length,
    };
  });
  expect(answer).toEqual({ before: true, asked: true, posted: answer.posted, queries: [], caches: 1 });
});

test('OF4: a new version is announced, and comes only when it is asked for', async ({ bench, page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lathe-e2e-'));
  await cp('dist', folder, { recursive: true });
  const server = await serveBelow(folder, '/');
  try {
    await bench.open('', { address: server.address });
    await installed(page);
    await page.reload();
    await bench.ready();

    // The next build: another page, another list of files.
    const page2 = join(folder, 'index.html');
    await writeFile(
      page2,
      (await readFile(page2, 'utf8')).replace('<html lang="en">', '<html lang="en" data-build="2">'),
    );
    const script = join(folder, 'service-worker.js');
    await writeFile(
      script,
      (await readFile(script, 'utf8')).replace(
        /version:?"?:?"[0-9a-f]{16}|"version":"[0-9a-f]{16}/,
        '"version":"0000000000000002',
      ),
    );

    await page.evaluate(async () => {
      window.name = 'not reloaded';
      await (await navigator.serviceWorker.ready).update();
    });
    const notice = page.getByRole('status', { name: 'Notices' });
    await expect(notice).toContainText('A new version is ready');
    expect(await bench.findings()).toEqual([]);
    expect(await page.evaluate(() => window.name)).toBe('not reloaded');
    await bench.go('Skills');
    await bench.skill('api-review').click();
    await expect(page.locator('html')).not.toHaveAttribute('data-build', '2');

    await notice.getByRole('button', { name: 'Reload' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-build', '2');
    await bench.ready();
    await expect(bench.article('skills/api-review')).toBeVisible();
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});

test('the page can be installed', async ({ page }) => {
  await page.goto('./');
  const href = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
  const manifest: { start_url: string; display: string; icons: { src: string; sizes: string; purpose?: string }[] } =
    await (await page.request.get(href)).json();
  expect(manifest).toMatchObject({ start_url: './', display: 'standalone' });
  expect(manifest.icons.map(({ sizes, purpose }) => [sizes, purpose])).toContainEqual(['512x512', 'maskable']);
  for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200);
});
