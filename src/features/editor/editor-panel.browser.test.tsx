/** The panel in a real browser. Rules: SPEC.md. */
import { page, userEvent } from 'vitest/browser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { createEditor } from './editor.ts';
import { EditorPanel } from './editor-panel.tsx';
import { DiffView } from './monaco/diff-view.ts';
import type { MonacoOwner } from './monaco/owner.ts';
import { createMemoryNeeds } from './testing/memory-needs.ts';
import { goBehind, mount, type Mounted, type MountOptions, widget } from './testing/mount.tsx';
import { FILES, SKILL } from './testing/samples.ts';

const PATH = 'skills/csv-tidy/SKILL.md';
let mounted: Mounted | undefined;
afterEach(() => {
  mounted?.[Symbol.dispose]();
  mounted = undefined;
});
const open = async (options: MountOptions): Promise<Mounted> => (mounted = await mount(options));
const tab = (name: string | RegExp) => page.getByRole('tab', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const expectSoon = (check: () => unknown) => {
  return expect.poll(check, { timeout: 20_000 });
};
const expectCode = () => expectSoon(() => document.querySelectorAll('.monaco-editor .view-line').length);

describe('tabs and keys', () => {
  it('ED60: one per file, marked when not saved or changed on disk', async () => {
    const { needs } = await open({ open: ['AGENTS.md', PATH, 'skills/sql-style/SKILL.md'], mode: 'preview' });
    await expect.element(tab('AGENTS.md')).toBeVisible();
    await expect.element(tab('csv-tidy/SKILL.md')).toBeVisible();
    await expect.element(tab('sql-style/SKILL.md')).toHaveAttribute('aria-selected', 'true');
    needs.setText(PATH, `${SKILL}more`);
    await expect.element(tab('csv-tidy/SKILL.md, not saved')).toBeVisible();
    needs.writeOutside(PATH, `${SKILL}other`);
    await expect.element(tab('csv-tidy/SKILL.md, changed on disk')).toBeVisible();
  });

  it('ED61: arrows move, Delete closes', async () => {
    const { needs } = await open({ open: ['AGENTS.md', PATH], mode: 'preview' });
    await tab('SKILL.md').click();
    await userEvent.keyboard('{ArrowRight}');
    expect(needs.getState().active).toBe('AGENTS.md');
    await userEvent.keyboard('{End}');
    expect(needs.getState().active).toBe(PATH);
    await userEvent.keyboard('{Delete}');
    expect(needs.getState().documents.map(({ path }) => path)).toEqual(['AGENTS.md']);
  });

  it('ED61: save, close and change of tabs from inside Monaco', async () => {
    const { needs } = await open({ open: ['AGENTS.md', PATH] });
    await expectCode().toBeGreaterThan(3);
    goBehind('# CSV tidy');
    await userEvent.keyboard('!');
    await userEvent.keyboard('{Control>}s{/Control}');
    await expectSoon(() => needs.disk.get(PATH)).toBe(SKILL.replace('# CSV tidy', '# CSV tidy!'));
    await userEvent.keyboard('{Alt>}{PageDown}{/Alt}');
    expect(needs.getState().active).toBe('AGENTS.md');
    await userEvent.keyboard('{Alt>}{PageUp}{/Alt}');
    expect(needs.getState().active).toBe(PATH);
    widget().focus();
    await userEvent.keyboard('{Alt>}w{/Alt}');
    expect(needs.getState().documents.map(({ path }) => path)).toEqual(['AGENTS.md']);
  });

  it('ED60: the cross closes, the rest of the tab does not', async () => {
    const { needs } = await open({ open: ['AGENTS.md', PATH], mode: 'preview' });
    await tab('AGENTS.md').click();
    expect(needs.getState().documents).toHaveLength(2);
    const cross = tab('AGENTS.md').element().querySelector('[data-close]');
    if (!cross) throw new Error('no cross');
    await userEvent.click(page.elementLocator(cross));
    expect(needs.getState().documents.map(({ path }) => path)).toEqual([PATH]);
  });

  it('without a file the panel says what would be here', async () => {
    await open({});
    await expect.element(page.getByText('No open file')).toBeVisible();
  });
});

describe('modes', () => {
  it('ED54, ED62: the preview alone does not load Monaco; Edit does', async () => {
    const needs = await createMemoryNeeds({ files: FILES, open: [PATH] });
    const load = vi.fn<() => Promise<typeof MonacoOwner>>(async () => (await import('./monaco/owner.ts')).MonacoOwner);
    const editor = createEditor({ needs, loadOwner: load });
    await render(
      <div style={{ display: 'flex', width: 900, height: 600 }}>
        <EditorPanel editor={editor} theme="light" preview={{}} />
      </div>,
    );
    await expect.element(page.getByRole('region', { name: 'Preview' })).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'CSV tidy' })).toBeVisible();
    expect(load).not.toHaveBeenCalled();
    await button('Edit').click();
    await expectCode().toBeGreaterThan(3);
    expect(load).toHaveBeenCalledTimes(1);
    await button('Split').click();
    await expect.element(page.getByRole('region', { name: 'Preview' })).toBeVisible();
    await expectCode().toBeGreaterThan(3);
    editor[Symbol.dispose]();
  });

  it('ED54: when Monaco cannot be loaded, the place says so and it can be tried again', async () => {
    const needs = await createMemoryNeeds({ files: FILES, open: ['skills/csv-tidy/scripts/tidy.py'] });
    let isOnline = false;
    const editor = createEditor({
      needs,
      loadOwner: async () => {
        if (!isOnline) throw new Error('The network is gone');
        return (await import('./monaco/owner.ts')).MonacoOwner;
      },
    });
    await render(
      <div style={{ display: 'flex', width: 900, height: 600 }}>
        <EditorPanel editor={editor} theme="light" preview={{}} />
      </div>,
    );
    await expect.element(page.getByText('Can’t load the code editor')).toBeVisible();
    isOnline = true;
    await button('Try again').click();
    await expectCode().toBeGreaterThan(3);
    editor[Symbol.dispose]();
  });

  it('ED62: files without a preview are code in every mode', async () => {
    await open({ open: ['skills/csv-tidy/scripts/tidy.py'], mode: 'preview' });
    await expectCode().toBeGreaterThan(3);
    expect(document.querySelector('[aria-label="Preview"]')).toBeNull();
  });

  it('ED62: going to a place leaves the preview and puts the cursor there', async () => {
    const { editor } = await open({ open: ['AGENTS.md'], mode: 'preview' });
    editor.open(PATH, { line: 4, column: 3 });
    await expectCode().toBeGreaterThan(3);
    await expectSoon(() => widget().getPosition()?.lineNumber).toBe(4);
  });

  it('ED66: the line below the text has one height, whatever it says', async () => {
    const { editor } = await open({ open: ['AGENTS.md', PATH, 'skills/must-have/SKILL.star'], width: 500 });
    const heights: number[] = [];
    for (const [path, says] of [
      ['AGENTS.md', ''],
      [PATH, 'problem|warning|note|error'],
      ['skills/must-have/SKILL.star', ''],
    ] as const) {
      editor.open(path);
      const line = page.getByRole('contentinfo');
      await expect.element(line).toHaveTextContent(new RegExp(says, 'i'));
      heights.push(line.element().getBoundingClientRect().height);
    }
    expect(new Set(heights).size).toBe(1);
    expect(heights[0]).toBeGreaterThan(0);
  });

  it('ED67: programs can be run', async () => {
    const { needs } = await open({ open: ['skills/must-have/SKILL.star'] });
    await button('Run metaskill').click();
    expect(needs.calls).toContain('run skills/must-have/SKILL.star');
  });
});

