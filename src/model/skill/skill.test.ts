/** The sentences of the skill format and of the metaskill specification that one folder decides. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSkill, type ReadSkill, type Skill } from './skill.ts';
import {
  BODY,
  bytesOf,
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
import { PROFILES, type Profile } from './types.ts';

const read = (content: string | Uint8Array, more: Partial<SkillCase> = {}): ReadSkill =>
  readSkill(inputOf({ content, ...more }), more.profile ?? 'standard');

const load = (content: string | Uint8Array, more: Partial<SkillCase> = {}): Skill => {
  const { skill, diagnostics } = read(content, more);
  if (!skill) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return skill;
};

const rulesOf = ({ diagnostics }: ReadSkill): string[] => diagnostics.map(({ rule }) => rule);

/** By the platform's own SHA-256, not by ours. */
const expectedVersion = (body: string): string => createHash('sha256').update(body, 'utf8').digest('hex').slice(0, 16);

describe('version', () => {
  it('SKILL2: is the first 16 hex digits of the SHA-256 of the body', () => {
    expect(load(SOUND).version).toBe(expectedVersion(BODY));
    expect(load(withBody('')).version).toBe('e3b0c44298fc1c14');
    expect(load(withBody('naïve 😀')).version).toBe(expectedVersion('naïve 😀'));
  });

  it('SKILL2: stays when the frontmatter changes, and changes with the body', () => {
    const { version } = load(SOUND);
    expect(load(SOUND.replace('Extracts', 'Reads')).version).toBe(version);
    expect(load(withFields('license: MIT')).version).toBe(version);
    expect(load(`${SOUND}.`).version).not.toBe(version);
  });

  it('READ4: is the same with every kind of line ending', () => {
    const { version } = load(SOUND);
    expect(load(SOUND.replaceAll('\n', '\r\n')).version).toBe(version);
    expect(load(SOUND.replaceAll('\n', '\r')).version).toBe(version);
    expect(load(bytesOf(SOUND)).version).toBe(version);
  });

  it('READ5: leaves out line breaks in front of the body, and nothing else', () => {
    expect(load(SOUND.replace('---\n\n#', '---\n\n\n\n#')).body).toBe(BODY);
    expect(load(withFrontmatter(`name: ok\ndescription: ${DESCRIPTION}`, '  x \n\n')).body).toBe('  x \n\n');
  });
});

describe('estimated tokens', () => {
  it('SKILL3: are a quarter of the code points, rounded down, at least one', () => {
    expect(load(withBody('')).estimatedBodyTokens).toBe(1);
    expect(load(withBody('abc')).estimatedBodyTokens).toBe(1);
    expect(load(withBody('a'.repeat(11))).estimatedBodyTokens).toBe(2);
    expect(load(withBody('😀'.repeat(12))).estimatedBodyTokens).toBe(3);
    expect(load(withBody('a\r\n'.repeat(4))).estimatedBodyTokens).toBe(2);
  });

  it('SKILL3: are too many above 5,000', () => {
    expect(load(withBody('a'.repeat(20_003))).overBodyTokenWarn).toBe(false);
    expect(load(withBody('a'.repeat(20_004))).overBodyTokenWarn).toBe(true);
    expect(rulesOf(read(withBody('a'.repeat(20_004)), { profile: 'metis' }))).toContain('body-tokens');
  });
});

