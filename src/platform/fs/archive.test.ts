import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isArchive, readArchive, readSkillArchive } from './archive.ts';
import { packTar, packTgz, type StrangeEntry } from './testing/pack-tar.ts';
import { packZip } from './testing/pack-zip.ts';

const SKILL = { name: 'notes/SKILL.md', text: 'x' } as const;

const problemOf = async (bytes: Uint8Array, name = 'a.tar'): Promise<string> => {
  const read = await readArchive(bytes, name);
  return read.ok ? '' : read.error.message;
};

describe('archives of every kind', () => {
  it('ARC1: zip, tar, and tar with gzip give the same skill, whatever the file is called', async () => {
    for (const bytes of [packZip({ 'notes/SKILL.md': 'x' }), packTar([SKILL]), packTgz([SKILL])]) {
      expect(isArchive(bytes)).toBe(true);
      const read = await readSkillArchive(bytes, 'download.bin');
      expect(read.ok && [read.value.name, [...read.value.files.keys()]]).toEqual(['notes', ['SKILL.md']]);
    }
    expect(isArchive(new TextEncoder().encode('---\nname: a\n---\n'))).toBe(false);
  });

  it('TA4: `./` means nothing, and the folder is called like the archive', async () => {
    const read = await readSkillArchive(packTgz([{ name: './SKILL.md', text: 'x' }]), 'notes.tar.gz');
    expect(read.ok && [read.value.name, [...read.value.files.keys()]]).toEqual(['notes', ['SKILL.md']]);
  });

  it('TA4: version control is left out and named', async () => {
    const read = await readArchive(packTgz([SKILL, { name: 'notes/.GIT ./config', text: 'x' }]), 'a.tgz');
    expect(read.ok && read.value.leftOut.map(({ path }) => path)).toEqual(['notes/.GIT .']);
    expect(read.ok && [...read.value.tree.files.keys()]).toEqual(['notes/SKILL.md']);
  });

  it.each<[string, readonly StrangeEntry[]]>([
    ['a path that leads out', [{ name: '../x' }]],
    ['a path that leads out in the middle', [{ name: 'notes/../../x' }]],
    ['an absolute path', [{ name: '/etc/x' }]],
    ['a drive', [{ name: 'C:\\x' }]],
    ['a link', [{ name: 'notes/a', type: '2' }]],
    ['a hard link', [{ name: 'notes/a', type: '1' }]],
    ['a device', [{ name: 'notes/a', type: '3' }]],
    ['a pipe', [{ name: 'notes/a', type: '6' }]],
    ['a name that is there twice', [SKILL]],
    ['names that differ in case', [{ name: 'notes/skill.md' }]],
    ['a file where a folder is', [{ name: 'notes' }]],
    ['control characters', [{ name: 'notes/a\u001b[2J' }]],
    ['the name of a device', [{ name: 'notes/NUL.txt' }]],
    ['3,000 levels', [{ name: `${'d/'.repeat(3000)}x` }]],
  ])('TA4: %s refuses the archive', async (_, entries) => {
    const problem = await problemOf(packTgz([SKILL, ...entries]));
    expect(problem).not.toBe('');
    // oxlint-disable-next-line no-control-regex -- what a terminal would obey
    expect(problem).not.toMatch(/[\u0000-\u001f]/);
  });

  it('ARC2: a gzip bomb, a cut file, and garbage are refused', async () => {
    expect(await problemOf(gzipSync(new Uint8Array(64 * 1024 * 1024)))).toMatch(/made to fill a disk/);
    const whole = packTgz([SKILL, { name: 'notes/a.md', text: 'y'.repeat(4000) }]);
    expect(await problemOf(whole.subarray(0, whole.length - 30))).not.toBe('');
    expect(await problemOf(new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7]))).not.toBe('');
    expect(await problemOf(gzipSync(new TextEncoder().encode('no archive'.repeat(100))))).not.toBe('');
  });
});
