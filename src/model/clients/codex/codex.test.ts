import { describe, expect, it } from 'vitest';
import { listingFor } from '../registry.ts';
import { found, frontmatter } from '../testing/found.ts';
import type { ClientOptions, FoundSkill } from '../types.ts';

const ROOT = '.agents/skills';
/** Without Codex's own skills. */
const BARE = { skills: { bundled: { enabled: false } } };
const PLACE = { projectPath: '/p', userPath: '/h' };

const skill = (folder: string, fields: string, more: Partial<FoundSkill> = {}): FoundSkill =>
  found(ROOT, folder, frontmatter(fields), more);
const text = (raw: string): FoundSkill => found(ROOT, 'one', raw);

const list = (skills: readonly FoundSkill[], options: ClientOptions = {}) =>
  listingFor('codex', skills, { ...PLACE, ...options, settings: { ...BARE, ...options.settings } });
const lines = (skills: readonly FoundSkill[], options?: ClientOptions): readonly string[] =>
  list(skills, options).entries.flatMap(({ line }) => (line === '' ? [] : [line]));
const limited = (tokens: number): ClientOptions => ({
  settings: { skills: { bundled: { enabled: false }, max_context_tokens: tokens } },
});

describe('what Codex lists', () => {
  it.each([
    ['\uFEFF---\nname: a\ndescription: d\n---\n', 'byte order mark'],
    ['no frontmatter', 'no frontmatter'],
    ['---\nname: a\n---\n', 'no description'],
    ['---\ndescription: ""\n---\n', 'no description'],
    ['---\ndescription: a\ndescription: b\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: a\nmetadata: text\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: a\nmetadata: ~\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: a\nmetadata: {short-description: [a]}\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: a\nmetadata: >\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: "\\ud83d\\ude80"\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: a\u0007b\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: a\n\t\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: "a: b\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: "a: b" c\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: [a] # b: c\n---\n', 'isn’t valid YAML'],
    ['---\n\uFEFFdescription: a\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: a\n: b\n---\n', 'isn’t valid YAML'],
    ['---\ndescription: !!null a\n---\n', 'isn’t valid YAML'],
    [`---\nname: ${'n'.repeat(65)}\ndescription: d\n---\n`, 'longer than 64'],
  ])('CLX1: refuses %j', (raw, reason) => {
    const [entry] = list([text(raw)]).entries;
    expect(entry).toMatchObject({ state: 'hidden', shown: '' });
    expect(entry?.reason).toContain(reason);
  });

  it.each([
    ['description: Has colon: inside', 'Has colon: inside'],
    ['description: [open', '[open'],
    ['description: {a: b}', '{a: b}'],
    ['description: @start', '@start'],
    ['description: 1.50', '1.50'],
    ['description: before --- after', 'before --- after'],
    ['description: {a b', '{a b'],
    ['description: [a]]', '[a]]'],
    ['description: [broken # c', '[broken'],
    ['description: a: b # c', 'a: b'],
    ['description: a:\tb', 'a: b'],
    ['description: "a"#b', 'a'],
    ['description: a\nlicense: x\nlicense: y', 'a'],
    ['description: a\nmetadata:', 'a'],
    ['description: a\nmetadata:\n  short-description: b: c', 'a'],
    ['description: a\nx y: z: w', 'a'],
    ["'description': a: b", 'a: b'],
    ['description: a\u2028license: b', 'a'],
    ['description: a\rlicense: b', 'a'],
    ['description: !!binary aGVsbG8=', 'aGVsbG8='],
    ['description: "a\u2028b"', 'a b'],
    ['description: a\u0085  b', 'a b'],
    ['description: a\uFEFF b', 'a\uFEFF b'],
    ['description: "a\\n  b   c"', 'a b c'],
  ])('CLX1, CLX2, CLX3: reads %j', (fields, shown) => {
    expect(lines([skill('one', fields)])).toEqual([`- one: ${shown} (file: r0/one/SKILL.md)`]);
  });

  it('CLX1: refuses what is not UTF-8', () => {
    const [entry] = list([skill('one', 'description: a', { isBroken: true })]).entries;
    expect(entry).toMatchObject({ state: 'hidden', reason: 'It isn’t UTF-8.' });
  });

  it('CLX3: cuts a long description, in code points', () => {
    expect(lines([skill('one', `description: ${'🚀'.repeat(1025)}`)], { contextWindow: 10_000_000 })[0]).toBe(
      `- one: ${'🚀'.repeat(1021)}... (file: r0/one/SKILL.md)`,
    );
    const [entry] = list([skill('one', `description: ${'a'.repeat(1025)}`)]).entries;
    expect(entry).toMatchObject({ state: 'cut', whole: 'a'.repeat(1025), reason: expect.stringContaining('1,024') });
  });

  it.each([
    ['policy:\n  products: [chatgpt]\n', 'other products'],
    ['policy:\n  products: []\n', undefined],
    ['policy:\n  products: codex\n  allow_implicit_invocation: false\n', undefined],
    ['dependencies:\n  tools: x\npolicy:\n  allow_implicit_invocation: false\n', undefined],
    ['interface:\n  icon_small: [x]\npolicy:\n  allow_implicit_invocation: false\n', undefined],
    ['interface:\n  display_name: 5\npolicy:\n  allow_implicit_invocation: false\n', 'forbids implicit'],
  ])('CLX9: reads openai.yaml %j', (beside, reason) => {
    const [entry] = list([skill('one', 'description: d', { beside })]).entries;
    expect(entry?.state).toBe(reason === undefined ? 'kept' : 'hidden');
    expect(entry?.reason).toContain(reason ?? '');
  });

  it('CLX9: lists nothing without instructions', () => {
    const settings = { skills: { include_instructions: false } };
    const listing = list([skill('one', 'description: d')], { settings });
    expect([listing.text, listing.entries.map(({ state }) => state)]).toEqual(['', ['hidden']]);
  });

  it('CLX4, CLX5: sorts by root and name, and numbers the roots', () => {
    const skills = [
      skill('b', 'name: same\ndescription: b'),
      skill('a', 'name: Zed\ndescription: a'),
      found('.codex/skills', 'c', frontmatter('name: same\ndescription: c')),
      found('.agents/skills', 'u', frontmatter('description: u'), { scope: 'user' }),
      found('.codex/skills/.system', 's', frontmatter('description: s'), { scope: 'user' }),
    ];
    const listing = list(skills, { settings: { skills: {} } });
    expect(listing.text).toBe(
      [
        '### Skill roots',
        '- `r0` = `/p/.codex/skills`',
        '- `r1` = `/h/.agents/skills`',
        '- `r2` = `/h/.codex/skills/.system`',
        '- `r3` = `/p/.agents/skills`',
        '### Available skills',
        '- s: s (file: r2/s/SKILL.md)',
        '- Zed: a (file: r3/a/SKILL.md)',
        '- same: b (file: r3/b/SKILL.md)',
        '- same: c (file: r0/c/SKILL.md)',
        '- u: u (file: r1/u/SKILL.md)',
      ].join('\n'),
    );
  });

  it('CLX5: numbers `.codex/skills` from the working folder up, and names a linked root by where it lies', () => {
    const at = (root: string, folder: string, more: Partial<FoundSkill> = {}): FoundSkill =>
      found(root, folder, frontmatter(`description: ${folder}`), more);
    const skills = [
      at('.codex/skills', 'top'),
      at('p/.codex/skills', 'low'),
      at('p/.agents/skills', 'b', { realRoot: 'store' }),
      at('.agents/skills', 'a'),
    ];
    expect(list(skills).text.split('\n').slice(1, 5)).toEqual([
      '- `r0` = `/p/p/.codex/skills`',
      '- `r1` = `/p/.codex/skills`',
      '- `r2` = `/p/.agents/skills`',
      '- `r3` = `/p/store`',
    ]);
  });

  it.each([
    [{}, 5440],
    [{ contextWindow: 128_000 }, 2560],
    [{ settings: { model_context_window: 100_000 } }, 2000],
    [{ settings: { model_context_window: 900_000 } }, 5440],
    [{ settings: { skills: { max_context_tokens: 700 } } }, 700],
    [{ settings: { skills: { max_context_tokens: 70_000 } } }, 10_000],
  ])('CLX6: budgets %j', (options, limit) => {
    expect(list([], options).budget?.limit).toBe(limit);
  });

  it('CLX6, CLX7: shares what is left, a character at a time', () => {
    // Without a string, `- a: (file: r0/a/SKILL.md)` and its line end are 27 bytes: 7 tokens each.
    const skills = [
      skill('a', `description: ${'x'.repeat(40)}`),
      skill('b', 'description: yy'),
      skill('c', `description: ${'é'.repeat(40)}`),
    ];
    expect(lines(skills, limited(21 + 3))).toEqual([
      // A token holds 27 + 1 + n up to 32 bytes: four characters, two of them where each takes two bytes.
      `- a: ${'x'.repeat(4)} (file: r0/a/SKILL.md)`,
      '- b: yy (file: r0/b/SKILL.md)',
      `- c: ${'é'.repeat(2)} (file: r0/c/SKILL.md)`,
    ]);
    const { entries } = list(skills, limited(21 + 3));
    expect(entries.map(({ state }) => state)).toEqual(['cut', 'kept', 'cut']);
    expect(list(skills, limited(21)).entries.map(({ state }) => state)).toEqual([
      'name-only',
      'name-only',
      'name-only',
    ]);
  });

  it('CLX8: drops the last where the names are too much', () => {
    const skills = ['a', 'b', 'c'].map((name) => skill(name, 'description: d'));
    const { entries, text: shown } = list(skills, limited(15));
    expect(entries.map(({ state }) => state)).toEqual(['name-only', 'name-only', 'dropped']);
    expect(shown).not.toContain('r0/c/');
  });

  it('CLX9: hides what forbids it, and what the settings disable', () => {
    const policy = { beside: 'policy:\n  allow_implicit_invocation: false\n' };
    const skills = [
      skill('a', 'description: d', policy),
      skill('b', 'description: d\ndisable-model-invocation: true'),
      skill('e', 'description: d', { beside: `interface: 3\n${policy.beside}` }),
      skill('c', 'description: d'),
      skill('d', 'description: d'),
    ];
    const config = [
      { name: 'c', enabled: false },
      { path: '/p/.agents/skills/d/SKILL.md', enabled: false },
    ];
    expect(lines(skills, { settings: { skills: { config } } }).map((line) => line.slice(0, 4))).toEqual([
      '- b:',
      '- e:',
    ]);
  });

  it('CLX10: counts its own skills where nobody looked at them', () => {
    const { budget, notes } = list([], { settings: { skills: {} } });
    expect(budget?.own).toBeGreaterThan(400);
    expect(notes.join(' ')).toContain('own 4 skills');
    expect(list([]).budget?.own).toBe(0);
  });
});
