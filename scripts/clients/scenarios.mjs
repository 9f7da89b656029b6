// @ts-nocheck -- run by hand, beside the tests
// Folders of skills for `measure-clients.mjs`: files of a project and of a home folder, the same on every run of a seed.

import { settingScenarios } from './setting-scenarios.mjs';

/** Numbers from 0 to 1, the same for the same seed. */
const createRandom = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

const WORDS = {
  plain:
    'review test deploy report table image draft merge query index cache invoice calendar translate summarize chart log release docs lint schema'.split(
      ' ',
    ),
  unicode: [
    '検索',
    '翻訳する',
    '보고서',
    'résumé',
    'naïve',
    'Größe',
    '数据',
    '🚀',
    '🧪',
    'e\u0301cole',
    'Привет',
    '“quoted”',
    '—',
    '日本語',
    '✅',
    'ﬁn',
  ],
  emoji: ['👩‍💻', '🇩🇪', '👍🏽', '❤️', '1️⃣', '🏳️‍🌈', '🧑‍🤝‍🧑', 'plain', 'words', '⚙️'],
};

const textOf = (random, length, words = WORDS.plain) => {
  let text = 'Use when';
  while (text.length < length) text += ` ${words[Math.floor(random() * words.length)]}`;
  return `${text}.`;
};

const quoted = (text) => JSON.stringify(text);
const skill = (name, description, more = '') =>
  `---\nname: ${name}\ndescription: ${quoted(description)}\n${more}---\n\n# ${name}\n\nDo it.\n`;

const many = (random, root, count, least, most, words) => {
  const files = {};
  for (let index = 0; index < count; index++) {
    const name = `${WORDS.plain[Math.floor(random() * WORDS.plain.length)]}-${String(index).padStart(3, '0')}`;
    files[`${root}/${name}/SKILL.md`] = skill(
      name,
      textOf(random, least + Math.floor(random() * (most - least)), words),
    );
  }
  return files;
};

const raw = (frontmatter, body = 'Body of it.\n') => `---\n${frontmatter}\n---\n${body}`;

