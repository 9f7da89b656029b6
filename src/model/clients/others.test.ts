import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { listingFor, listingIn } from './registry.ts';
import { found, frontmatter } from './testing/found.ts';
import { planTrims } from './trim.ts';
import { CLIENT_IDS, type ClientId, type ClientOptions, type FoundSkill } from './types.ts';
import { verdictOf } from './verdict.ts';

const skill = (folder: string, fields: string, more: Partial<FoundSkill> = {}): FoundSkill =>
  found('.agents/skills', folder, frontmatter(fields), more);
const text = (folder: string, raw: string): FoundSkill => found('.agents/skills', folder, raw);
const named = (id: ClientId, skills: readonly FoundSkill[], options?: ClientOptions) =>
  listingFor(id, skills, options).entries.map(({ name, state, shown }) => [name, state, shown]);

describe('clients without pressure', () => {
  it('CLN20: Gemini CLI', () => {
    const skills = [
      skill('a', 'name: same\ndescription: first'),
      skill('b', 'description: no name'),
      skill('c', 'name: colon\ndescription: has colon: inside'),
      skill('d', 'name: same\ndescription: "last\\n<b>"'),
      skill('e', 'name: e'),
      text('f', '\uFEFF---\nname: f\ndescription: d\n---\n'),
    ];
    const listing = listingFor('gemini', skills, { projectPath: '/p' });
    expect(listing.text).toBe(
      '<available_skills>\n  <skill>\n    <name>same</name>\n    <description>last\n<b></description>\n    <location>/p/.agents/skills/d/SKILL.md</location>\n  </skill>\n' +
        '  <skill>\n    <name>colon</name>\n    <description>has colon: inside</description>\n    <location>/p/.agents/skills/c/SKILL.md</location>\n  </skill>\n</available_skills>',
    );
    expect(listing.budget?.limit).toBeUndefined();
    const settings = { skills: { disabled: ['SAME'] } };
    expect(named('gemini', skills, { settings }).filter(([, state]) => state === 'kept')).toEqual([
      ['colon', 'kept', 'has colon: inside'],
    ]);
  });

  it.each([
    ['description: !tag value', '!tag value'],
    ['description: !!str 5', '5'],
    ["description: 'x'# c", 'x'],
    ['description: a\rlicense: b', 'a'],
    ['description: "a\0b"', '"a\0b"'],
    ['description: "a"\nlicense: x\nlicense: y', '"a"'],
    ['description: "a"\nflag: !!bool true', 'a'],
    ['description: "a"\nflag: !!bool yes', '"a"'],
  ])('CLN20: Gemini CLI reads %j', (fields, shown) => {
    expect(named('gemini', [skill('a', `name: a\n${fields}`)])).toEqual([['a', 'kept', shown]]);
  });

  it('CLN20: Gemini CLI makes two line breaks of more', () => {
    const [entry] = listingFor('gemini', [skill('a', 'name: a\ndescription: "b\\n\\n\\n\\nc"')]).entries;
    expect(entry?.line).toContain('<description>b\n\nc</description>');
  });

  it('CLN20: in a root, the last folder comes first, and a skill in the root itself hides none', async () => {
    const file = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`;
    const project = createMemoryTree({
      '.gemini/skills/a/SKILL.md': file('a'),
      '.gemini/skills/b/SKILL.md': file('b'),
      '.gemini/skills/SKILL.md': file('own'),
    });
    const { entries } = await listingIn('gemini', { project });
    expect(entries.map(({ name }) => name)).toEqual(['own', 'b', 'a']);
  });

  it.each([
    ['description: a: b\n  goes on', 'a: b\ngoes on'],
    ['description: "a"\n\ttabbed: x', 'a'],
    ['description: "a"\nlicense: x\nlicense: y', undefined],
    ['description: 5', undefined],
    ['allowed-tools: Bash(git:*), b: c\ndescription: d', undefined],
  ])('CLN21: opencode reads %j', (fields, shown) => {
    expect(named('opencode', [skill('a', `name: a\n${fields}`)])).toEqual([
      shown === undefined ? ['a', 'hidden', ''] : ['a', 'kept', shown],
    ]);
  });

  it.each([
    ['---yaml\nname: a\ndescription: b\n---\n', 'kept'],
    ['---\nname: a\ndescription: b\n', 'kept'],
    ['--- # c\nname: a\ndescription: b\n---\n', 'hidden'],
    [' ---\nname: a\ndescription: b\n---\n', 'hidden'],
  ])('CLN21: opencode finds the frontmatter of %j', (raw, state) => {
    expect(named('opencode', [text('a', raw)])).toMatchObject([['a', state, state === 'kept' ? 'b' : '']]);
  });

  it('CLN21: opencode escapes the path alone', () => {
    const [entry] = listingFor('opencode', [skill("it's & <b>", 'name: "a & b"\ndescription: d')]).entries;
    expect(entry?.line).toContain('<name>a & b</name>');
    expect(entry?.line).toContain('it&#39;s &amp; &lt;b&gt;/SKILL.md');
  });

  it('CLN21: opencode', () => {
    const skills = [
      skill('z', 'name: b\ndescription: b1'),
      skill('y', 'name: a\ndescription: ""'),
      skill('x', 'name: b\ndescription: b2'),
      skill('w', 'name: no-description'),
      skill('v', 'description: no name'),
      found('.claude/skills', 'c', frontmatter('name: c\ndescription: c')),
    ];
    expect(named('opencode', skills).filter(([, state]) => state === 'kept')).toEqual([
      ['a', 'kept', ''],
      ['b', 'kept', 'b2'],
      ['c', 'kept', 'c'],
    ]);
    const off = { environment: { OPENCODE_DISABLE_CLAUDE_CODE_SKILLS: '1' } };
    expect(named('opencode', skills, off).filter(([, state]) => state === 'kept')).toHaveLength(2);
  });

  it('CLN22: GitHub Copilot', () => {
    const skills = [
      skill('b', 'name: b\ndescription: B & <c>'),
      skill('a', 'name: A Word\ndescription: " aa\\n"'),
      skill('long', `name: long\ndescription: ${'x'.repeat(1025)}`),
      skill('colon', 'name: colon\ndescription: a: b: c'),
      skill('né', 'name: né\ndescription: d'),
      skill('hid', 'name: hid\ndescription: d\ndisable-model-invocation: yes'),
      found('.github/skills', 'g', frontmatter('name: b\ndescription: wins')),
    ];
    expect(named('copilot', skills)).toMatchObject([
      ['A-Word', 'kept', 'aa'],
      ['b', 'kept', 'wins'],
      ...Array.from({ length: 5 }, () => [expect.any(String), 'hidden', '']),
    ]);
    const { text: shown, entries } = listingFor('copilot', skills, { environment: { SKILL_CHAR_BUDGET: '110' } });
    expect(entries[1]?.state).toBe('name-only');
    expect(shown.split('\n').slice(-2)).toEqual([
      'Additional skills available (invoke by name): b',
      '</available_skills>',
    ]);
    expect(listingFor('copilot', [skill('b', 'name: b\ndescription: B & <c>')]).text).toContain('B &amp; &lt;c&gt;');
  });

  it('CLN23, CLN25: Goose and Metis', () => {
    const skills = [
      skill('b', 'name: b\ndescription: project'),
      skill('a', 'name: a\ndescription: d'),
      skill('bb', 'name: b\ndescription: later'),
    ];
    expect(listingFor('goose', skills).text).toBe('• a - d\n• b - project');
    const metis = [
      found('.metis/skills', 'b', frontmatter('name: b\ndescription: user'), { scope: 'user' }),
      found('.metis/skills', 'b', frontmatter('name: b\ndescription: workspace')),
      found('.metis/skills', 'Bad', frontmatter('name: Bad\ndescription: d')),
    ];
    expect(named('metis', metis)).toEqual([
      ['b', 'kept', 'workspace'],
      ['b', 'hidden', ''],
      ['Bad', 'hidden', ''],
    ]);
  });

  it.each(['cursor', 'windsurf', 'kiro'] as const)('CLN24: %s says what is not known', (id) => {
    const listing = listingFor(id, [
      skill('a', 'name: a\ndescription: d\ndisable-model-invocation: true'),
      skill('b', 'name: b\ndescription: d'),
    ]);
    expect(listing).toMatchObject({ exact: false, budget: undefined, version: undefined });
    expect(listing.text.includes('- a: d')).toBe(id !== 'cursor');
    expect(listing.notes.join(' ')).toContain('unknown');
  });

  it.each(CLIENT_IDS)('CLN12: %s reads anything', (id) => {
    const raws = [
      '',
      '---',
      '---\n---\n',
      '---\n- a\n---\n',
      '\0',
      `---\n${'[[['.repeat(9000)}\n---\n`,
      '---\nname: [a]\ndescription: {b: c}\n---\n',
    ];
    const skills = raws.map((raw, index) => text(`s${index}`, raw));
    expect(listingFor(id, skills).entries).toHaveLength(skills.length);
  });
});

describe('what an edit buys', () => {
  const many = (count: number, length: number): FoundSkill[] =>
    Array.from({ length: count }, (_, index) =>
      skill(`s${index}`, `name: s${index}\ndescription: ${'日x'.repeat(length / 2)}`),
    );
  const small = { environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '9000' } };

  it.each([
    ['claude-code', small],
    ['codex', { contextWindow: 60_000 }],
    ['copilot', { environment: { SKILL_CHAR_BUDGET: '3000' } }],
  ] as const)('CLN30, CLN31: the plan for %s makes everything fit, with few edits', (id, options) => {
    const skills = [...many(8, 300), skill('tiny', 'name: tiny\ndescription: tiny')];
    const before = listingFor(id, skills, options);
    expect(before.entries.some(({ state }) => state !== 'kept')).toBe(true);
    const plan = planTrims(before);
    expect(plan.over).toBe(0);
    const trims = new Map(plan.edits.map(({ name, by }) => [name, by]));
    expect(trims.has('tiny')).toBe(false);
    const after = listingFor(id, skills, { ...options, trims });
    expect(after.entries.map(({ state }) => state)).toEqual(skills.map(() => 'kept'));
    // One edit less, and it no longer fits. Codex then cuts its own strings first.
    if (id === 'codex') return;
    const fewer = new Map([...trims].slice(0, -1));
    expect(listingFor(id, skills, { ...options, trims: fewer }).entries.every(({ state }) => state === 'kept')).toBe(
      false,
    );
  });

  it('CLN32: names skills to hide where strings cannot be shorter', () => {
    const skills = many(60, 100);
    const plan = planTrims(listingFor('claude-code', skills, small));
    expect(plan.over).toBeGreaterThan(0);
    const hidden = new Set(plan.hides.map(({ path }) => path));
    const listedWithout = (paths: ReadonlySet<string>) =>
      listingFor(
        'claude-code',
        skills.filter(({ path }) => !paths.has(path)),
        small,
      );
    expect(listedWithout(hidden).entries.every(({ state }) => state === 'kept')).toBe(true);
    hidden.delete(plan.hides[0]?.path ?? '');
    expect(listedWithout(hidden).entries.every(({ state }) => state === 'kept')).toBe(false);
  });

  it('CLN31: cuts a string that is longer than one entry may be', () => {
    const skills = [skill('long', `name: long\ndescription: ${'x'.repeat(1600)}`)];
    expect(planTrims(listingFor('claude-code', skills, { contextWindow: 1_000_000 })).edits).toEqual([
      { name: 'long', path: '.agents/skills/long', by: 64, to: 1536 },
    ]);
  });

  it('CLN31: has nothing to do where everything fits', () => {
    expect(planTrims(listingFor('claude-code', many(1, 10)))).toEqual({ edits: [], over: 0, hides: [] });
    expect(planTrims(listingFor('kiro', many(90, 900)))).toEqual({ edits: [], over: 0, hides: [] });
  });

  it('CLN33: answers in one sentence', () => {
    const verdict = (count: number, options?: ClientOptions) =>
      verdictOf(listingFor('claude-code', many(count, 200), options));
    expect(verdict(0)).toBe('Claude Code finds no skills.');
    expect(verdict(2)).toBe('Claude Code lists 2 skills whole.');
    expect(verdict(1, { settings: { skillOverrides: { s0: 'off' } } })).toBe('Claude Code lists none of 1 skill.');
    expect(verdict(2, { settings: { skillOverrides: { s0: 'off' } } })).toBe(
      'Claude Code lists 1 skill whole. It doesn’t list 1 more skill.',
    );
    expect(verdict(3, { environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '1' } })).toBe(
      'Claude Code cuts all 3 descriptions.',
    );
  });
});
