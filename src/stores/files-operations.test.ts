import { describe, expect, it } from 'vitest';
import type { MemoryTree } from '../platform/fs/memory-tree.ts';
import { createOrigins } from '../platform/store/trust.ts';
import { bytes, doc, LINES, setUp, SKILL, textIn } from './testing/files.ts';

describe('creating, renaming, deleting', () => {
  const snapshot = (tree: MemoryTree): Record<string, string> =>
    Object.fromEntries(
      [...tree.files]
        .map(([path, content]) => [path, [...content].join(',')] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );

  it('FI30: each can be taken back byte for byte, and done again', async () => {
    const { files, tree } = await setUp();
    const before = snapshot(tree);
    await files.create(
      'skills/new',
      new Map([
        ['SKILL.md', 'new'],
        ['a/b', 'b'],
      ]),
    );
    await files.create('notes.md', new Map([['', 'notes']]));
    await files.rename('skills/pdf', 'skills/paper');
    await files.remove('logo.png');
    await files.remove('skills/docx');
    const after = snapshot(tree);
    expect(Object.keys(after)).toEqual([
      'notes.md',
      'skills/new/SKILL.md',
      'skills/new/a/b',
      'skills/paper/SKILL.md',
      'skills/paper/references/more.md',
    ]);
    expect(files.getState()).toMatchObject({ undoLabel: 'Delete docx', redoLabel: undefined });
    for (let step = 0; step < 5; step++) expect(await files.undo()).toMatchObject({ ok: true });
    expect(snapshot(tree)).toEqual(before);
    expect(await files.undo()).toMatchObject({ ok: false });
    expect(files.getState()).toMatchObject({ undoLabel: undefined, redoLabel: 'Create new' });
    for (let step = 0; step < 5; step++) expect(await files.redo()).toMatchObject({ ok: true });
    expect(snapshot(tree)).toEqual(after);
    expect(await files.redo()).toMatchObject({ ok: false });
  });

  it('FI31: never replaces anything, also when it is taken back', async () => {
    const { files, tree } = await setUp();
    expect(await files.create(SKILL, new Map([['', 'x']]))).toMatchObject({ error: { code: 'exists' } });
    expect(await files.create('skills/pdf', new Map([['SKILL.md', 'x']]))).toMatchObject({ error: { code: 'exists' } });
    expect(await files.rename('skills/pdf', 'skills/docx')).toMatchObject({ ok: false });
    expect(await files.remove('nothing')).toMatchObject({ ok: false });
    expect(files.getState().undoLabel).toBeUndefined();
    await files.remove('skills/docx');
    await tree.write('skills/docx/SKILL.md', bytes('somebody else'));
    expect(await files.undo()).toMatchObject({ ok: false, error: { code: 'exists' } });
    expect(textIn(tree, 'skills/docx/SKILL.md')).toBe('somebody else');
    expect(files.getState().undoLabel).toBe('Delete docx');
  });

  it('FI32: what is open follows a renamed folder, with its unsaved text and its draft', async () => {
    const { files, drafts, tree, storage } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'mine');
    await files.rename('skills/pdf', 'skills/paper');
    expect([...files.getState().documents.keys()]).toEqual(['skills/paper/SKILL.md']);
    await drafts.flush();
    expect((await storage.list('drafts')).map(({ path }) => path)).toEqual(['skills/paper/SKILL.md']);
    expect(await files.save('skills/paper/SKILL.md')).toMatchObject({ ok: true });
    expect(textIn(tree, 'skills/paper/SKILL.md')).toBe('mine');
    await files.undo();
    expect([...files.getState().documents.keys()]).toEqual([SKILL]);
    expect(textIn(tree, SKILL)).toBe('mine');
  });

  it('FI33: deleting closes what is open; taking it back opens it again, unsaved text included', async () => {
    const { files, drafts, storage } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'mine');
    await files.remove('skills/pdf');
    expect(files.getState().documents.size).toBe(0);
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(0);
    await files.undo();
    expect(doc(files, SKILL)).toMatchObject({ text: 'mine', saved: LINES });
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(1);
  });

  it('FI34: taking back a creation keeps what was written since, for doing it again', async () => {
    const { files, tree } = await setUp();
    await files.create('notes.md', new Map([['', 'first']]));
    await files.open('notes.md');
    files.edit('notes.md', 'second');
    await files.save('notes.md');
    await files.undo();
    expect(tree.files.has('notes.md')).toBe(false);
    await files.redo();
    expect(textIn(tree, 'notes.md')).toBe('second');
  });

  it('FI35: a copy is a copy, and what came from outside stays from outside', async () => {
    const { files, tree, storage } = await setUp();
    const origins = createOrigins({ storage, now: () => 1 });
    await origins.note({ workspace: 'w', path: 'skills/pdf', kind: 'zip', from: 'pdf.zip' });
    expect(await files.duplicate('skills/pdf', 'skills/pdf-copy')).toMatchObject({ ok: true });
    expect(textIn(tree, 'skills/pdf-copy/references/more.md')).toBe('more');
    await files.rename('skills/pdf', 'skills/paper');
    const paths = async () => (await origins.list('w')).map(({ path }) => path);
    expect(await paths()).toEqual(['skills/paper', 'skills/pdf-copy']);
    await files.remove('skills/paper');
    await files.undo();
    expect(await paths()).toEqual(['skills/paper', 'skills/pdf-copy']);
    await files.remove('skills/paper');
    await files.create('skills/paper', new Map([['SKILL.md', 'my own']]));
    expect(await paths()).toEqual(['skills/pdf-copy']);
    expect(await files.duplicate('nothing', 'x')).toMatchObject({ ok: false });
  });

  const follow = {
    file: 'SKILL.md',
    rewrite: (text: string, before: string, after: string) => text.replace(`name: ${before}`, `name: ${after}`),
  };

  it('FI36: the name in a renamed folder follows, and is the old one again when that is taken back', async () => {
    const { files, tree } = await setUp();
    await tree.write(SKILL, bytes('name: pdf\n'));
    await files.rename('skills/pdf', 'skills/paper', follow);
    expect(textIn(tree, 'skills/paper/SKILL.md')).toBe('name: paper\n');
    await files.undo();
    expect(textIn(tree, SKILL)).toBe('name: pdf\n');
    await files.redo();
    expect(textIn(tree, 'skills/paper/SKILL.md')).toBe('name: paper\n');
    await files.duplicate('skills/paper', 'skills/copy', follow);
    await files.undo();
    await files.redo();
    expect(textIn(tree, 'skills/copy/SKILL.md')).toBe('name: copy\n');
  });

  it('FI36: what is not saved stays unsaved', async () => {
    const { files, tree } = await setUp();
    await tree.write(SKILL, bytes('name: pdf\n'));
    await files.open(SKILL);
    files.edit(SKILL, 'name: pdf\nmine\n');
    await files.rename('skills/pdf', 'skills/paper', follow);
    expect(textIn(tree, 'skills/paper/SKILL.md')).toBe('name: paper\n');
    expect(doc(files, 'skills/paper/SKILL.md')).toMatchObject({ text: 'name: paper\nmine\n', saved: 'name: paper\n' });
    await files.checkDisk();
    expect(doc(files, 'skills/paper/SKILL.md').conflict).toBeUndefined();
    await files.undo();
    expect(doc(files, SKILL)).toMatchObject({ text: 'name: pdf\nmine\n', saved: 'name: pdf\n' });
  });

  it('FI37: several texts are changed as one step, which is taken back as one', async () => {
    const { files, tree } = await setUp();
    const before = snapshot(tree);
    await files.open(SKILL);
    const texts = new Map([
      [SKILL, { before: LINES, after: 'fixed' }],
      ['skills/docx/SKILL.md', { before: 'docx', after: 'fixed too' }],
    ]);
    expect(await files.change('Fix 2 files', texts)).toMatchObject({ ok: true });
    expect([textIn(tree, SKILL), textIn(tree, 'skills/docx/SKILL.md')]).toEqual(['fixed', 'fixed too']);
    expect(doc(files, SKILL)).toMatchObject({ text: 'fixed', saved: 'fixed', revision: 1 });
    expect(files.getState().undoLabel).toBe('Fix 2 files');
    await files.undo();
    expect(snapshot(tree)).toEqual(before);
    expect(doc(files, SKILL).text).toBe(LINES);
    await files.redo();
    await tree.write('skills/docx/SKILL.md', bytes('outside'));
    expect(await files.undo()).toMatchObject({ ok: false });
    expect([textIn(tree, SKILL), textIn(tree, 'skills/docx/SKILL.md')]).toEqual(['fixed', 'outside']);
  });
});
