/**
 * Skills as people publish them, made by chance with the shares of faults and fields that were measured on 4,999
 * published ones. A quirk that is rare there is given to one of the first skills anyway.
 */
import type { SkillInput } from '../types.ts';
import { seededRandom, type Random } from './random.ts';

export interface GeneratedSkill {
  readonly input: SkillInput;
  /** Top-level fields that no specification knows: nothing of them may get lost. */
  readonly extraFields: readonly string[];
  /** What no tool can decide for the author, if anything. */
  readonly beyondRepair: string | undefined;
}

const WORDS = 'pdf table report deploy review cloud query schema token release invoice chart signal'.split(' ');
const SENTENCES = [
  'Extracts tables from documents and writes them as CSV.',
  'Reviews a change for errors, style & missing tests.',
  'Deploys a service to the cloud, step by step.',
  "Writes the release notes of the team's product.",
  'Use when a report has to be made.',
  'Use this skill when the user asks for "a quick chart".',
  'Works with A/B tests (also small ones) & dashboards.',
  'Helps with 日本語 documents – and emoji 🎉.',
];

const sentence = (random: Random): string => random.pick(SENTENCES);
const description = (random: Random): string =>
  Array.from({ length: 1 + random.below(4) }, () => sentence(random)).join(' ');

const single = (text: string): string => `'${text.replace(/'/g, "''")}'`;
const double = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Plain 54%, double 29%, single 6%, folded 6%, literal 4%. */
const descriptionLines = (random: Random): string => {
  const text = description(random);
  const style = random.next();
  // A plain scalar may not hold ` #` or start with a quote; none of the sentences does.
  if (style < 0.54) return `description: ${text}`;
  if (style < 0.83) return `description: ${double(text)}`;
  if (style < 0.9) return `description: ${single(text)}`;
  const header = random.pick(style < 0.96 ? ['>', '>-', '>+'] : ['|', '|-']);
  return `description: ${header}\n  ${text}\n  ${sentence(random)}`;
};

const tool = (random: Random): string =>
  random.pick(['Read', 'Bash', 'Write', 'Grep', 'Glob', 'Edit', 'WebFetch', 'mcp__github__search', 'Bash(git:*)']);

/** Of 180: space 67, comma 65, list 34, space inside parentheses 8, single 6. */
const allowedTools = (random: Random): string => {
  const tools = Array.from({ length: 2 + random.below(4) }, () => tool(random));
  const form = random.below(180);
  if (form < 67) return `allowed-tools: ${tools.join(' ')}`;
  if (form < 132) return `allowed-tools: ${tools.join(', ')}`;
  if (form < 150) return `allowed-tools:\n${tools.map((each) => `  - ${each}`).join('\n')}`;
  if (form < 166)
    return `allowed-tools: [${tools.map((each) => (each.includes(':') ? double(each) : each)).join(', ')}]`;
  if (form < 174) return `allowed-tools: Bash(gh pr:*) Read`;
  return `allowed-tools: ${tools[0]}`;
};

const CLAWDBOT = '{"clawdbot":{"emoji":"🦞","requires":{"bins":["curl","jq"]},"primaryEnv":"TOKEN"}}';

/** Of 1,282: 510 in flow style, 586 with nested maps, 82 with dates, 17 with lists, some numbers, 3 null. */
const metadata = (random: Random): string => {
  const form = random.below(1282);
  if (form < 456) return `metadata: ${CLAWDBOT}`;
  if (form < 510) return `metadata: {author: someone, version: 1.0, tags: [a, b]}`;
  if (form < 586)
    return `metadata:\n  openclaw:\n    emoji: "x"\n    requires:\n      bins: ["a"]\n      env:\n        - TOKEN`;
  if (form < 668) return `metadata:\n  author: someone\n  updated: 2026-01-0${1 + random.below(9)}`;
  if (form < 685) return `metadata:\n  tags:\n    - a\n    - b`;
  if (form < 690) return `metadata:\n  version: 1.0\n  draft: true`;
  if (form < 693) return 'metadata: null';
  return `metadata:\n  author: someone\n  version: "1.${random.below(9)}.0"\n  category: ${random.pick(WORDS)}`;
};

/** Unknown fields by how often they occur. */
const EXTRA: readonly (readonly [weight: number, lines: string])[] = [
  [835, 'requires:\n  mcp: [rube]'],
  [283, 'version: 1.0.0'],
  [258, 'homepage: https://example.org/x'],
  [152, 'author: Some One <one@example.org>'],
  [125, 'package: "@scope/package"'],
  [122, 'triggers:\n  - make a report\n  - "run: it"'],
  [112, 'user-invocable: true'],
  [94, 'argument-hint: "[file] [format]"'],
  [76, 'tags: [pdf, csv]'],
  [56, 'source: community'],
  [37, 'tools: Read, Write'],
  [31, 'models:\n  recommended:\n    - a\n    - b'],
  [16, 'category: writing # for the catalogue'],
  [11, 'disable-model-invocation: true'],
  [11, 'scope:\n  paths:\n    "src/**": read'],
  [8, 'dependencies: {}'],
];
const EXTRA_TOTAL = EXTRA.reduce((sum, [weight]) => sum + weight, 0);

const extraField = (random: Random): string => {
  let left = random.below(EXTRA_TOTAL);
  for (const [weight, lines] of EXTRA) {
    if (left < weight) return lines;
    left -= weight;
  }
  return 'version: 1.0.0';
};

const fieldName = (lines: string): string => lines.slice(0, lines.indexOf(':'));

interface Draft {
  folder: string;
  fileName: string;
  name: string | undefined;
  fields: string[];
  body: string;
  beyondRepair: string | undefined;
  finish: (text: string) => string;
}

