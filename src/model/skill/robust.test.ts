/** Whatever the input is: no exception, no endless work, nothing polluted. */
import { describe, expect, it } from 'vitest';
import { diagnose, isValid } from './diagnose.ts';
import { readDocument, type SkillDocument } from './document.ts';
import { fixAll } from './fix.ts';
import { readSkill, type ReadSkill } from './skill.ts';
import { decodeText } from './source-text.ts';
import { hostileFile } from './testing/hostile-texts.ts';
import { seededRandom } from './testing/random.ts';
import { SOUND, withBody, withDescription, withFields, withFrontmatter, withName } from './testing/skill-case.ts';
import { PROFILES, type Diagnostic, type SkillInput } from './types.ts';

const FILES = new Map([
  ['SKILL.md', { size: 1 }],
  ['scripts/a.py', { size: 8, text: 'import x' }],
  ['references/b.md', { size: 8, text: '# B\n\n[a](c.md)\n' }],
]);

const inputOf = (content: string | Uint8Array): SkillInput => ({
  content,
  fileName: 'SKILL.md',
  folder: 'ok',
  files: FILES,
  knownSkills: new Set(['ok']),
});

const MEGABYTE = 1024 * 1024;
const BIG = 10 * MEGABYTE;

/** Reads under every profile and fixes under one; gives what `standard` says. */
const survive = (content: string | Uint8Array): ReadSkill => {
  const input = inputOf(content);
  const document = readDocument(input);
  const [diagnostics = []] = PROFILES.map((profile) => diagnose(document, profile));
  fixAll(input, 'strict', { unsafe: true });
  return { document, diagnostics, skill: isValid(diagnostics) ? readSkill(input, 'standard').skill : undefined };
};

const rulesOf = (read: ReadSkill): string[] => [...new Set(read.diagnostics.map(({ rule }) => rule))];

const liesInside = ({ file, range }: Diagnostic, { text }: SkillDocument): boolean =>
  file !== 'SKILL.md' || (range.start >= 0 && range.start <= range.end && range.end <= text.length);

describe('random and mutated files', () => {
  // In four parts, so that a slow machine stays within the time that a test has.
  it.each([1, 2, 3, 4])('2,500 of 10,000, seed %i', (seed) => {
    const random = seededRandom(seed);
    const outside: Diagnostic[] = [];
    for (let count = 0; count < 2500; count++) {
      const input = inputOf(hostileFile(random));
      const document = readDocument(input);
      // Half of the profiles in turn, and fixes for every second file: fixing is reading many times over.
      for (const profile of PROFILES.slice(count % 2 === 0 ? 3 : 0, count % 2 === 0 ? 6 : 3))
        outside.push(...diagnose(document, profile).filter((diagnostic) => !liesInside(diagnostic, document)));
      if (count % 2 === 0) fixAll(input, random.pick(PROFILES), { unsafe: random.chance(0.5) });
    }
    expect(outside).toEqual([]);
  });
});

describe('10 MB', () => {
  it('of body', () => {
    expect(
      survive(withBody(`# Big\n\n${'All work and no play. '.repeat(BIG / 22)}`)).skill?.estimatedBodyTokens,
    ).toBeGreaterThan(2_600_000);
  });

  it('less, with Windows line endings', () => {
    expect(survive(withBody('word\r\n'.repeat(MEGABYTE / 3))).skill).toBeDefined();
  });

  it('of frontmatter that is never closed', () => {
    expect(rulesOf(survive(`---\nname: ok\n${'a: b\n'.repeat(BIG / 5)}`))).toContain('frontmatter-unclosed');
  });

  it('of frontmatter', () => {
    expect(rulesOf(survive(withFields('key: value\n'.repeat(BIG / 11))))).toContain('yaml-limit');
  });

  it('of `---`', () => {
    expect(survive('---\n'.repeat(BIG / 4)).skill).toBeUndefined();
  });

  it('of bytes that are not UTF-8', () => {
    const bytes = new Uint8Array(BIG).fill(97);
    bytes[BIG - 2] = 0xff;
    const read = survive(bytes);
    expect(read.document.invalidAt).toBe(BIG - 2);
    expect(rulesOf(read)).toContain('not-utf8');
  });

  it('of NUL', () => {
    expect(survive(new Uint8Array(BIG)).skill).toBeUndefined();
    expect(survive(withBody('\u0000'.repeat(BIG))).skill).toBeDefined();
  });
});

describe('bytes that are not UTF-8', () => {
  const place = (...bytes: number[]): number | undefined => decodeText(new Uint8Array(bytes)).invalidAt;

  it('READ1: the first bad byte is found', () => {
    expect(place()).toBeUndefined();
    expect(place(0x61, 0xff, 0x61)).toBe(1);
    expect(place(0x80)).toBe(0);
    expect(place(0xc3, 0xa9, 0xc3)).toBe(2);
    expect(place(0x61, 0xe2, 0x82, 0x61)).toBe(1);
    expect(place(0xf0, 0x9f, 0x98, 0x80, 0xf0, 0x9f, 0x98)).toBe(4);
    expect(place(0x61, 0xed, 0xa0, 0x80), 'a surrogate').toBe(1);
    expect(place(0xc0, 0xaf), 'too long a form').toBe(0);
    expect(place(0xf4, 0x90, 0x80, 0x80), 'above U+10FFFF').toBe(0);
    expect(place(0xef, 0xbb, 0xbf, 0xff), 'behind a byte order mark').toBe(3);
  });

  it('READ1: it is found wherever it stands', () => {
    const sound = new TextEncoder().encode('añ€😀');
    for (let at = 0; at <= sound.length; at++) {
      const bytes = [...sound.subarray(0, at), 0xff, ...sound.subarray(at)];
      // A character that is cut by the bad byte is itself what is bad.
      const starts = [0, 1, 3, 6, 10];
      expect(place(...bytes)).toBe(starts.findLast((start) => start <= at));
    }
  });

  it('FIX6: such a file is never written', () => {
    const bytes = new Uint8Array([...new TextEncoder().encode(`${SOUND.replaceAll('\n', '\r\n')}\`\`\`\n`), 0xff]);
    expect(fixAll(inputOf(bytes), 'standard', { unsafe: true })).toMatchObject({
      applied: [],
      input: { content: bytes },
    });
  });
});

