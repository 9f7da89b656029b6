import { describe, expect, it } from 'vitest';
import { noIgnoreRules } from './ignore-rules.ts';

const ROWS: readonly (readonly [rules: string, path: string, isFolder: boolean, ignored: boolean])[] = [
  ['*.log', 'x.log', false, true],
  ['*.log', 'a/b/x.log', false, true],
  ['*.log\n!keep.log', 'keep.log', false, false],
  ['build/', 'build', true, true],
  ['build/', 'build', false, false],
  ['/top.txt', 'top.txt', false, true],
  ['/top.txt', 'a/top.txt', false, false],
  ['a/*.js', 'a/x.js', false, true],
  ['a/*.js', 'a/b/x.js', false, false],
  ['**/cache', 'x/y/cache', true, true],
  ['a/**', 'a/b/c', false, true],
  ['a/**/z', 'a/z', false, true],
  ['a/**/z', 'a/b/c/z', false, true],
  ['# note', '# note', false, false],
  ['\\#note', '#note', false, true],
  ['x?.txt', 'x1.txt', false, true],
  ['[ab].txt', 'b.txt', false, true],
  ['[!ab].txt', 'b.txt', false, false],
  ['trail   ', 'trail', false, true],
  ['trail\\  ', 'trail ', false, true],
  ['trail\\\\  ', 'trail\\', false, true],
  ['a b ', 'a b', false, true],
  ['a[!/]b', 'a/b', false, false],
  ['a?b', 'a/b', false, false],
  ['**', 'a/b', false, true],
  ['a/**/b/**/c', 'a/x/b/y/z/c', false, true],
  ['a/**/b', 'a/xb', false, false],
  ['x**y', 'xay', false, true],
  ['name.with.dots+', 'name.with.dots+', false, true],
  ['[', '[', false, false],
];

describe('.gitignore', () => {
  it.each(ROWS)('IR1: %j and %s', (rules, path, isFolder, ignored) => {
    expect(noIgnoreRules.with('', rules).ignores(path, isFolder)).toBe(ignored);
  });

  it('IR3: takes no longer for a pattern that could match in very many ways', () => {
    const rules = noIgnoreRules.with('', `${'*a'.repeat(100)}*b\n${'**/'.repeat(100)}b\n${'a'.repeat(200_000)}\\`);
    expect(rules.ignores('a'.repeat(4000), false)).toBe(false);
    expect(rules.ignores(`${'a/'.repeat(2000)}c`, false)).toBe(false);
    expect(rules.ignores(`${'a'.repeat(4000)}b`, false)).toBe(true);
  });

  it('IR2: a file below adds to those above, for its own folder', () => {
    const rules = noIgnoreRules.with('', '*.tmp').with('sub', '!keep.tmp\nlocal.txt');
    expect(rules.ignores('sub/keep.tmp', false)).toBe(false);
    expect(rules.ignores('keep.tmp', false)).toBe(true);
    expect(rules.ignores('sub/local.txt', false)).toBe(true);
    expect(rules.ignores('local.txt', false)).toBe(false);
  });
});
