import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { policy } from '../scripts/policy.ts';
import { serveBelow } from './fixtures/static-server.ts';
import { expect, foreign, test, watch } from './fixtures/test.ts';

const regions = ['Library', 'Editor', 'Session', 'Instruments'];
const instruments = ['Prefix', 'Cache waterfall', 'Activation budget', 'Event stream', 'Metaskill run', 'Problems'];

const expectRegions = async (page: Page) => {
  for (const name of regions) await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
};

const findings = async (page: Page) => {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
};

test('the page starts with its four regions', async ({ page, watched }) => {
  await page.goto('./');
  await expectRegions(page);
  await expect(page.getByRole('heading', { name: 'Lathe', level: 1 })).toBeVisible();
  expect(watched.requests.length).toBeGreaterThan(0);
});

test('the policy is sent as a header, and is the first tag of the head', async ({ page }) => {
  const response = await page.goto('./');
  expect(response?.headers()['content-security-policy']).toBe(policy);
  const first = page.locator('head > :first-child');
  await expect(first).toHaveAttribute('http-equiv', 'Content-Security-Policy');
  await expect(first).toHaveAttribute('content', policy);
  const script = await page.request.get((await page.locator('script[src]').getAttribute('src')) ?? '');
  expect(script.headers()['content-security-policy']).toBe(policy);
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

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} scheme`, () => {
    test.use({ colorScheme });

    test('every tab is accessible, in the scheme and in high contrast', async ({ page }) => {
      await page.goto('./');
      await expectRegions(page);
      expect(await findings(page)).toEqual([]);
      for (const name of instruments) {
        await page.getByRole('tab', { name }).click();
        await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
        expect(await findings(page)).toEqual([]);
      }
      await page.getByRole('tab', { name: 'Overview' }).click();
      const theme = page.getByRole('button', { name: /^Theme:/ });
      await theme.click();
      await theme.click();
      await theme.click();
      await expect(theme).toHaveText('Theme: High contrast');
      expect(await findings(page)).toEqual([]);
    });

    test('the page follows the system', async ({ page }) => {
      await page.goto('./');
      await expect(page.locator('body')).toHaveCSS(
        'background-color',
        colorScheme === 'light' ? 'rgb(238, 241, 245)' : 'rgb(13, 16, 22)',
      );
    });
  });
}

test('the theme button overrides the system, and the choice survives a reload', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('./');
  await page.getByRole('button', { name: 'Theme: System' }).click();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(238, 241, 245)');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Theme: Light' })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(238, 241, 245)');
});

test('the tabs work by keyboard', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Problems' })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Problems' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toBeFocused();
});

test('no text is smaller than 12 px', async ({ page }) => {
  await page.goto('./');
  await expectRegions(page);
  const small = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!element || element.tagName === 'NOSCRIPT') continue;
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      if (size < 12) found.push(`${element.textContent}: ${size}`);
    }
    return found;
  });
  expect(small).toEqual([]);
});

test('a narrow window shows all regions without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('./');
  await expectRegions(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' });

  test('the page works', async ({ page }) => {
    await page.goto('./');
    await expectRegions(page);
  });
});

test('the page works below a path of a server that sends no policy', async ({ page }) => {
  const server = await serveBelow('dist', '/some/path/');
  try {
    const response = await page.goto(server.address);
    expect(response?.headers()['content-security-policy']).toBeUndefined();
    await expectRegions(page);
    await expect(page.locator('head > :first-child')).toHaveAttribute('content', policy);
  } finally {
    await server.close();
  }
});

test('the watch over all tests sees what it is there for', async ({ browser }) => {
  const server = await serveBelow('dist', '/');
  const context = await browser.newContext();
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

test('the demo is open: its skills, the text of one, and every problem', async ({ page }) => {
  await page.goto('./');
  const library = page.getByRole('region', { name: 'Library' });
  await expect(library.getByRole('button')).toHaveCount(14);
  // The broken skill is opened first, because that is where the work is.
  const editor = page.getByRole('region', { name: 'Editor' });
  await expect(editor.getByRole('article', { name: 'skills/sql-style/SKILL.md' })).toBeVisible();
  await expect(editor.getByText('error: The value contains a colon')).toBeVisible();
  await library.getByRole('button', { name: /release-handbook/ }).click();
  await expect(editor.getByText('# Release handbook')).toBeVisible();

  await page.getByRole('tab', { name: /Problems/ }).click();
  await page.getByRole('button', { name: 'sql-style:3:14' }).click();
  await expect(editor.getByRole('article', { name: 'skills/sql-style/SKILL.md' })).toBeVisible();
});

test('a demo that cannot be loaded says so where it would be, and can be tried again', async ({ page, context }) => {
  await context.route('**/demo/index.json', (route) => route.fulfill({ status: 200, json: { not: 'a list' } }), {
    times: 1,
  });
  await page.goto('./');
  const library = page.getByRole('region', { name: 'Library' });
  await expect(library.getByText('The demo could not be opened')).toBeVisible();
  await library.getByRole('button', { name: 'Try again' }).click();
  await expect(library.getByRole('button')).toHaveCount(14);
});
