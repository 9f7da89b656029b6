// @ts-nocheck -- run by hand, beside the tests
// More folders for `measure-clients.mjs`: what settings, use, plugins, models, and levels change.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DAY = 86_400_000;

const skill = (name, description, more = '') =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\n\nBody of ${name}.\n`;

const put = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const pick = (random, list) => list[Math.floor(random() * list.length)];

/** So many skills whose texts do not fit. */
const many = (random, root, count, textOf) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `s${String(index).padStart(2, '0')}`;
      return [`${root}/${name}/SKILL.md`, skill(name, textOf(random, 40 + Math.floor(random() * 460)))];
    }),
  );

const claudeCode = (random, root, commands, textOf) => {
  const project = (count = 40) => many(random, root, count, textOf);
  const settings = {
    skillOverrides: { s00: 'off', s01: 'name-only', s02: 'user-invocable-only', loop: 'name-only', simplify: 'off' },
    skillListingBudgetFraction: 0.015,
    skillListingMaxDescChars: 200,
  };
  const uses = Object.fromEntries(
    Array.from({ length: 20 }, () => [
      pick(random, ['s03', 's11', 's19', 's25', 's30', 's39', 'init', 'loop']),
      { usageCount: 1 + Math.floor(random() * 20), lastUsedAt: Date.now() - Math.floor(random() * 60) * DAY },
    ]),
  );
  const plugin = (name, more = {}) => JSON.stringify({ name, ...more });
  return [
    { name: 'settings', project: { ...project(), '.claude/settings.json': JSON.stringify(settings) } },
    {
      name: 'settings of three files',
      project: {
        ...project(),
        '.claude/settings.json': JSON.stringify({ skillOverrides: { s05: 'off' }, skillListingBudgetFraction: 0.02 }),
        '.claude/settings.local.json': JSON.stringify({ skillOverrides: { s05: 'on', s06: 'name-only' } }),
      },
      home: { '.claude/settings.json': JSON.stringify({ disableBundledSkills: true }) },
    },
    { name: 'budget of a variable', project: project(), env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '9500' } },
    {
      name: 'use',
      project: project(),
      isRanked: true,
      finish: (home) => put(join(home, '.claude.json'), JSON.stringify({ skillUsage: uses })),
    },
    ...['claude-opus-4-6', 'claude-opus-5', 'claude-sonnet-4-5[1m]', 'my-model'].map((model) => ({
      name: `model ${model}`,
      model,
      project: project(160),
    })),
    {
      name: 'plugins',
      plugins: ['one', 'two', 'three'],
      env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '100000' },
      project: {
        [`${root}/mine/SKILL.md`]: skill('theirs', 'Mine.'),
        [`${root}/called-help/SKILL.md`]: skill('help', 'Called like a command.'),
        [`${commands}/theirs.md`]: skill('x', 'A command.'),
        'one/.claude-plugin/plugin.json': plugin('one', { skills: './extra', commands: ['./more', './single.md'] }),
        'one/skills/a b.c/SKILL.md': skill('named', 'In the plugin.', 'paths: src/**\n'),
        'one/extra/SKILL.md': skill('in the root', 'Named by the manifest.'),
        'one/more/grp/cmd.md': skill('other', 'A command in a folder.'),
        'one/more/last.md': skill('last', 'A command.'),
        'one/single.md': skill('single', 'One file.'),
        'one/commands/never.md': skill('never', 'In place of this one.'),
        'two/.claude-plugin/plugin.json': plugin('two'),
        'two/SKILL.md': skill('solo', 'A plugin that is a skill.'),
        'three/.claude-plugin/plugin.json': plugin('not loaded'),
        'three/skills/a/SKILL.md': skill('a', 'Of a plugin that is not loaded.'),
      },
    },
  ];
};

const codex = (random, root, textOf) => {
  const config = (toml) => (home) => appendFileSync(join(home, '.codex/config.toml'), toml);
  const policy = 'policy:\n  allow_implicit_invocation: false\n';
  const level = (path) => ({ [`${path}/SKILL.md`]: skill(path.split('/').at(-1), `In ${path}.`) });
  return [
    {
      name: 'settings',
      project: many(random, root, 40, textOf),
      finish: (home, top) =>
        config(
          `[skills]\nmax_context_tokens = 900\n[[skills.config]]\nname = "s03"\nenabled = false\n[[skills.config]]\npath = "${top}/${root}/s05/SKILL.md"\nenabled = false\n`,
        )(home),
    },
    {
      name: 'policies',
      project: {
        ...level(`${root}/a`),
        [`${root}/a/agents/openai.yaml`]: policy,
        ...level(`${root}/b`),
        [`${root}/b/agents/openai.yaml`]: `dependencies:\n  tools: x\n${policy}`,
        ...level(`${root}/c`),
        [`${root}/c/agents/openai.yaml`]: 'policy:\n  products: [chatgpt]\n',
        ...level(`${root}/d`),
        [`${root}/d/agents/openai.yaml`]: 'policy:\n  products: [codex]\n',
      },
    },
    {
      name: 'levels',
      cwd: 'p/q',
      project: {
        ...level(`${root}/top`),
        ...level(`p/${root}/mid`),
        ...level(`p/q/${root}/low`),
        ...level('.codex/skills/own'),
        ...level('p/.codex/skills/own'),
        ...level(`${root}/1/2/3/4/5/six`),
        ...level(`${root}/1/2/3/4/5/6/seven`),
        ...level(`${root}/.dot/hidden`),
        ...level(`other/${root}/never`),
      },
      home: { ...level('.agents/skills/mine'), ...level('.codex/skills/top') },
    },
  ];
};

/** What only this agent has. */
export const settingScenarios = (random, root, { id, commands }, textOf) =>
  (id === 'claude-code'
    ? claudeCode(random, root, commands, textOf)
    : id === 'codex'
      ? codex(random, root, textOf)
      : []
  ).map((scenario) => Object.assign({ home: {} }, scenario));
