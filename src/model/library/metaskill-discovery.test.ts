import { describe, expect, it } from 'vitest';
import { load, loadProject, outcomes, skillText, type Files } from './testing/libraries.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { RUNTIME_PROFILES } from './types.ts';

const STAR = 'def run(input):\n    return {}\n';
const DESCRIPTION = 'Does t well. Use when t is needed.';

const withFields = (fields: string, files: Files = {}): Files => ({
  't/SKILL.md': skillText('t', DESCRIPTION, fields),
  ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`t/${path}`, content])),
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const notUtf8 = Uint8Array.of(0x78, 0x20, 0x3d, 0x20, 0xff, 0x0a);

describe.each(RUNTIME_PROFILES)('programs under the profile %s', (profile) => {
  it.each<[string, Files, string]>([
    [
      'P04: another language',
      withFields('metaskill_language: lua\n', { 'SKILL.star': STAR }),
      'Lathe can’t run the language `lua`',
    ],
    [
      'P05: the language with a capital',
      withFields('metaskill_language: Starlark\n', { 'SKILL.star': STAR }),
      'only `starlark` with exactly that spelling',
    ],
    [
      'P08: a path out of the folder',
      withFields('metaskill: ../../../etc/passwd\n', { 'SKILL.star': STAR }),
      'is outside the skill’s folder',
    ],
    [
      'P08: a path to a neighbour',
      { ...withFields('metaskill: ../u/SKILL.star\n'), 'u/SKILL.star': STAR },
      'is outside the skill’s folder',
    ],
    ['a path with a NUL', withFields('metaskill: "a\\0b"\n', { 'SKILL.star': STAR }), 'is outside the skill’s folder'],
    ['an absolute path', withFields('metaskill: /etc/passwd\n'), 'is absolute'],
    ['a file that is missing', withFields('metaskill: x.star\n'), 'The program `x.star` doesn’t exist'],
    ['a name longer than any file’s', withFields(`metaskill: ${'x'.repeat(400)}\n`), 'doesn’t exist'],
    ['P16: a folder', withFields('metaskill: sub\n', { 'sub/x.star': STAR }), 'The program `sub` doesn’t exist'],
    [
      'P18: skill.star',
      withFields('', { 'skill.star': STAR }),
      'The program’s name is `skill.star`, but Lathe finds only `SKILL.star`.',
    ],
    ['P20: not UTF-8', withFields('', { 'SKILL.star': notUtf8 }), 'The program `SKILL.star` is not UTF-8.'],
    [
      'P20: declared and not UTF-8',
      withFields('metaskill: a/b.star\n', { 'a/b.star': notUtf8 }),
      'The program `a/b.star` is not UTF-8.',
    ],
    ['P21: frontmatter of its own', withFields('', { 'SKILL.star': `---\nname: x\n---\n${STAR}` }), 'has frontmatter.'],
    ['P24: SKILL.md', withFields('metaskill: SKILL.md\n', { 'SKILL.star': STAR }), '`SKILL.md` can’t be the program'],
    [
      'over 1 MiB',
      withFields('', { 'SKILL.star': bytes(`${STAR}#${'x'.repeat(1024 * 1024)}`) }),
      'over 1 MiB, so it does not run',
    ],
  ])('LIB52: %s is a downgrade with its reason', async (_what, files, reason) => {
    const library = await loadProject(files, { profile });
    const metaskill = library.store.get('t')?.skill.metaskill;
    expect(metaskill === undefined || metaskill.fault !== undefined).toBe(true);
    expect(outcomes(library)['t']).toMatch(/^downgraded: /);
    expect(outcomes(library)['t']).toContain(reason);
    expect(library.lines).toEqual([]);
  });

  it.each<[string, Files, string]>([
    ['P02: SKILL.star by itself', withFields('', { 'SKILL.star': STAR }), 'SKILL.star'],
    ['P17: an empty value', withFields('metaskill:\n', { 'SKILL.star': STAR }), 'SKILL.star'],
    [
      'the default, declared',
      withFields('metaskill: SKILL.star\nmetaskill_language: starlark\n', { 'SKILL.star': STAR }),
      'SKILL.star',
    ],
    [
      'a file in a subfolder',
      withFields('metaskill: ./scripts/../scripts/x.star\n', { 'scripts/x.star': STAR }),
      'scripts/x.star',
    ],
    [
      'another file beside SKILL.star',
      withFields('metaskill: x.star\n', { 'x.star': STAR, 'SKILL.star': notUtf8 }),
      'x.star',
    ],
    ['a key in quotes', withFields('"metaskill": x.star\n', { 'x.star': STAR }), 'x.star'],
    ['a key in escapes', withFields('"meta\\x73kill": x.star\n', { 'x.star': STAR }), 'x.star'],
    ['over 64 KiB', withFields('', { 'SKILL.star': `${STAR}#${'x'.repeat(70_000)}` }), 'SKILL.star'],
    ['exactly 1 MiB', withFields('', { 'SKILL.star': STAR.padEnd(1024 * 1024, '#') }), 'SKILL.star'],
  ])('LIB53: %s runs', async (_what, files, program) => {
    const library = await loadProject(files, { profile });
    expect(outcomes(library)).toEqual({ t: 'loaded' });
    expect(library.store.get('t')?.skill.metaskill).toEqual({ program, language: 'starlark', fault: undefined });
  });

  it('LIB53, P01: a skill without a program is just loaded', async () => {
    const library = await loadProject(withFields(''), { profile });
    expect(outcomes(library)).toEqual({ t: 'loaded' });
    expect(library.store.get('t')?.skill.metaskill).toBeUndefined();
  });
});

describe('reading programs', () => {
  it('LIB53, P42: in a tree that is a skill itself', async () => {
    const tree = createMemoryTree(
      { 'SKILL.md': skillText('t', DESCRIPTION, 'metaskill: a/b.star\n'), 'a/b.star': STAR },
      't',
    );
    const { store } = await load({ project: { tree } });
    expect(store.get('t')?.skill.metaskill?.program).toBe('a/b.star');
  });

  it('LIB57: reads SKILL.md and the program, and nothing else of a skill', async () => {
    const tree = createMemoryTree({
      ...withFields('', { 'SKILL.star': STAR, 'references/a.md': 'x', 'scripts/b.py': 'x', 'README.md': 'x' }),
      'u/SKILL.md': skillText('u', DESCRIPTION),
    });
    const read: string[] = [];
    const recording = {
      ...tree,
      read: (path: string, limit?: number) => {
        read.push(path);
        return tree.read(path, limit);
      },
    };
    await load({ project: { tree: recording } });
    expect(read.toSorted()).toEqual(['.agents/config.yaml', 't/SKILL.md', 't/SKILL.star', 'u/SKILL.md']);
  });
});
