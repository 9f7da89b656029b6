/** Monaco in a real browser: what it shows and does for both kinds of file. Rules: ../SPEC.md. */
import { page, userEvent } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EngineHost } from '../../../platform/worker/engine-host.ts';
import { createBrowserEngine } from '../../../platform/worker/starlark-browser.ts';
import { goBehind, markersOf, mount, type Mounted, type MountOptions, widget } from '../testing/mount.tsx';
import { FILES, PROGRAM, SKILL } from '../testing/samples.ts';
import { monaco } from './setup.ts';

const SKILL_PATH = 'skills/csv-tidy/SKILL.md';
const STAR_PATH = 'skills/must-have/SKILL.star';

let engine: EngineHost;
let mounted: Mounted | undefined;
beforeAll(() => {
  engine = createBrowserEngine('/starlark.wasm');
});
afterAll(() => engine.dispose());
afterEach(() => mounted?.[Symbol.dispose]());

const expectSoon = (check: () => unknown) => {
  return expect.poll(check, { timeout: 20_000 });
};

const open = async (path: string, text?: string, more: MountOptions = {}): Promise<Mounted> => {
  const files = text === undefined ? FILES : { ...FILES, [path]: text };
  mounted = await mount({ files, open: [path], engine, ...more });
  await expectSoon(() => monaco.editor.getEditors().some((one) => one.getModel()?.uri.path === `/${path}`)).toBe(true);
  return mounted;
};

const codes = (path: string) => markersOf(path).flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
const suggestions = () =>
  [...document.querySelectorAll('.suggest-widget.visible .monaco-list-row .label-name')].map(
    (item) => item.textContent,
  );
const accept = async (label: string): Promise<void> => {
  await expectSoon(suggestions).toContain(label);
  await userEvent.click(
    page.elementLocator(
      [...document.querySelectorAll('.suggest-widget .monaco-list-row')].find(
        (row) => row.querySelector('.label-name')?.textContent === label,
      ) ?? document.body,
    ),
  );
};
const suggest = (behind: string): void => {
  goBehind(behind);
  widget().trigger('test', 'editor.action.triggerSuggest', {});
};
const expectHover = async (behind: string, expected: string): Promise<void> => {
  goBehind(behind);
  widget().trigger('test', 'editor.action.showHover', {});
  await expectSoon(() =>
    [...document.querySelectorAll('.monaco-hover')].map((item) => item.textContent).join(' '),
  ).toContain(expected);
  widget().trigger('test', 'editor.action.hideHover', {});
};
const quickFixes = async (behind: string): Promise<readonly (string | null)[]> => {
  goBehind(behind);
  widget().trigger('test', 'editor.action.quickFix', {});
  const titles = () =>
    [...document.querySelectorAll('.action-widget .monaco-list-row.action .title')].map((item) => item.textContent);
  await expectSoon(() => titles().length).toBeGreaterThan(0);
  return titles();
};
const chooseFix = async (title: string): Promise<void> => {
  const row = [...document.querySelectorAll('.action-widget .monaco-list-row.action')].find((item) =>
    item.textContent.includes(title),
  );
  if (!row) throw new Error(`no fix ${title}`);
  await userEvent.click(page.elementLocator(row));
};

