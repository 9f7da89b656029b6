import { describe, expect, it } from 'vitest';
import {
  admitFiles,
  isGitFolder,
  isReservedName,
  leftOutNote,
  passedOver,
  pathFault,
  whyNotWritten,
} from './write-rules.ts';

const set = (...paths: readonly string[]): ReadonlyMap<string, number> =>
  new Map(paths.map((path, index) => [path, index]));

const admitted = (...paths: readonly string[]): readonly string[] => {
  const result = admitFiles(set(...paths));
  if (!result.ok) throw new Error(result.error);
  return [...result.value.files.keys()];
};

const refusal = (...paths: readonly string[]): string | undefined => {
  const result = admitFiles(set(...paths));
  return result.ok ? undefined : result.error;
};

describe('paths', () => {
  it('WR1: a path that leads out, is too deep or too long, or hides characters is refused', () => {
    const levels = (count: number): string => Array.from({ length: count }, () => 'a').join('/');
    for (const bad of [
      '',
      '/etc/passwd',
      '../x',
      'a/../../x',
      'a//b',
      './a',
      'a/',
      levels(65),
      levels(3000),
      'n'.repeat(256),
      'é'.repeat(128),
      'a\u0000b',
      'a\nb',
      'a\u001b[2Jb',
      'a\u0085',
      'a\u2028b',
      'invoice\u202efdp.sh',
      'a\u200fb',
      '\u061ca',
      'a\u2066b',
    ])
      expect(pathFault(bad), JSON.stringify(bad.slice(0, 40))).toBeDefined();
    for (const good of [
      'SKILL.md',
      levels(64),
      'n'.repeat(255),
      'références/été.md',
      '👩‍🔬.md',
      'a b.txt',
      '.env',
      '...',
    ])
      expect(pathFault(good), good.slice(0, 40)).toBeUndefined();
  });

  it('WR2: names that are devices, drives or separators on some system are refused', () => {
    const bad = ['con', 'NUL.txt', 'com1', 'LPT9.md', 'aux ', 'conin$', 'a\\b', 'c:x'];
    expect(bad.filter((name) => !isReservedName(name))).toEqual([]);
    expect(['console', 'nuls', 'x.con', 'com', 'com10'].filter(isReservedName)).toEqual([]);
    expect(pathFault('scripts/NUL')).toContain('“NUL”');
    for (const name of ['a.md.', 'a.md ', 'SKILL.md:x', 'a*', 'a?', 'a<b', 'a|b', 'a"b', 'dir./x', 'SKILL.md::$DATA']) {
      expect(refusal(name), name).toMatch(/isn't a valid file name on every system/);
      // The user's own disk may have it.
      expect(pathFault(name), name).toBeUndefined();
    }
  });

  it('WR3: names that some disk reads as .git', () => {
    const names = [
      '.git',
      '.GIT',
      '.git ',
      '.git.',
      '.git::$INDEX_ALLOCATION',
      'git~1',
      'GIT~12',
      '.g\u200cit',
      '．git',
    ];
    expect(
      [
        ...names,
        '.gi\u00adt',
        '.git\ufeff',
        '.Git . .',
        '.g\u034fit',
        '.git\u{e0067}',
        '.git\u3164',
        '.G\u0130T',
        '.g\u0131t',
        '.gi\u0307t',
      ].filter((name) => !isGitFolder(name)),
    ).toEqual([]);
    expect(['.gitignore', '.github', 'git', 'git~x', '.gitx', 'a.git'].filter(isGitFolder)).toEqual([]);
  });

  it('WR7: a program never writes to .git', () => {
    expect(whyNotWritten('a/.GIT/config')).toBe('only git itself writes to .git');
    expect(whyNotWritten('a/.gitignore')).toBeUndefined();
  });
});

describe('a set of files', () => {
  it('WR4: version control folders are left out, with one row per folder', () => {
    const result = admitFiles(
      set(
        'SKILL.md',
        '.git/config',
        '.git/hooks/pre-commit',
        'lib/.G\u200bIT/config',
        '.hg/hgrc',
        'a/.svn/entries',
        'notes/.git',
      ),
    );
    expect(result.ok && [...result.value.files.keys()]).toEqual(['SKILL.md']);
    expect(result.ok && result.value.leftOut.map(({ path }) => path)).toEqual([
      '.git',
      'lib/.G\u200bIT',
      '.hg',
      'a/.svn',
      'notes/.git',
    ]);
    expect(leftOutNote(result.ok ? result.value.leftOut : [])).toMatch(/^Left out “\.git”, .* and 2 more\./);
    expect(leftOutNote([])).toBeUndefined();
    const packages = 'Installed packages are large, so install them again where you need them.';
    expect(leftOutNote([passedOver('a/node_modules')])).toBe(`Left out “a/node_modules”. ${packages}`);
    expect(leftOutNote([passedOver('.git'), passedOver('node_modules')])).toBe(
      `Left out “.git”, “node_modules”. Version control settings can run programs. ${packages}`,
    );
  });

  it('WR4: a bare repository under any name loses what git would read, and nothing else', () => {
    expect(
      admitted(
        'SKILL.md',
        'data/HEAD',
        'data/config',
        'data/objects/info/packs',
        'data/refs/heads/main',
        'data/hooks/post-checkout',
        'data/readme.txt',
      ),
    ).toEqual(['SKILL.md', 'data/readme.txt']);
    // Of a work tree, the rest is where `commondir` points; names that a disk folds are the same names.
    expect(admitted('w/HEAD', 'w/commondir', 'w/config', 'w/x.md')).toEqual(['w/x.md']);
    expect(admitted('d/head', 'd/obj\u200bects/x', 'd/refs./x', 'd/config', 'd/x.md')).toEqual(['d/x.md']);
    // Two of the three are a coincidence.
    expect(admitted('SKILL.md', 'refs/a.md', 'objects/b.md', 'config')).toHaveLength(4);
  });

  it('WR5: paths that some disk cannot hold side by side refuse the set', () => {
    expect(refusal('a.md', 'A.md')).toContain('“a.md” and “A.md”');
    expect(refusal('é.md', 'e\u0301.md')).toBeDefined();
    expect(refusal('a', 'a.')).toBeDefined();
    expect(refusal('Dir/x', 'dir/X')).toBeDefined();
    expect(refusal('a', 'a/b')).toBeDefined();
    expect(refusal('A', 'a/b')).toBeDefined();
    // Capitals decide on some disks, and the form of the letters on others.
    expect(refusal('stra\u00dfe.md', 'STRASSE.md')).toBeDefined();
    expect(refusal('\u03bf\u03b4\u03bf\u03c2', '\u03bf\u03b4\u03bf\u03c3')).toBeDefined();
    expect(refusal('\u212a.md', 'k.md')).toBeDefined();
    expect(refusal('\ufb01.md', 'fi.md')).toBeDefined();
    expect(refusal('Dir/x', 'dir/y', 'a.md', 'ab.md')).toBeUndefined();
  });

  it('WR6: one bad path refuses all, in words a terminal can show', () => {
    const message = refusal('SKILL.md', `x\u001b]0;${'y'.repeat(200)}`) ?? '';
    expect(message).toContain('control characters');
    expect(message).not.toContain('\u001b');
    expect(message.length).toBeLessThan(160);
  });
});
