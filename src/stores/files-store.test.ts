import { describe, expect, it, vi } from 'vitest';
import { FileError } from '../model/files/file-error.ts';
import { createMemoryTabGuard } from '../platform/fs/memory-tab-guard.ts';
import { createMemoryTree, type MemoryTree } from '../platform/fs/memory-tree.ts';
import { createMemoryStorage } from '../platform/store/memory-store.ts';
import { isDirty, offerMerge } from './files-documents.ts';
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

  it('FI3: pictures are shown, other files are refused with words, and none is read that is too large', async () => {
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

  it('FI6: a failure is told on the file, and the text stays', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'new');
    vi.spyOn(tree, 'write').mockRejectedValueOnce(new FileError('full', 'no room'));
    expect(await files.save(SKILL)).toMatchObject({ ok: false, error: { code: 'full' } });
    expect(doc(files, SKILL)).toMatchObject({ text: 'new', problem: { message: 'no room' }, isSaving: false });
    expect(await files.save(SKILL)).toMatchObject({ ok: true });
    expect(doc(files, SKILL).problem).toBeUndefined();
  });

  it('FI7: all at once, and the problems by file', async () => {
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

describe('changes outside', () => {
  it('FI10: a file that is not edited shows what is on disk', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    await tree.write(SKILL, bytes('outside'));
    const heard: string[] = [];
    files.onChange((path) => heard.push(path));
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ text: 'outside', saved: 'outside', revision: 1, conflict: undefined });
    // Whoever shows more of the folder than what is open hears of it, once.
    await files.checkDisk();
    expect(heard).toEqual([SKILL]);
  });

  it('FI11: saving never overwrites what changed since: it asks, with all three texts', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, LINES.replace('one', 'ONE'));
    await tree.write(SKILL, bytes(LINES.replace('seven', 'SEVEN')));
    expect(await files.save(SKILL)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(textIn(tree, SKILL)).toBe(LINES.replace('seven', 'SEVEN'));
    const document = doc(files, SKILL);
    expect(document).toMatchObject({
      text: LINES.replace('one', 'ONE'),
      conflict: { disk: LINES.replace('seven', 'SEVEN'), base: LINES },
    });
    expect(offerMerge(document)).toEqual({ text: LINES.replace('one', 'ONE').replace('seven', 'SEVEN'), conflicts: 0 });
    expect(await files.save(SKILL)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  /** Another program writes right behind ours, before we look at the file again. */
  const overwritten = async (meanwhile?: string) => {
    const all = await setUp();
    await all.files.open(SKILL);
    all.files.edit(SKILL, LINES.replace('one', 'ONE'));
    const write = all.tree.write;
    vi.spyOn(all.tree, 'write').mockImplementationOnce(async (path, content) => {
      await write(path, content);
      await write(path, bytes(LINES.replace('seven', 'SEVEN')));
      if (meanwhile !== undefined) all.files.edit(SKILL, meanwhile);
    });
    expect(await all.files.save(SKILL)).toMatchObject({ ok: true });
    return all;
  };

  it('FI17: a change right after the own write is seen with that write', async () => {
    const { files } = await overwritten();
    const outside = LINES.replace('seven', 'SEVEN');
    expect(doc(files, SKILL)).toMatchObject({ text: outside, saved: outside, conflict: undefined, revision: 1 });
  });

  it('FI17: with what was typed meanwhile it is a conflict, on the text that was written', async () => {
    const { files, tree } = await overwritten(LINES.replace('one', 'UNO'));
    expect(doc(files, SKILL)).toMatchObject({
      text: LINES.replace('one', 'UNO'),
      conflict: { disk: LINES.replace('seven', 'SEVEN'), base: LINES.replace('one', 'ONE') },
    });
    expect(await files.save(SKILL)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(textIn(tree, SKILL)).toBe(LINES.replace('seven', 'SEVEN'));
  });

  it('FI17: and one that deletes it says so', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'new');
    const write = tree.write;
    vi.spyOn(tree, 'write').mockImplementationOnce(async (path, content) => {
      await write(path, content);
      await tree.remove(path);
    });
    await files.save(SKILL);
    expect(doc(files, SKILL)).toMatchObject({ text: 'new', isGone: true });
  });

  const inConflict = async (mine: string, disk: string) => {
    const all = await setUp();
    await all.files.open(SKILL);
    all.files.edit(SKILL, mine);
    await all.tree.write(SKILL, bytes(disk));
    await all.files.checkDisk();
    expect(doc(all.files, SKILL).conflict).toEqual({ disk, base: LINES });
    return all;
  };

  it('FI12: merge takes both and saves where they are apart', async () => {
    const { files, tree } = await inConflict(LINES.replace('one', 'ONE'), LINES.replace('seven', 'SEVEN'));
    expect(await files.resolve(SKILL, 'merge')).toEqual({ ok: true, value: { conflicts: 0 } });
    expect(textIn(tree, SKILL)).toBe(LINES.replace('one', 'ONE').replace('seven', 'SEVEN'));
    expect(doc(files, SKILL)).toMatchObject({ conflict: undefined, revision: 1 });
    expect(isDirty(doc(files, SKILL))).toBe(false);
  });

  it('FI12: where they are not, it marks the places and leaves saving to the person', async () => {
    const { files, tree } = await inConflict(LINES.replace('two', 'MINE'), LINES.replace('two', 'THEIRS'));
    expect(await files.resolve(SKILL, 'merge')).toEqual({ ok: true, value: { conflicts: 1 } });
    expect(doc(files, SKILL).text).toContain('<<<<<<< yours\nMINE\n=======\nTHEIRS\n>>>>>>> disk\n');
    expect(textIn(tree, SKILL)).toBe(LINES.replace('two', 'THEIRS'));
    files.edit(SKILL, 'settled');
    expect(await files.save(SKILL)).toMatchObject({ ok: true });
    expect(textIn(tree, SKILL)).toBe('settled');
  });

  it('FI13: keep mine writes mine, take disk takes the disk’s', async () => {
    const mine = await inConflict('mine', 'theirs');
    expect(await mine.files.resolve(SKILL, 'mine')).toMatchObject({ ok: true });
    expect(textIn(mine.tree, SKILL)).toBe('mine');
    const disk = await inConflict('mine', 'theirs');
    expect(await disk.files.resolve(SKILL, 'disk')).toMatchObject({ ok: true });
    expect([textIn(disk.tree, SKILL), doc(disk.files, SKILL).text]).toEqual(['theirs', 'theirs']);
    expect(await disk.drafts.get('w', SKILL)).toBeUndefined();
  });

  it('FI13: a third change after the choice asks again', async () => {
    const { files, tree } = await inConflict('mine', 'theirs');
    await tree.write(SKILL, bytes('later'));
    expect(await files.resolve(SKILL, 'mine')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(textIn(tree, SKILL)).toBe('later');
    expect(doc(files, SKILL).conflict).toEqual({ disk: 'later', base: 'theirs' });
  });

  it('FI13: comparing is a view; a change that is taken back outside ends the conflict', async () => {
    const { files, tree } = await inConflict('mine', 'theirs');
    files.compare(SKILL, true);
    expect(doc(files, SKILL).isComparing).toBe(true);
    await tree.write(SKILL, bytes(LINES));
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ conflict: undefined, text: 'mine' });
  });

  it('FI14: a file that is gone is said to be gone, and is written anew only when asked again', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'mine');
    await tree.remove(SKILL);
    expect(await files.save(SKILL)).toMatchObject({ ok: false, error: { code: 'gone' } });
    expect(tree.files.has(SKILL)).toBe(false);
    expect(doc(files, SKILL).isGone).toBe(true);
    expect(await files.save(SKILL)).toMatchObject({ ok: true });
    expect([textIn(tree, SKILL), doc(files, SKILL).isGone]).toEqual(['mine', false]);
    await tree.remove(SKILL);
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ isGone: true, text: 'mine' });
    expect(await files.reload(SKILL)).toMatchObject({ error: { code: 'gone' } });
  });

  it('FI18: a file that was not edited follows the disk, also when it was gone for a moment', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    await tree.remove(SKILL);
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ isGone: true, text: LINES });
    await tree.write(SKILL, bytes('replaced'));
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ isGone: false, text: 'replaced', conflict: undefined, revision: 1 });
    expect(isDirty(doc(files, SKILL))).toBe(false);
  });

  it('FI18: one that was edited is in conflict, with what was there before it went', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'mine');
    await tree.remove(SKILL);
    await files.checkDisk();
    await tree.write(SKILL, bytes('theirs'));
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ text: 'mine', conflict: { disk: 'theirs', base: LINES } });
  });

  it('FI19: a changed file that cannot be read says so, and is looked at again', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    await tree.write(SKILL, bytes('another'));
    vi.spyOn(tree, 'read').mockRejectedValueOnce(new Error('in use'));
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ text: LINES, problem: { message: 'in use' } });
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ text: 'another', problem: undefined });
  });

  it('FI15: what the tree tells is looked at, folders included', async () => {
    const { files, tree } = await setUp({ watched: true });
    await files.open(SKILL);
    await files.lookInto('skills');
    const heard: string[] = [];
    files.onChange((path) => heard.push(path));
    await tree.write(SKILL, bytes('outside'));
    await tree.write('skills/new/SKILL.md', bytes('new'));
    await vi.waitFor(() => {
      expect(doc(files, SKILL).text).toBe('outside');
      expect(
        files
          .getState()
          .folders.get('skills')
          ?.map(({ name }) => name),
      ).toContain('new');
    });
    expect(heard).toEqual([SKILL, 'skills/new/SKILL.md']);
    await files.closeFolder();
    await tree.write(SKILL, bytes('later'));
    expect(heard).toHaveLength(2);
  });

  it('FI16: reload drops what is not saved', async () => {
    const { files, drafts } = await setUp();
    await files.open(SKILL);
    files.edit(SKILL, 'mine');
    expect(await files.reload(SKILL)).toMatchObject({ ok: true });
    expect(doc(files, SKILL)).toMatchObject({ text: LINES, revision: 1 });
    expect(await drafts.get('w', SKILL)).toBeUndefined();
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

  it('FI41: only the tab that writes keeps drafts; when it closes, the other one looks at the disk and goes on', async () => {
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
