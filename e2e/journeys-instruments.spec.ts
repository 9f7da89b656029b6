// The instruments in the page, while somebody works: what is chosen, edited, stopped or loaded is seen in them.
import type { Locator } from '@playwright/test';
import { openSession } from './fixtures/session-page.ts';
import { expect, test } from './fixtures/test.ts';
import type { Workbench } from './fixtures/workbench.ts';

const QUESTION = 'Have a look at the new endpoint POST /refunds before we publish it to partners.';

const show = async (bench: Workbench, name: string): Promise<Locator> => {
  await bench.show(name === 'Event stream' ? 'Events' : name);
  const region = bench.region(name);
  await expect(region).toBeVisible();
  return region;
};

const requests = (region: Locator): Locator => region.getByRole('treegrid', { name: 'Requests' });

/** Opens a file of the demo in the editor, ready to be written in. */
const edit = async (bench: Workbench, hash: string): Promise<Locator> => {
  await bench.page.goto(`./#${hash}`);
  const editor = bench.region('Editor');
  const asText = editor.getByRole('button', { name: 'Edit', exact: true });
  if (hash.includes('.star')) await expect(editor.getByRole('button', { name: 'Run metaskill' })).toBeVisible();
  else await asText.click();
  await expect(editor.locator('.monaco-editor .view-line').first()).toBeVisible({ timeout: 60_000 });
  return editor;
};