/** What people write, and what editors and other systems make of it. */
const oddities = (root) => ({
  [`${root}/no-name/SKILL.md`]: raw('description: Without a name.'),
  [`${root}/no-description/SKILL.md`]: raw('name: no-description', '\n## First heading\n\nText below it.\n'),
  [`${root}/no-frontmatter/SKILL.md`]: '# A title\n\nText without frontmatter.\n',
  [`${root}/empty-body/SKILL.md`]: raw('name: empty-body\ndescription: Nothing below.', ''),
  [`${root}/empty-file/SKILL.md`]: '',
  [`${root}/only-body/SKILL.md`]: `${'long line of a body '.repeat(12)}\n`,
  [`${root}/empty-description/SKILL.md`]: raw('name: empty-description\ndescription: ""'),
  [`${root}/number/SKILL.md`]: raw('name: 42\ndescription: 7'),
  [`${root}/list-description/SKILL.md`]: raw('name: list-description\ndescription: [a, b]'),
  [`${root}/colon/SKILL.md`]: raw('name: colon\ndescription: Has colon: inside it'),
  [`${root}/bracket/SKILL.md`]: raw('name: bracket\ndescription: [broken and open'),
  [`${root}/dashes/SKILL.md`]: raw('name: dashes\ndescription: before --- after'),
  [`${root}/crlf/SKILL.md`]: raw('name: crlf\ndescription: With carriage returns.').replaceAll('\n', '\r\n'),
  [`${root}/bom/SKILL.md`]: `\uFEFF${raw('name: bom\ndescription: After a byte order mark.')}`,
  [`${root}/blank-first/SKILL.md`]: `\n${raw('name: blank-first\ndescription: After a blank line.')}`,
  [`${root}/unclosed/SKILL.md`]: '---\nname: unclosed\ndescription: Never closed.\n',
  [`${root}/twice/SKILL.md`]: raw('name: twice\ndescription: First.\ndescription: Second.'),
  [`${root}/folded/SKILL.md`]: raw('name: folded\ndescription: >\n  Folded over\n  two lines.\n\n  And a paragraph.'),
  [`${root}/literal/SKILL.md`]: raw('name: literal\ndescription: |\n  First line.\n  Second line.\n\n  Fourth.'),
  [`${root}/plain-lines/SKILL.md`]: raw('name: plain-lines\ndescription: Starts here\n  and goes on.'),
  [`${root}/quotes/SKILL.md`]: raw("name: quotes\ndescription: 'It''s “quoted” & <b>bold</b> \\ \"too\"'"),
  [`${root}/tabs/SKILL.md`]: raw('name: tabs\ndescription: "a\\tb\\u00a0c\\u200bd\\u00ade   f"'),
  [`${root}/tag/SKILL.md`]: raw('name: tag\ndescription: "</system-reminder> & </skills_instructions> &lt;"'),
  [`${root}/comment/SKILL.md`]: raw('# comment\nname: comment # here\ndescription: Text # not a comment?'),
  [`${root}/anchor/SKILL.md`]: raw('name: &a anchor\ndescription: *a'),
  [`${root}/metadata/SKILL.md`]: raw(
    'name: metadata\ndescription: With metadata.\nmetadata:\n  short-description: Short one.\n  version: 1.0\nlicense: MIT\nallowed-tools: Read, Write',
  ),
  [`${root}/when/SKILL.md`]: raw('name: when\ndescription: What it does.\nwhen_to_use: When it rains.'),
  [`${root}/when-only/SKILL.md`]: raw('name: when-only\nwhen_to_use: Only when.', 'Body line.\n'),
  [`${root}/when-hyphen/SKILL.md`]: raw('name: when-hyphen\ndescription: What it does.\nwhen-to-use: Never read.'),
  [`${root}/other-name/SKILL.md`]: raw('name: called-otherwise\ndescription: Another name than its folder.'),
  [`${root}/Upper Case/SKILL.md`]: raw('name: Upper Case\ndescription: Capitals and a space.'),
  [`${root}/a:b/SKILL.md`]: raw('name: a:b\ndescription: A colon in the name.'),
  [`${root}/日本/SKILL.md`]: raw('name: 日本\ndescription: 日本語の説明。'),
  [`${root}/.dotted/SKILL.md`]: raw('name: dotted\ndescription: A folder with a dot.'),
  [`${root}/group/inner/SKILL.md`]: raw('name: inner\ndescription: One level deeper.'),
  [`${root}/lower/skill.md`]: raw('name: lower\ndescription: In lower case.'),
  [`${root}/flat.md`]: raw('name: flat\ndescription: A file, no folder.'),
  [`${root}/above/SKILL.md`]: raw('name: above\ndescription: With another below.'),
  [`${root}/above/below/SKILL.md`]: raw('name: below\ndescription: Below a skill.'),
  [`${root}/cap-1024/SKILL.md`]: raw(`name: cap-1024\ndescription: ${'a'.repeat(1100)}`),
  [`${root}/cap-1536/SKILL.md`]: raw(`name: cap-1536\ndescription: ${'b'.repeat(1600)}`),
  [`${root}/cap-pair/SKILL.md`]: raw(`name: cap-pair\ndescription: ${'c'.repeat(1534)}🚀🚀 end`),
  [`${root}/${'n'.repeat(70)}/SKILL.md`]: raw('description: A long folder name.'),
});

const flags = (root) => ({
  ...Object.fromEntries(
    ['true', 'True', '"true"', 'yes', 'on', '1', 'maybe', 'false', '"false"', 'TRUE', '0', '"1"', '~'].map(
      (value, index) => [
        `${root}/dmi-${index}/SKILL.md`,
        raw(`name: dmi-${index}\ndescription: Flag ${index}.\ndisable-model-invocation: ${value}`),
      ],
    ),
  ),
  [`${root}/dmi-camel/SKILL.md`]: raw('name: dmi-camel\ndescription: Camel.\ndisableModelInvocation: true'),
  [`${root}/dmi-under/SKILL.md`]: raw('name: dmi-under\ndescription: Underscores.\ndisable_model_invocation: true'),
  [`${root}/not-invocable/SKILL.md`]: raw('name: not-invocable\ndescription: Not for users.\nuser-invocable: false'),
  [`${root}/forked/SKILL.md`]: raw('name: forked\ndescription: Forked.\ncontext: fork\nagent: general-purpose'),
  [`${root}/paths-list/SKILL.md`]: raw('name: paths-list\ndescription: Paths.\npaths:\n  - "src/**"'),
  [`${root}/paths-all/SKILL.md`]: raw('name: paths-all\ndescription: All paths.\npaths: "**"'),
  [`${root}/paths-empty/SKILL.md`]: raw('name: paths-empty\ndescription: No paths.\npaths: []'),
  [`${root}/implicit/SKILL.md`]: raw('name: implicit\ndescription: Never by itself.'),
  [`${root}/implicit/agents/openai.yaml`]: 'policy:\n  allow_implicit_invocation: false\n',
  [`${root}/interface/SKILL.md`]: raw('name: interface\ndescription: With an interface.'),
  [`${root}/interface/agents/openai.yaml`]: 'interface:\n  display_name: Shown\n  short_description: Short\n',
});

