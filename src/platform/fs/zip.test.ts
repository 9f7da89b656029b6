import { unzipSync, zipSync, type Zippable } from 'fflate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32, joinZip, readZipDirectory, ZIP_LIMITS, type PackedFile } from '../../model/files/zip-format.ts';
import { readSkillArchive } from './archive.ts';
import { createMemoryTree } from './memory-tree.ts';
import { bytes, textOf } from './testing/tree-contract.ts';
import { readZip, writeZip } from './zip.ts';

const stored = (path: string, text = 'text', more: Partial<PackedFile> = {}): PackedFile => ({
  path,
  method: 'stored',
  packed: bytes(text),
  size: bytes(text).length,
  crc: crc32(bytes(text)),
  ...more,
});

/** Changes bytes of the first record of the central directory. */
const withRecord = (archive: Uint8Array, change: (view: DataView, at: number) => void): Uint8Array => {
  const copy = archive.slice();
  const view = new DataView(copy.buffer);
  change(view, view.getUint32(copy.length - 6, true));
  return copy;
};

const problemOf = async (archive: Uint8Array, limits = ZIP_LIMITS): Promise<string> => {
  const read = await readZip(archive, 'x', { limits });
  return read.ok ? 'no problem' : read.error.code;
};

describe('reading', () => {
  it('ZF1: knows the CRC of the standard', () => {
    expect(crc32(bytes('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array())).toBe(0);
  });

  it('ZF2: reads what another program packed', async () => {
    const large = 'a line of text\n'.repeat(100_000);
    const archive = zipSync({
      'a/SKILL.md': bytes('hello'),
      'a/empty': new Uint8Array(),
      'a/large.txt': bytes(large),
      'ü/日本.md': [bytes('stored'), { level: 0 }],
      'a/folder/': new Uint8Array(),
      '__MACOSX/a/._SKILL.md': bytes('x'),
      'a/.DS_Store': bytes('x'),
    });
    const read = await readZip(archive, 'x');
    if (!read.ok) throw new Error(read.error.message);
    const { tree, skipped } = read.value;
    expect([...tree.files.keys()]).toEqual(['a/SKILL.md', 'a/empty', 'a/large.txt', 'ü/日本.md']);
    expect(await textOf(tree, 'a/large.txt')).toBe(large);
    expect(await textOf(tree, 'ü/日本.md')).toBe('stored');
    expect(skipped).toEqual(['__MACOSX/a/._SKILL.md', 'a/.DS_Store']);
  });

  it('ZF2: takes a comment after the end, bytes before the start of the view, and old names', async () => {
    const archive = joinZip([stored('b.md')]);
    const commented = new Uint8Array(archive.length + 5);
    commented.set(archive);
    commented.set(bytes('hello'), archive.length);
    new DataView(commented.buffer).setUint16(archive.length - 2, 5, true);
    expect(await problemOf(commented)).toBe('no problem');
    const shifted = new Uint8Array(archive.length + 3);
    shifted.set(archive, 3);
    expect(await problemOf(shifted.subarray(3))).toBe('no problem');
    const old = withRecord(joinZip([stored('xx.md')]), (view, at) => {
      for (const place of [30, at + 46]) view.setUint8(place, 0x84);
    });
    const read = await readZip(old, 'x');
    expect(read.ok && [...read.value.tree.files.keys()]).toEqual(['äx.md']);
  });

  it.each(['../x', 'a/../../x', '/etc/passwd', 'C:/x', '..\\x', 'a//b', './a', 'a\0b', '..', ''])(
    'ZF3: refuses the path %j',
    async (path) => {
      expect(await problemOf(joinZip([stored('ok'), stored(path)]))).toBe('unsafe');
    },
  );

  it('ZF2: refuses what says one thing in front of the bytes and another in the directory', async () => {
    const archive = joinZip([stored('notes/AAAA/config'), stored('b')]);
    const at = (text: string, from = 0): number => new TextDecoder('latin1').decode(archive).indexOf(text, from);
    const changed = (change: (copy: Uint8Array, view: DataView) => void): Promise<string> => {
      const copy = archive.slice();
      change(copy, new DataView(copy.buffer));
      return problemOf(copy);
    };
    const end = archive.length - 22;
    expect(await changed((copy) => copy.set(bytes('.git'), at('AAAA')))).toBe('damaged');
    expect(await changed((copy) => copy.set(bytes('.git'), at('AAAA', at('AAAA') + 1)))).toBe('damaged');
    expect(await changed((_, view) => view.setUint16(6, 0x801, true))).toBe('damaged');
    expect(await changed((_, view) => view.setUint16(8, 8, true))).toBe('damaged');
    expect(await changed((_, view) => view.setUint32(22, 5, true))).toBe('damaged');
    // The end counts one record, and the directory has two.
    expect(
      await changed((_, view) => {
        view.setUint16(end + 8, 1, true);
        view.setUint16(end + 10, 1, true);
      }),
    ).toBe('damaged');
    expect(await changed(() => undefined)).toBe('no problem');
  });

  it('ZF3: takes the other slash as one', async () => {
    const read = await readZip(joinZip([stored('a\\b.md')]), 'x');
    expect(read.ok && [...read.value.tree.files.keys()]).toEqual(['a/b.md']);
  });

  it('ZF4: refuses links and devices', async () => {
    for (const mode of [0o120777, 0o060644, 0o010644]) {
      const archive = withRecord(joinZip([stored('link', '../secret')]), (view, at) =>
        view.setUint32(at + 38, (mode << 16) >>> 0, true),
      );
      expect(await problemOf(archive)).toBe('unsafe');
    }
  });

  it('ZF5: refuses a name that is there twice, and a file where a folder is', async () => {
    expect(await problemOf(joinZip([stored('a'), stored('b'), stored('a')]))).toBe('unsafe');
    expect(await problemOf(joinZip([stored('a'), stored('a/b')]))).toBe('unsafe');
    expect(await problemOf(joinZip([stored('a/b'), stored('a')]))).toBe('unsafe');
  });

  it('ZF6: says that it is encrypted, or packed in another way', async () => {
    const archive = joinZip([stored('a')]);
    for (const [at, value, problem] of [
      [8, 1, 'encrypted'],
      [8, 0x2000, 'encrypted'],
      [10, 99, 'encrypted'],
      [10, 12, 'unsupported'],
    ] as const) {
      const changed = withRecord(archive, (view, start) => view.setUint16(start + at, value, true));
      expect([at, value, await problemOf(changed)]).toEqual([at, value, problem]);
    }
    expect(await problemOf(withRecord(archive, (view, at) => view.setUint32(at + 24, 0xffffffff, true)))).toBe(
      'unsupported',
    );
  });

  it('ZF7: keeps the limits on number, size and ratio', async () => {
    const limits = { maxFiles: 3, maxBytes: 1000, maxFileBytes: 600, maxRatio: 10, ratioFrom: 500 };
    const zeros = (length: number): Zippable => ({ z: new Uint8Array(length) });
    expect(await problemOf(joinZip(['a', 'b', 'c', 'd'].map((path) => stored(path))), limits)).toBe('too-large');
    expect(await problemOf(zipSync(zeros(601)), limits)).toBe('too-large');
    expect(await problemOf(zipSync(zeros(501)), limits)).toBe('too-large');
    expect(await problemOf(zipSync(zeros(400)), limits)).toBe('no problem');
    const three = zipSync({ a: new Uint8Array(400), b: new Uint8Array(400), c: new Uint8Array(400) });
    expect(await problemOf(three, { ...limits, maxRatio: 1000 })).toBe('too-large');
    expect(await problemOf(zipSync(zeros(30 * 1024 * 1024)))).toBe('too-large');
  });

  it('ZF8: never makes more than the archive says', async () => {
    for (const length of [1000, 2_000_000]) {
      const liar = withRecord(zipSync({ z: new Uint8Array(length) }), (view, at) => {
        // In the header in front of the bytes, too.
        for (const place of [22, at + 24]) view.setUint32(place, 900_000 % length, true);
      });
      expect(await problemOf(liar)).toBe('damaged');
    }
  });

  it('ZF9: refuses files that share their bytes', async () => {
    // What is packed as `a` begins with the header of `b`, word by word.
    const inner = joinZip([stored('b')]);
    const a = inner.slice(0, 30 + 1 + 4);
    const archive = joinZip([stored('a', '', { packed: a, size: a.length, crc: crc32(a) }), stored('b')]);
    const view = new DataView(archive.buffer);
    const directory = view.getUint32(archive.length - 6, true);
    view.setUint32(directory + 46 + 1 + 42, 30 + 1, true);
    expect(await problemOf(archive)).toBe('unsafe');
  });

  it('ZF10: says what is not an archive, what is cut off, and what is damaged', async () => {
    const archive = zipSync({ 'a.md': bytes('some text that is long enough '.repeat(20)) });
    expect(await problemOf(new Uint8Array())).toBe('not-a-zip');
    expect(await problemOf(bytes('hello, this is just a text and no archive'))).toBe('not-a-zip');
    expect(await problemOf(archive.slice(0, -10))).toBe('damaged');
    const flipped = archive.slice();
    flipped[45] = (flipped[45] ?? 0) ^ 0xff;
    expect(await problemOf(flipped)).toBe('damaged');
    expect(await problemOf(withRecord(archive, (view, at) => view.setUint32(at + 16, 1, true)))).toBe('damaged');
    expect(await problemOf(withRecord(archive, (view, at) => view.setUint32(at + 42, 7, true)))).toBe('damaged');
    expect(await problemOf(withRecord(archive, (view, at) => view.setUint32(at, 7, true)))).toBe('damaged');
  });

  it('ZF10: no bytes make it throw', async () => {
    const good = zipSync({ 'a/SKILL.md': bytes('text '.repeat(30)), 'b/c': bytes('x') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }), async (changes) => {
        const archive = good.slice();
        for (const [at, value] of changes) archive[at] = value;
        const read = await readZip(archive, 'x');
        expect(typeof read.ok).toBe('boolean');
        expect(typeof readZipDirectory(archive.slice(0, changes.length * 20)).ok).toBe('boolean');
      }),
      { numRuns: 300 },
    );
  });

  it('ZP3: can be cancelled and tells how far it is', async () => {
    const archive = zipSync({ a: bytes('a'), b: bytes('b'), c: bytes('c') });
    const controller = new AbortController();
    const seen: number[] = [];
    const read = await readZip(archive, 'x', {
      signal: controller.signal,
      onProgress: ({ done }) => {
        seen.push(done);
        if (done === 2) controller.abort();
      },
    });
    expect(read).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(seen).toEqual([1, 2]);
  });
});

describe('one skill', () => {
  it('ZP1: is a folder with SKILL.md, or the archive itself', async () => {
    const folder = await readSkillArchive(
      zipSync({ 'pdf/SKILL.md': bytes('x'), 'pdf/a/b': bytes('b') }),
      'download.skill',
    );
    expect(folder.ok && [folder.value.name, [...folder.value.files.keys()]]).toEqual(['pdf', ['SKILL.md', 'a/b']]);
    const flat = await readSkillArchive(zipSync({ 'SKILL.md': bytes('x'), 'a/b': bytes('b') }), 'my-skill.zip');
    expect(flat.ok && [flat.value.name, [...flat.value.files.keys()]]).toEqual(['my-skill', ['SKILL.md', 'a/b']]);
  });

  it('ZP1: and nothing else', async () => {
    for (const files of [
      { 'a/SKILL.md': bytes('x'), 'b/SKILL.md': bytes('x') },
      { 'a/x': bytes('x') },
      { 'a/SKILL.md': bytes('x'), README: bytes('x') },
    ]) {
      expect(await readSkillArchive(zipSync(files), 'x.skill')).toMatchObject({ error: { code: 'unsupported' } });
    }
  });
});

describe('writing', () => {
  const files = {
    'pdf/SKILL.md': 'text '.repeat(100),
    'pdf/scripts/run.sh': '#!/bin/sh\n',
    'pdf/tiny': 'x',
    'other/x': 'x',
    'pdf/node_modules/y': 'y',
    'pdf/large': 'some text\n'.repeat(100_000),
  };

  it('ZP2: gives the same bytes for the same files, in whatever order they come', async () => {
    const one = await writeZip(createMemoryTree(files), 'pdf');
    const reversed = Object.fromEntries(Object.entries(files).toReversed());
    const two = await writeZip(createMemoryTree(reversed), 'pdf');
    expect(
      one.ok &&
        two.ok &&
        one.value.length === two.value.length &&
        one.value.every((byte, at) => byte === two.value[at]),
    ).toBe(true);
  });

  it('ZP2: another program reads it: sorted, by the name of the folder, without node_modules', async () => {
    const made = await writeZip(createMemoryTree(files), 'pdf');
    if (!made.ok) throw new Error(made.error.message);
    const read = unzipSync(made.value);
    expect(Object.keys(read)).toEqual(['pdf/SKILL.md', 'pdf/large', 'pdf/scripts/run.sh', 'pdf/tiny']);
    expect(new TextDecoder().decode(read['pdf/large'])).toBe(files['pdf/large']);
    const whole = await writeZip(createMemoryTree(files), '');
    expect(whole.ok && Object.keys(unzipSync(whole.value))).toContain('other/x');
  });

  it('ZP2: comes back as it was, whatever the bytes', async () => {
    const name = fc.stringMatching(/^[a-zäß日]{1,6}$/);
    const content = fc.uint8Array({ maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, content, { maxKeys: 8 }), async (given) => {
        const tree = createMemoryTree(new Map(Object.entries(given).map(([path, data]) => [`top/${path}`, data])));
        const made = await writeZip(tree, '');
        const read = made.ok ? await readZip(made.value, 'x') : undefined;
        expect(read?.ok === true && new Map(read.value.tree.files)).toEqual(
          new Map([...tree.files].toSorted(([a], [b]) => (a < b ? -1 : 1))),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('ZP3: can be cancelled, and keeps the limits', async () => {
    const controller = new AbortController();
    const cancelled = await writeZip(createMemoryTree(files), 'pdf', {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(cancelled).toMatchObject({ error: { code: 'cancelled' } });
    const limited = await writeZip(createMemoryTree(files), 'pdf', { limits: { ...ZIP_LIMITS, maxFiles: 2 } });
    expect(limited).toMatchObject({ error: { code: 'too-large' } });
    const small = await writeZip(createMemoryTree(files), 'pdf', { limits: { ...ZIP_LIMITS, maxBytes: 1000 } });
    expect(small).toMatchObject({ error: { code: 'too-large' } });
  });
});
