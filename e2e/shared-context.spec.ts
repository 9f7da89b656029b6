// Tests of a worker share one browser context (`fixtures/shared-context.ts`). Nothing of a test may reach the next one.
import { expect, test } from './fixtures/test.ts';

test.describe.configure({ mode: 'default' });

for (const run of ['first', 'second'])
  test(`the ${run} test finds empty storage, and fills it`, async ({ page, context }) => {
    let routed = 0;
    await context.route('**/no-such-file', (route) => {
      routed++;
      return route.fulfill({ body: run });
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('./no-such-file');
    expect(routed).toBe(1);
    const found = await page.evaluate(async (value) => {
      const names = async (): Promise<string[]> => {
        const all: string[] = [];
        for await (const name of (await navigator.storage.getDirectory()).keys()) all.push(name);
        return all;
      };
      const before = {
        local: localStorage.length,
        databases: (await indexedDB.databases()).length,
        files: (await names()).length,
        caches: (await caches.keys()).length,
        cookies: document.cookie,
        windows: 'leftBehind' in window,
      };
      localStorage.setItem('value', value);
      document.cookie = `value=${value}`;
      await caches.open(value);
      await (await navigator.storage.getDirectory()).getFileHandle(value, { create: true });
      await new Promise((resolve, reject) => {
        const request = indexedDB.open(value);
        request.addEventListener('success', resolve);
        request.addEventListener('error', reject);
      });
      return before;
    }, run);
    expect(found).toEqual({ local: 0, databases: 0, files: 0, caches: 0, cookies: '', windows: false });
    await page.evaluate(() => Object.assign(window, { leftBehind: true }));
  });
