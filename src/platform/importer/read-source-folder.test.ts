import { describe, expect, it } from 'vitest';
import { leftOutNote } from '../../model/files/write-rules.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { SOURCE_LIMITS } from './fetch-source.ts';
import { readSourceFolder } from './read-source-folder.ts';

const files = (count: number, size: number): ReadonlyMap<string, Uint8Array> =>
  new Map(Array.from({ length: count }, (_, index) => [`f${index}.bin`, new Uint8Array(size).fill(7)]));

describe('a folder that is imported', () => {
  it('SO4: large files come as they are', async () => {
    const size = 5 * 1024 * 1024;
    const read = await readSourceFolder(createMemoryTree(files(1, size)));
    const bytes = read.ok ? read.value.files.get('f0.bin') : undefined;
    expect([bytes?.length, bytes?.[0], bytes?.at(-1)]).toEqual([size, 7, 7]);
  });

  it('WR1: a folder of a hundred levels is refused', async () => {
    const deep = createMemoryTree(new Map([[`${'d/'.repeat(100)}x`, new Uint8Array(1)]]));
    const read = await readSourceFolder(deep);
    expect(!read.ok && read.error).toMatch(/more than 64 folders deep/);
  });

  it('SO7: names what it did not look into', async () => {
    const bytes = new Uint8Array(1);
    const read = await readSourceFolder(
      createMemoryTree(
        new Map([
          ['SKILL.md', bytes],
          ['.git/config', bytes],
          ['lib/node_modules/a/index.js', bytes],
        ]),
      ),
    );
    expect(read.ok && [...read.value.files.keys()]).toEqual(['SKILL.md']);
    expect(read.ok && leftOutNote(read.value.leftOut)).toBe(
      'Left out “.git”, “lib/node_modules”. Version control settings can run programs. Installed packages are large, so install them again where you need them.',
    );
  });

  it('SO4: too many files and too many bytes are refused, never cut', async () => {
    const { files: most, bytes } = SOURCE_LIMITS;
    expect(await readSourceFolder(createMemoryTree(files(most + 1, 1)))).toEqual({
      ok: false,
      error: `The folder has more than ${most} files.`,
    });
    expect(await readSourceFolder(createMemoryTree(files(2, bytes / 2 + 1)))).toEqual({
      ok: false,
      error: 'The folder has more than 20 MB.',
    });
  });
});
