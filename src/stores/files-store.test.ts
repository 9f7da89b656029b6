import { describe, expect, it, vi } from 'vitest';
import { FileError } from '../model/files/file-error.ts';
import { createMemoryTabGuard } from '../platform/fs/memory-tab-guard.ts';
import { createMemoryTree, type MemoryTree } from '../platform/fs/memory-tree.ts';
import { createMemoryStorage } from '../platform/store/memory-store.ts';
import { isDirty } from './files-documents.ts';
import { bytes, doc, FILES, LINES, setUp, SKILL, textIn } from './testing/files.ts';

describe('opening', () => {
  it('FI1: a folder lists its first level only; others when they are looked into', async () => {
    const { files } = await setUp();
    expect(files.getState().folder).toEqual({ id: 'w', name: 'work' });
    expect([...files.getState().folders.keys()]).toEqual(['']);
    expect(await files.lookInto('skills')).toMatchObject({ ok: true, value: [{ name: 'pdf' }, { name: 'docx' }] });
    expect([...files.getState().folders.keys()]).toEqual(['', 'skills']);
    expect(await files.lookInto('nowhere')).toMatchObject({ ok: false, error: { code: 'missing' } });
  });

  it('FI2: text is opened once, as it is, and is clean', async () => {
    const text = '\uFEFFone\r\ntwo\nthree';
    const { files, tree } = await setUp({});
    await tree.write('x.md', bytes(text));
    const [first, second] = await Promise.all([files.open('x.md'), files.open('x.md')]);
    expect(first.ok && second.ok && first.value === second.value).toBe(true);
    expect(doc(files, 'x.md')).toMatchObject({ text, saved: text });
    expect(isDirty(doc(files, 'x.md'))).toBe(false);
    files.edit('x.md', `${text}!`);
    expect(await files.save('x.md')).toEqual({ ok: true, value: undefined });
    expect(textIn(tree, 'x.md')).toBe(`${text}!`);
  });

  it('FI3: images are shown, other files are refused with words, and none is read that is too large', async () => {
    const { files, tree } = await setUp();
    expect(await files.open('logo.png')).toMatchObject({ ok: true, value: { kind: 'image', mediaType: 'image/png' } });
    await tree.write('a.bin', Uint8Array.of(65, 0, 66));
    await tree.write('b.txt', Uint8Array.of(0xff, 0xfe, 65));
    await tree.write('large.md', new Uint8Array(4 * 1024 * 1024 + 1).fill(65));
    expect(await files.open('a.bin')).toMatchObject({ value: { kind: 'binary', size: 3 } });
    expect(await files.open('b.txt')).toMatchObject({ value: { kind: 'binary' } });
    const read = vi.spyOn(tree, 'read');
    expect(await files.open('large.md')).toMatchObject({ value: { kind: 'too-large' } });
    expect(read).not.toHaveBeenCalled();
    expect(await files.open('nothing')).toMatchObject({ ok: false, error: { code: 'missing' } });
    files.edit('a.bin', 'text');
    expect(files.getState().documents.get('a.bin')).toMatchObject({ kind: 'binary' });
  });

  it('FI4: ten thousand files are listed without reading one, with progress, and can be cancelled', async () => {
    const many = createMemoryTree(
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`s/${index}/SKILL.md`, ''])),
    );
    const read = vi.spyOn(many, 'read');
    const { files } = await setUp({ tree: many });
    const seen: number[] = [];
    files.subscribe(({ listing }) => {
      if (listing.status === 'running') seen.push(listing.files);
    });
    await files.listAll();
    const { listing } = files.getState();
    expect(listing.status === 'done' && [listing.paths.length, listing.isCut]).toEqual([10_000, false]);
    expect(seen.length).toBeGreaterThan(10);
    expect(read).not.toHaveBeenCalled();
    const again = files.listAll();
    files.cancelListing();
    await again;
    expect(files.getState().listing).toEqual({ status: 'cancelled' });
  });
});

