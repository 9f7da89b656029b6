import type { Page } from '@playwright/test';
import { findings } from './fixtures/axe.ts';
import { expect, testOf } from './fixtures/part-page.ts';

const test = testOf('instruments');
test.describe.configure({ mode: 'default' });

const open = async (page: Page, scene: string, script: 'none' | 'short' | 'demo') => {
  await page.goto(`./?scene=${scene}&script=${script}`);
  await page.locator('html[data-ready=true]').waitFor({ state: 'attached', timeout: 60_000 });
};

const SCENES = [
  ['overview', 'demo'],
  ['overview', 'none'],
  ['prefix', 'demo'],
  ['cache-waterfall', 'demo'],
  ['cache-waterfall', 'none'],
  ['activation-budget', 'demo'],
  ['event-stream', 'demo'],
  ['metaskill-run', 'demo'],
  ['padding', 'none'],
] as const;

for (const [scene, script] of SCENES)
  test(`${scene} is accessible in every theme, ${script === 'none' ? 'without a session' : 'with one'}`, async ({
    page,
  }) => {
    await open(page, scene, script);
    if (scene === 'overview' && script === 'none')
      await expect(page.getByRole('listbox', { name: 'Segments in wire order' })).toBeVisible();
    for (const theme of ['dark', 'light', 'contrast'] as const) {
      // Colors that are still on their way to those of the theme would count.
      await page.emulateMedia({ colorScheme: theme === 'light' ? 'light' : 'dark', reducedMotion: 'reduce' });
      await page.evaluate((name) => {
        document.documentElement.dataset['theme'] = name;
      }, theme);
      expect.soft(await findings(page), theme).toEqual([]);
    }
  });

test('the prefix of the next session is there before the first request', async ({ page }) => {
  await open(page, 'prefix', 'none');
  const region = page.getByRole('region', { name: 'Prefix' });
  await expect(region.getByRole('heading', { name: 'Next session’s prefix' })).toBeVisible();
  await expect(region.getByText(/Padded because the natural prefix is/)).toBeVisible();
  await expect(region.getByText(/▼ stable system 5m/)).toBeVisible();
  await expect(region.getByText('floor 4,096')).toBeVisible();
});

test('segments are reached and read by keyboard, and a selection tells its bytes', async ({ page }) => {
  await open(page, 'prefix', 'short');
  const strip = page.getByRole('listbox', { name: 'Segments in wire order' });
  const inspector = page.getByRole('complementary', { name: 'Segment' });
  await strip.focus();
  await page.keyboard.press('ArrowRight');
  // What the provider adds for tools is billed first and in no body.
  await expect(inspector.getByRole('heading')).toHaveText('tool prompt');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(inspector.getByRole('heading')).toHaveText('write_file');
  await page.keyboard.press('Enter');
  const text = page.getByRole('group', { name: 'Text of write_file' });
  await expect(text).toContainText('"input_schema"');
  await text.evaluate((element) => {
    const range = document.createRange();
    const node = element.firstChild;
    if (!node) return;
    range.setStart(node, 0);
    range.setEnd(node, 8);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
  });
  await expect(inspector.getByText(/\(8\) of/)).toBeVisible();
});

