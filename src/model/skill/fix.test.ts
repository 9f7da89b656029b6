import { describe, expect, it } from 'vitest';
import { headingSlug } from './body.ts';
import { applyAction, applyEdits, fixAll, sameBody } from './fix.ts';
import { readSkill } from './skill.ts';
import {
  BODY,
  DESCRIPTION,
  inputOf,
  SOUND,
  withBody,
  withDescription,
  withFields,
  withFrontmatter,
  withName,
  type SkillCase,
} from './testing/skill-case.ts';
import type { SkillInput } from './types.ts';

const textOf = ({ content }: SkillInput): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

const fixed = (given: SkillCase, unsafe = true): SkillInput =>
  fixAll(inputOf(given), given.profile ?? 'standard', { unsafe }).input;

describe('edits', () => {
  const edit = (start: number, end: number, text: string) => ({ range: { start, end }, text });

  it('apply in any order', () => {
    expect(applyEdits('abcdef', [edit(4, 5, 'E'), edit(0, 1, 'A'), edit(2, 2, '-')])).toBe('Ab-cdEf');
  });

  it('of two insertions at one place the earlier in the list comes first', () => {
    expect(applyEdits('ab', [edit(1, 1, '1'), edit(1, 1, '2'), edit(1, 2, 'B')])).toBe('a12B');
  });
});

describe('one fix at a time', () => {
  it('FIX1: a file is not renamed over another one', () => {
    const input = inputOf({ content: SOUND, fileName: 'skill.md', files: { 'SKILL.md': 'another' } });
    expect(applyAction(input, { kind: 'rename-file', from: 'skill.md', to: 'SKILL.md' })).toBeUndefined();
    expect(fixAll(input, 'standard', { unsafe: true }).renames).toEqual([]);
  });

  it('FIX1: a new file is there afterwards', () => {
    const input = inputOf({ content: withBody(`${BODY}\n[x](references/x.md)\n`), files: {} });
    const broken = readSkill(input, 'standard').diagnostics.find(({ rule }) => rule === 'link-broken');
    const after = broken?.fixes[0] && applyAction(input, broken.fixes[0].action);
    expect(after?.files?.get('references/x.md')?.text).toBe('# x\n');
    expect(after && readSkill(after, 'standard').diagnostics.map(({ rule }) => rule)).not.toContain('link-broken');
  });

  it('FIX4: beside a value that is no mapping no field is inserted', () => {
    for (const value of ['""', 'null', '~']) {
      const input = inputOf({ content: withFrontmatter(value) });
      const { diagnostics } = readSkill(input, 'metis');
      expect(diagnostics.map(({ rule }) => rule)).toEqual(
        expect.arrayContaining(['name-missing', 'description-missing']),
      );
      expect(textOf(fixAll(input, 'metis', { unsafe: true }).input)).toBe(withFrontmatter(value));
    }
  });

  it('an edit of a file that is not there has no place', () => {
    expect(applyAction(inputOf({ content: SOUND }), { kind: 'edit', file: 'SKILL.star', edits: [] })).toBeUndefined();
  });
});

describe('all fixes', () => {
  it('FIX3: without leave only safe ones, and never what a person must finish', () => {
    const given = {
      content: withFrontmatter('name: Other\ndescription: Tables of PDF files as CSV, one for each.\nlicense: 1.0'),
      folder: 'ok',
    };
    expect(textOf(fixed(given, false))).toBe(given.content.replace('1.0', '"1.0"'));
    expect(textOf(fixed(given))).toBe(given.content.replace('1.0', '"1.0"').replace('Other', 'ok'));
  });

  it('FIX5: hints are left alone', () => {
    const content = withDescription(`>-\n  ${DESCRIPTION}`).replace('---', '--- ');
    expect(fixAll(inputOf({ content }), 'standard', { unsafe: true }).applied).toEqual([]);
  });

  it('FIX2: only what is wrong changes', () => {
    const content = withFrontmatter(
      `# who\nname: ok   # the folder's\nversion: 1.2.3 # of the tool\ndescription: '${DESCRIPTION}'\nmetadata: {author: me, tags: [a, b]} # all\nallowed-tools:\n  - Read # to look\n  - Write\n`,
    );
    const after = withFrontmatter(
      `# who\nname: ok   # the folder's\ndescription: '${DESCRIPTION}'\nmetadata: # all\n  author: me\n  tags: "a, b"\n  version: 1.2.3 # of the tool\nallowed-tools: Read Write # to look\n`,
    );
    expect(textOf(fixed({ content, profile: 'strict' }))).toBe(after);
  });

  it('FIX5: hundreds of unknown fields move in one go', () => {
    const fields = Array.from({ length: 300 }, (_, n) => `field${n}: text ${n}`);
    const input = fixed({ content: withFields(fields.join('\n')), profile: 'strict' });
    const { skill } = readSkill(input, 'strict');
    expect(Object.keys(skill?.metadata ?? {})).toEqual(fields.map((line) => line.slice(0, line.indexOf(':'))));
  });

  it('two misspelt fields do not become one', () => {
    const input = fixed({
      content: withFrontmatter(`name: ok\nDescription: ${DESCRIPTION}\ndescripton: other`),
      profile: 'strict',
    });
    const { skill } = readSkill(input, 'strict');
    expect(skill?.description).toBe(DESCRIPTION);
    expect({ ...skill?.metadata }).toEqual({ descripton: 'other' });
  });

  it('a name comes from the folder, and a folder that is no name from the name', () => {
    expect(textOf(fixed({ content: withName('PDF Tables'), folder: 'pdf-tables' }, false))).toContain(
      'name: pdf-tables\n',
    );
    expect(fixed({ content: SOUND, folder: 'Odd Folder' }).folder).toBe('ok');
  });

  it('says whether the body is the same', () => {
    const input = inputOf({ content: SOUND });
    expect(sameBody(input, { ...input, content: withFields('license: MIT').replaceAll('\n', '\r\n') })).toBe(true);
    expect(sameBody(input, { ...input, content: `${SOUND}more` })).toBe(false);
  });
});

// As GitHub makes them.
it.each([
  ['The odd ones', 'the-odd-ones'],
  ['`code` & more!', 'code--more'],
  ['A [link](x.md) here', 'a-link-here'],
  ['Über-Größe 2.0', 'über-größe-20'],
  ['snake_case <b>x</b>', 'snake_case-x'],
])('the heading %j has the anchor %j', (heading, slug) => {
  expect(headingSlug(heading)).toBe(slug);
});
