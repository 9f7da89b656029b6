import { describe, expect, it } from 'vitest';
import { columnsOf } from '../columns.ts';
import { listingFor } from '../registry.ts';
import { found, frontmatter } from '../testing/found.ts';
import type { ClientOptions, FoundSkill } from '../types.ts';

const ROOT = '.claude/skills';
const HEAD = 'The following skills are available for use with the Skill tool:\n\n';
const OLD = { version: '2.1.197' };

const skill = (folder: string, fields: string, body?: string, more: Partial<FoundSkill> = {}): FoundSkill =>
  found(ROOT, folder, frontmatter(fields, body), more);

const list = (skills: readonly FoundSkill[], options: ClientOptions = {}) => listingFor('claude-code', skills, options);
const lines = (skills: readonly FoundSkill[], options: ClientOptions = {}): readonly string[] => {
  const { text } = list(skills, options);
  return text === '' ? [] : text.slice(HEAD.length).split('\n');
};
const lineOf = (fields: string, body?: string, options?: ClientOptions): string | undefined =>
  lines([skill('one', fields, body)], options)[0];

describe('what Claude Code lists', () => {
  it('CLA1: names skills by folder, with the frontmatter’s name where it leads to the same skill', () => {
    const skills = [
      skill('a', 'name: a\ndescription: Same.'),
      skill('b', 'name: other\ndescription: Other.'),
      skill('c', 'name: a\ndescription: Taken.'),
      skill('d', 'name: two words\ndescription: No word.'),
      skill('e', 'name: run\ndescription: One of its own.'),
      skill('[f]', 'name: [f]\ndescription: A list of one.'),
    ];
    expect(lines(skills)).toEqual([
      '- [f] (f): A list of one.',
      '- a: Same.',
      '- b (other): Other.',
      '- c: Taken.',
      '- d: No word.',
      '- e: One of its own.',
    ]);
    expect(lines(skills, OLD)[2]).toBe('- b: Other.');
  });

  it.each([
    ['description: Has colon: inside', '- one: Has colon: inside'],
    ['description: [open', '- one: [open'],
    ['description: before --- after', '- one: before'],
    ['description: First.\ndescription: Second.', '- one: Second.'],
    ['<<: {description: Merged.}', '- one: Merged.'],
    ['description: Kept.\n<<: no mapping', '- one: Kept.'],
    ['description: ,comma', '- one: ,comma'],
    ['description: a\0b', '- one: Body.'],
    ['\tdescription: Tabs.', '- one: Tabs.'],
    ['description: "open', '- one: Body.'],
    ['- a list', '- one: Body.'],
    ['description: [a, b]', '- one: Body.'],
    ['description: 7', '- one: 7'],
    ['x2: a: b\ndescription: Kept.', '- one: Body.'],
    ['other: a: b\ndescription: Kept.', '- one: Kept.'],
    ['description: Kept.\nx2: "\\uD83D"', '- one: Body.'],
    ['description: "\\uD83D\\uDE80"', '- one: 🚀'],
    ['x2: [a]: b\ndescription: Kept.', '- one: Body.'],
    ['description: [a]: b', '- one: [a]: b'],
    ['description: !!int "5.0"', '- one: 5.0'],
    ['? [a]\n: b\ndescription: Kept.', '- one: Kept.'],
    ['description: a\n...\nx: y', '- one: Body.'],
  ])('CLA2: reads %j', (fields, expected) => {
    expect(lineOf(fields)).toBe(expected);
  });

  it('CLA2: strips a byte order mark, unlike 2.1.197, and reads carriage returns', () => {
    const text = frontmatter('description: Text.');
    expect(lines([found(ROOT, 'one', `\uFEFF${text}`)])).toEqual(['- one: Text.']);
    expect(lines([found(ROOT, 'one', `\uFEFF${text}`)], OLD)).toEqual(['- one: ---']);
    expect(lines([found(ROOT, 'one', text.replaceAll('\n', '\r\n'))])).toEqual(['- one: Text.']);
  });

  it.each([
    ['\n## Heading\n\nText.\n', '- one: Heading'],
    ['#nospace\n', '- one: #nospace'],
    ['', '- one: Skill'],
    ['x'.repeat(101), `- one: ${'x'.repeat(97)}...`],
    ['x'.repeat(100), `- one: ${'x'.repeat(100)}`],
  ])('CLA3: takes the first line of the body %j', (body, expected) => {
    expect(lineOf('name: one', body)).toBe(expected);
  });

  it('CLA3: sends no half of a surrogate pair', () => {
    expect(lineOf('name: one', '🚀'.repeat(60), OLD)).toBe(`- one: ${'🚀'.repeat(48)}\uFFFD...`);
  });

  it('CLA3: has a word of its own for an empty command', () => {
    const command = found('.claude/commands', 'go', '', { kind: 'command' });
    expect(lines([command])).toEqual(['- go: Custom command']);
  });

  it('CLA4: adds when to use it', () => {
    expect(lineOf('description: What.\nwhen_to_use: When.')).toBe('- one: What. - When.');
    expect(lineOf('description: What.\nwhen-to-use: When.')).toBe('- one: What.');
  });

  it.each(['true', 'True', '"true"', 'yes', 'on', '1'])('CLA5: hides with disable-model-invocation: %s', (value) => {
    const skills = [skill('one', `description: d\ndisable-model-invocation: ${value}`)];
    expect(list(skills)).toMatchObject({ text: '', entries: [{ name: 'one', state: 'hidden', shown: '' }] });
    expect(lines(skills, OLD).length).toBe(['yes', 'on', '1'].includes(value) ? 1 : 0);
  });

  it('CLA5: lists other values, other spellings, and what only users may not call', () => {
    for (const field of [
      'disable-model-invocation: maybe',
      'disableModelInvocation: true',
      'user-invocable: false',
      'paths: "**"',
    ])
      expect(lineOf(`description: d\n${field}`)).toBe('- one: d');
    expect(lineOf('description: d\npaths: src/**')).toBeUndefined();
  });

  it('CLA6: makes one space of what cannot be seen, and entities of angle brackets', () => {
    expect(lineOf('description: "a\\r\\nb\\u200b\\u00adc <d> & e"')).toBe('- one: a b c &lt;d&gt; & e');
    expect(lineOf('description: "👨‍👩‍👧 ❤️ می‌خواهم ☎︎"')).toBe('- one: 👨‍👩‍👧 ❤️ می‌خواهم ☎ ');
    expect(lineOf('description: "red \\x1b[31mtext"')).toBe('- one: red text');
    expect(lines([skill('one', 'description: "a\\nb <c>"')], OLD)).toEqual(['- one: a', 'b <c>']);
  });

  it('CLA7: lists the first of a name, by root', () => {
    const skills = [
      found('.claude/skills', 'same', frontmatter('description: user'), { scope: 'user' }),
      found('sub/.claude/skills', 'same', frontmatter('description: near')),
      skill('b', 'description: b'),
      skill('A', 'description: A'),
      found('.claude/commands', 'same', frontmatter('description: command'), { kind: 'command' }),
    ];
    expect(lines(skills)).toEqual(['- same: user', '- A: A', '- b: b']);
    expect(
      list(skills)
        .entries.filter(({ state }) => state === 'hidden')
        .map(({ reason }) => reason),
    ).toEqual([
      '.claude/skills/same has the same name and comes first.',
      '.claude/skills/same has the same name and comes first.',
    ]);
    expect(lines(skills, OLD)).toEqual(['- same: user', '- same: near', '- A: A', '- b: b', '- same: command']);
  });

  it('CLA7: leaves the name of what is not listed to others', () => {
    const off = 'description: Off.\ndisable-model-invocation: true';
    const at = (folder: string, fields: string, more: Partial<FoundSkill>): FoundSkill =>
      skill(folder, fields, '', more);
    const command = { kind: 'command', root: '.claude/commands' } as const;
    const skills = [
      at('a', off, { scope: 'user' }),
      at('a', 'description: Project.', {}),
      at('b', off, {}),
      at('b', 'description: Command.', command),
      at('c', 'description: Far.\npaths: "*.ts"', {}),
      at('c', 'description: Command.', command),
    ];
    expect(lines(skills)).toEqual(['- a: Project.', '- b: Command.', '- c: Command.']);
  });

  it('CLA7: lists the commands of all plugins before their skills', () => {
    const of = (plugin: string, kind: 'skill' | 'command'): FoundSkill =>
      skill(`${plugin}-${kind}`, 'description: Text.', '', { scope: 'plugin', plugin, kind, root: `${kind}s` });
    const skills = [of('p', 'command'), of('p', 'skill'), of('q', 'command'), of('q', 'skill')];
    expect(lines(skills).map((line) => line.slice(2).split(':')[1])).toEqual([
      'p-command',
      'q-command',
      'p-skill',
      'q-skill',
    ]);
  });

  it('CLA8: cuts its own entries at the limit, too', () => {
    const own = (limit?: number) =>
      list([], limit === undefined ? {} : { settings: { skillListingMaxDescChars: limit } }).budget?.own;
    expect(own()).toBe(6196);
    expect(own(10)).toBeLessThan(500);
  });

  it('CLA7: sorts the commands of all roots together', () => {
    const command = (folder: string, scope: 'user' | 'project'): FoundSkill =>
      found('.claude/commands', folder, frontmatter(`description: ${scope}`), { kind: 'command', scope });
    expect(lines([command('z', 'user'), command('b', 'user'), command('y', 'project')])).toEqual([
      '- b: user',
      '- y: project',
      '- z: user',
    ]);
  });

  it('CLA8: cuts one string at its limit', () => {
    expect(lineOf(`description: ${'x'.repeat(1537)}`)).toBe(`- one: ${'x'.repeat(1535)}…`);
    expect(lineOf(`description: ${'x'.repeat(1536)}`)).toBe(`- one: ${'x'.repeat(1536)}`);
    expect(lineOf(`description: ${'x'.repeat(1534)}🚀🚀`)).toBe(`- one: ${'x'.repeat(1534)}\uFFFD…`);
    const short = { settings: { skillListingMaxDescChars: 5 } };
    expect(list([skill('one', 'description: abcdefgh')], short).entries[0]).toMatchObject({
      state: 'cut',
      line: '- one: abcd…',
      shown: 'abcd…',
    });
  });

  it.each([
    [{}, 8000],
    [{ model: 'claude-opus-4-6' }, 8000],
    [{ model: 'claude-sonnet-4-5[1m]' }, 40_000],
    [{ model: 'claude-opus-4-7' }, 30_000],
    [{ model: 'claude-opus-5' }, 30_000],
    [{ model: 'made-up' }, 30_000],
    [{ model: 'claude-opus-5', version: '2.1.197' }, 6000],
    [{ model: 'claude-opus-4-6', version: '2.1.197' }, 8000],
    [{ settings: { skillListingBudgetFraction: 0.02 } }, 16_000],
    [{ settings: { skillListingBudgetFraction: 0 } }, 8000],
    [{ environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '123' } }, 123],
    [{ environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '0' } }, 8000],
    [{ environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: 'abc' } }, 8000],
    [{ contextWindow: 100_000 }, 4000],
  ] as const)('CLA9: budgets %j', (options, limit) => {
    expect(list([], options).budget?.limit).toBe(limit);
  });

  const BARE = { settings: { disableBundledSkills: true } };
  /** What `plugin-authoring` takes with its line end: the one entry of its own that stays. */
  const OWN = 276;
  const budget = (columns: number): ClientOptions => ({
    ...BARE,
    environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: String(columns + OWN) },
  });
  const three = [skill('a', 'description: 1234567890'), skill('b', 'description: 12345'), skill('c', 'description: 1')];

  it('CLA10: keeps what fits, in the order of the listing', () => {
    // Names: 3 × 3, line ends: 2. Strings: 12, 7, and 3 with the colon.
    expect(lines(three, budget(11 + 22))).toEqual(['- a: 1234567890', '- b: 12345', '- c: 1']);
    expect(lines(three, budget(11 + 12))).toEqual(['- a: 1234567890', '- b', '- c']);
    expect(lines(three, budget(11 + 11))).toEqual(['- a', '- b: 12345', '- c: 1']);
    expect(lines(three, budget(0))).toEqual(['- a', '- b', '- c']);
  });

  it('CLA10, CLA12: keeps the most used first, and old use less', () => {
    const day = 86_400_000;
    const now = 100 * day;
    const usage = new Map([
      ['b', { count: 3, lastUsedAt: now }],
      ['c', { count: 20, lastUsedAt: now - 60 * day }],
      ['a', { count: 5, lastUsedAt: now - 7 * day }],
    ]);
    expect(lines(three, { ...budget(11 + 12), usage, now })).toEqual(['- a', '- b: 12345', '- c: 1']);
    expect(lines(three, { ...budget(11 + 19), usage, now })).toEqual(['- a: 1234567890', '- b: 12345', '- c']);
    expect(list(three, budget(0)).notes.join(' ')).toContain('doesn’t know');
  });

  it('CLA11: follows overrides and what switches the listing off', () => {
    const settings = { skillOverrides: { a: 'off', b: 'name-only', c: 'user-invocable-only' } };
    expect(lines(three, { settings })).toEqual(['- b']);
    expect(list(three, { settings: { permissions: { deny: ['Skill'] } } }).text).toBe('');
    expect(list(three, { environment: { CLAUDE_CODE_SIMPLE: '1' } }).text).toBe('');
    expect(lines(three, { settings: { permissions: { deny: ['Skill(a)'] } } })).toHaveLength(3);
  });

  it('CLA13: lets a skill take the place of an own entry', () => {
    const own = list([]).budget?.own ?? 0;
    expect(list([skill('init', 'description: mine')]).budget?.own).toBe(own - 67);
    const old = list([], OLD).budget?.own ?? 0;
    expect(list([skill('init', 'description: mine')], OLD).budget?.own).toBe(old);
  });

  it.each(['a<b', ' a', 'a  b', 'a: b', 'x:', 'synced', 'zero\u200Bwidth'])('CLA14: does not offer %j', (name) => {
    expect(lines([skill(name, 'description: d')])).toEqual([]);
    expect(lines([skill(name, 'description: d')], OLD)).toHaveLength(1);
  });

  it('CLA15: puts the plugin before the name, and wants a description', () => {
    const plugin = { scope: 'plugin', plugin: 'plug' } as const;
    expect(lines([skill('one', 'description: d', '', plugin), skill('two', 'name: two', 'Body.', plugin)])).toEqual([
      '- plug:one: d',
    ]);
    expect(lines([skill('one', 'name: other\ndescription: d', '', plugin)])).toEqual(['- plug:one (plug:other): d']);
  });

  it('CLA1: a name that leads to a command, or to a skill that is hidden, is not shown', () => {
    const skills = [
      skill('a1', 'name: hid\ndescription: d\ndisable-model-invocation: true'),
      skill('a2', 'name: hid\ndescription: d'),
      skill('b1', 'name: pat\ndescription: d\npaths: src/**'),
      skill('b2', 'name: pat\ndescription: d'),
      skill('c1', 'name: off\ndescription: d'),
      skill('c2', 'name: off\ndescription: d'),
      skill('d', 'name: help\ndescription: d'),
      skill('e', 'name: Help\ndescription: d'),
    ];
    expect(lines(skills, { settings: { skillOverrides: { c1: 'off' } } })).toEqual([
      '- a2: d',
      '- b2 (pat): d',
      '- c2: d',
      '- d: d',
      '- e (Help): d',
    ]);
  });

  it('CLA2: a carriage return ends a line, and NUL ends it for 2.1.197', () => {
    expect(lineOf('description: ok\rlicense: x')).toBe('- one: ok');
    const quoted = 'description: "a\r\n  b"\r\nlicense: x\r';
    expect(lines([skill('one', quoted)], OLD)).toEqual(['- one: a', 'b']);
    expect(lines([skill('one', quoted)])).toEqual(['- one: a b']);
    expect(lineOf('description: a\0b', 'Body.\n')).toBe('- one: Body.');
    expect(lineOf('description: a\0b', 'Body.\n', OLD)).toBe('- one: a');
  });

  it('CLA14: offers names with images of several code points', () => {
    expect(lines(['❤️', '👩‍💻', 'a\u200Bb'].map((name) => skill(name, 'description: d')))).toEqual([
      '- ❤️: d',
      '- 👩‍💻: d',
    ]);
  });

  it('CLA10, CLA12: its own entries that were used come before skills that were not', () => {
    const skills = [skill('a', 'description: 1234567890')];
    const { own = 0 } = list(skills).budget ?? {};
    const tight: ClientOptions = { environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: `${own + 20}` }, now: 0 };
    expect(lines(skills, { ...tight, usage: new Map() })).toEqual(['- a: 1234567890']);
    const usage = new Map(['init', 'security-review'].map((name) => [name, { count: 1, lastUsedAt: 0 }]));
    expect(lines(skills, { ...tight, usage })).toEqual(['- a']);
  });

  it('CLA11: counts an own entry that is listed by name alone as its name', () => {
    const own = (settings: ClientOptions['settings'] = {}) => list([], { settings }).budget?.own ?? 0;
    expect(own() - own({ skillOverrides: { loop: 'name-only' } })).toBe(344 - '- loop'.length);
  });

  it('CLA15: names a plugin’s skills plainly, and a skill in a root by its frontmatter', () => {
    const plugin = { scope: 'plugin', plugin: 'plug' } as const;
    const named = (folder: string, name: string, more: Partial<FoundSkill> = {}): FoundSkill =>
      skill(folder, `name: ${name}\ndescription: d`, '', { ...plugin, ...more });
    expect(lines([named('a.b c', 'x')])).toEqual(['- plug:a-b-c (plug:x): d']);
    expect(lines([named('a', 'plug:x')])).toEqual(['- plug:a (plug:x): d']);
    expect(lines([named('deep', 'my own', { path: ROOT })])).toEqual(['- plug:my-own: d']);
    expect(lines([named('x:z', 'q', { kind: 'command' })])).toEqual(['- plug:x:z (plug:x:q): d']);
    expect(lines([skill('p', 'description: d\npaths: src/**', '', plugin)])).toEqual(['- plug:p: d']);
  });

  it('CLA7: of a plugin’s commands, the files of a folder come before the folders in it', () => {
    const commands = ['a:b', 'z', 'b'].map((folder) =>
      skill(folder, 'description: d', '', { scope: 'plugin', plugin: 'p', kind: 'command' }),
    );
    expect(lines(commands)).toEqual(['- p:b: d', '- p:z: d', '- p:a:b: d']);
  });

  it.each([
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['🚀', 2],
    ['👨‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['a\u200Bb\n', 2],
    ['…—', 2],
    ['क्षि', 3],
    ['हिन्दी', 5],
    ['தமிழ்', 4],
    ['🧑🏻‍❤️‍💋‍🧑🏿', 2],
    ['5️⃣', 2],
    ['☎🏿', 3],
    ['☎', 1],
    ['☎️', 2],
    ['゙か', 2],
    ['\u1160', 0],
    ['\u001B[31mred\u001B[0m', 3],
    ['a\u001B]0;title\u0007b', 2],
  ])('CLA16: %j takes %d columns', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  it('CLN10, CLN11, CLN12: gives each skill an entry, whatever its file holds', () => {
    const deep = `x: ${'['.repeat(5000)}`;
    const skills = ['', '---', '---\n---', '\0', frontmatter(deep), frontmatter(`a: ${'x'.repeat(70_000)}`)].map(
      (text, index) => found(ROOT, `s${index}`, text),
    );
    const { entries } = list(skills);
    expect(entries).toHaveLength(skills.length);
    expect(entries.every(({ line, state }) => (state === 'hidden') === (line === ''))).toBe(true);
  });
});
