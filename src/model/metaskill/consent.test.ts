import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { consentHash, gatherEvidence, guardSkill, programText } from './consent.ts';
import type { HostSkill } from './host-types.ts';
import { admissionOf, type Provenance } from './policy.ts';
import { memoryBook, type MemoryBook } from './testing/memory-book.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const REFUSAL = "error: external metaskill 'loop' is not allowed (policy: local)";

const setup = (change: Partial<Provenance> = {}) => {
  const tree = createMemoryTree({ 'loop/SKILL.md': 'Loops.', 'loop/SKILL.star': 'one' });
  const book = memoryBook();
  const skill = (using: Pick<MemoryBook, 'isTrusted'> & Partial<MemoryBook> = book): HostSkill =>
    guardSkill({
      name: 'loop',
      metaskill: { program: 'SKILL.star', language: 'starlark', fault: undefined },
      body: '',
      admission: admissionOf({ name: 'loop', layer: 'project', isForeign: true, policy: 'local', ...change }),
      readProgram: async () => programText('SKILL.star', await tree.read('loop/SKILL.star')),
      evidence: () => gatherEvidence(tree, 'loop', 'SKILL.star'),
      book: using,
    });
  return { tree, book, skill };
};

describe('the hash', () => {
  it('POL2: sees every change of a folder, and not the order in which it was read', () => {
    const base = consentHash(
      new Map([
        ['a', bytes('1')],
        ['b', bytes('2')],
      ]),
    );
    const same = new Map([
      ['b', bytes('2')],
      ['a', bytes('1')],
    ]);
    expect(consentHash(same)).toBe(base);
    const changes: [string, string][][] = [
      [
        ['a', '1'],
        ['b', '3'],
      ],
      [['a', '1']],
      [
        ['a', '1'],
        ['c', '2'],
      ],
      [
        ['a', '2'],
        ['b', '1'],
      ],
      [
        ['a', '1'],
        ['b', '2'],
        ['c', ''],
      ],
    ];
    for (const files of changes)
      expect(consentHash(new Map(files.map(([path, text]) => [path, bytes(text)])))).not.toBe(base);
  });

  it('POL2: covers folders inside the folder', async () => {
    const { tree } = setup();
    const before = await gatherEvidence(tree, 'loop', 'SKILL.star');
    await tree.write('loop/references/deep/notes.md', bytes('new'));
    const after = await gatherEvidence(tree, 'loop', 'SKILL.star');
    expect(before.ok && after.ok && before.value.hash !== after.value.hash).toBe(true);
    expect(after.ok && after.value.files.map(({ path, bytes: size }) => [path, size])).toEqual([
      ['SKILL.md', 6],
      ['SKILL.star', 3],
      ['references/deep/notes.md', 3],
    ]);
  });

  it('POL2: a folder that cannot be read whole has no hash, and says why', async () => {
    const tree = createMemoryTree(Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`f${at}`, ''])));
    expect(await gatherEvidence(tree, '', 'f0')).toEqual({ ok: false, error: 'more than 2000 files' });
    await tree.remove('f2000');
    expect((await gatherEvidence(tree, '', 'f0')).ok).toBe(true);

    const { tree: other } = setup();
    const without = {
      ...other,
      read: (path: string) => (path.endsWith('.md') ? Promise.resolve(undefined) : other.read(path)),
    };
    expect(await gatherEvidence(without, 'loop', 'SKILL.star')).toEqual({
      ok: false,
      error: 'SKILL.md cannot be read',
    });
    const broken = { ...other, list: () => Promise.reject(new Error('disk gone')) };
    expect(await gatherEvidence(broken, 'loop', 'SKILL.star')).toEqual({ ok: false, error: 'disk gone' });
    const huge = { ...other, read: () => Promise.resolve(new Uint8Array(40 * 1024 * 1024)) };
    expect(await gatherEvidence(huge, 'loop', 'SKILL.star')).toEqual({ ok: false, error: 'more than 64 MiB' });
  });
});

describe('the question', () => {
  it('POL5: is asked when a program starts, with all files, and only once for these files', async () => {
    const { book, skill } = setup();
    book.answers.push(true);
    expect(await skill().consent?.({})).toBeUndefined();
    expect(book.asked).toMatchObject([{ skill: 'loop', files: [{ path: 'SKILL.md' }, { path: 'SKILL.star' }] }]);
    expect(await skill().consent?.({})).toBeUndefined();
    expect(book.asked).toHaveLength(1);
  });

  it('POL5: a start is refused where nobody can be asked', async () => {
    const { book, skill } = setup();
    expect(await skill({ isTrusted: book.isTrusted }).consent?.({})).toBe(REFUSAL);
  });

  it('POL2: a changed file asks again', async () => {
    const { tree, book, skill } = setup();
    book.answers.push(true);
    await skill().consent?.({});
    await tree.write('loop/SKILL.star', bytes('two'));
    expect(await skill().consent?.({})).toBe(REFUSAL);
    expect(book.asked).toHaveLength(2);
  });

  it('POL2: files that cannot be checked are refused without a question', async () => {
    const { tree, book, skill } = setup();
    const guarded = skill();
    await Promise.all(Array.from({ length: 2000 }, (_, at) => tree.write(`loop/f${at}`, new Uint8Array())));
    expect(await guarded.consent?.({})).toBe(
      "error: external metaskill 'loop' is not allowed (its files cannot be checked: more than 2000 files)",
    );
    expect(book.asked).toEqual([]);
  });

  it('POL6: consent that was revoked is gone from the next start on', async () => {
    const { book, skill } = setup();
    const guarded = skill();
    book.answers.push(true);
    await guarded.consent?.({});
    book.trusted.clear();
    expect(await guarded.consent?.({})).toBe(REFUSAL);
  });

  it('POL7: the program that runs is the one that was hashed', async () => {
    const { tree, book, skill } = setup();
    const guarded = skill({
      ...book,
      // Anyone who is quick enough to change the program while the question is open.
      askForTrust: async (question) => {
        await tree.write('loop/SKILL.star', bytes('changed'));
        return book.askForTrust(question);
      },
    });
    book.answers.push(true);
    await guarded.consent?.({});
    expect(await guarded.readProgram()).toEqual({ ok: true, text: 'one' });
  });

  it('POL8: a no is not asked again in the same turn, and pauses its clock while it is open', async () => {
    const { book, skill } = setup();
    const guarded = skill();
    const waiting: boolean[] = [];
    const start = (turnId: string) => ({ turnId, setWaiting: (is: boolean) => void waiting.push(is) });
    expect(await guarded.consent?.(start('one'))).toBe(REFUSAL);
    expect(await guarded.consent?.(start('one'))).toBe(REFUSAL);
    expect([book.asked.length, waiting]).toEqual([1, [true, false]]);
    await guarded.consent?.(start('two'));
    expect(book.asked).toHaveLength(2);
  });

  it('POL1: is not part of a skill that runs freely or that the policy forbids', () => {
    expect(setup({ isForeign: false }).skill()).toMatchObject({ refusal: undefined });
    expect(setup({ isForeign: false }).skill().consent).toBeUndefined();
    const off = setup({ policy: 'off' }).skill();
    expect([off.refusal, off.consent]).toEqual(["error: metaskill 'loop' is not allowed (policy: off)", undefined]);
  });
});