describe('disk', () => {
  it('ED63: changes that do not touch are kept both', async () => {
    const { needs } = await open({ open: [PATH], mode: 'preview' });
    needs.setText(PATH, SKILL.replace('2. Tidy them.', '2. Tidy them well.'));
    needs.writeOutside(PATH, SKILL.replace('Use when rows are messy', 'Use when rows are untidy'));
    await expect.element(page.getByText('This file changed on disk while you edited it.')).toBeVisible();
    await button('Keep both').click();
    expect(needs.textOf(PATH)).toContain('2. Tidy them well.');
    expect(needs.textOf(PATH)).toContain('Use when rows are untidy');
    await expect.element(page.getByText('This file changed on disk')).not.toBeInTheDocument();
  });

  it('ED63: a real conflict is compared, then one side is taken', async () => {
    const { needs } = await open({ open: [PATH] });
    needs.setText(PATH, SKILL.replace('2. Tidy them.', '2. Mine.'));
    needs.writeOutside(PATH, SKILL.replace('2. Tidy them.', '2. Theirs.'));
    await expect.element(button('Merge with conflict markers')).toBeVisible();
    await button('Compare').click();
    await expectSoon(() => document.querySelector('.monaco-diff-editor')?.textContent ?? '').toContain('Theirs');
    await page.getByRole('radiogroup', { name: 'Left' }).getByText('Before both changes').click();
    await expectSoon(() => document.querySelector('.monaco-diff-editor .original')?.textContent ?? '').toContain(
      'Tidy',
    );
    await button('Close comparison').click();
    await button('Use disk version').click();
    expect(needs.textOf(PATH)).toContain('2. Theirs.');
  });

  it('ED64: the text against the disk', async () => {
    const { needs, editor } = await open({ open: [PATH] });
    needs.setText(PATH, SKILL.replace('2. Tidy them.', '2. Mine.'));
    editor.compareWithDisk();
    await expectSoon(() => document.querySelector('.monaco-diff-editor .modified')?.textContent ?? '').toContain(
      'Mine',
    );
    await button('Close comparison').click();
    await expectCode().toBeGreaterThan(3);
  });

  it('ED64: a comparison that is closed before it is made leaves no fault behind', async () => {
    const parent = document.createElement('div');
    document.body.append(parent);
    const faults: unknown[] = [];
    const onFault = ({ reason }: PromiseRejectionEvent): void => void faults.push(reason);
    window.addEventListener('unhandledrejection', onFault);
    for (let times = 0; times < 25; times++) {
      const view = new DiffView(parent, {
        left: 'one\n'.repeat(20_000),
        right: 'two\n'.repeat(20_000),
        language: 'text',
      });
      // oxlint-disable-next-line lathe/no-fixed-sleep -- each is closed at another moment of its making
      await new Promise((resolve) => setTimeout(resolve, times * 4));
      view[Symbol.dispose]();
    }
    // The worker compares one after the other: with this one shown, those before it have ended.
    Object.assign(parent.style, { width: '800px', height: '400px' });
    const last = new DiffView(parent, { left: 'same\none\n', right: 'same\ntwo\n', language: 'text' });
    await expectSoon(() => parent.querySelectorAll('.line-insert, .char-insert').length).toBeGreaterThan(0);
    last[Symbol.dispose]();
    window.removeEventListener('unhandledrejection', onFault);
    parent.remove();
    expect(faults).toEqual([]);
  });

  it('what went wrong, what was kept and what is gone are said where the file is', async () => {
    const { needs } = await open({ open: [PATH], mode: 'preview' });
    needs.update(PATH, { problem: 'The disk is full. Free some space, then save again.' });
    await expect.element(page.getByText('The disk is full.')).toBeVisible();
    await button('Save again').click();
    expect(needs.calls).toContain(`save ${PATH}`);
    needs.update(PATH, { text: 'draft', recoveredFrom: Date.UTC(2026, 10, 16, 9, 30), isGone: true });
    await expect.element(page.getByText(/was restored/)).toBeVisible();
    await expect.element(page.getByText(/deleted or moved this file/)).toBeVisible();
  });
});

describe('files that are not text', () => {
  // A image of one pixel.
  const png = Uint8Array.from(
    atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
    (char) => char.charCodeAt(0),
  );
  it('ED65: a image is shown with what it is', async () => {
    await open({ files: { ...FILES, 'a.png': png }, open: ['a.png'] });
    await expect.element(page.getByRole('img', { name: 'a.png' })).toBeVisible();
    await expect.element(page.getByText(/image\/png · \d+ bytes · 1 × 1/)).toBeVisible();
  });
  it('ED65: binary files are refused with the reason', async () => {
    await open({ files: { ...FILES, 'a.bin': new Uint8Array([1, 0, 2]) }, open: ['a.bin'] });
    await expect.element(page.getByText(/isn’t text because it has NUL bytes/)).toBeVisible();
    expect(document.querySelector('.monaco-editor')).toBeNull();
  });
});
