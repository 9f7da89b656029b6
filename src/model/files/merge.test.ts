import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';
import { mergeTexts, splitLines } from './merge.ts';

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
const abc = lines('a', 'b', 'c', 'd', 'e', 'f', 'g');

describe('changes by line', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd', '', '}');
  const texts = fc.array(line, { maxLength: 30 });

  it('MG1: make the one text of the other, in order and apart', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const made: string[] = [];
        let at = 0;
        for (const { start, count, newStart, newCount } of diffLines(before, after)) {
          expect(start).toBeGreaterThanOrEqual(at);
          made.push(...before.slice(at, start));
          expect(made.length).toBe(newStart);
          made.push(...after.slice(newStart, newStart + newCount));
          at = start + count;
        }
        expect([...made, ...before.slice(at)]).toEqual(after);
      }),
    );
  });

  it('MG1: of equal texts are none, and of large different ones are found', () => {
    expect(diffLines(['a', 'b'], ['a', 'b'])).toEqual([]);
    expect(diffLines([], [])).toEqual([]);
    const many = Array.from({ length: 4000 }, (_, index) => String(index % 1500));
    const other = Array.from({ length: 4000 }, (_, index) => String((index * 7) % 1700));
    expect(diffLines(many, other).length).toBeGreaterThan(0);
  });
});

describe('merge', () => {
  it('MG2: takes both where the changes are apart', () => {
    const mine = abc.replace('b\n', 'B\n');
    const theirs = abc.replace('f\n', 'F\nF2\n').replace('d\n', '');
    expect(mergeTexts({ base: abc, mine, theirs })).toEqual({
      text: lines('a', 'B', 'c', 'e', 'F', 'F2', 'g'),
      conflicts: 0,
    });
  });

  it('MG3: takes a change that both made once', () => {
    const mine = abc.replace('b\n', 'B\n').replace('f\n', 'F\n');
    const theirs = abc.replace('b\n', 'B\n');
    expect(mergeTexts({ base: abc, mine, theirs })).toEqual({ text: mine, conflicts: 0 });
  });

  it('MG4: marks what overlaps or touches', () => {
    const mine = abc.replace('c\n', 'mine\n');
    const theirs = abc.replace('c\n', 'theirs\n');
    expect(mergeTexts({ base: abc, mine, theirs, labels: { mine: 'yours', theirs: 'disk' } })).toEqual({
      text: lines('a', 'b', '<<<<<<< yours', 'mine', '=======', 'theirs', '>>>>>>> disk', 'd', 'e', 'f', 'g'),
      conflicts: 1,
    });
    expect(mergeTexts({ base: abc, mine, theirs: abc.replace('d\n', 'D\n') }).conflicts).toBe(1);
  });

  it('MG5: keeps line endings, and writes markers with those of the text', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    const clean = mergeTexts({
      base: crlf(abc),
      mine: crlf(abc.replace('a\n', 'A\n')),
      theirs: crlf(abc.replace('g\n', 'G\n')),
    });
    expect(clean.text).toBe(crlf(lines('A', 'b', 'c', 'd', 'e', 'f', 'G')));
    const marked = mergeTexts({
      base: crlf(abc),
      mine: crlf(abc.replace('a\n', 'A\n')),
      theirs: crlf(abc.replace('a\n', 'x\n')),
    });
    expect(marked.text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('MG6: an unchanged side gives way; texts without a last line ending keep their end', () => {
    expect(mergeTexts({ base: 'a', mine: 'a', theirs: 'b' })).toEqual({ text: 'b', conflicts: 0 });
    expect(mergeTexts({ base: 'a', mine: 'b', theirs: 'a' })).toEqual({ text: 'b', conflicts: 0 });
    expect(mergeTexts({ base: 'a', mine: 'b', theirs: 'b' })).toEqual({ text: 'b', conflicts: 0 });
    expect(mergeTexts({ base: `${abc}z`, mine: `A${abc.slice(1)}z`, theirs: `${abc}Z` })).toEqual({
      text: `A${abc.slice(1)}Z`,
      conflicts: 0,
    });
    expect(mergeTexts({ base: '', mine: 'a', theirs: 'b' }).text).toBe('<<<<<<< mine\na\n=======\nb\n>>>>>>> disk\n');
  });

  it('MG2: never a conflict where an untouched line lies between the changes', () => {
    // Every line is unique, so there is one way only to say what changed.
    const edits = fc.array(fc.constantFrom('keep', 'change', 'drop', 'add'), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(edits, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (ops, owners) => {
        const base: string[] = [];
        const [mine, theirs, wanted]: string[][] = [[], [], []];
        ops.forEach((op, index) => {
          // Two untouched lines between any two edits, so that an insertion does not touch its neighbour.
          const block = [`line ${index}`, `between ${index}`, `and ${index}`].map((text) => `${text}\n`);
          const edited = {
            keep: block,
            change: [`new ${index}\n`, ...block.slice(1)],
            drop: block.slice(1),
            add: [`added ${index}\n`, ...block],
          }[op];
          base.push(...block);
          mine?.push(...(owners[index] === true ? edited : block));
          theirs?.push(...(owners[index] === true ? block : edited));
          wanted?.push(...edited);
        });
        const merged = mergeTexts({
          base: base.join(''),
          mine: mine?.join('') ?? '',
          theirs: theirs?.join('') ?? '',
        });
        expect(merged).toEqual({ text: wanted?.join(''), conflicts: 0 });
      }),
    );
  });

  it('MG7: loses no line that a side added', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, fc.nat(12), fc.nat(12), (base, mineTail, theirTail, cut, other) => {
        const mine = [...base.slice(0, cut), 'only mine\n', ...mineTail].join('');
        const theirs = [...base.slice(0, other), 'only theirs\n', ...theirTail].join('');
        const merged = mergeTexts({ base: base.join(''), mine, theirs }).text;
        expect(merged).toContain('only mine\n');
        expect(merged).toContain('only theirs\n');
      }),
    );
  });
});