describe('SKILL.md in Monaco', () => {
  it('ED10: its problems are markers, new ones while typing, and the page hears of them', async () => {
    const { needs } = await open(SKILL_PATH);
    await expectSoon(() => codes(SKILL_PATH)).toContain('allowed-tools-comma');
    expect(document.querySelectorAll('.squiggly-warning, .squiggly-error, .squiggly-info').length).toBeGreaterThan(0);
    // The worst problem of a line is marked in the margin.
    await expectSoon(
      () =>
        document.querySelectorAll('.margin-view-overlays [class*=warning], .margin-view-overlays [class*=info]').length,
    ).toBeGreaterThan(0);
    goBehind('name: csv-tid');
    await userEvent.keyboard('Y');
    await expectSoon(() => codes(SKILL_PATH)).toContain('name-case');
    expect(needs.textOf(SKILL_PATH)).toContain('name: csv-tidYy');
    expect(needs.calls.some((call) => call.startsWith(`checked ${SKILL_PATH}`))).toBe(true);
  });

  it('ED11: a quick fix repairs, and undo takes it back', async () => {
    const { needs } = await open(SKILL_PATH, SKILL.replace('name: csv-tidy', 'name: CSV-tidy'));
    await expectSoon(() => codes(SKILL_PATH)).toContain('name-case');
    const titles = await quickFixes('name: CSV');
    expect(titles.length).toBeGreaterThan(0);
    await chooseFix(titles[0] ?? '');
    await expectSoon(() => needs.textOf(SKILL_PATH)).toContain('name: csv-tidy');
    widget().trigger('test', 'undo', {});
    await expectSoon(() => needs.textOf(SKILL_PATH)).toContain('name: CSV-tidy');
  });

  it('ED12: fix all applies every safe fix', async () => {
    const { needs, editor } = await open(SKILL_PATH, SKILL.replace('name: csv-tidy', 'name:   csv-tidy '));
    await expectSoon(() => codes(SKILL_PATH)).toContain('allowed-tools-comma');
    await editor.fixAll();
    await expectSoon(() => needs.textOf(SKILL_PATH)).toContain('allowed-tools: Read Grep');
    await expectSoon(() => codes(SKILL_PATH)).not.toContain('allowed-tools-comma');
  });

  it('ED12: the status line offers it too', async () => {
    const { needs } = await open(SKILL_PATH);
    await page.getByRole('button', { name: 'Fix all safe problems' }).click();
    await expectSoon(() => needs.textOf(SKILL_PATH)).toContain('allowed-tools: Read Grep');
  });

  it('ED13: completion of fields, tools, links and files', async () => {
    const { needs } = await open(
      SKILL_PATH,
      SKILL.replace('allowed-tools: Read, Grep\n', 'allowed-tools: Read \nlic\n'),
    );
    suggest('\nlic');
    await accept('license');
    await expectSoon(() => needs.textOf(SKILL_PATH)).toContain('license: ');
    suggest('allowed-tools: Read ');
    await expectSoon(suggestions).toContain('Bash');
    widget().trigger('test', 'hideSuggestWidget', {});
    goBehind('2. Tidy them.');
    await userEvent.keyboard(' See {[}{[}');
    await accept('sql-style');
    await expectSoon(() => needs.textOf(SKILL_PATH)).toContain('2. Tidy them. See [[sql-style]]');
    goBehind('See [[sql-style]]\n');
    await userEvent.keyboard('[[x](scr');
    widget().trigger('test', 'editor.action.triggerSuggest', {});
    await expectSoon(suggestions).toContain('scripts/tidy.py');
  });

  it('ED14: hover on a field, on a link and on a problem', async () => {
    await open(SKILL_PATH);
    await expectHover('descript', 'of 1,024 characters');
    await expectHover('[[sql', 'Formats SQL queries.');
  });

  it('ED15: links open files and skills', async () => {
    const { needs } = await open(SKILL_PATH);
    goBehind('(references/ru');
    await expectSoon(() => document.querySelectorAll('.detected-link').length).toBeGreaterThan(0);
    widget().trigger('test', 'editor.action.openLink', {});
    await expectSoon(() => needs.getState().active).toBe('skills/csv-tidy/references/rules.md');
    needs.open(SKILL_PATH);
    await expectSoon(() => widget().getModel()?.uri.path).toBe(`/${SKILL_PATH}`);
    goBehind('[[sql');
    await expectSoon(() => document.querySelectorAll('.detected-link').length).toBeGreaterThan(0);
    widget().trigger('test', 'editor.action.openLink', {});
    await expectSoon(() => needs.getState().active).toBe('skills/sql-style/SKILL.md');
  });

  it('ED16: frontmatter and body are colored as what they are', async () => {
    await open(SKILL_PATH);
    const tokens = () => monaco.editor.tokenize(SKILL, 'skill');
    await expectSoon(() => tokens()[1]?.some(({ type }) => type.includes('yaml'))).toBe(true);
    expect(tokens()[5]?.some(({ type }) => type.endsWith('.md'))).toBe(true);
  });

  it('ED17: the outline lists fields and headings', async () => {
    const { editor } = await open(SKILL_PATH);
    await editor.showOutline();
    await expectSoon(() => document.querySelector('.quick-input-widget')?.textContent ?? '').toContain('Steps');
    expect(document.querySelector('.quick-input-widget')?.textContent).toContain('Frontmatter');
    await userEvent.keyboard('{Escape}');
  });

  it('ED18: line ends and a byte order mark do not move a problem', async () => {
    await open(SKILL_PATH, `\uFEFF${SKILL.replaceAll('\n', '\r\n')}`);
    await expectSoon(() => codes(SKILL_PATH)).toContain('allowed-tools-comma');
    const marker = markersOf(SKILL_PATH).find(({ code }) => code === 'allowed-tools-comma');
    expect([marker?.startLineNumber, marker?.startColumn]).toEqual([4, 16]);
  });
});