describe('fields', () => {
  it('SKILL4: the description is stripped', () => {
    expect(load(withDescription(`"  ${DESCRIPTION}\\n "`)).description).toBe(DESCRIPTION);
    expect(load(withDescription(`|\n  ${DESCRIPTION}\n\n`)).description).toBe(DESCRIPTION);
  });

  it('READ8: a scalar keeps its text, whatever type it has elsewhere', () => {
    const skill = load(
      withFields(
        'license: 1.0\nmetadata:\n  version: 1.0\n  octal: 010\n  yes: no\n  when: 2024-01-01\n  nothing: ~\n  text: "q"',
      ),
    );
    expect(skill.license).toBe('1.0');
    expect({ ...skill.metadata }).toEqual({
      version: '1.0',
      octal: '010',
      yes: 'no',
      when: '2024-01-01',
      nothing: '~',
      text: 'q',
    });
    expect(load(withDescription('1.50')).description).toBe('1.50');
  });

  it('READ8: a number as name is its text, with a warning; profile metis refuses it', () => {
    expect(load(withName('123'), { folder: '123' }).name).toBe('123');
    expect(rulesOf(read(withName('123'), { folder: '123' }))).toContain('name-coerced');
    expect(read(withName('123'), { folder: '123', profile: 'metis' }).skill).toBeUndefined();
    expect(load(withName('123'), { folder: '123', profile: 'strict' }).name).toBe('123');
  });

  it.each<[string, string[]]>([
    ['Bash(gh pr:*) Read', ['Bash(gh pr:*)', 'Read']],
    ['Read, Write,Edit', ['Read', 'Write', 'Edit']],
    ['  Read\u00A0Write  ', ['Read', 'Write']],
    ['Bash(a (b), c) Read', ['Bash(a (b), c)', 'Read']],
    ['Bash(never closed', ['Bash(never closed']],
    ['[Read, "Bash(gh pr:*)"]', ['Read', 'Bash(gh pr:*)']],
    ['\n  - Read\n  - Write', ['Read', 'Write']],
    ['', []],
  ])('READ10: allowed-tools %j', (text, tools) => {
    expect(load(withFields(`allowed-tools: ${text}`)).allowedTools).toEqual(tools);
  });

  it('READ9: limits count code points, not units or bytes', () => {
    const long = (count: number): string[] => rulesOf(read(withDescription('😀'.repeat(count))));
    expect(long(1024)).not.toContain('description-length');
    expect(long(1025)).toContain('description-length');
  });

  it('READ7: the last of a repeated key counts', () => {
    expect(load(withFields('license: MIT\nlicense: ISC'), { profile: 'metis' }).license).toBe('ISC');
  });

  it('what is not there is not there', () => {
    const skill = load(SOUND);
    expect(skill.license).toBeUndefined();
    expect(skill.compatibility).toBeUndefined();
    expect(skill.metadata).toBeUndefined();
    expect(skill.allowedTools).toEqual([]);
  });

  it('SKILL4: a Unicode name is in normal form under strict', () => {
    expect(load(withName('ａbc'), { folder: 'abc', profile: 'strict' }).name).toBe('abc');
    expect(load(withName('" ok "'), { profile: 'strict' }).name).toBe('ok');
  });

  it('claude-code takes the folder’s name where none is given', () => {
    expect(load(withFrontmatter(`description: ${DESCRIPTION}`), { profile: 'claude-code' }).name).toBe('ok');
  });
});

describe('frozen', () => {
  it('SKILL5: nothing of a skill can be changed', () => {
    const skill = load(withFields('metadata:\n  a: b\nallowed-tools: Read'), { files: { 'SKILL.star': 'x' } });
    const write = (target: object | undefined, key: string): boolean => Reflect.set(target ?? {}, key, 'changed');
    expect(write(skill, 'name')).toBe(false);
    expect(write(skill, 'added')).toBe(false);
    expect(write(skill.metadata, 'a')).toBe(false);
    expect(write(skill.allowedTools, '0')).toBe(false);
    expect(write(skill.metaskill, 'program')).toBe(false);
    expect(() => Object.assign(skill, { body: 'changed' })).toThrow(TypeError);
    expect(skill.version).toBe(skill.version);
  });
});