const hasGit = spawnSync('git', ['--version']).status === 0;

describe.skipIf(!hasGit)('against git merge-file', () => {
  type Three = readonly [base: string, mine: string, theirs: string];

  /** What git makes of each. One shell runs git for all of them: starting a process from here costs more than the merge. */
  const git = (cases: readonly Three[]): readonly { readonly text: string; readonly conflicts: number }[] => {
    const folder = mkdtempSync(join(tmpdir(), 'lathe-merge-'));
    try {
      cases.forEach((three, number) => {
        mkdirSync(join(folder, String(number)));
        ['base', 'mine', 'theirs'].forEach((name, at) =>
          writeFileSync(join(folder, String(number), name), three[at] ?? ''),
        );
      });
      const merge = 'git merge-file -p -L mine -L base -L disk $n/mine $n/base $n/theirs';
      execFileSync('sh', ['-c', `for n in *; do ${merge} > $n/merged; echo $? > $n/conflicts; done`], { cwd: folder });
      const read = (number: number, name: string): string => readFileSync(join(folder, String(number), name), 'utf8');
      return cases.map((_, number) => ({
        text: read(number, 'merged'),
        conflicts: Number(read(number, 'conflicts')),
      }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  const expectLikeGit = (cases: readonly Three[]): void => {
    const wanted = git(cases);
    cases.forEach(([base, mine, theirs], number) =>
      expect(mergeTexts({ base, mine, theirs }), JSON.stringify(cases[number])).toEqual(wanted[number]),
    );
  };

  /** A text, and two that are made of it by a few random edits. */
  const threeTexts = (line: fc.Arbitrary<string>, length: number) => {
    const edit = fc.record({
      at: fc.nat(length),
      drop: fc.nat(3),
      add: fc.array(line, { maxLength: 3 }),
    });
    const apply = (base: readonly string[], edits: readonly { at: number; drop: number; add: string[] }[]): string => {
      const made = [...base];
      for (const { at, drop, add } of edits) made.splice(at % (made.length + 1), drop, ...add);
      return made.join('');
    };
    return fc
      .tuple(fc.array(line, { maxLength: length }), fc.array(edit, { maxLength: 5 }), fc.array(edit, { maxLength: 5 }))
      .map(([base, mine, theirs]) => [base.join(''), apply(base, mine), apply(base, theirs)] as const);
  };

  it('MG8: the same text and the same conflicts, where lines are mostly different', () => {
    const line = fc.nat(400).map((number) => `line ${number}\n`);
    expectLikeGit(fc.sample(threeTexts(line, 40), 150));
  });

  it('MG8: and where they repeat, so that there are many ways to say what changed', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', '}\n', '  x\n');
    expectLikeGit(fc.sample(threeTexts(line, 30), 250));
  });

  it('MG8: with CRLF, and without a last line ending', () => {
    const base = lines('a', 'b', 'c', 'd', 'e');
    const cases: readonly Three[] = [
      [base, base.replace('b', 'B'), base.replace('b', 'X')],
      [base, `${base}z`, `${base}y`],
      [base, base.slice(0, -1), base.replace('a', 'A')],
      ['', 'a', 'b'],
      ['x', '', 'y'],
    ];
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    expectLikeGit(cases);
    expectLikeGit(cases.map(([one, mine, theirs]) => [crlf(one), crlf(mine), crlf(theirs)] as const));
  });

  it('MG8: git is what it says', () => {
    expect(execFileSync('git', ['--version'], { encoding: 'utf8' })).toMatch(/^git version/);
    expect(splitLines('a\r\nb\n\nc')).toEqual(['a\r\n', 'b\n', '\n', 'c']);
  });
});