describe('deep and expanding YAML', () => {
  const nested = (levels: number): string =>
    Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:`).join('\n');
  const bomb = (levels: number): string =>
    [
      'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: levels }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]`),
    ].join('\n');
  const mergeBomb = (levels: number): string =>
    [
      'a0: &a0 {k0: x}',
      ...Array.from(
        { length: levels },
        (_, n) => `a${n + 1}: &a${n + 1}\n  <<: [${Array(10).fill(`*a${n}`).join(', ')}]\n  k${n + 1}: x`,
      ),
    ].join('\n');

  it.each([
    ['[ × 100,000', '['.repeat(100_000)],
    ['[ × 60,000', `x: ${'['.repeat(60_000)}`],
    ['- × 100,000', '- '.repeat(100_000)],
    ['- × 30,000', '- '.repeat(30_000)],
    ['3,000 levels of a:', nested(3000)],
    ['350 levels of a:', nested(350)],
    ['{a: × 10,000', '{a: '.repeat(10_000)],
    ['? × 10,000', '? '.repeat(10_000)],
    [': × 10,000', ': '.repeat(10_000)],
    ['&a × 10,000', '&a '.repeat(10_000)],
    ['!a × 10,000', '!a '.repeat(10_000)],
    ['a: > × 3,000', 'a: >\n'.repeat(3000)],
  ])('%s', (_, yaml) => {
    expect(survive(withFrontmatter(yaml)).skill).toBeUndefined();
    expect(survive(withFields(`x: ${yaml}`)).document.text.length).toBeGreaterThan(0);
  });

  it('says where it is too deep', () => {
    const { document, diagnostics } = survive(withFields(`x: ${'['.repeat(100)}${']'.repeat(100)}`));
    const limit = diagnostics.find(({ rule }) => rule === 'yaml-limit');
    expect(limit?.range.start).toBe(document.text.indexOf('[') + 64);
  });

  it('READ6: an alias bomb stays small', () => {
    const read = survive(withFields(`${bomb(10)}\nmetadata:\n  all: *a10`));
    expect(rulesOf(read)).toContain('yaml-anchor');
    expect(JSON.stringify(read.diagnostics).length).toBeLessThan(200_000);
  });

  it('READ6: so does a bomb of merge keys', () => {
    const content = withFields(`${mergeBomb(10)}\nmetadata:\n  <<: *a10`);
    survive(content);
    expect(Object.keys(readSkill(inputOf(content), 'metis').skill?.metadata ?? {}).toSorted()).toEqual(
      Array.from({ length: 11 }, (_, n) => `k${n}`).toSorted(),
    );
  });

  it('an alias that points to what it is part of, or to nothing', () => {
    expect(survive(withFields('x: &x [*x]')).skill).toBeUndefined();
    expect(survive(withFields('metadata: &m\n  a: *m')).skill).toBeUndefined();
    expect(survive(withFields('x: *nothing')).skill).toBeUndefined();
    expect(survive(withFields('metadata:\n  <<: *metadata')).skill).toBeUndefined();
  });

  it('many keys', () => {
    const keys = (count: number): string => Array.from({ length: count }, (_, n) => `k${n}: v`).join('\n');
    expect(rulesOf(survive(withFields(keys(100_000))))).toContain('yaml-limit');
    expect(rulesOf(survive(withFields(keys(6000))))).toContain('field-unknown');
    expect(survive(withFields(`metadata:\n${keys(5000).replace(/^/gm, '  ')}`)).skill?.metadata?.['k4999']).toBe('v');
    const fixed = fixAll(
      inputOf(withFields(`${keys(1500)}\nmetadata:\n${keys(1500).replace(/^/gm, '  ')}`)),
      'strict',
      { unsafe: true },
    );
    expect(readSkill(fixed.input, 'strict').skill?.metadata?.['k1499-2']).toBe('v');
  });
});

describe('keys that are names of JavaScript', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
  const content = withFields(`metadata:\n${names.map((name) => `  ${name}: text of ${name}`).join('\n')}`);

  it.each(PROFILES)('READ6: are just keys, %s', (profile) => {
    const { skill } = readSkill(inputOf(content), profile);
    expect(Object.keys(skill?.metadata ?? {})).toEqual(names);
    for (const name of names) expect(skill?.metadata?.[name]).toBe(`text of ${name}`);
  });

  it('READ6: and harm nothing, also at the top and in values', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    survive(withFields(names.map((name) => `${name}:\n  polluted: yes`).join('\n')));
    survive(withFields('allowed-tools: __proto__ constructor\n<<: {__proto__: {polluted: yes}}'));
    survive(withName('__proto__'));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect('polluted' in {}).toBe(false);
  });
});

describe('lone surrogates', () => {
  it.each(['\uD83D', '\uDE00', '\uDE00\uD83D'])('%j', (half) => {
    expect(survive(withDescription(`a${half}b`)).skill).toBeUndefined();
    expect(survive(withBody(`# A${half}\n`)).skill).toBeDefined();
    expect(survive(half).skill).toBeUndefined();
  });
});