describe('loaded or not', () => {
  it('SKILL1: loaded if and only if there is no error', () => {
    for (const content of [
      SOUND,
      withName('Bad Name'),
      withFields('unknown: x'),
      withFields('metadata: {a: b}'),
      withDescription('42'),
      '',
    ]) {
      for (const profile of PROFILES) {
        const { skill, diagnostics } = read(content, { profile });
        expect(skill !== undefined).toBe(diagnostics.every(({ severity }) => severity !== 'error'));
      }
    }
  });

  it('D2: a wrong name is not loaded, but by Claude Code', () => {
    const loading = (content: string, folder: string): Profile[] =>
      PROFILES.filter((profile) => read(content, { profile, folder }).skill !== undefined);
    expect(loading(withName('my_skill'), 'my_skill')).toEqual(['claude-code']);
    expect(loading(withName('a'.repeat(65)), 'a'.repeat(65))).toEqual(['claude-code']);
    // Claude's upload check does not look at the folder.
    expect(loading(SOUND, 'other')).toEqual(['claude-upload', 'claude-code']);
  });
});

/** Cases P of the conformance list (`model/metaskill/SPEC.md`), by their numbers. */
describe('metaskills', () => {
  const PROGRAM = 'def run(input):\n    return "done"\n';
  const KEYS = `${BODY}\nInput keys: none\n`;
  const star = { 'SKILL.star': PROGRAM };
  const given = (lines: string, files: SkillCase['files'] = star): ReadSkill =>
    read(withFields(lines, KEYS), { files: files ?? {}, profile: 'metaskill' });
  const programOf = ({ skill }: ReadSkill): string | undefined => skill?.metaskill?.program;
  const isText = (result: ReadSkill): boolean => result.skill !== undefined && result.skill.metaskill === undefined;

  it('P01: a skill without a program is text', () => {
    expect(isText(given('', {}))).toBe(true);
    expect(given('', {}).diagnostics).toEqual([]);
  });

  it('P02, META1: SKILL.star is the program where no field says otherwise', () => {
    expect(given('').skill?.metaskill).toEqual({ program: 'SKILL.star', language: 'starlark', fault: undefined });
  });

  it('P04, META4: another language leaves text', () => {
    expect(isText(given('metaskill_language: lua'))).toBe(true);
  });

  it('P05, META4: so does another spelling, with a hint', () => {
    const result = given('metaskill_language: Starlark');
    expect(isText(result)).toBe(true);
    expect(result.diagnostics.find(({ rule }) => rule === 'MS-language-unsupported')?.fixes[0]?.title).toContain(
      'starlark',
    );
  });

  it('P08, META2: a path that leaves the folder is refused', () => {
    const result = given('metaskill: ../../../etc/passwd');
    expect(isText(result)).toBe(true);
    expect(rulesOf(result)).toContain('MS-path-escape');
  });

  it('P13, P14, META2: so is a link that leaves it, declared or not', () => {
    expect(isText(given('metaskill: link.star', { 'link.star': { size: 1, escapes: true } }))).toBe(true);
    expect(isText(given('', { 'SKILL.star': { size: 1, escapes: true } }))).toBe(true);
  });

  it('P16, META3: a folder is not a program', () => {
    expect(isText(given('metaskill: sub', { 'sub/x.star': PROGRAM }))).toBe(true);
    expect(isText(given('metaskill: missing.star'))).toBe(true);
  });

  it('P17, META1: an empty field is an absent one', () => {
    expect(programOf(given('metaskill:'))).toBe('SKILL.star');
    expect(programOf(given('metaskill: ""'))).toBe('SKILL.star');
  });

  it('P18, META1: skill.star is not found, and a hint says so', () => {
    const result = given('', { 'skill.star': PROGRAM });
    expect(isText(result)).toBe(true);
    expect(rulesOf(result)).toContain('MS-file-case');
  });

  it('P20, META5: a program that is not UTF-8 is found, and will not run', () => {
    const result = given('', { 'SKILL.star': { size: 3, notUtf8: true } });
    expect(result.skill?.metaskill?.fault).toBe('not-utf8');
    expect(rulesOf(result)).toContain('MS-not-utf8');
  });

  it('P21, META5: nor will one with frontmatter', () => {
    const result = given('', { 'SKILL.star': `---\nname: ok\n---\n${PROGRAM}` });
    expect(result.skill?.metaskill?.fault).toBe('own-frontmatter');
    expect(rulesOf(result)).toContain('MS-own-frontmatter');
  });

  it('P22: a byte order mark in the program is reported', () => {
    expect(rulesOf(given('', { 'SKILL.star': `\uFEFF${PROGRAM}` }))).toContain('MS-bom');
  });

  it('META5: over 64 KiB it runs with a warning, over 1 MiB it does not', () => {
    expect(given('', { 'SKILL.star': { size: 65_537 } }).skill?.metaskill?.fault).toBeUndefined();
    expect(given('', { 'SKILL.star': { size: 1_048_577 } }).skill?.metaskill?.fault).toBe('too-large');
  });

  it('P24, META2: SKILL.md is not a program', () => {
    expect(isText(given('metaskill: SKILL.md'))).toBe(true);
    expect(isText(given('metaskill: ./SKILL.md'))).toBe(true);
  });

  it.each(['Ok', '-ok', 'ok-', 'o--k', 'o_k', 'o.k', '""'])('P25: the name %s is rejected', (name) => {
    expect(read(withName(name), { folder: name, profile: 'metaskill' }).skill).toBeUndefined();
  });

  it('P26: a name that is not the folder’s is rejected', () => {
    expect(read(SOUND, { folder: 'other', profile: 'metaskill' }).skill).toBeUndefined();
  });

  it('P27: a name has at most 64 characters', () => {
    const named = (length: number): ReadSkill =>
      read(withName('a'.repeat(length)), { folder: 'a'.repeat(length), profile: 'metaskill' });
    expect(named(64).skill).toBeDefined();
    expect(named(65).skill).toBeUndefined();
  });

  it('P28: one character and digits only are names', () => {
    expect(load(withName('a'), { folder: 'a', profile: 'metaskill' }).name).toBe('a');
    expect(load(withName('1'), { folder: '1', profile: 'metaskill' }).name).toBe('1');
  });

  it('P34: a description on several lines is joined by single spaces', () => {
    expect(load(withDescription('one\n  two\n    three'), { profile: 'metaskill' }).description).toBe('one two three');
  });

  it.each([
    ['>', 'one two'],
    ['>-', 'one two'],
    ['|-', 'one\ntwo'],
  ])('P36: `description: %s` is YAML, with a warning', (header, text) => {
    const result = read(withDescription(`${header}\n  one\n  two`), { profile: 'metaskill' });
    expect(result.skill?.description).toBe(text);
    expect(result.diagnostics.find(({ rule }) => rule === 'MS-yaml-portability')?.severity).toBe('warning');
  });

  it('P38: CRLF and spaces behind delimiters are accepted, other delimiters are not', () => {
    const valid = (content: string): boolean => read(content, { profile: 'metaskill' }).skill !== undefined;
    expect(valid(SOUND.replaceAll('\n', '\r\n'))).toBe(true);
    expect(valid(SOUND.replace('---', '---  ').replace('\n---\n', '\n--- \n'))).toBe(true);
    expect(valid(`\uFEFF${SOUND}`)).toBe(false);
    expect(valid(`\n${SOUND}`)).toBe(false);
    expect(valid(SOUND.replace('---', '----'))).toBe(false);
    expect(valid(SOUND.replace('\n---\n', '\n...\n'))).toBe(false);
  });

  it('P39: a SKILL.md that is not UTF-8 is not loaded', () => {
    expect(read(bytesOf(SOUND, 0xff), { profile: 'metaskill' }).skill).toBeUndefined();
  });

  it.each(['Input keys: none', 'INPUT KEYS: none', '## Input keys', '**Input keys:** path'])(
    'META6: “%s” documents the input',
    (line) => {
      expect(rulesOf(read(withBody(`${BODY}\n${line}\n`), { files: star }))).not.toContain(
        'MS-input-keys-undocumented',
      );
    },
  );
});
