import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../document.ts';
import type { Profile } from '../types.ts';
import { completeSkill, type LanguageFacts } from './completion.ts';
import { hoverSkill } from './hover.ts';
import { linksOf, linkTarget } from './links.ts';
import { outlineOf } from './outline.ts';
import { placeAt } from './place.ts';

const facts: LanguageFacts = {
  profile: 'standard',
  folder: 'csv-tidy',
  files: new Map([
    ['SKILL.md', { size: 400 }],
    ['scripts/tidy.py', { size: 2048 }],
    ['references/rules.md', { size: 90 }],
  ]),
  skills: [
    { name: 'csv-tidy', description: 'Tidies tables.' },
    { name: 'sql-style', description: 'Reads queries.' },
  ],
};

/** The cursor is where `|` stands. */
const at = (marked: string): [text: string, offset: number] => [marked.replace('|', ''), marked.indexOf('|')];
const labels = (marked: string, more: Partial<LanguageFacts> = {}) =>
  completeSkill(...at(marked), { ...facts, ...more }).map(({ label }) => label);
/** The text with the first completion of that label. */
const accept = (marked: string, label: string): string => {
  const [text, offset] = at(marked);
  const item = completeSkill(text, offset, facts).find((one) => one.label === label);
  if (!item) throw new Error(`nothing offers ${label}`);
  return text.slice(0, item.range.start) + item.insert + text.slice(item.range.end);
};
const kindAt = (marked: string) => placeAt(...at(marked)).kind;

describe('where the cursor is', () => {
  it('LG1: frontmatter goes to its closing line, or to the end', () => {
    expect(kindAt('---\nna|\n---\nbody')).toBe('field-name');
    expect(kindAt('---\nname: x\nde|')).toBe('field-name');
    expect(kindAt('---\nname: x\n---\nde|')).toBe('body-line');
    expect(kindAt('\uFEFF---\r\nna|\r\n---\r\n')).toBe('field-name');
  });
  it('LG2: a part of a word at the beginning of a line is a field name', () => {
    expect(kindAt('---\n|\n---\n')).toBe('field-name');
    expect(kindAt('---\ndesc|: old\n---\n')).toBe('field-name');
    expect(kindAt('---\nsome words|\n---\n')).toBe('none');
  });
  it('LG3: behind a colon is the value', () => {
    expect(placeAt(...at('---\neffort: lo|\n---\n'))).toMatchObject({ kind: 'field-value', field: 'effort' });
    expect(kindAt('---\neffort:|\n---\n')).toBe('none');
  });
  it('LG4: one tool, in a string and in a list', () => {
    const [text, offset] = at('---\nallowed-tools: Read Gr| Bash(git add:*)\n---\n');
    const place = placeAt(text, offset);
    expect(place).toMatchObject({ kind: 'tool' });
    expect(place.kind === 'tool' && text.slice(place.range.start, place.range.end)).toBe('Gr');
    expect(place.kind === 'tool' && [...place.present]).toEqual(expect.arrayContaining(['Read', 'Bash']));
    expect(kindAt('---\nallowed-tools:\n  - Read\n  - Gr|\n---\n')).toBe('tool');
    expect(kindAt('---\nallowed-tools: Bash(git| add:*)\n---\n')).toBe('none');
  });
  it('LG5: links and paths of the body', () => {
    const front = '---\nname: x\n---\n';
    expect(kindAt(`${front}See [[sq|`)).toBe('skill-link');
    expect(kindAt(`${front}See [rules](ref|`)).toBe('path');
    expect(kindAt(`${front}Run scripts/ti|`)).toBe('path');
    expect(kindAt(`${front}Run \`./scr|\``)).toBe('path');
    expect(kindAt(`${front}See [[a]] and more|`)).toBe('none');
  });
  it('LG6: an empty file wants a whole skill', () => {
    expect(kindAt('|')).toBe('empty-file');
    expect(kindAt(' \n|')).toBe('empty-file');
  });
  it('never throws and stays inside the text', () => {
    const piece = fc.constantFrom(
      '---',
      '\n',
      '\r\n',
      'name: ',
      'allowed-tools: ',
      '- ',
      '[[',
      ']]',
      '](',
      'a',
      ' ',
      '(',
      'scripts/',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), (pieces, seed) => {
        const text = pieces.join('');
        const offset = text === '' ? 0 : seed % (text.length + 1);
        for (const { range } of completeSkill(text, offset, facts)) {
          expect(range.start).toBeGreaterThanOrEqual(0);
          expect(range.end).toBeLessThanOrEqual(text.length);
          expect(range.start).toBeLessThanOrEqual(range.end);
        }
        hoverSkill(text, offset, facts);
        outlineOf(text);
      }),
    );
  });
});