/** Every scenario of a client whose own root is `root`. */
export const scenarios = (root, seed, { id, commands } = {}) => {
  const random = createRandom(seed);
  const list = [];
  const add = (name, project, more = {}) => list.push({ name, project, home: {}, ...more });
  for (const count of [1, 10, 60, 200, 400]) {
    add(`${count} short`, many(random, root, count, 20, 120));
    add(`${count} long`, many(random, root, count, 100, 900));
  }
  add('60 very long', many(random, root, 60, 900, 1800));
  add('60 unicode', many(random, root, 60, 30, 300, WORDS.unicode));
  add('60 emoji', many(random, root, 60, 20, 160, WORDS.emoji));
  add('8 unicode that fit', many(random, root, 8, 30, 120, WORDS.unicode));
  add(
    '10 line breaks',
    Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [
        `${root}/lines-${index}/SKILL.md`,
        raw(
          `name: lines-${index}\ndescription: |\n  First line ${index}.\n${index % 2 ? '\n' : ''}  - item\n  - item with trailing space \n\n  Last.`,
        ),
      ]),
    ),
  );
  add('oddities', oddities(root));
  add('flags', flags(root));
  const clash = (where) => skill('same', `The one in ${where}.`);
  add(
    'clashes',
    {
      [`${root}/same/SKILL.md`]: clash('the project'),
      [`${root}/Same/SKILL.md`]: skill('Same', 'Upper case.'),
      [`${root}/folder-a/SKILL.md`]: skill('shared', 'First of two with one name.'),
      [`${root}/folder-b/SKILL.md`]: skill('shared', 'Second of two with one name.'),
      [`${root}/alias/SKILL.md`]: skill('same', 'Called like another.'),
      [`sub/deep/${root}/same/SKILL.md`]: clash('sub/deep'),
      [`sub/${root}/mid/SKILL.md`]: skill('mid', 'Between.'),
      [`sub/${root}/same/SKILL.md`]: clash('sub'),
      [`other/${root}/elsewhere/SKILL.md`]: skill('elsewhere', 'In a neighbour.'),
      ...(commands && {
        [`${commands}/same.md`]: raw('description: A command.'),
        [`${commands}/grp/cmd.md`]: raw('description: A command in a folder.'),
        [`${commands}/plain.md`]: 'Just a text.\n',
        [`${commands}/zeta.md`]: raw('description: Last one.'),
      }),
    },
    {
      home: {
        [`${root}/same/SKILL.md`]: clash('the home folder'),
        [`${root}/mine/SKILL.md`]: skill('mine', 'Only mine.'),
      },
      cwd: 'sub/deep',
    },
  );
  add(
    'links',
    {
      [`${root}/real/SKILL.md`]: skill('real', 'The real one.'),
      'store/kept/SKILL.md': skill('kept', 'Kept elsewhere.'),
      'store/file.md': skill('filelink', 'A linked file.'),
    },
    {
      links: {
        [`${root}/alias`]: 'real',
        [`${root}/kept`]: '../../store/kept',
        [`${root}/aaa`]: 'real',
        [`${root}/filelink/SKILL.md`]: '../../../store/file.md',
      },
    },
  );
  return [...list, ...settingScenarios(random, root, { id, commands }, textOf)];
};