test('two requests are compared segment by segment', async ({ page }) => {
  await open(page, 'prefix', 'demo');
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption('#6 claude-haiku-4-5');
  await expect(page.getByText(/They diverge at MEMORY.md \(changed, byte/)).toBeVisible();
  await page.getByRole('button', { name: 'Table' }).click();
  const row = page.getByRole('row', { name: /^MEMORY.md/ });
  await expect(row).toContainText('changed');
});

test('the second turn reads from the cache, and a expire is named', async ({ page }) => {
  await open(page, 'cache-waterfall', 'short');
  const rows = page.getByRole('treegrid', { name: 'Requests' });
  await expect(rows.getByRole('row', { name: /^#3/ })).toContainText(/9\d%/);
  await page.getByRole('button', { name: '+5 min' }).click();
  await page.getByRole('button', { name: '+1 min' }).click();
  await expect(page.getByText('Nothing from this session is cached.', { exact: false })).toBeVisible();
  await page.evaluate(() => (window as unknown as { store: { send: (text: string) => unknown } }).store.send('And?'));
  await expect(rows.getByText('Expired.')).toBeVisible();
  await rows.getByText('Expired.').last().click();
  await page.getByRole('button', { name: 'Show the difference' }).click();
  await expect(page.getByRole('dialog')).toContainText('The text hasn’t changed');
});

test('nested requests fold by keyboard, and the numbers are a table', async ({ page }) => {
  await open(page, 'cache-waterfall', 'short');
  const rows = page.getByRole('treegrid', { name: 'Requests' });
  const nested = rows.getByRole('row', { level: 2 });
  await expect(nested).toHaveCount(2);
  await rows.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowLeft');
  await expect(nested).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(nested).toHaveCount(2);
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.getByRole('grid', { name: 'Request table' }).getByRole('row')).toHaveCount(7);
});

const recorded = (startedAt: number, system: string, read: number, written: number) => ({
  provider: 'anthropic',
  model: 'claude-haiku-4-5',
  body: JSON.stringify({
    model: 'claude-haiku-4-5',
    max_tokens: 10,
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: 'Hi' }],
  }),
  started_at: startedAt,
  usage: {
    input_tokens: 5,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: 3,
  },
});

test('recorded requests load into the same view, from JSONL and from HAR', async ({ page }) => {
  await open(page, 'cache-waterfall', 'none');
  const long = 'Some words that never change. '.repeat(900);
  const calls = [
    recorded(1000, `Date: 2026-11-15\n${long}`, 0, 6000),
    recorded(9000, `Date: 2026-11-16\n${long}`, 0, 6000),
  ];
  await page.getByLabel('Recording of requests').setInputFiles({
    name: 'calls.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(calls.map((call) => JSON.stringify(call)).join('\n')),
  });
  const rows = page.getByRole('treegrid', { name: 'Requests' });
  await expect(page.getByText('recording', { exact: true })).toBeVisible();
  await expect(rows.getByText('Changing value.')).toBeVisible();
  await page.getByRole('button', { name: 'Show the difference' }).click();
  await expect(page.getByRole('dialog').getByRole('deletion')).toHaveText('5');
  await page.keyboard.press('Escape');
  const entries = calls.map(({ body, usage }, index) => ({
    startedDateTime: `2026-11-16T10:00:0${index}.000Z`,
    time: 100,
    request: { method: 'POST', url: 'https://api.anthropic.com/v1/messages', headers: [], postData: { text: body } },
    response: {
      status: 200,
      headers: [],
      content: { text: JSON.stringify({ id: 'm', model: 'x', content: [], usage }) },
    },
  }));
  await page.getByLabel('Recording of requests').setInputFiles({
    name: 'traffic.har',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ log: { entries } })),
  });
  await expect(page.getByRole('heading', { name: 'traffic.har' })).toBeVisible();
  await expect(rows.getByText('Changing value.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the session' }).click();
  await expect(page.getByText('No requests to compare')).toBeVisible();
});