describe('saving', () => {
  it('FI5: writes the text, and nothing where nothing changed', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    const write = vi.spyOn(tree, 'write');
    await files.save(SKILL);
    expect(write).not.toHaveBeenCalled();
    files.edit(SKILL, 'new');
    expect(isDirty(doc(files, SKILL))).toBe(true);
    await files.save(SKILL);
    expect([textIn(tree, SKILL), isDirty(doc(files, SKILL)), doc(files, SKILL).isSaving]).toEqual([
      'new',
      false,
      false,
    ]);
  });

  it('FI5: what is typed while it is written stays unsaved', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'first');
    const write = tree.write;
    vi.spyOn(tree, 'write').mockImplementationOnce(async (path, content) => {
      expect(doc(files, SKILL).isSaving).toBe(true);
      files.edit(SKILL, 'second');
      await write(path, content);
    });
    await files.save(SKILL);
    expect([textIn(tree, SKILL), doc(files, SKILL).saved, doc(files, SKILL).text]).toEqual([
      'first',
      'first',
      'second',
    ]);
  });

  it('FI6: a failure is reported on the file, and the text stays', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'new');
    vi.spyOn(tree, 'write').mockRejectedValueOnce(new FileError('full', 'no room'));
    expect(await files.save(SKILL)).toMatchObject({ ok: false, error: { code: 'full' } });
    expect(doc(files, SKILL)).toMatchObject({ text: 'new', problem: { message: 'no room' }, isSaving: false });
    expect(await files.save(SKILL)).toMatchObject({ ok: true });
    expect(doc(files, SKILL).problem).toBeUndefined();
  });

  it('FI7: all at the same time, and the problems by file', async () => {
    const { files, tree } = await setUp();
    for (const path of [SKILL, 'skills/docx/SKILL.md']) {
      await files.open(path);
      files.edit(path, `new ${path}`);
    }
    await tree.write('skills/docx/SKILL.md', bytes('outside'));
    const problems = await files.saveAll();
    expect([...problems].map(([path, { code }]) => [path, code])).toEqual([['skills/docx/SKILL.md', 'conflict']]);
    expect(textIn(tree, SKILL)).toBe(`new ${SKILL}`);
    expect(textIn(tree, 'skills/docx/SKILL.md')).toBe('outside');
  });

  it('FI8: what cannot be written says why', async () => {
    const { files } = await setUp({ readOnlyReason: 'This is a copy.' });
    await files.open(SKILL);
    files.edit(SKILL, 'new');
    expect(await files.save(SKILL)).toMatchObject({ error: { code: 'read-only', message: 'This is a copy.' } });
    expect(await files.remove(SKILL)).toMatchObject({ error: { code: 'read-only' } });
    expect(files.getState().readOnlyReason).toBe('This is a copy.');
  });
});

