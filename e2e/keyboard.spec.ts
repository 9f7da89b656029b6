// A whole working day in small, from the first load on, without a mouse.
import { SessionPage } from './fixtures/session-page.ts';
import { expect, test } from './fixtures/test.ts';

test('by keyboard alone: choose a skill, fix it, edit it, save it, run a session, read the instruments', async ({
  bench,
  page,
}) => {
  const keys = page.keyboard;
  const editor = bench.region('Editor');
  const tab = (name: string | RegExp) => editor.getByRole('tab', { name });
  const focused = page.locator(':focus');
  /** What has the focus: its name, and the regions that it is in. By the page itself, for an open list hides everything else. */
  const active = (): Promise<{ readonly name: string; readonly within: readonly string[] }> =>
    page.evaluate(() => {
      const element = document.activeElement;
      const within: string[] = [];
      for (let at = element; at; at = at.parentElement) within.push(at.getAttribute('aria-label') ?? '');
      return { name: (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim(), within };
    });
  /** Continues with a key until the focus is where it is wanted; gives up after as many as a person would. */
  const goUntil = async (key: string, isThere: () => Promise<boolean>, most = 40): Promise<void> => {
    for (let step = 0; step < most; step++) {
      if (await isThere()) return;
      await keys.press(key);
    }
    throw new Error(`${most} times ${key} did not lead there; the focus is on ${JSON.stringify(await active())}.`);
  };
  const goTo = (key: string, name: string | RegExp): Promise<void> =>
    goUntil(key, async () => {
      const now = (await active()).name;
      return typeof name === 'string' ? now === name : name.test(now);
    });
  const goInto = (key: string, name: string): Promise<void> =>
    goUntil(key, async () => (await active()).within.includes(name));

  await bench.open('', { tour: true });
  // The tour is put away where it is, like everything else.
  await expect(page.getByRole('button', { name: 'Skip the tour' })).toBeVisible();
  await goTo('Tab', 'Skip the tour');
  await keys.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Tour' })).toBeHidden();

  // A skill by its name.
  await keys.press('ControlOrMeta+k');
  await expect(bench.palette.getByRole('combobox')).toBeFocused();
  await keys.type('sql-style');
  await expect(bench.palette.getByRole('option', { name: /sql-style/ }).first()).toBeVisible();
  await keys.press('Enter');
  await expect(bench.article('skills/sql-style')).toBeVisible();

  // To its problem; the cursor is there.
  await goUntil('F8', () => page.evaluate(() => /sql-style.*at=3:14/.test(location.hash)), 5);
  await expect(editor.locator('.monaco-editor.focused')).toBeVisible();
  await expect(editor.locator('.squiggly-error').first()).toBeVisible();
  await keys.press('Control+.');
  await expect(page.locator('.action-widget .monaco-list-row.action').first()).toBeVisible();
  await keys.press('Enter');
  await expect(tab('SKILL.md, not saved')).toBeVisible();
  await expect(editor.locator('.view-line', { hasText: 'description: "House rules' })).toBeVisible();
  // Only now can the name be read: it has a problem too, in the second line.
  await expect(editor.locator('.squiggly-error').first()).toBeVisible();
  await keys.press('ControlOrMeta+Home');
  await keys.press('ArrowDown');
  await keys.press('Control+.');
  await expect(page.locator('.action-widget .monaco-list-row.action').first()).toBeVisible();
  await keys.press('Enter');
  await expect(editor.locator('.view-line', { hasText: 'name: sql-style' })).toBeVisible();
  await expect(editor.locator('.squiggly-error')).toHaveCount(0);
  await keys.press('ControlOrMeta+End');
  await keys.type('Written without a mouse.');
  await expect(editor.locator('.view-line', { hasText: 'Written without a mouse.' })).toBeVisible();
  await keys.press('ControlOrMeta+s');
  await expect(tab('SKILL.md, not saved')).toHaveCount(0);
  await expect(bench.skill('sql-style')).not.toHaveAccessibleName(/error/);

  // Out of the editor, which takes the Tab key for itself, into the session.
  await keys.press('ControlOrMeta+2');
  await goTo('F6', 'Session');
  const session = new SessionPage(bench);
  await goTo('Tab', 'Message');
  await keys.press('ControlOrMeta+a');
  await keys.type('Have a look at the new endpoint POST /refunds before we publish it to partners.');
  await keys.press('ControlOrMeta+Enter');
  await expect(session.turn(1)).toContainText('api-review', { timeout: 60_000 });
  await session.settled();

  // The panel below: every tab by the arrows.
  await goTo('F6', 'Event stream');
  await goUntil('Shift+Tab', () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'tab'));
  await keys.press('Home');
  const names = await page.getByRole('tablist', { name: 'Panel' }).getByRole('tab').allTextContents();
  expect(names).toHaveLength(5);
  for (const name of names) {
    await expect(focused).toHaveText(name);
    await expect(focused).toHaveAttribute('aria-selected', 'true');
    await keys.press('ArrowRight');
  }
  await goTo('F6', 'Prefix');
  await goInto('Tab', 'Segments in wire order');

  // And back to the skill that was chosen first.
  await keys.press('ControlOrMeta+1');
  await goTo('F6', 'Library');
  await goTo('Tab', 'Search skills and files');
  await keys.type('sql');
  await goInto('Tab', 'Skills');
  await goTo('ArrowDown', /^sql-style, /);
  await keys.press('Enter');
  await expect(bench.article('skills/sql-style')).toBeVisible();
  await expect(editor.locator('.view-line', { hasText: 'Written without a mouse.' })).toHaveCount(1);
});
