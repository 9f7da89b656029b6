// An agent is watched while it works: its files appear in a folder, and its requests in the page.
import type { Page } from '@playwright/test';
import { Disk } from './fixtures/disk.ts';
import { expect, test } from './fixtures/test.ts';

const SYSTEM = [{ type: 'text', text: 'Work. '.repeat(2000), cache_control: { type: 'ephemeral' } }];
const question = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const answer = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** What Claude Code writes for one call: the request immediately, the rest when the answer is there. */
const request = (id: string, messages: readonly object[]) => ({
  [`${id}.request.json`]: JSON.stringify({
    model: 'claude-haiku-4-5',
    max_tokens: 100,
    system: SYSTEM,
    messages,
    metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: 's' }) },
  }),
});
const response = (id: string, text: string, read: number, written: number) => ({
  [`req_${id}.response.json`]: JSON.stringify({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [{ type: 'text', text }],
    usage: { input_tokens: 9, output_tokens: 5, cache_read_input_tokens: read, cache_creation_input_tokens: written },
  }),
});

const rows = (page: Page) => page.getByRole('region', { name: 'Cache waterfall' });

test('a folder that an agent writes into fills the waterfall while the page looks, and one click resumes', async ({
  page,
  context,
  bench,
}) => {
  const disk = new Disk('claude-bodies');
  await disk.offer(context);
  await bench.open();
  await page.goto('#view=sessions');
  const sources = bench.region('Sources');
  await sources.getByRole('button', { name: 'Watch an agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Watch an agent' });
  await expect(dialog).toContainText('OTEL_LOG_RAW_API_BODIES=file:');
  await expect(dialog).toContainText('lathe capture --open');
  await dialog.getByRole('button', { name: 'Choose folder' }).click();
  const list = sources.getByRole('list', { name: 'Watched folders' });
  await expect(list).toContainText('watching, no requests yet');

  await disk.write(page, { ...request('a', [question('One')]), ...response('a', 'First', 0, 4000) });
  await expect(list).toContainText('watching, 1 request');
  await disk.write(page, request('b', [question('One'), answer('First'), question('Two')]));
  await expect(list).toContainText('watching, 2 requests');
  await disk.write(page, response('b', 'Second', 4000, 20));
  await expect(rows(page)).toContainText('99%');

  await page.reload();
  await expect(list).toContainText('paused. Select it to resume.');
  await list.getByRole('button', { name: /^claude-bodies/ }).click();
  await expect(list).toContainText('watching, 2 requests');
});
