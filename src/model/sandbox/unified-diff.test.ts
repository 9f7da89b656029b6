import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countLines, isBinary, normalDiff, unifiedHunks } from './unified-diff.ts';

describe('two strings', () => {
  it('UD1: nothing changed is nothing', () => {
    expect(unifiedHunks('a\n', 'a\n')).toBe('');
    expect(normalDiff('', '')).toBe('');
  });

  it('UD2: a last line without an end says so', () => {
    expect(unifiedHunks('a\nb', 'a\nb\n')).toBe('@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n');
  });

  it('UD3: from nothing, to nothing', () => {
    expect(unifiedHunks('', 'a\n')).toBe('@@ -0,0 +1 @@\n+a\n');
    expect(unifiedHunks('a\nb\n', '')).toBe('@@ -1,2 +0,0 @@\n-a\n-b\n');
  });

  it('UD4: the heading of a hunk is the nearest line above that starts a section', () => {
    const text = `def one():\n${'    x\n'.repeat(8)}`;
    expect(unifiedHunks(text, text.replace(/x\n$/, 'y\n'))).toMatch(/^@@ -6,4 \+6,4 @@ def one\(\):\n/);
  });

  it('UD5: counted lines, and what is not text', () => {
    expect(countLines('a\nb\nc\n', 'a\nx\ny\nc\n')).toEqual({ added: 2, removed: 1 });
    expect([isBinary(new Uint8Array([1, 0])), isBinary(new Uint8Array([1, 2]))]).toEqual([true, false]);
  });

  it('UD6: the old form', () => {
    expect(normalDiff('one\ntwo\nthree\nfour\nfive\n', 'one\n2\nthree\nfive\nsix\n')).toBe(
      '2c2\n< two\n---\n> 2\n4d3\n< four\n5a5\n> six\n',
    );
  });
});

const hasGit = spawnSync('git', ['--version']).status === 0;
const LINES = [
  'def f(x):\n',
  '    return x\n',
  '\n',
  '    if x:\n',
  '        y = 1\n',
  'class A:\n',
  '}\n',
  '{\n',
  '\tfoo()\n',
  '    # c\n',
  'import os\n',
  '    \n',
];

describe.skipIf(!hasGit)('UD7: hunks are those of git', () => {
  it('for 200 random changes of code-like strings', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lathe-diff-'));
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const line = (): string => LINES[random(LINES.length)] ?? '';
    try {
      const cases = new Map<string, readonly [before: string, after: string]>();
      for (const side of ['a', 'b']) mkdirSync(join(folder, side));
      for (let round = 0; round < 200; round++) {
        const before = Array.from({ length: 5 + random(40) }, line);
        const after = [...before];
        for (let edit = 0; edit <= random(6); edit++) {
          const at = random(after.length + 1);
          const kind = random(3);
          if (kind === 0) after.splice(at, 1 + random(3));
          else if (kind === 1) after.splice(at, 0, ...Array.from({ length: 1 + random(4) }, line));
          else after.splice(at, 0, ...after.slice(at, at + 1 + random(5)));
        }
        const name = `${round}.py`;
        cases.set(name, [before.join(''), after.join('')]);
        writeFileSync(join(folder, 'a', name), before.join(''));
        writeFileSync(join(folder, 'b', name), after.join(''));
      }
      // One process for all of them: starting it costs more than the comparison.
      const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-renames', 'a', 'b'], {
        cwd: folder,
        encoding: 'latin1',
      });
      const hunks = new Map(
        stdout
          .split(/^(?=diff --git )/m)
          .map((part) => [/ b\/b\/(\S+)$/m.exec(part)?.[1], part.slice(part.indexOf('@@'))] as const),
      );
      expect(hunks.size).toBeGreaterThan(150);
      for (const [name, [before, after]] of cases)
        expect(unifiedHunks(before, after), name).toBe(hunks.get(name) ?? '');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
