/** What a skill costs and when it is picked, beside the editor, in a real browser. Rules: features/editor/SPEC.md. */
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { afterEach, describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { silentLog } from '../../base/log.ts';
import { ok } from '../../base/result.ts';
import { NEW_SESSION, planIn } from '../../model/workspace/session-plan.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { createMemoryTokenizer } from '../../platform/tokenizer/memory-tokenizer.ts';
import { mount, type Mounted } from '../editor/testing/mount.tsx';
import { FILES, SKILL } from '../editor/testing/samples.ts';
import type { PreviewSettings } from '../preview/preview-settings.ts';
import { createLab } from '../../stores/testing/trigger-lab.ts';
import { editCostContent, triggerTestContent } from './content.tsx';
import { AgentListings } from './agent-listings.tsx';
import { TriggerLab, type LabPage } from './trigger-lab.tsx';

const PATH = 'skills/csv-tidy/SKILL.md';
let mounted: Mounted | undefined;
afterEach(() => mounted?.[Symbol.dispose]());

const open = async (preview: PreviewSettings = {}): Promise<Mounted> => {
  mounted = await mount({ files: { ...FILES, [PATH]: SKILL }, open: [PATH], mode: 'edit' });
  const { editor } = mounted;
  await render(
    <>
      <editCostContent.Content editor={editor} preview={preview} />
      <triggerTestContent.Content editor={editor} preview={preview} />
    </>,
  );
  return mounted;
};

describe('the checks beside the editor', () => {
  it('ED73: what it costs, and what an edit breaks', async () => {
    const { needs } = await open({ tokenizer: createMemoryTokenizer() });
    await page.getByText('Details').click();
    await expect.element(page.getByText(/counts about \d+ tokens for the index line/)).toBeVisible();
    await expect.element(page.getByText(/no unsaved changes/)).toBeVisible();
    needs.setText(PATH, SKILL.replace('rows are messy', 'rows are untidy'));
    await expect.element(page.getByText(/cached tokens are lost/)).toBeVisible();
    await expect.element(page.getByText(/differs from the skill index on/)).toBeVisible();
  });

  it('ED73, ED74: would it be picked, live, with prompts that are remembered', async () => {
    const values = new Map<string, string>();
    const { needs } = await open({
      storage: {
        getItem: (key) => values.get(key) ?? null,
        setItem: (key, value) => void values.set(key, value),
      },
    });
    await userEvent.fill(page.getByLabelText('Example prompt'), 'Sort the columns of this export');
    await page.getByRole('button', { name: 'Save prompt' }).click();
    const results = page.getByRole('list', { name: 'Prompts' });
    await expect.element(results.getByText(/No skill picked/)).toBeVisible();
    needs.setText(PATH, SKILL.replace('rows are messy', 'the columns of an export need sorting'));
    await expect.element(results.getByText('better than saved')).toBeVisible();
    expect(values.get('lathe.preview-prompts')).toBe('["Sort the columns of this export"]');
    await page.getByRole('button', { name: /^Remove the prompt/ }).click();
    expect(values.get('lathe.preview-prompts')).toBe('[]');
  });

  it('ED73: a skill that is not loaded says why', async () => {
    const { needs } = await open();
    needs.setText(PATH, '---\nname: csv-tidy\n---\nNo description.\n');
    await expect.element(page.getByText(/don['’]t load this skill/).first()).toBeVisible();
  });
});

describe('the trigger lab', () => {
  const FOLDER = '.agents/skills/stapler';
  const SUITE = `${FOLDER}/evals/triggers.yaml`;

  const JOINS = 'Joins PDF files. Use when several documents become one.';
  const skillOf = (description: string): string =>
    `---\nname: stapler\ndescription: ${description}\n---\n\nJoin them.\n`;
  /** `suite`: of the skill. `saved`: another description, to compare with. */
  const openLab = async ({ suite, saved: other }: { readonly suite?: string; readonly saved?: string } = {}) => {
    const tree = createMemoryTree({
      ...(suite !== undefined && { [SUITE]: suite }),
      [`${FOLDER}/SKILL.md`]: skillOf(JOINS),
      '.agents/skills/weather/SKILL.md':
        '---\nname: weather\ndescription: Tells the forecast. Use when somebody asks about rain.\n---\n\nTell it.\n',
    });
    const library = { project: { tree } };
    const plan = await planIn({ name: 'test', library, profile: 'standard' }, NEW_SESSION, silentLog);
    const old =
      other === undefined
        ? undefined
        : await planIn(
            {
              name: 'test',
              library: { project: { tree: createMemoryTree({ [`${FOLDER}/SKILL.md`]: skillOf(other) }) } },
              profile: 'standard',
            },
            NEW_SESSION,
            silentLog,
          );
    const item = plan.workspace.library.store.list().find(({ path }) => path === FOLDER);
    const saved: string[] = [];
    const write = async (path: string, text: string) => {
      await tree.write(path, new TextEncoder().encode(text));
      return ok(undefined);
    };
    const labPage = {
      lab: createLab().lab,
      files: {
        create: (path: string, files: ReadonlyMap<string, string>) => write(path, files.get('') ?? ''),
        change: (_label: string, changes: ReadonlyMap<string, { readonly after: string }>) =>
          write(SUITE, changes.get(SUITE)?.after ?? ''),
      },
      sessions: createStore(() => ({ next: NEW_SESSION })),
      save: (_name: string, text: string) => void saved.push(text),
    } as unknown as LabPage;
    const state = { version: 1, view: undefined };
    const source = { input: () => Promise.resolve(library), getState: () => state, subscribe: () => () => undefined };
    await render(
      <TriggerLab
        page={labPage}
        source={source}
        edited={{ item, name: 'stapler', hiddenBy: undefined, errors: [], plan }}
        before={old && { item, name: 'stapler', hiddenBy: undefined, errors: [], plan: old }}
        isSame={old === undefined}
      />,
    );
    return { tree, saved, lab: page.getByRole('region', { name: 'Trigger lab' }) };
  };

  it('EVL5, EVL6: one run warns; queries are proposed, edited, and saved; results are saved and opened', async () => {
    const { tree, saved, lab } = await openLab();
    // From the descriptions: what the skill says it is for, and what its neighbor says.
    const summary = lab.getByText(/proposed from the descriptions/);
    await expect.element(summary).toBeVisible();
    // A short suite is open already.
    const details = summary.element().closest('details');
    if (details) details.open = true;
    await lab.getByRole('button', { name: 'Add query' }).click();
    await userEvent.fill(lab.getByRole('textbox', { name: /^Query \d+/ }).last(), 'make one PDF of my scans');
    await lab.getByRole('button', { name: 'Save to evals/triggers.yaml' }).click();
    await expect.element(lab.getByText(new RegExp(`, ${SUITE}$`))).toBeVisible();
    expect(new TextDecoder().decode(await tree.read(SUITE))).toContain('make one PDF of my scans');

    const warning = lab.getByText('One run of each query can’t tell 9 of 10 right from 4 of 10.');
    await expect.element(warning).not.toBeInTheDocument();
    await lab.getByRole('button', { name: /Runs of each query$/ }).click();
    await page.getByRole('option', { name: '1', exact: true }).click();
    await expect.element(warning).toBeVisible();

    await lab.getByRole('button', { name: /^Run \d+ times?$/ }).click();
    await expect.element(lab.getByText(/^Right in /)).toBeVisible();
    await lab.getByRole('button', { name: 'Save results' }).click();
    expect(saved).toHaveLength(1);
    await userEvent.upload(
      lab.getByLabelText('Result file of lathe eval'),
      new File(saved, 'run.jsonl', { type: 'application/jsonl' }),
    );
    await expect.element(lab.getByRole('region', { name: 'Results in run.jsonl' })).toBeVisible();
  });

  it('EVL4, EVL1: from an edited description to a verdict with its interval, and to what the model said', async () => {
    const queries = Array.from({ length: 10 }, (_, index) => `  - query: join the PDF documents of folder ${index}\n`);
    const { lab } = await openLab({
      suite: `format: lathe-triggers/1\nskill: stapler\nqueries:\n${queries.join('')}`,
      saved: 'Waters plants in spring.',
    });
    await expect.element(lab.getByText(/^Estimated prompt cost of 50 runs: \$0\.\d{4}/)).toBeVisible();
    await lab.getByRole('button', { name: 'Compare with the saved version' }).click();
    const verdict = page.getByRole('region', { name: 'Comparison with the saved version' });
    // All ten changed: 2 · 2⁻¹⁰ reaches the level of the third look.
    await expect
      .element(verdict.getByText(/^Better: \+100% right \(\+\d+% to \+100%, p = 0\.002\) over 10 queries$/))
      .toBeVisible();
    await expect.element(verdict.getByText(/^Look 3 of 5\./)).toBeVisible();
    await expect.element(lab.getByRole('button', { name: 'Decided' })).toBeVisible();
    await lab
      .getByRole('button', { name: /^stapler, 3 of 3 runs/ })
      .first()
      .click();
    await expect
      .element(lab.getByRole('region', { name: 'Transcripts' }).getByText('skill_load').first())
      .toBeVisible();
  });
});

describe('Agent listings', () => {
  const skill = (name: string, words: number): string =>
    `---\nname: ${name}\ndescription: ${'word '.repeat(words).trim()}\n---\n\nDo it.\n`;

  it('CLN30, CLN31, CLN33: answers per agent, names what to trim, tries an edit, and ranks by use', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`.claude/skills/s${at}/SKILL.md`, skill(`s${at}`, 44 + at)]),
    );
    const tree = createMemoryTree({
      ...files,
      '.agents/skills/other/SKILL.md': skill('other', 5),
      'docs/lost/SKILL.md': skill('lost', 5),
      '.claude/settings.json': '{"skillOverrides":{"s0":"off"}}',
    });
    const lost = { path: 'docs/lost', isInFolder: true, clients: [] };
    const state = { version: 1, view: { skills: [lost] } };
    const opened: string[] = [];
    await render(
      <AgentListings
        source={{
          input: () => Promise.resolve({ project: { tree } }),
          getState: () => state,
          subscribe: () => () => undefined,
        }}
        open={(path) => void opened.push(path)}
        now={() => 0}
      />,
    );
    // 8,000 columns, 6,196 of them for its own entries: eight texts of 225 and more are one too many.
    await expect
      .element(page.getByText('Claude Code cuts 1 of 8 descriptions. It doesn’t list 1 more skill.'))
      .toBeVisible();
    await expect.element(page.getByText('Settings read: .claude/settings.json.')).toBeVisible();
    await expect.element(page.getByText(/No known agent loads/)).toBeVisible();
    const trim = page.getByRole('region', { name: 'What to trim' });
    await expect.element(trim.getByText('Shorten 1 description, and everything fits.')).toBeVisible();
    await trim.getByRole('button', { name: 'Open s8' }).click();
    expect(opened).toEqual(['.claude/skills/s8']);
    const edit = page.getByRole('region', { name: 'What an edit buys' });
    await userEvent.fill(edit.getByRole('textbox', { name: 'by characters' }), '1');
    await expect.element(edit.getByText('That alone doesn’t make more descriptions whole.')).toBeVisible();
    await userEvent.fill(edit.getByRole('textbox', { name: 'by characters' }), '180');
    await expect.element(edit.getByText('Then 1 more description is whole.')).toBeVisible();
    const cells = page.getByRole('row', { name: /^s8 / });
    await expect.element(cells).toHaveTextContent('name only');
    const usage = new File(['{"skillUsage":{"s8":{"usageCount":3,"lastUsedAt":0}}}'], '.claude.json');
    await userEvent.upload(page.getByLabelText('Usage file'), usage);
    await expect.element(page.getByText('Ranked by the use of 1 skill.')).toBeVisible();
    await expect.element(cells).toHaveTextContent('whole');
    await page.getByRole('button', { name: /Agent$/ }).click();
    await page.getByRole('option', { name: 'Codex' }).click();
    await expect.element(page.getByText('Codex lists 1 skill whole.')).toBeVisible();
    await expect
      .element(page.getByText(/- other: word word word word word \(file: r\d\/other\/SKILL\.md\)/))
      .toBeVisible();
    await page.getByRole('button', { name: /Agent$/ }).click();
    await page.getByRole('option', { name: 'Kiro' }).click();
    await expect.element(page.getByText('Kiro finds no skills.')).toBeVisible();
  });
});