test('WF11: a recording is explained in a worker, with progress, and can be canceled', async ({ page }) => {
  // Without its ranks the tokenizer counts nothing, so the worker of the recording waits.
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/tokenizer\.worker/, async (route) => {
    await held;
    await route.continue();
  });
  await open(page, 'cache-waterfall', 'none');
  // The worker of the tokenizer starts when the page is idle, so before this line or after it; that of the recording ends.
  const before = page.workers().length;
  const file = {
    name: 'calls.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(JSON.stringify(recorded(1000, 'Some words.', 0, 6000))),
  };
  await page.getByLabel('Recording of requests').setInputFiles(file);
  const progress = page.getByRole('progressbar', { name: /calls\.jsonl/ });
  await expect(progress).toBeVisible();
  await expect.poll(() => page.workers().length).toBeGreaterThan(before);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(progress).toBeHidden();
  await expect(page.getByText('No requests to compare')).toBeVisible();
  await expect.poll(() => page.workers().length).toBeLessThanOrEqual(before + 1);
  release();
  await page.getByLabel('Recording of requests').setInputFiles(file);
  await expect(page.getByRole('heading', { name: 'calls.jsonl' })).toBeVisible();
  await page.getByRole('button', { name: 'Close calls.jsonl' }).click();
  await expect.poll(() => page.workers().length).toBeLessThanOrEqual(before + 1);
});

test('the budget fills, and a refusal says why', async ({ page }) => {
  await open(page, 'activation-budget', 'demo');
  const region = page.getByRole('region', { name: 'Activation budget' });
  await region.getByRole('button', { name: 'Details' }).click();
  await expect(region.getByText('3 of 3 skills loaded')).toBeVisible();
  await expect(region.getByRole('list', { name: 'Refused' })).toContainText('activation budget exhausted');
  await region.getByRole('button', { name: /Conversation/ }).click();
  await page.getByRole('option', { name: 'Ask 1 of a metaskill' }).click();
  await expect(region.getByText('No skills loaded yet')).toBeVisible();
});

test('IS2: events are filtered with completions, and lead to their cause', async ({ page }) => {
  await open(page, 'event-stream', 'demo');
  const filter = page.getByRole('combobox', { name: 'Filter events' });
  await filter.fill('sta');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(filter).toHaveValue('status:');
  await filter.pressSequentially('errr');
  await expect(page.getByText(/a status is one of/)).toBeVisible();
  await page.getByRole('button', { name: 'Write error' }).click();
  await expect(filter).toHaveValue('status:error');
  const table = page.getByRole('grid', { name: 'Events' });
  await expect(table.getByRole('row')).toHaveCount(3);
  await table.getByRole('row').nth(1).click();
  const detail = page.getByRole('complementary', { name: 'Event' });
  await expect(detail.getByRole('heading')).toHaveText('tool.failed');
  await detail.getByRole('button', { name: 'tool.called' }).click();
  await expect(detail.getByRole('heading')).toHaveText('tool.called');
  // The filter had left it out.
  await expect(filter).toHaveValue('');
  await expect(table.getByRole('row', { selected: true })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Export without content' }).click();
  const saved = await page.evaluate(() => (window as unknown as { saved: { name: string; text: string }[] }).saved);
  expect(saved[0]?.name).toMatch(/^sess_.*-catalog\.jsonl$/);
  expect(saved[0]?.text).not.toContain('Rollback');
});

test('a selection in one instrument is one in all', async ({ page }) => {
  await open(page, 'overview', 'short');
  const waterfall = page.getByRole('region', { name: 'Cache waterfall' });
  const prefix = page.getByRole('region', { name: 'Prefix' });
  await expect(prefix.getByRole('heading')).toHaveText('Prefix #4');
  await waterfall.getByRole('row', { name: /^#1/ }).click();
  await expect(prefix.getByRole('heading')).toHaveText('Prefix #1');
  await expect(waterfall.getByRole('row', { name: /^#1/ })).toHaveAttribute('aria-selected', 'true');
});

test('the padding calculator answers, and its chart is a table too', async ({ page }) => {
  await open(page, 'padding', 'none');
  const dialog = page.getByRole('dialog', { name: 'Padding calculator' });
  await expect(dialog.getByText('Padding pays off.')).toBeVisible();
  await dialog.getByRole('slider', { name: 'Prefix without padding' }).fill('300');
  await expect(dialog.getByText('Padding never pays off here.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Table' }).click();
  await expect(dialog.getByRole('table', { name: 'Cost of the prompt by turn' }).getByRole('row')).toHaveCount(13);
});