describe('SKILL.star in Monaco', () => {
  it('ED30: problems of the engine and of the rules are markers', async () => {
    await open(STAR_PATH, PROGRAM.replace('task = clean', 'unused = 1\n    task = claen'));
    await expectSoon(() => codes(STAR_PATH)).toContain('MS-resolve');
    const marker = markersOf(STAR_PATH).find(({ code }) => code === 'MS-resolve');
    expect(marker?.startLineNumber).toBe(9);
  });

  it('ED31: a quick fix and fix all', async () => {
    const { needs, editor } = await open(STAR_PATH, PROGRAM.replace('{"purpose": "draft"}', '{"max_turns": 99}'));
    await expectSoon(() => codes(STAR_PATH)).toContain('MS-max-turns');
    expect(await quickFixes('"max_turns": 9')).toContain('Write 30');
    await userEvent.keyboard('{Escape}');
    await editor.fixAll();
    await expectSoon(() => needs.textOf(STAR_PATH)).toContain('"max_turns": 30');
  });

  it('ED32: completion of host functions, keys and methods', async () => {
    const { needs } = await open(STAR_PATH);
    await expectSoon(() => codes(STAR_PATH).length).toBeGreaterThanOrEqual(0);
    goBehind('return {"status": "exhausted"}');
    await userEvent.keyboard('{Enter}    tra');
    await accept('trace');
    await expectSoon(() => needs.textOf(STAR_PATH)).toContain('trace()');
    goBehind('in draft[');
    await userEvent.keyboard('{Delete}{Delete}');
    goBehind('in draft[');
    await userEvent.keyboard('"');
    widget().trigger('test', 'editor.action.triggerSuggest', {});
    await expectSoon(suggestions).toEqual(['answer', 'exhausted', 'turns', 'truncated']);
  });

  it('ED33: signature help and hover', async () => {
    await open(STAR_PATH);
    goBehind('ask(');
    widget().trigger('test', 'editor.action.triggerParameterHints', {});
    await expectSoon(() => document.querySelector('.parameter-hints-widget.visible')?.textContent ?? '').toContain(
      'ask(prompt, opts = {})',
    );
    await userEvent.keyboard('{Escape}');
    await expectHover('draft = as', 'nested piece of work');
  });

  it('ED34: format writes the engine’s form, and undo takes it back', async () => {
    const ugly = PROGRAM.replace('task = clean(input["task"])', 'task=clean( input["task"] )');
    const { needs, editor } = await open(STAR_PATH, ugly);
    await editor.format();
    await expectSoon(() => needs.textOf(STAR_PATH)).toContain('task = clean(input["task"])');
    widget().trigger('test', 'undo', {});
    await expectSoon(() => needs.textOf(STAR_PATH)).toBe(ugly);
  });

  it('ED35: go to definition', async () => {
    const { editor } = await open(STAR_PATH);
    goBehind('task = cle');
    await editor.goToDefinition();
    await expectSoon(() => widget().getPosition()?.lineNumber).toBe(3);
  });

  it('ED36: breakpoints by F9 and in the margin, moving with their lines', async () => {
    const { needs } = await open(STAR_PATH);
    await expectSoon(() => document.querySelector('.glyph-margin') !== null).toBe(true);
    await expectSoon(() => mounted?.editor.getView().checked.has(STAR_PATH)).toBe(true);
    goBehind('draft = ask');
    await userEvent.keyboard('{F9}');
    await expectSoon(() => needs.breakpoints(STAR_PATH)).toEqual([11]);
    // An empty line cannot stop: the next one that can is taken.
    goBehind('return value.strip()\n');
    await userEvent.keyboard('{F9}');
    await expectSoon(() => needs.breakpoints(STAR_PATH).length).toBe(2);
    goBehind('LIMIT = 3');
    await userEvent.keyboard('{Enter}X = 1');
    await expectSoon(() => needs.breakpoints(STAR_PATH).at(-1)).toBe(12);
    goBehind('draft = ask');
    await userEvent.keyboard('{F9}');
    await expectSoon(() => needs.breakpoints(STAR_PATH)).not.toContain(12);
  });

  it('ED37: the line being executed is marked, with values behind it', async () => {
    const { editor } = await open(STAR_PATH);
    editor.showLine(STAR_PATH, 12, '# heading = "## Rollback"');
    const lines = () =>
      widget()
        .getModel()
        ?.getAllDecorations()
        .filter(({ options }) => options.after?.content?.includes('Rollback') === true)
        .map(({ range }) => range.startLineNumber);
    await expectSoon(lines).toEqual([12]);
    editor.showLine(STAR_PATH, undefined);
    expect(lines()).toEqual([]);
  });
});

