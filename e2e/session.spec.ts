// Sessions as a person runs them, with the simulator inside the page. `journeys-http.spec.ts` has it over HTTP.
import type { Page } from '@playwright/test';
import { openSession as open } from './fixtures/session-page.ts';
import { expect, test } from './fixtures/test.ts';

const QUESTION = 'Have a look at the new endpoint POST /refunds before we publish it to partners.';

test('first start: one click runs a full session, and the second turn reads from the cache', async ({ bench }) => {
  const session = await open(bench);
  await expect(session.message).toHaveValue(/release notes/);
  await session.button('Send').click();
  await expect(session.turn(1).getByRole('group', { name: /^run_metaskill/ })).toContainText('accepted', {
    timeout: 60_000,
  });
  await session.settled();
  await session.button('Ask for the changelog too').click();
  await expect(session.turn(2)).toBeVisible();
  await session.settled();
  const reads = await session.reads(2);
  expect(reads.length).toBeGreaterThan(0);
  for (const tokens of reads) expect(tokens).toBeGreaterThan(0);
  await expect(bench.page.getByRole('banner')).toContainText(/cached · \$/);
});

test('the example that breaks the cache names each cause', async ({ bench }) => {
  const session = await open(bench);
  await session.button('Run: Break the cache').click();
  await expect(session.turn(1)).toBeVisible({ timeout: 60_000 });
  await session.settled();
  const steps = [
    ['Let the entry expire', 'Expired'],
    ['Change the model', 'Model changed'],
    ['Roll the breakpoint along', undefined],
    ['Edit the memory', 'Changing value'],
  ] as const;
  for (const [index, [label, cause]] of steps.entries()) {
    await session.button(label).click();
    const turn = session.turn(index + 2);
    await expect(turn).toBeVisible();
    await session.settled();
    if (cause !== undefined) await expect(turn.getByText(cause).first()).toBeVisible();
  }
});

test('stop in mid-stream keeps the text and the usage, and the session continues', async ({ bench }) => {
  const session = await open(bench);
  await session.say(QUESTION);
  await expect(session.turn(1)).toContainText('api-review', { timeout: 60_000 });
  await session.button('Stop').click();
  await session.settled();
  await expect(session.turn(1)).toContainText('Stopped. Lathe kept the partial response.');
  await expect(session.turn(1)).toContainText('api-review');
  const events = await session.export();
  expect(events).toContain('"reason":"user_cancel"');
  await session.turn(1).getByRole('button', { name: 'Try again' }).click();
  await expect(session.turn(2)).toBeVisible();
  await session.settled();
  await expect(session.turn(2)).not.toContainText('Stopped.');
});

test('529 is retried and told; when retries are used up, the turn says what to do', async ({ bench }) => {
  const session = await open(bench);
  const order = async (times: string): Promise<void> => {
    const dialog = await session.settings();
    await session.choose('Simulated failures', 'overloaded (529)', dialog);
    await session.choose('Repeat', times, dialog);
    await bench.show('Session');
  };
  await order('once');
  await session.ask(QUESTION, 1);
  await expect(session.turn(1)).toContainText('Attempt 1 failed');
  await expect(session.turn(1).getByRole('alert')).toHaveCount(0);
  await order('three times, so retries run out');
  await session.ask('And GET /refunds?', 2);
  await expect(session.turn(2).getByRole('alert')).toContainText('The request failed.');
  await session.turn(2).getByRole('button', { name: 'Try again' }).click();
  await expect(session.turn(3)).toBeVisible();
  await session.settled();
  await expect(session.turn(3).getByRole('alert')).toHaveCount(0);
});

