import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { EMPTY_STORE } from './store.ts';
import { load, loadProject, skillText } from './testing/libraries.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const storeOf = async (descriptions: Readonly<Record<string, string>>) => {
  const files = Object.entries(descriptions).map(([name, description]) => [
    `${name}/SKILL.md`,
    skillText(name, description),
  ]);
  return (await loadProject(Object.fromEntries(files) as Record<string, string>)).store;
};

describe('the store', () => {
  it('LIB60: stays as it was when files change', async () => {
    const tree = createMemoryTree({
      'a/SKILL.md': skillText('a', 'Before. Use when needed.'),
      'b/SKILL.md': skillText('b'),
    });
    const { store, report } = await load({ project: { tree } });
    const before = store.get('a')?.skill;
    await tree.write('a/SKILL.md', bytes(skillText('a', 'After. Use when needed.', '').replace('# a', '# changed')));
    await tree.rename('b', 'gone');
    await tree.write('c/SKILL.md', bytes(skillText('c')));
    expect(store.list().map(({ skill }) => skill.name)).toEqual(['a', 'b']);
    expect(store.get('a')?.skill).toBe(before);
    expect(store.get('a')?.skill.description).toBe('Before. Use when needed.');
    // Read only now, and still what was on disk when the store was made.
    expect(store.get('a')?.skill.body).toBe('# a\n\nInput keys: none\n');
    expect(store.get('b')?.skill.body).toBe('# b\n\nInput keys: none\n');
    expect(report.map(({ path }) => path)).toEqual(['a', 'b']);
    expect((await load({ project: { tree } })).store.list().map(({ skill }) => skill.name)).toEqual(['a', 'c']);
  });

  it('LIB60: is frozen, with everything that it gives out', async () => {
    const { store, report, shadowed } = await loadProject({
      'a/SKILL.md': skillText('a', undefined, 'allowed-tools: Read\nmetadata:\n  k: v\n'),
    });
    const item = store.get('a');
    for (const value of [
      store,
      store.list(),
      item,
      item?.skill,
      item?.skill.allowedTools,
      item?.skill.metadata,
      item?.diagnostics,
      report,
      report[0],
      shadowed,
    ]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
    const found = store.search('') as unknown[];
    found.length = 0;
    expect(store.search('')).toHaveLength(1);
  });

  it('LIB61: answers by exact name', async () => {
    const store = await storeOf({ b: 'B. Use when.', a: 'A. Use when.', 'a-b': 'AB. Use when.' });
    expect(store.size).toBe(3);
    expect(store.list().map(({ skill }) => skill.name)).toEqual(['a', 'a-b', 'b']);
    expect([store.has('a'), store.has('A'), store.has('a-'), store.has('__proto__')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(store.get('b')?.skill.name).toBe('b');
    expect(store.get('constructor')).toBeUndefined();
    expect([EMPTY_STORE.size, EMPTY_STORE.list(), EMPTY_STORE.search('a'), EMPTY_STORE.discoveryIndex()]).toEqual([
      0,
      [],
      [],
      [],
    ]);
  });
});

describe('search', () => {
  const names = (found: readonly { readonly skill: { readonly name: string } }[]): string[] =>
    found.map(({ skill }) => skill.name);
  const skills = {
    'a-text': 'Handles PDF files. Use when needed.',
    'b-pdf': 'Extracts text. Use when needed.',
    'c-pdf': 'Merges PDF files. Use when needed.',
    'd-none': 'Draws figures. Use when needed.',
    'e-text': 'Prints a pdf. Use when needed.',
  };

  it('LIB62: two points for the name, one for the description; ties by name', async () => {
    const store = await storeOf(skills);
    expect(names(store.search('pdf'))).toEqual(['c-pdf', 'b-pdf', 'a-text', 'e-text']);
    expect(names(store.search('text'))).toEqual(['a-text', 'e-text', 'b-pdf']);
    expect(names(store.search('zebra'))).toEqual([]);
  });

  it('LIB62: the query is trimmed and its case does not count', async () => {
    const store = await storeOf(skills);
    for (const query of ['PDF', ' Pdf\n', '\tpDf '])
      expect(names(store.search(query))).toEqual(['c-pdf', 'b-pdf', 'a-text', 'e-text']);
    expect(names(store.search('MERGES PDF'))).toEqual(['c-pdf']);
    // A substring, not a pattern.
    expect(names(store.search('.*'))).toEqual([]);
    expect(names(store.search('c-p'))).toEqual(['c-pdf']);
  });

  it('LIB63: an empty query gives the first by name', async () => {
    const store = await storeOf(skills);
    for (const query of ['', '  ', '\n']) expect(names(store.search(query, 2))).toEqual(['a-text', 'b-pdf']);
  });

  it('LIB64: ten unless said otherwise, and one to fifty', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`s${String(index).padStart(2, '0')}`, `Number ${index}. Use when.`]),
    );
    const store = await storeOf(many);
    for (const query of ['', 'number']) {
      expect(store.search(query)).toHaveLength(10);
      const lengths = [1, 3, 50, 51, 1000, Infinity, 0, -5, 2.9, NaN].map((limit) => store.search(query, limit).length);
      expect(lengths).toEqual([1, 3, 50, 50, 50, 50, 1, 1, 2, 10]);
    }
    expect(names(store.search('number', 3))).toEqual(['s00', 's01', 's02']);
  });

  it('LIB65: the discovery index is pairs of name and description, sorted by name', async () => {
    const store = await storeOf({ b: 'About B. Use when.', a: 'About A. Use when.' });
    expect(store.discoveryIndex()).toEqual([
      ['a', 'About A. Use when.'],
      ['b', 'About B. Use when.'],
    ]);
  });
});