test('IS1: first start: the demo fills the instruments, and one selection holds in all of them', async ({
  bench,
  page,
}) => {
  const session = await openSession(bench);
  await session.button('Send').click();
  await expect(session.turn(1)).toBeVisible({ timeout: 60_000 });
  await session.settled();
  await session.button('Ask for the changelog too').click();
  await expect(session.turn(2)).toBeVisible();
  await session.settled();

  const waterfall = await show(bench, 'Cache waterfall');
  const rows = requests(waterfall).getByRole('row', { name: /^#/ });
  await expect(rows.last()).toContainText(/[89]\d%/);
  // The list follows the newest request; the first one is drawn once it is scrolled to.
  await rows.first().hover();
  await page.mouse.wheel(0, -10_000);
  await requests(waterfall).getByRole('row', { name: /^#1 / }).click();
  const prefix = await show(bench, 'Prefix');
  await expect(prefix.getByRole('heading', { name: 'Request #1' })).toBeVisible();
  await expect(prefix.getByText(/Padded because the natural prefix is/)).toBeVisible();
  const budget = await show(bench, 'Activation budget');
  await expect(budget.getByRole('list', { name: 'Slots' })).toContainText('must-have-heading');
  await expect(bench.tab('Changes')).toHaveText('Changes1');
  const changes = await show(bench, 'Changes');
  await changes.getByRole('button', { name: 'Discard CHANGELOG.md' }).click();
  await expect(bench.tab('Changes')).toHaveText('Changes');

  // What if: each switch says what it saves, the total moves with it, and Undo restores what was there.
  const whatIf = bench.region('What if');
  const total = whatIf.locator('p').first();
  await whatIf.getByRole('button', { name: 'Compare settings' }).click();
  const cheaper = whatIf.getByRole('button', { name: 'Rolling breakpoints', exact: true });
  await expect(cheaper).toHaveAttribute('aria-pressed', 'false');
  await expect(total).toHaveText(/^Best single change: Rolling breakpoints \(saves \$[\d.]+\)\.$/);
  const first = (await total.textContent()) ?? '';
  // What is avoidable is what this change saves, in every panel.
  const saves = /\$[\d.]+(?=\))/.exec(first)?.[0] ?? 'nothing';
  await expect(bench.region('Ledger')).toContainText(new RegExp(`\\${saves}\\s*avoidable`));
  await expect(bench.region('Ledger').getByRole('button', { name: 'Try it in What if' })).toBeVisible();
  const paid = /\$[\d.]+(?=\s*paid)/.exec((await bench.region('Ledger').innerText()).replaceAll('\n', ' '))?.[0];
  await cheaper.click();
  await expect(cheaper).toHaveAttribute('aria-pressed', 'true');
  await expect(total).toContainText(`instead of ${paid ?? 'what was paid'}`);
  await whatIf.getByRole('button', { name: '1-hour TTL', exact: true }).click();
  await expect(total).toContainText('costs');
  await whatIf.getByRole('button', { name: 'Undo' }).click();
  await expect(total).toContainText('saves');
  await whatIf.getByRole('button', { name: 'Undo' }).click();
  await expect(total).toHaveText(first);
  await whatIf.getByRole('button', { name: 'Close' }).click();

  // A turn that is chosen in the conversation is chosen in the events too.
  const events = await show(bench, 'Event stream');
  await session
    .turn(2)
    .getByText(/ read · /)
    .first()
    .click();
  const marked = events.locator('[data-marked=true]');
  await expect(marked.first()).toBeVisible();
  await expect(marked.filter({ hasText: 'request.sent' })).toHaveCount(1);
  expect(await bench.findings('main'), 'marked events').toEqual([]);

  // Of one's own session a press takes a change over.
  await whatIf.getByRole('button', { name: 'Compare settings' }).click();
  await cheaper.click();
  await whatIf.getByRole('button', { name: 'Use in this session' }).click();
  await show(bench, 'Cache waterfall');
  await requests(waterfall).getByText('Not cached.').first().click();
  await expect(bench.page.getByText('It applies from the next request.')).toBeVisible();
});

test('an edited description is reported as a coming break, and the new session shows it', async ({ bench, page }) => {
  const session = await openSession(bench);
  await session.ask(QUESTION, 1);
  const editor = await edit(bench, 'skill=skills/commit-message');
  await editor.locator('.view-line', { hasText: 'description:' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Also for squashed commits.');
  await page.keyboard.press('ControlOrMeta+s');
  const banner = session.region.getByText('commit-message changed.');
  await bench.show('Session');
  await expect(banner).toBeVisible();
  await expect(
    session.region.getByText(/The first request of a new session reads [\d,]+ and writes [\d,]+ tokens/),
  ).toBeVisible();

  await session.region.getByRole('status').getByRole('button', { name: 'New session' }).click();
  await session.ask(QUESTION, 1);
  await expect(banner).toBeHidden();
  const waterfall = await show(bench, 'Cache waterfall');
  await expect(
    requests(waterfall)
      .getByText(/commit-message|system prompt/i)
      .first(),
  ).toBeVisible();
  await requests(waterfall)
    .getByText(/commit-message|system prompt/i)
    .first()
    .click();
  await bench.region('Request').getByRole('button', { name: 'Show the difference' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('insertion')).toContainText('lso for squashed commits.');
  // Both bodies are there, though the earlier request belongs to the previous session.
  const sides = dialog.getByRole('group', { name: / and #1 around the difference/ }).getByRole('row');
  const changed = sides.filter({ hasText: 'squashed commits' }).getByRole('cell');
  await expect(changed.first()).toContainText('commit-message');
  await expect(changed.first()).not.toContainText('squashed commits');
  await expect(changed.last()).toContainText('squashed');
});

test('the simulator’s clock is moved past the life of the entries, and the expire is named', async ({
  bench,
  page,
}) => {
  const session = await openSession(bench);
  await session.ask(QUESTION, 1);
  const waterfall = await show(bench, 'Cache waterfall');
  await expect(waterfall.getByRole('region', { name: 'Cache TTL' })).toContainText(/4:\d\d/);
  await waterfall.getByRole('button', { name: '+5 min' }).click();
  await waterfall.getByRole('button', { name: '+1 min' }).click();
  await session.ask('And GET /refunds?', 2);
  const verdict = requests(waterfall).getByText('Expired.');
  await expect(verdict).toBeVisible();
  // One click: what it cost, why, and what to do about it.
  await verdict.click();
  const request = bench.region('Request');
  await expect(request.getByText(/^\$[\d.]+ avoidable: Expired$/)).toBeVisible();
  await request.getByRole('button', { name: 'Set TTL to 1 hour' }).click();
  await expect(request.getByText('It applies from the next request.')).toBeVisible();
  await request.getByRole('button', { name: 'Show the difference' }).click();
  await expect(page.getByRole('dialog')).toContainText('The text hasn’t changed');
});

test('a fourth skill is refused, and the budget says why', async ({ bench }) => {
  const session = await openSession(bench);
  await session.ask('Use $commit-message and $csv-tidy and $test-naming', 1);
  await session.say('Use $diff-review');
  await expect(session.turn(2)).toBeVisible();
  await session.settled();
  const budget = await show(bench, 'Activation budget');
  await expect(budget.getByText('3 of 3 skills loaded')).toBeVisible();
  await expect(budget.getByRole('list', { name: 'Refused' })).toContainText('diff-review');
  await expect(budget.getByRole('list', { name: 'Refused' })).toContainText('activation budget exhausted');
});

test('SU14: the third example pauses in a metaskill; it is stepped through and continues', async ({ bench }) => {
  const session = await openSession(bench);
  await session.button('Run: Pause in a metaskill').click();
  // Nobody has to look for it.
  const run = bench.region('Metaskill run');
  await expect(run.getByText(/Paused before its first line/)).toBeVisible({ timeout: 60_000 });
  const debug = bench.page.getByRole('group', { name: 'Debugger' });
  await expect(run.getByRole('region', { name: 'Locals' })).toContainText('input');
  await expect(bench.page.getByRole('banner').getByText('paused')).toBeVisible();
  await debug.getByRole('button', { name: 'Step over' }).click();
  await expect(run.getByText(/Paused after a step/)).toBeVisible();
  await debug.getByRole('button', { name: 'Continue' }).click();
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted', { timeout: 60_000 });
  await bench.show('Session');
  await session.settled();
});

test('a breakpoint stops the run that the editor starts, is stepped from there, and every moment can be gone back to', async ({
  bench,
  page,
}) => {
  await openSession(bench);
  const editor = await edit(bench, 'skill=skills/must-have-heading&file=SKILL.star&at=34:1');
  await editor.locator('.view-line', { hasText: 'answer = draft' }).first().click();
  await page.keyboard.press('F9');
  // It runs, and the view of the run comes with it.
  await editor.getByRole('button', { name: 'Run metaskill' }).click();
  const run = bench.region('Metaskill run');
  await expect(run.getByText(/Paused at a breakpoint, line 34/)).toBeVisible({ timeout: 60_000 });
  await expect(run.getByRole('region', { name: 'Locals' })).toContainText('attempt');
  await expect(editor.locator('.monaco-editor [class*=_arrow_]')).toBeVisible();
  await expect(editor.locator('.monaco-editor [class*=_dot_]')).toHaveCount(1);
  const start = editor.getByRole('button', { name: 'Run metaskill' });
  await expect(start).toHaveAttribute('aria-disabled', 'true');
  await run.getByRole('textbox', { name: /Evaluate/ }).fill('attempt + 41');
  await page.keyboard.press('Enter');
  await expect(run.getByText('attempt + 41 42')).toBeVisible();
  await page.keyboard.press('Alt+KeyO');
  await expect(run.getByText(/Paused after a step, line 35/)).toBeVisible();
  await page.keyboard.press('F11');
  await expect(run.getByRole('list', { name: 'Call stack' })).toContainText('has_heading');
  await page.keyboard.press('Shift+F11');
  await expect(run.getByRole('list', { name: 'Call stack' })).not.toContainText('has_heading');
  await editor.locator('.view-line', { hasText: 'answer = draft' }).first().click();
  await page.keyboard.press('F9');
  await expect(editor.locator('.monaco-editor [class*=_dot_]')).toHaveCount(0);
  await editor.getByRole('button', { name: 'Continue' }).click();
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted', { timeout: 60_000 });

  // Back to the first draft: its values, and no result yet.
  const steps = bench.region('Run steps');
  await steps.getByRole('slider', { name: 'Moment of the run' }).focus();
  await page.keyboard.press('Home');
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('No result at this step');
  await expect(run.getByRole('region', { name: 'Drafts' })).toHaveCount(0);
  await steps.getByRole('button', { name: 'Next step' }).click();
  await expect(steps.getByRole('heading', { name: /^Step 1 of \d+: ask 1, draft/ })).toBeVisible();
  await steps.getByRole('button', { name: 'Jump to end' }).click();
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted');
});

const start = async (bench: Workbench, name: string): Promise<Locator> => {
  const run = await show(bench, 'Metaskill run');
  await bench
    .region('Metaskills')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  await bench.page.getByRole('button', { name: 'Run metaskill' }).click();
  return run;
};

const METASKILLS = {
  'checklist-gate': 'accepted',
  'must-have-heading': 'accepted',
  'endless-polish': 'ask budget exhausted (5 calls)',
} as const;

for (const [name, result] of Object.entries(METASKILLS))
  test(`the demo’s metaskill ${name} runs from its form to its result`, async ({ bench }) => {
    await openSession(bench);
    const run = await start(bench, name);
    await expect(run.getByRole('region', { name: 'Result' })).toContainText(result, { timeout: 90_000 });
    await expect(run.getByRole('list', { name: 'Steps' }).getByRole('listitem')).not.toHaveCount(0);
  });

test('MR4, REP6: a run is saved as a replay that opens without Lathe', async ({ bench, context }, info) => {
  await openSession(bench);
  const run = await start(bench, 'checklist-gate');
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted', { timeout: 90_000 });
  const downloading = bench.page.waitForEvent('download');
  await bench.page.getByRole('button', { name: 'Save replay' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('checklist-gate-run-1.html');
  const file = info.outputPath('replay.html');
  await download.saveAs(file);
  const replay = await context.newPage();
  await context.setOffline(true);
  await replay.goto(`file://${file}`);
  const shown = replay.locator('.step:visible');
  await expect(shown).toHaveCount(1);
  await expect(shown).toContainText('ask');
  await replay.getByRole('slider', { name: 'Step' }).press('End');
  await expect(shown).toContainText('accepted');
  await context.setOffline(false);
});

/** Those that run commands: the repository of the demo, its tests, and what a person is asked. */
const openRun = async (bench: Workbench, name: string): Promise<Locator> => {
  await openSession(bench);
  return start(bench, name);
};
const LONG = { timeout: 180_000 };

test('repo-pulse counts by git and asks once for the words', async ({ bench }) => {
  test.slow();
  const run = await openRun(bench, 'repo-pulse');
  const result = run.getByRole('region', { name: 'Result' });
  await expect(result.getByText('ok', { exact: true })).toBeVisible(LONG);
  await expect(result).toContainText('"changed":2,"untracked":1');
  const steps = run.getByRole('list', { name: 'Steps' });
  await expect(steps.getByRole('button', { name: /^command/ })).toHaveCount(2);
  await expect(steps.getByRole('button', { name: /^ask/ })).toHaveCount(1);
  await steps
    .getByRole('button', { name: /^command/ })
    .first()
    .click();
  await expect(steps).toContainText('M harbour/refunds.py');
  await expect(bench.tab('Changes')).toHaveText('Changes');
});

test('diff-review runs from the example of its form and finds the bug of the working tree', async ({ bench }) => {
  test.slow();
  const run = await openRun(bench, 'diff-review');
  const result = run.getByRole('region', { name: 'Result' });
  await expect(result.getByText('reviewed', { exact: true })).toBeVisible(LONG);
  await expect(result).toContainText(/harbour\/refunds\.py:\d+: divides by zero/);
});

test('fix-until-green from its form asks for the command once, and its fix waits in Changes', async ({
  bench,
  page,
}) => {
  test.slow();
  const run = await openRun(bench, 'fix-until-green');
  const question = page.getByRole('dialog', { name: 'Approve command' });
  await expect(question).toContainText('python3 -m unittest tests.test_fares', LONG);
  await question.getByRole('button', { name: 'Allow in this session', exact: true }).click();
  const result = run.getByRole('region', { name: 'Result' });
  await expect(result.getByText('accepted', { exact: true })).toBeVisible(LONG);
  await expect(bench.tab('Changes')).toHaveText('Changes1');
});

test('a tip does not outlive its press', async ({ bench, page }) => {
  const run = await openRun(bench, 'must-have-heading');
  const button = page.getByRole('button', { name: 'Run metaskill' });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  // The button is the one that was pressed: it keeps the focus, and the pointer has not come to it again.
  await expect(button).toBeFocused();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted', LONG);
});

test('a turn that is selected shows its share of the budget, and a skill there selects its turn', async ({ bench }) => {
  const session = await openSession(bench);
  await session.ask('Use $commit-message', 1);
  await session.ask('Use $csv-tidy', 2);
  const budget = await show(bench, 'Activation budget');
  const slots = budget.getByRole('list', { name: 'Slots' });
  const choose = (turn: number): Promise<void> =>
    session
      .turn(turn)
      .getByText(/ read · /)
      .first()
      .click();
  await choose(1);
  await expect(slots.locator('[aria-current=true]')).toContainText('commit-message');
  await expect(budget.getByText('Selected: turn 1. It loaded commit-message.')).toBeVisible();
  await choose(2);
  await expect(slots.locator('[aria-current=true]')).toContainText('csv-tidy');
  expect(await bench.findings('main')).toEqual([]);
  // From the budget to the others.
  await slots.getByRole('button', { name: /commit-message/ }).click();
  const waterfall = await show(bench, 'Cache waterfall');
  await expect(requests(waterfall).getByRole('row', { selected: true })).toHaveAccessibleName(/^#[12]\b/);
});

test('a request that is selected shows the run that asked for it, and a run that is chosen selects its turn', async ({
  bench,
}) => {
  test.slow();
  const run = await openRun(bench, 'must-have-heading');
  await expect(run.getByRole('region', { name: 'Result' })).toContainText('accepted', LONG);
  await start(bench, 'checklist-gate');
  const runs = bench.region('Metaskills').getByRole('region', { name: 'Runs' });
  await expect(runs.getByRole('button', { name: /^Run 2 accepted/ })).toBeVisible(LONG);

  const waterfall = await show(bench, 'Cache waterfall');
  await requests(waterfall)
    .getByRole('row', { name: /^ask 1 / })
    .first()
    .click();
  await show(bench, 'Metaskill run');
  // The program, its runs, and what the run did are those of one metaskill.
  await expect(runs.getByRole('button', { name: /^Run 1 accepted/ })).toHaveAttribute('aria-current', 'true');
  await expect(bench.region('Editor').getByRole('heading', { name: 'must-have-heading' })).toBeVisible();
  // An ask has a budget of its own, which comes into view with it.
  const budget = await show(bench, 'Activation budget');
  await expect(budget.getByRole('button', { name: /Conversation/ })).toContainText('Ask 1 of a metaskill');
  await expect(budget.getByText(/^Selected: ask 1\. It loaded/)).toBeVisible();
  await show(bench, 'Metaskill run');

  await bench
    .region('Metaskills')
    .getByRole('button', { name: /^checklist-gate/ })
    .click();
  await runs.getByRole('button', { name: /^Run 2 accepted/ }).click();
  const events = await show(bench, 'Event stream');
  await expect(events.locator('[data-marked=true]').filter({ hasText: 'checklist-gate' }).first()).toBeVisible();
});

const har = (bodies: readonly string[]): string =>
  JSON.stringify({
    log: {
      entries: bodies.map((text, index) => ({
        startedDateTime: `2026-11-16T10:00:0${index}.000Z`,
        time: 100,
        request: { method: 'POST', url: 'https://api.anthropic.com/v1/messages', headers: [], postData: { text } },
        response: {
          status: 200,
          headers: [],
          content: {
            text: JSON.stringify({
              id: 'm',
              model: 'claude-haiku-4-5',
              content: [],
              usage: {
                input_tokens: 5,
                cache_read_input_tokens: 0,
                cache_creation_input_tokens: 6000,
                output_tokens: 3,
              },
            }),
          },
        },
      })),
    },
  });

test('a HAR of recorded requests loads beside the session, which comes back', async ({ bench, page }) => {
  const session = await openSession(bench);
  await session.ask(QUESTION, 1);
  const waterfall = await show(bench, 'Cache waterfall');
  const body = (date: string): string =>
    JSON.stringify({
      model: 'claude-haiku-4-5',
      max_tokens: 10,
      system: [
        {
          type: 'text',
          text: `Date: ${date}\n${'Some words that never change. '.repeat(900)}`,
          cache_control: { type: 'ephemeral' },
        },
      ],
      messages: [{ role: 'user', content: 'Hi' }],
    });
  await bench
    .region('Sources')
    .getByLabel('Recording of requests')
    .setInputFiles({
      name: 'traffic.har',
      mimeType: 'application/json',
      buffer: Buffer.from(har([body('2026-11-15'), body('2026-11-16')])),
    });
  const ledger = bench.region('Ledger');
  await expect(ledger.getByRole('heading', { name: 'traffic.har' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Request', exact: true })).toHaveAttribute('aria-selected', 'true');
  await requests(waterfall).getByText('Changing value.').click();
  await bench.region('Request').getByRole('button', { name: 'Show the difference' }).click();
  await expect(page.getByRole('dialog').getByRole('deletion')).toHaveText('5');
  await page.keyboard.press('Escape');
  await ledger.getByRole('button', { name: 'Back to the session' }).click();
  await expect(requests(waterfall).getByRole('row', { name: /^#1/ })).toContainText('$0.00');
});

test('a deleted session comes back with one click, as it was', async ({ bench, page }) => {
  const session = await openSession(bench);
  await session.ask(QUESTION, 1);
  const text = await session.textOf(1);
  await session.menu('Delete this session…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(session.turn(1)).toBeHidden();
  const undo = session.region.getByRole('button', { name: /^Undo: restore/ });
  await expect(undo).toBeVisible();
  expect(await bench.findings(), 'the notice of a deletion').toEqual([]);
  await undo.click();
  await expect(session.turn(1)).toBeVisible();
  expect(await session.textOf(1)).toBe(text);
  await session.ask('And GET /refunds?', 2);
});

/** The text of a group, marked with the mouse as a reader would. */
const mark = (group: Locator): Promise<void> =>
  group.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
  });

test('the prefix before the first message is read by segment and byte', async ({ bench, page }) => {
  await openSession(bench);
  const prefix = await show(bench, 'Prefix');
  await prefix.getByRole('listbox', { name: 'Segments in wire order' }).focus();
  await page.keyboard.press('End');
  const inspector = prefix.getByRole('complementary', { name: 'Segment' });
  // What a session would send, not only what is cached: the volatile part, and the message that is being written.
  await expect(inspector.getByRole('heading')).toHaveText('user');
  await page.keyboard.press('ArrowLeft');
  await expect(inspector.getByRole('heading')).toHaveText(/MEMORY.md/);
  await page.keyboard.press('Enter');
  await mark(prefix.getByRole('group', { name: /^Text of/ }));
  await expect(inspector.getByText('selected bytes')).toBeVisible();
});