describe('one owner', () => {
  it('ED50: undo, cursor and scroll survive a change of tabs and of modes', async () => {
    const { needs, editor } = await open(SKILL_PATH);
    goBehind('# CSV tidy');
    await userEvent.keyboard('!');
    needs.open('AGENTS.md');
    await expectSoon(() => widget().getModel()?.uri.path).toBe('/AGENTS.md');
    needs.open(SKILL_PATH);
    await expectSoon(() => widget().getModel()?.uri.path).toBe(`/${SKILL_PATH}`);
    expect(widget().getPosition()?.lineNumber).toBe(6);
    editor.setMode('preview');
    editor.setMode('split');
    await expectSoon(() => widget().getPosition()?.lineNumber).toBe(6);
    widget().trigger('test', 'undo', {});
    await expectSoon(() => needs.textOf(SKILL_PATH)).toBe(SKILL);
  });

  it('ED51: what the page changes appears, can be undone, and is not told back as typing', async () => {
    const { needs } = await open(SKILL_PATH);
    needs.setText(SKILL_PATH, SKILL.replace('# CSV tidy', '# Another'));
    await expectSoon(() => widget().getModel()?.getValue()).toContain('# Another');
    widget().trigger('test', 'undo', {});
    await expectSoon(() => needs.textOf(SKILL_PATH)).toBe(SKILL);
  });

  it('ED52: its worker starts from a blob, and the page keeps no model of a closed file', async () => {
    const { needs } = await open(SKILL_PATH);
    needs.close(SKILL_PATH);
    await expectSoon(() => monaco.editor.getModels().some(({ uri }) => uri.path === `/${SKILL_PATH}`)).toBe(false);
  });

  it('ED53: a read-only file cannot be typed into', async () => {
    const { needs } = await open(SKILL_PATH, undefined, { readOnly: 'It came with Lathe.' });
    goBehind('# CSV tidy');
    await userEvent.keyboard('!');
    expect(needs.textOf(SKILL_PATH)).toBe(SKILL);
    await expect.element(page.getByText('Read only. It came with Lathe.')).toBeVisible();
  });
});