test('export, delete and import give an identical session; it also survives a reload', async ({ bench, page }) => {
  const session = await open(bench);
  await session.ask(QUESTION, 1);
  await session.menu('Rename…');
  await page.getByRole('dialog', { name: 'Rename session' }).getByRole('textbox', { name: 'Name' }).fill('Refunds');
  await page.getByRole('dialog', { name: 'Rename session' }).getByRole('button', { name: 'Rename' }).click();
  const text = await session.textOf(1);
  const exported = await session.export();

  await session.menu('Delete this session…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(session.turn(1)).toBeHidden();

  await session.menu('Import…');
  await page
    .getByRole('dialog', { name: 'Import session' })
    .getByLabel('Session file')
    .setInputFiles({ name: 'session.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(exported) });
  await expect(session.turn(1)).toBeVisible();
  await expect.poll(() => session.textOf(1)).toBe(text);
  const before = exported.trimEnd().split('\n');
  expect((await session.export()).split('\n').slice(0, before.length)).toEqual(before);

  await page.reload();
  await bench.ready();
  // It is open again by itself (D41).
  await expect(session.turn(1)).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => session.textOf(1)).toBe(text);
  await session.button('New session').click();
  await expect(session.turn(1)).toHaveCount(0);
  await session.menu('Saved sessions…');
  await page.getByRole('button', { name: 'Open Refunds' }).click();
  await expect(session.turn(1)).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => session.textOf(1)).toBe(text);
});

test('model and effort change in mid-session, marked where it happened', async ({ bench, page }) => {
  const session = await open(bench);
  await session.ask(QUESTION, 1);
  await (await session.models()).getByRole('combobox', { name: 'Model' }).fill('claude-opus-5');
  await page.keyboard.press('Enter');
  await expect(
    session.region.getByText('Model: claude-haiku-4-5 → claude-opus-5, starting with the next request.'),
  ).toBeVisible();
  const dialog = await session.settings();
  await session.choose('Effort', 'low', dialog);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await bench.show('Session');
  await expect(session.region.getByText(/Effort: .* → low/)).toBeVisible();
  await session.ask('And GET /refunds?', 2);
  await expect(session.turn(2).getByText('Model changed').first()).toBeVisible();
});

test('a fourth skill is refused before sending, and in the transcript', async ({ bench }) => {
  const session = await open(bench);
  const text = 'Use $csv-tidy $commit-message $test-naming $diff-review on this.';
  await session.message.fill(text);
  await expect(session.region.getByRole('list', { name: 'Mentions' })).toContainText('$diff-review will be refused');
  await session.button('Send').click();
  await expect(session.turn(1)).toBeVisible({ timeout: 60_000 });
  await session.settled();
  await expect(session.turn(1).getByRole('group', { name: 'skill_load diff-review' })).toContainText('refused');
});

test('a raw call is shown, copied as cURL and as code without a key, and sent again outside the session', async ({
  bench,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const session = await open(bench);
  await session.ask(QUESTION, 1);
  await session.turn(1).getByRole('button', { name: 'Raw' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Raw request' });
  await expect(dialog.getByRole('group', { name: 'Request body' })).toContainText('claude-haiku-4-5');
  await dialog.getByRole('button', { name: 'Copy as cURL' }).click();
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const curl = await copied();
  expect(curl).toContain('$ANTHROPIC_API_KEY');
  expect(curl).toContain('POST /refunds before we publish');
  await dialog.getByRole('button', { name: 'Copy as TypeScript' }).click();
  await expect.poll(copied).toContain("from '@anthropic-ai/sdk'");
  const code = await copied();
  expect(code).toContain('POST /refunds before we publish');
  expect(code).toContain('apiKey: process.env["ANTHROPIC_API_KEY"]');
  await dialog.getByRole('tab', { name: 'Edit and resend' }).click();
  await dialog.getByRole('button', { name: 'Send body' }).click();
  await expect(dialog.getByText('not part of the session', { exact: true })).toBeVisible({ timeout: 60_000 });
});

const KEY = 'sk-ant-e2e-0123456789-nobody-may-see-this';

/** Everything that the page keeps. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const parts: unknown[] = [Object.entries(localStorage), location.href, document.documentElement.outerHTML];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('the database cannot be opened')));
      });
      for (const table of database.objectStoreNames) {
        const rows = await new Promise<unknown>((resolve) => {
          const request = database.transaction(table).objectStore(table).getAll();
          request.addEventListener('success', () => resolve(request.result));
        });
        parts.push(rows);
      }
      database.close();
    }
    return JSON.stringify(parts);
  });

test('a missing key, a wrong key and no network are told where they happened; a key is kept nowhere', async ({
  bench,
  page,
  watched,
}) => {
  let answer: 'refuse' | 'fail' = 'refuse';
  await page.route('https://api.anthropic.com/**', (route) =>
    answer === 'fail'
      ? route.abort('internetdisconnected')
      : route.fulfill({
          status: 401,
          headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
          contentType: 'application/json',
          body: JSON.stringify({
            type: 'error',
            error: { type: 'authentication_error', message: 'invalid x-api-key' },
          }),
        }),
  );
  const session = await open(bench);
  await session.chooseModel('Provider', /^Anthropic/);
  await session.ask('Hello', 1);
  await expect(session.turn(1).getByRole('alert')).toContainText('No API key for');
  await session.turn(1).getByRole('button', { name: 'Enter a key' }).click();
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByRole('textbox', { name: 'Key for Anthropic' }).fill(KEY);
  await keys.getByRole('button', { name: 'Use the key for Anthropic' }).click();
  await expect(keys.getByText('in memory', { exact: true })).toBeVisible();
  await keys.getByRole('button', { name: 'Done' }).click();

  await session.ask('Hello again', 2);
  await expect(session.turn(2).getByRole('alert')).toContainText('doesn’t accept the key');
  answer = 'fail';
  await session.ask('Hello once more', 3);
  await expect(session.turn(3).getByRole('alert')).toContainText('The request failed.');
  expect(await keptBy(page)).not.toContain(KEY);
  expect(await session.export()).not.toContain(KEY);
  // Both were wanted: requests to the provider, and what the browser says of their failure.
  watched.requests.length = 0;
  watched.faults.length = 0;
});

test('a kept key is encrypted and comes back with the passphrase', async ({ bench, page }) => {
  const session = await open(bench);
  await session.menu('Keys…');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByText('saved, encrypted', { exact: true }).click();
  await keys.getByRole('textbox', { name: 'New passphrase' }).fill('several plain words');
  await keys.getByRole('button', { name: 'Set passphrase' }).click();
  await expect(keys.getByText('Saved keys are unlocked in this tab.')).toBeVisible({ timeout: 60_000 });
  await keys.getByRole('textbox', { name: 'Key for OpenAI' }).fill(KEY);
  await keys.getByRole('button', { name: 'Use the key for OpenAI' }).click();
  await expect(keys.getByRole('button', { name: 'Remove the key for OpenAI' })).toBeVisible();
  expect(await keptBy(page)).not.toContain(KEY);
  await page.reload();
  await bench.ready();
  await session.menu('Keys…');
  await keys.getByRole('textbox', { name: 'Passphrase' }).fill('several plain words');
  await keys.getByRole('button', { name: 'Unlock' }).click();
  await expect(keys.getByRole('button', { name: 'Remove the key for OpenAI' })).toBeVisible({ timeout: 60_000 });
});

test('axe finds nothing in a session, and everything works by keyboard', async ({ bench, page }) => {
  const session = await open(bench);
  expect(await bench.findings('section[aria-label=Session]'), 'start').toEqual([]);
  await session.message.focus();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(session.turn(1)).toBeVisible({ timeout: 60_000 });
  await session.settled();
  expect(await bench.findings('section[aria-label=Session]'), 'after a turn').toEqual([]);
  await session.message.fill('Use $cs');
  await session.message.press('End');
  await session.message.pressSequentially('v');
  await expect(session.region.getByRole('listbox', { name: 'Skills' })).toBeVisible();
  expect(await bench.findings('section[aria-label=Session]'), 'mentions').toEqual([]);
  await page.keyboard.press('Enter');
  await expect(session.message).toHaveValue('Use $csv-tidy ');
  await session.region.getByRole('button', { name: 'Raw', exact: true }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await bench.findings('[role=dialog]'), 'Raw').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await session.settings();
  expect(await bench.findings('section[aria-label=Settings]'), 'Session settings').toEqual([]);
  for (const entry of ['Keys…', 'Saved sessions…', 'Import…', 'Rename…']) {
    await session.menu(entry);
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await bench.findings('[role=dialog]'), entry).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});
