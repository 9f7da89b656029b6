// Two folders and their sessions (D41), and one program that is not the user's own (D27), as a person goes through them.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Disk, GOOD_SKILL } from './fixtures/disk.ts';
import { openSession, type SessionPage } from './fixtures/session-page.ts';
import { expect, test } from './fixtures/test.ts';
import type { Workbench } from './fixtures/workbench.ts';

const disk = new Disk('harbour-skills');

/** What was sent with the last call of a turn. */
const bodyOf = async (session: SessionPage, turn: number): Promise<string> => {
  await session.turn(turn).getByRole('button', { name: 'Raw' }).last().click();
  const dialog = session.page.getByRole('dialog', { name: 'Raw request' });
  const body = await dialog.getByLabel('Request body').textContent();
  await session.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  return body ?? '';
};

/** The open folder, by the name in the bar. */
const folder = (page: Page, name: string) => page.getByRole('banner').getByText(name, { exact: true });

const notices = (page: Page) => page.getByRole('status', { name: 'Notices' });

test('each folder has its session: away, back, and after a reload', async ({ bench, page }) => {
  await disk.offer(page.context());
  const session = await openSession(bench);
  await disk.write(page, { 'skills/tools/SKILL.md': GOOD_SKILL('tools') });
  await session.ask('Which of your skills is about an API?', 1);
  const inDemo = await bodyOf(session, 1);
  expect(inDemo).toContain('api-review');
  const demoAddress = page.url();
  expect(demoAddress).toContain('session=sess_');

  // Another folder: the session stays with the demo, and the next message starts one of its own.
  await bench.go('Skills');
  await bench.region('Library').getByRole('button', { name: 'Open folder' }).click();
  await expect(folder(page, 'harbour-skills')).toBeVisible();
  await expect(notices(page)).toContainText('“Which of your skills is about an API?” belongs to demo.');
  await bench.show('Session');
  await expect(session.turn(1)).toHaveCount(0);
  await expect(page).not.toHaveURL(/session=/);
  await session.ask('Sort the tools, please.', 1);
  const inHarbour = await bodyOf(session, 1);
  expect(inHarbour).toContain('Sorts the tools of a harbour');
  expect(inHarbour).not.toContain('api-review');
  const harbourAddress = page.url();

  // A reload opens folder and session again.
  await page.reload();
  await expect(folder(page, 'harbour-skills')).toBeVisible();
  await expect(session.turn(1)).toContainText('Sort the tools, please.', { timeout: 60_000 });
  await expect(page).toHaveURL(harbourAddress);
  await session.ask('And once more.', 2);
  expect(await bodyOf(session, 2)).toContain('Sorts the tools of a harbour');

  // The address of the other session: it can be read here, and continues in its folder.
  await page.goto(demoAddress);
  const banner = session.region.getByText('This session belongs to the folder demo.');
  await expect(banner).toBeVisible({ timeout: 60_000 });
  await expect(session.turn(1)).toContainText('Which of your skills is about an API?');
  await session.message.fill('Continue.');
  await expect(session.button('Send')).toHaveAttribute('aria-disabled', 'true');
  await session.button('Open demo').click();
  await expect(folder(page, 'demo')).toBeVisible();
  await expect(banner).toHaveCount(0);
  await session.ask('Which one is about headings?', 2);
  const again = await bodyOf(session, 2);
  expect(again).toContain('api-review');
  expect(again).not.toContain('Sorts the tools of a harbour');

  // The way back from the notice, in one visit: the session is there without asking for it.
  await bench.go('Skills');
  await bench.region('Library').getByRole('button', { name: 'Open folder' }).click();
  await expect(folder(page, 'harbour-skills')).toBeVisible();
  await notices(page).getByRole('button', { name: 'Back to demo' }).click();
  await expect(folder(page, 'demo')).toBeVisible();
  await bench.show('Session');
  await expect(session.turn(2)).toContainText('Which one is about headings?');
});

test('two tabs on one session: one writes it, the other reads until it takes over', async ({ bench, page }) => {
  const session = await openSession(bench);
  await session.ask('Which of your skills is about an API?', 1);
  const copy = await page.context().newPage();
  await copy.goto(page.url());
  const there = copy.getByRole('region', { name: 'Session', exact: true });
  await expect(there.getByText('This session is open in another tab.')).toBeVisible({ timeout: 60_000 });
  await expect(there.getByRole('article', { name: 'Turn 1' })).toContainText('about an API');
  await there.getByRole('button', { name: 'Take over' }).click();
  await expect(session.region.getByText('This session is open in another tab.')).toBeVisible();
  await expect(there.getByText('This session is open in another tab.')).toHaveCount(0);
  await copy.close();
  await expect(session.region.getByText('This session is open in another tab.')).toHaveCount(0);
  await session.ask('And which one is about SQL?', 2);
});

/** A metaskill goes out as an archive and comes back as a stranger's. */
const receive = async (bench: Workbench): Promise<void> => {
  const { page } = bench;
  await bench.go('Skills');
  const leaving = page.waitForEvent('download');
  await bench.skill('must-have-heading').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export as zip' }).click();
  const buffer = await readFile(await (await leaving).path());
  const chooser = page.waitForEvent('filechooser');
  await bench.run('open a zip');
  await (await chooser).setFiles({ name: 'gift.skill', mimeType: 'application/zip', buffer });
  await expect(folder(page, 'gift')).toBeVisible();
  await expect(bench.skill('must-have-heading')).toBeVisible();
};

test('a metaskill from an archive is trusted once for panel and session, and revoked for both', async ({
  bench,
  page,
}) => {
  const session = await openSession(bench);
  await receive(bench);
  const question = page.getByRole('dialog', { name: 'Trust metaskill' });
  const run = bench.region('Metaskill run');
  await bench.show('Metaskill run');

  // Declined, it does not run, and says how it could.
  await page.getByRole('button', { name: 'Run metaskill' }).click();
  await expect(question.getByRole('list', { name: 'Files' })).toContainText('SKILL.star');
  await question.getByRole('button', { name: 'Not now' }).click();
  await expect(run.getByText("external metaskill 'must-have-heading' is not allowed")).toBeVisible();
  await run.getByRole('button', { name: 'Trust metaskill…' }).click();
  await question.getByRole('button', { name: 'Trust these files' }).click();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: 'Run metaskill' }).click();
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted', { timeout: 60_000 });
  await bench.show('Session');
  await session.settled();

  // The session asks for nothing: it is the same book.
  const runs = (turn: number) => session.turn(turn).getByRole('group', { name: /^run_metaskill/ });
  await session.ask('Draft release notes for 2.4 and make sure there is a “## Rollback” section.', 2);
  await expect(runs(2).filter({ hasText: 'accepted' }).first()).toBeVisible({ timeout: 60_000 });

  // Revoked in Settings, both ask again, the running session too.
  await bench.show('Settings');
  await page.getByRole('button', { name: 'Revoke trust in must-have-heading' }).click();
  await expect(page.getByText('You haven’t trusted any external metaskills.')).toBeVisible();
  await session.say('Draft the release notes once more, with the heading ## Rollback.');
  await question.getByRole('button', { name: 'Not now' }).click({ timeout: 60_000 });
  await session.settled();
  await expect(runs(3).first()).toContainText("external metaskill 'must-have-heading' is not allowed");
  await bench.show('Metaskill run');
  await page.getByRole('button', { name: 'Run metaskill' }).click();
  await question.getByRole('button', { name: 'Not now' }).click();
  await expect(run.getByText("external metaskill 'must-have-heading' is not allowed")).toBeVisible();
});