describe('completion', () => {
  it('LG10: the fields of the profile, without those that are there', () => {
    expect(labels('---\nname: a\n|\n---\n').slice(0, 5)).toEqual([
      'description',
      'license',
      'compatibility',
      'metadata',
      'allowed-tools',
    ]);
    expect(labels('---\n|\n---\n')).toContain('disable-model-invocation');
    for (const profile of ['strict', 'metis', 'claude-upload'] satisfies Profile[])
      expect(labels('---\n|\n---\n', { profile })).toHaveLength(6);
    expect(labels('---\n|\n---\n', { profile: 'metaskill' })).toContain('metaskill');
    expect(labels('---\n|\n---\n', { profile: 'claude-code' })).not.toContain('modeSlugs');
    expect(labels('---\nname|: a\n---\n')).toContain('name');
  });
  it('LG10: a field of some hosts names them', () => {
    const item = completeSkill(...at('---\nargument-h|\n---\n'), facts).find(({ label }) => label === 'argument-hint');
    expect(item?.detail).toContain('Claude Code, VS Code, Copilot');
  });
  it('LG11: a name comes with its colon, unless one is there', () => {
    expect(accept('---\ndes|\n---\n', 'description')).toBe('---\ndescription: \n---\n');
    expect(accept('---\ndes|: x\n---\n', 'description')).toBe('---\ndescription: x\n---\n');
  });
  it('LG12: values', () => {
    expect(accept('---\nname: |\n---\n', 'csv-tidy')).toBe('---\nname: csv-tidy\n---\n');
    expect(labels('---\neffort: |\n---\n')).toEqual(['low', 'medium', 'high', 'max']);
    expect(labels('---\ndescription: |\n---\n')).toEqual([]);
  });
  it('LG13: tools that are not there yet', () => {
    const offered = labels('---\nallowed-tools: Read |\n---\n');
    expect(offered).toContain('Grep');
    expect(offered).not.toContain('Read');
    expect(accept('---\nallowed-tools: Read Gr|\n---\n', 'Grep')).toBe('---\nallowed-tools: Read Grep\n---\n');
  });
  it('LG14: other skills, closed once', () => {
    expect(labels('---\nname: x\n---\nSee [[|')).toEqual(['sql-style']);
    expect(accept('---\nname: x\n---\nSee [[s|', 'sql-style')).toBe('---\nname: x\n---\nSee [[sql-style]]');
    expect(accept('---\nname: x\n---\nSee [[s|]] now', 'sql-style')).toBe('---\nname: x\n---\nSee [[sql-style]] now');
  });
  it('LG15: files of the skill', () => {
    expect(labels('---\nname: x\n---\n[a](|)')).toEqual(['scripts/tidy.py', 'references/rules.md']);
    expect(accept('---\nname: x\n---\n[a](scr|)', 'scripts/tidy.py')).toBe('---\nname: x\n---\n[a](scripts/tidy.py)');
  });
  it('LG16, LG6: snippets', () => {
    expect(labels('---\nname: x\n---\nst|')).toContain('steps');
    expect(accept('|', 'skill')).toMatch(/^---\nname: csv-tidy\ndescription: /);
  });
});

describe('hover', () => {
  const text =
    '---\nname: csv-tidy\ndescription: Tidies tables. Use when rows are messy.\nallowed-tools: Read Bsh(git:*)\nfoo: 1\n---\nSee [[sql-style]], [[gone]], [x](scripts/tidy.py#L3) and references/no.md.\n';
  const hover = (word: string, from = 0) => hoverSkill(text, text.indexOf(word, from) + 1, facts)?.text;
  it('LG20: fields, with lengths and tokens', () => {
    expect(hover('name')).toContain('8 of 64 characters');
    expect(hover('Tidies')).toContain('39 of 1,024 characters. About 9 tokens in every request.');
    expect(hover('foo')).toContain('isn’t a field');
  });
  it('LG21: tools', () => {
    expect(hover('Read')).toContain('a known tool');
    expect(hover('Bsh')).toContain('did you mean `Bash`');
  });
  it('LG22, LG23: links', () => {
    expect(hover('sql-style')).toContain('Reads queries.');
    expect(hover('gone')).toBe('No skill has the name `gone`.');
    expect(hover('scripts/tidy')).toBe('`scripts/tidy.py` · 2.0 KB');
    expect(hover('references/no')).toBe('`references/no.md` doesn’t exist.');
  });
});

describe('outline and links', () => {
  const text =
    '---\nname: x\ndescription: |\n  One\n  two\n---\n# A\n\n## B\n\n```\n# no\n```\n\n### C\n\n## D ##\n\n# E\n';
  it('LG30: fields and nested headings', () => {
    const [front, a, e] = outlineOf(text);
    expect(front?.children.map(({ name, detail }) => [name, detail])).toEqual([
      ['name', 'x'],
      ['description', 'One'],
    ]);
    expect([a?.name, a?.children.map(({ name }) => name), e?.name]).toEqual(['A', ['B', 'D'], 'E']);
    expect(a?.children[0]?.children.map(({ name }) => name)).toEqual(['C']);
  });
  it('LG31: a part ends where the next of its level starts', () => {
    const [, a, e] = outlineOf(text);
    expect(text.slice(0, a?.range.end)).toMatch(/## D ##\n\n$/);
    expect(e?.range.end).toBe(text.length);
    expect(text.slice(a?.children[0]?.range.end).startsWith('## D')).toBe(true);
  });
  it('LG32: what a target means', () => {
    expect(linkTarget('references/a%20b.md#part')).toEqual({ kind: 'file', path: 'references/a b.md' });
    expect(linkTarget('./scripts/../x.md')).toEqual({ kind: 'file', path: 'x.md' });
    expect(linkTarget('https://example.com/a')).toEqual({ kind: 'address', url: 'https://example.com/a' });
    for (const none of ['#top', '../../etc/passwd', '/etc/passwd', 'javascript:alert(1)', 'C:\\x', 'data:text/html,x'])
      expect(linkTarget(none)).toBeUndefined();
  });
  it('LG32: links, mentions and skills, each place once, in order', () => {
    const document = readDocument({
      content: '---\nname: x\n---\nRun scripts/a.py, see [b](references/b.md) and [[other]].\n',
      fileName: 'SKILL.md',
    });
    expect(linksOf(document).map(({ target }) => target)).toEqual([
      { kind: 'file', path: 'scripts/a.py' },
      { kind: 'file', path: 'references/b.md' },
      { kind: 'skill', name: 'other' },
    ]);
  });
});