describe('drafts', () => {
  /** The page is killed: only what is stored is left. */
  const crashed = async (change?: (tree: MemoryTree) => Promise<void>) => {
    const storage = createMemoryStorage();
    const before = await setUp({ storage });
    await before.files.open(SKILL);
    before.files.edit(SKILL, LINES.replace('one', 'ONE'));
    await before.drafts.flush();
    await change?.(before.tree);
    return setUp({ storage, tree: before.tree });
  };

  it('FI20: unsaved text comes back after a crash, and is marked as such', async () => {
    const { files } = await crashed();
    expect(files.getState().recoverable).toEqual([SKILL]);
    await files.open(SKILL);
    expect(doc(files, SKILL)).toMatchObject({ text: LINES.replace('one', 'ONE'), saved: LINES, recoveredFrom: 7 });
    expect(files.getState().recoverable).toEqual([]);
    await files.save(SKILL);
    expect(doc(files, SKILL).recoveredFrom).toBeUndefined();
  });

  it('FI21: where the file changed meanwhile it is a conflict, with the text that the draft was made of', async () => {
    const { files } = await crashed((tree) => tree.write(SKILL, bytes(LINES.replace('seven', 'SEVEN'))));
    await files.open(SKILL);
    expect(doc(files, SKILL).conflict).toEqual({ disk: LINES.replace('seven', 'SEVEN'), base: LINES });
    expect(await files.resolve(SKILL, 'merge')).toEqual({ ok: true, value: { conflicts: 0 } });
  });

  it('FI22: of a file that is gone, or that has the text already', async () => {
    const gone = await crashed((tree) => tree.remove(SKILL));
    await gone.files.open(SKILL);
    expect(doc(gone.files, SKILL)).toMatchObject({ text: LINES.replace('one', 'ONE'), saved: undefined, isGone: true });
    const same = await crashed((tree) => tree.write(SKILL, bytes(LINES.replace('one', 'ONE'))));
    await same.files.open(SKILL);
    expect(doc(same.files, SKILL)).toMatchObject({ recoveredFrom: undefined, conflict: undefined });
    expect(isDirty(doc(same.files, SKILL))).toBe(false);
  });

  it('FI23: saving, and editing back, drop them', async () => {
    const { files, drafts, storage } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'new');
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(1);
    files.edit(SKILL, LINES);
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(0);
    files.edit(SKILL, 'new');
    await files.save(SKILL);
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(0);
  });

  it('DURA1: the draft is in the database, durable, before a save touches the file, and goes after it', async () => {
    const storage = createMemoryStorage();
    const write = vi.spyOn(storage, 'write');
    const { files, tree, drafts } = await setUp({ storage });
    await files.open(SKILL);
    const writeFile = tree.write;
    vi.spyOn(tree, 'write').mockImplementationOnce(async (path, content) => {
      expect(storage.rows('drafts')).toMatchObject([{ path: SKILL, text: 'new', base: LINES }]);
      expect(write.mock.lastCall?.[1]).toEqual({ durable: true });
      await writeFile(path, content);
      expect(storage.rows('drafts')).toHaveLength(1);
    });
    files.edit(SKILL, 'new');
    expect(await files.save(SKILL)).toMatchObject({ ok: true });
    expect(tree.write).toHaveBeenCalledOnce();
    await drafts.flush();
    expect(storage.rows('drafts')).toEqual([]);
  });

  it('FI24: closing asks before it drops unsaved text; closing the folder keeps it', async () => {
    const { files, drafts, storage } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'new');
    expect(files.close(SKILL)).toMatchObject({ ok: false, error: { code: 'unsaved' } });
    await files.closeFolder();
    expect(files.getState()).toEqual(files.getInitialState());
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(1);
    await files.openFolder({ id: 'w', tree: createMemoryTree(FILES) });
    await files.open(SKILL);
    expect(doc(files, SKILL).text).toBe('new');
    expect(files.close(SKILL, { discard: true })).toMatchObject({ ok: true });
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(0);
  });
});

describe('two tabs', () => {
  it('FI40: the second reads, says so, and can take over', async () => {
    const guard = createMemoryTabGuard();
    const first = await setUp({ guard });
    const second = await setUp({ guard, tree: first.tree, storage: first.storage });
    expect(second.files.getState()).toMatchObject({ role: 'reader' });
    expect(second.files.getState().readOnlyReason).toContain('open in another tab');
    await second.files.open(SKILL);
    second.files.edit(SKILL, 'second');
    expect(await second.files.save(SKILL)).toMatchObject({ error: { code: 'read-only' } });
    expect(await second.files.remove(SKILL)).toMatchObject({ error: { code: 'read-only' } });
    await second.files.takeOver();
    expect(second.files.getState()).toMatchObject({ role: 'writer', readOnlyReason: undefined });
    expect(first.files.getState()).toMatchObject({ role: 'reader' });
    expect(await second.files.save(SKILL)).toMatchObject({ ok: true });
    expect(textIn(first.tree, SKILL)).toBe('second');
  });

  it('FI41: only the tab that writes keeps drafts; when it closes, the other one looks at the disk and continues', async () => {
    const guard = createMemoryTabGuard();
    const first = await setUp({ guard });
    const second = await setUp({ guard, tree: first.tree, storage: first.storage });
    await second.files.open(SKILL);
    await second.files.open('skills/docx/SKILL.md');
    second.files.edit(SKILL, 'second');
    await second.drafts.flush();
    expect(await second.storage.count('drafts')).toBe(0);
    await first.files.open('skills/docx/SKILL.md');
    first.files.edit('skills/docx/SKILL.md', 'first');
    await first.files.save('skills/docx/SKILL.md');
    await first.files.closeFolder();
    await vi.waitFor(async () => {
      expect(second.files.getState().role).toBe('writer');
      expect(doc(second.files, 'skills/docx/SKILL.md').text).toBe('first');
      await second.drafts.flush();
      expect(await second.storage.count('drafts')).toBe(1);
    });
  });
});
