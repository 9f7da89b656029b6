// What other programs do to the files of an open folder: noticed, followed, merged, never overwritten.
import { describe, expect, it, vi } from 'vitest';
import { isDirty, offerMerge } from './files-documents.ts';
import { bytes, doc, LINES, setUp, SKILL, textIn } from './testing/files.ts';

describe('changes outside', () => {
  it('FI10: a file that is not edited shows what is on disk', async () => {
    const { files, tree } = await setUp();
    await files.open(SKILL);
    await tree.write(SKILL, bytes('outside'));
    const heard: string[] = [];
    files.onChange((path) => heard.push(path));
    await files.checkDisk();
    expect(doc(files, SKILL)).toMatchObject({ text: 'outside', saved: 'outside', revision: 1, conflict: undefined });
    // Anyone who shows more of the folder than what is open hears of it, once.
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

  it('FI14: a file that is gone is said to be gone, and is written again only when asked again', async () => {
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
