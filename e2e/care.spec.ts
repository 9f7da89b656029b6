import { expect, test } from './fixtures/test.ts';
import type { Workbench } from './fixtures/workbench.ts';

/** What is shown one after the other. The first of a view is looked at with all of the view, the others are only new in their place. */
const tabs: readonly [name: string, part: string][] = [
  ['Library', 'main'],
  ['Problems', 'section[aria-label=Problems]'],
  ['Events', 'section[aria-label="Event stream"]'],
  ['Changes', 'section[aria-label=Changes]'],
  ['Log', 'section[aria-label=Log]'],
  ['Terminal', 'section[aria-label=Terminal]'],
  ['Session', 'main'],
  ['Request', 'section[aria-label=Request]'],
  ['Metaskill run', 'main'],
  ['Import', 'main'],
  ['Settings', 'main'],
];

/** Axe over what is shown now, in both schemes of the system. */
const expectNoFindings = async (bench: Workbench, what: string, part?: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await bench.page.emulateMedia({ colorScheme });
    expect(await bench.findings(part), `${what}, ${colorScheme}`).toEqual([]);
  }
};

for (const theme of ['system', 'contrast'] as const) {
  test.describe(`theme ${theme}`, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript((name) => localStorage.setItem('lathe.theme', name), theme);
    });

    test('axe finds nothing in any panel', async ({ bench, page }) => {
      await bench.open('', { tour: true });
      await expectNoFindings(bench, 'first start');
      await page.getByRole('button', { name: 'Skip the tour' }).click();
      for (const [name, part] of tabs) {
        await bench.show(name);
        if (name === 'Settings') await expect(bench.region('Settings').getByText('Storage used')).toBeVisible();
        await expectNoFindings(bench, name, part);
      }
    });

    test('axe finds nothing in any dialog', async ({ bench, page }) => {
      await bench.open();
      await bench.openPalette();
      await expectNoFindings(bench, 'palette', '[role=dialog]');
      await page.keyboard.press('Escape');
      await page.keyboard.press('ControlOrMeta+/');
      await expectNoFindings(bench, 'shortcuts', '[role=dialog]');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Help: Library' }).click();
      await expect(page.getByRole('heading', { name: 'Layers' })).toBeVisible();
      await expectNoFindings(bench, 'help', '[role=dialog]');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await expectNoFindings(bench, 'menu', '[role=menu]');
    });
  });
}

test('no text is smaller than 12 px', async ({ bench, page }) => {
  await bench.open();
  for (const [name] of tabs) {
    await bench.show(name);
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
    expect(small, name).toEqual([]);
  }
});

test('the bundled fonts are used, and their arrival moves nothing', async ({ bench, page }) => {
  const shifts: number[] = [];
  await page.exposeFunction('reportShift', (value: number) => shifts.push(value));
  await page.addInitScript(() => {
    const report = (window as unknown as { reportShift: (value: number) => void }).reportShift;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) report((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await bench.open();
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => document.fonts.check('13px "Inter Variable"'))).toBe(true);
  expect(await page.evaluate(() => document.fonts.check('13px "JetBrains Mono Variable"'))).toBe(true);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02);
});

// 1280 × 800 at 200%, and the narrowest window that WCAG names.
for (const [width, height] of [
  [640, 400],
  [320, 640],
] as const) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });

    test('every region can be reached, and nothing scrolls sideways', async ({ bench, page }) => {
      await bench.open('');
      const regions = page.getByRole('tablist', { name: 'View sections' });
      for (const [part, name] of [
        ['Sources', 'Sources'],
        ['Session', 'Session'],
        ['Panel', 'Event stream'],
        ['Cache', 'Cache waterfall'],
      ] as const) {
        await regions.getByRole('tab', { name: part }).click();
        await expect(bench.region(name)).toBeVisible();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        // What is cut off does not scroll: the region, and what stands last in the bar, end inside the window.
        for (const item of [bench.region(name), page.getByRole('button', { name: 'Menu', exact: true })]) {
          const box = await item.boundingBox();
          expect((box?.x ?? 0) + (box?.width ?? Infinity), name).toBeLessThanOrEqual(width);
        }
        expect(await bench.findings(), name).toEqual([]);
      }
      // Choosing a skill leads to it.
      await bench.go('Skills');
      await regions.getByRole('tab', { name: 'Library' }).click();
      await bench.skill('api-review').click();
      await expect(bench.article('skills/api-review')).toBeVisible();
      await expect(regions.getByRole('tab', { name: 'Editor' })).toHaveAttribute('aria-selected', 'true');
      await page.goBack();
      await expect(bench.region('Library')).toBeVisible();
    });
  });
}

for (const [width, height] of [
  [1280, 800],
  [1920, 1080],
] as const) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });

    test('the window holds all regions and does not scroll', async ({ bench, page }) => {
      await bench.open('');
      for (const name of ['Sources', 'Ledger', 'Cache waterfall', 'Prefix', 'Session', 'Event stream']) {
        await expect(bench.region(name)).toBeInViewport({ ratio: 1 });
      }
      const size = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.scrollHeight,
      ]);
      expect(size).toEqual([width, height]);
    });
  });
}
