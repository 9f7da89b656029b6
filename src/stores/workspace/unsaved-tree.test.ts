import { expect, it } from 'vitest';
import { LINES, setUp, SKILL } from '../testing/files.ts';
import { withUnsaved } from './unsaved-tree.ts';

it('US1: what is shared or exported is what is seen: unsaved text is in place of the disk’s', async () => {
  const { files, tree } = await setUp();
  const seen = withUnsaved(tree, () => files.getState().documents);
  const text = async () => new TextDecoder().decode(await seen.read(SKILL));
  await files.open(SKILL);
  expect([await text(), seen.unsavedIn('skills/pdf')]).toEqual([LINES, 0]);
  files.edit(SKILL, 'mine');
  expect([await text(), await seen.size(SKILL), seen.unsavedIn('skills/pdf'), seen.unsavedIn('')]).toEqual([
    'mine',
    4,
    1,
    1,
  ]);
  expect(seen.unsavedIn('skills/docx')).toBe(0);
  await files.save(SKILL);
  expect(seen.unsavedIn('')).toBe(0);
});