type Quirk = readonly [count: number, apply: (draft: Draft, random: Random) => void];

/** How many of 4,999 have it, and what it is. */
const QUIRKS: readonly Quirk[] = [
  [
    122,
    (draft) =>
      (draft.name = draft.folder
        .split('-')
        .map((word) => word[0]?.toUpperCase() + word.slice(1))
        .join(' ')),
  ],
  [29, (draft) => (draft.name = draft.folder.replace(/-/g, '_'))],
  [13, (draft) => (draft.name = `team:${draft.folder}`)],
  [5, (draft) => (draft.name = draft.folder.toUpperCase())],
  [3, (draft) => (draft.name = draft.folder.replace('-', '--'))],
  [2, (draft) => (draft.name = `${draft.folder}-`)],
  [370, (draft) => (draft.name = `vendor-${draft.folder}`)],
  [40, (draft) => (draft.folder = `${draft.folder}-1.2.0`)],
  [10, (draft) => (draft.folder = draft.folder.replace(/-/g, '_'))],
  [3, (draft) => (draft.name = undefined)],
  [44, (draft) => (draft.finish = (text) => text.replace(/\n/g, '\r\n'))],
  [2, (draft) => (draft.finish = (text) => text.replace(/\n/, '\r\n'))],
  [2, (draft) => (draft.finish = (text) => `\uFEFF${text}`)],
  [1, (draft) => (draft.finish = (text) => `\n${text}`)],
  [26, (draft) => (draft.fileName = 'skill.md')],
  [2, (draft) => (draft.fileName = 'Skill.md')],
  [82, (draft) => (draft.finish = (text) => text.replace(/^---\n[\s\S]*?\n---\n/, ''))],
  [2, (draft) => (draft.finish = (text) => text.replace('\n---\n', '\n'))],
  [22, (draft, random) => draft.fields.splice(0, 1, `description: Use when: ${sentence(random)}`)],
  [3, (draft) => draft.fields.splice(1, 0, '# maintained by hand')],
  [
    2,
    (draft, random) =>
      draft.fields.splice(0, 1, `description: Turns <input> into ${random.pick(WORDS)} -> output. Use when needed.`),
  ],
  [1, (draft) => draft.fields.splice(0, 1, 'description: With a control\u0080 character. Use when needed.')],
  [1, (draft) => draft.fields.splice(0, 1)],
  [1, (draft) => draft.fields.push('Name: ok')],
  [1, (draft) => draft.fields.push('compatibility:\n  - Linux')],
  [
    2,
    (draft) => {
      draft.fields.splice(0, 1, `description: ${'Far too long. '.repeat(80)}`);
      draft.beyondRepair = 'the description is too long';
    },
  ],
  [
    1,
    (draft) => {
      draft.fields.push('<<<<<<< HEAD', 'license: MIT', '=======', 'license: ISC', '>>>>>>> other');
      draft.beyondRepair = 'a merge conflict';
    },
  ],
];

const OF = 4999;

const body = (random: Random): string => {
  const parts = [`# ${random.pick(WORDS)} guide\n`, `${description(random)}\n`];
  for (let count = 1 + random.below(5); count > 0; count--) {
    parts.push(
      random.pick([
        '## Steps\n\n1. Read the input.\n2. Write the output.\n',
        `${description(random)}\n`,
        '```bash\ncurl -s x | jq .\n```\n',
        '---\n\nMore text: see below.\n',
        '| a | b |\n|---|---|\n| 1 | 2 |\n',
      ]),
    );
  }
  return parts.join('\n');
};

export const generateCorpus = (count: number, seed: number): GeneratedSkill[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const folder = `${random.pick(WORDS)}-${random.pick(WORDS)}${index % 7 === 0 ? `-${index}` : ''}`;
    const draft: Draft = {
      folder,
      fileName: 'SKILL.md',
      name: folder,
      fields: [descriptionLines(random)],
      body: body(random),
      beyondRepair: undefined,
      finish: (text) => text,
    };
    if (random.chance(0.256)) draft.fields.push(metadata(random));
    if (random.chance(0.082))
      draft.fields.push(`license: ${random.pick(['MIT', 'Apache-2.0', 'Proprietary. See LICENSE.txt', '"MIT"'])}`);
    if (random.chance(0.036)) draft.fields.push(allowedTools(random));
    if (random.chance(0.013)) draft.fields.push('compatibility: Needs git, docker & network access');
    const extras = random.chance(0.359) ? Array.from({ length: 1 + random.below(3) }, () => extraField(random)) : [];
    const distinct = [...new Map(extras.map((lines) => [fieldName(lines), lines])).values()];
    for (const lines of distinct) draft.fields.splice(random.below(draft.fields.length + 1), 0, lines);
    // Quirks that replace the description expect it in front.
    draft.fields.sort((a, b) => Number(b.startsWith('description')) - Number(a.startsWith('description')));
    QUIRKS.forEach(([share, apply], quirk) => {
      if (index === quirk || random.chance(share / OF)) apply(draft, random);
    });
    if (random.chance(0.3)) draft.fields.reverse();
    const lines = [...(draft.name === undefined ? [] : [`name: ${draft.name}`]), ...draft.fields];
    const hasFrontmatter = draft.finish(`---\nx\n---\n`).includes('x');
    return {
      input: {
        content: draft.finish(`---\n${lines.join('\n')}\n---\n\n${draft.body}`),
        fileName: draft.fileName,
        folder: draft.folder,
      },
      extraFields: hasFrontmatter ? distinct.filter((each) => !each.endsWith('{}')).map(fieldName) : [],
      beyondRepair: draft.beyondRepair,
    };
  });
};
