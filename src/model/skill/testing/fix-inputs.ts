/** SKILL.md strings put together from good and broken parts. */
import fc from 'fast-check';
import type { SkillFile, SkillInput } from '../types.ts';
import { BODY } from './skill-case.ts';

/** `#` stands for a comment; it gets a number, so that each can be told from the others. */
const FIELDS = [
  'name: ok', 'name: "ok" #', 'name: Other Name', 'name: my_skill #', 'name: 123', 'name:', 'name: #', 'name: [a]', 'name: &n ok', 'name: !!str ok', '? name\n: ok', '? name', 'name: |\n  ok', "'name': -ok-", 'name: 2024-01-01',
  'description: Reads tables. Use when there are some.', 'description: Use when: a colon is there #', 'description: "unclosed', 'description: a "b" c', 'description: "a" b', 'description: >- #\n  Two\n  lines', 'description: |\n  # Not a comment\n  text\n', 'description: " x "', 'description: <b>x</b>', 'description:', 'description: ~ #', 'description: "goes\non"', "description: 'it''s'\n# ", 'description: {a: b} #', 'description: @x', 'description: a\n  b\n  c #', 'description:no space', 'description： wide',
  'license: MIT #', 'license: 1.0 #', 'license:\n  # in between\n  - MIT #\n  - ISC', 'license: &l MIT', 'license: *l', 'license: !!int 5', 'license: 2024-13-45 #', 'license: =',
  'compatibility: "" #', 'compatibility:', 'compatibility: # \n  - a #\n  - b', 'compatibility: {a: b}',
  'metadata:', 'metadata: ~ #', 'metadata: text', 'metadata: {} #', 'metadata: {a: b, c: [d, {e: f}]} #', 'metadata: {a: b, #\n  c: d}', 'metadata:\n  a: b #\n  version: 1.0', 'metadata:\n    a: 1 #\n    #\n    b:\n        - x #\n        - y\n    1: c', 'metadata:\n  a: &m {x: y}\n  b: *m', 'metadata: &a\n  x: y', 'metadata:\n  <<: {a: b}\n  c: 2024-01-01', 'metadata:\n  a: |\n    # text\n    more\n  b: [c] #', 'metadata:\n- a #\n- b', 'metadata:\n  ? a\n  : b', 'metadata:\n\ta: b',
  'allowed-tools: Read, Write #', 'allowed-tools: [Read, "Bash(gh pr:*)"] #', 'allowed-tools:\n  - Read #\n  # \n  - Write #', 'allowed-tools: []', 'allowed-tools: Bash', 'allowed-tools:\n- Raed', 'allowed-tools: [Read, #\n  Write]', 'allowed-tools: {a: b}',
  'version: 1.0 #', 'version: "2" #', 'tags: [a, b] #', 'tags:\n  - a #\n  - b', 'hooks:\n  # \n  before: # \n    run: x #', 'Name: ok', 'Description: Reads. Use when it must. #', 'x: &x 1', 'y: *x', 'model: opus #', 'note: |+\n  keep\n\n', 'note: >\n  a\n  b\n', '"quoted key": v #', '__proto__: x', 'metaskill: run.star #', 'metaskill: SKILL.star', 'metaskill_language: Lua #', '<<: {license: MIT}', '- a', 'just text', '\ttab: x', 'tab: a\tb #', 'ctl: a\u0001b', '...', '', '  ', '#', '# name: x', '  indented: x', '  name: ok', 'a: b: c #',
] as const; // prettier-ignore

const field = fc.constantFrom<string>(...FIELDS);

const sound = fc.constantFrom(
  'name: ok\ndescription: Reads tables. Use when there are some.',
  'description: Reads. Use when it must. #\nname: ok #',
);

/** Comments get their number when all parts are together. */
const numbered = (text: string): string => {
  let count = 0;
  return text.replace(/(^|[ \t])#(?= ?$| *\n)/gm, (_, before: string) => `${before}# note ${++count}`);
};

const yaml = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: sound }, { weight: 1, arbitrary: fc.constant('') }),
    fc.array(field, { maxLength: 4 }),
    fc.boolean(),
    fc.constantFrom('', '', '', '  ', '    '),
  )
  .map(([base, fields, isBaseFirst, indent]) => {
    const lines = (isBaseFirst ? [base, ...fields] : [...fields, base])
      .filter((part) => part !== '' || !isBaseFirst)
      .join('\n');
    return numbered(indent === '' ? lines : lines.replace(/^(?=.)/gm, indent));
  });

const flowYaml = fc.constantFrom(
  '{name: ok, description: d}',
  '{name: , description: "Reads"}',
  '{allowed-tools: [Read], version: 1}',
  '[a, b]',
  '{',
);

const body = fc.constantFrom(
  BODY,
  '',
  '\n\nJust text.\n',
  `${BODY}\n\`\`\`sh\nls\n`,
  '# T\n\n[a](b\\c.md) \u200B[[x]]\n---\nmore\n',
  'No newline at the end',
  '  indented\n\n# H\n',
  '# H\r\nmixed\n',
  '# Only a heading\n',
);

const opening = fc.oneof(
  { weight: 12, arbitrary: fc.constant('---\n') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '--- \n',
      '----\n',
      ' ---\n',
      '\uFEFF---\n',
      '\n\n---\n',
      'Text first.\n\n---\n',
      '',
      '---',
      '—\n',
    ),
  },
);
const closing = fc.oneof(
  { weight: 12, arbitrary: fc.constant('\n---\n') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\n--- \n',
      '\n----\n',
      '\n  ---\n',
      '\n...\n',
      '\n---Body\n',
      '\n',
      '\n---\n\n\n',
      '\n---',
    ),
  },
);

const eol = fc.oneof(
  { weight: 4, arbitrary: fc.constant('\n') },
  { weight: 1, arbitrary: fc.constantFrom('\r\n', '\r') },
);

const FILES = new Map<string, SkillFile>([
  ['SKILL.md', { size: 1 }],
  ['SKILL.star', { size: 4, text: '\uFEFFx\n' }],
  ['references/a.md', { size: 9, text: '# A\n\n```\n' }],
]);

export const FIX_INPUTS: fc.Arbitrary<SkillInput> = fc
  .record({
    text: fc.tuple(
      opening,
      fc.oneof({ weight: 15, arbitrary: yaml }, { weight: 1, arbitrary: flowYaml }),
      closing,
      body,
    ),
    eol,
    folder: fc.constantFrom('ok', 'ok', 'other-name', 'Odd Folder', undefined),
    fileName: fc.constantFrom('SKILL.md', 'SKILL.md', 'SKILL.md', 'skill.md'),
    hasFiles: fc.boolean(),
  })
  .map(({ text, eol: ending, folder, fileName, hasFiles }): SkillInput => {
    const content = ending === '\n' ? text.join('') : text.join('').replace(/\r\n|\n/g, ending);
    const files = hasFiles && fileName === 'SKILL.md' ? FILES : new Map<string, SkillFile>();
    return folder === undefined ? { content, fileName, files } : { content, fileName, folder, files };
  });
