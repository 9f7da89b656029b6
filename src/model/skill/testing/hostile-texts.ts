/** Files that nobody wrote by hand: random ones, mutated ones, and pieces that make naive readers slow. */
import type { Random } from './random.ts';
import { BODY, DESCRIPTION, withFields } from './skill-case.ts';

const PIECES = [
  '---', '---\n', '--- \n', '----\n', '...\n', '\n', '\n\n', '\r\n', '\r', '\t', ' ', '  ', '    ', '\uFEFF', '\u0000', '\u0001', '\u007F', '\u0085', '\u2028', '\u200B', '\uD83D', '\uDE00', '😀', '\u{E0041}',
  'name', 'description', 'metadata', 'allowed-tools', 'license', 'compatibility', 'metaskill', 'metaskill_language', 'version', '__proto__', 'constructor', '<<',
  ':', ': ', ':\n', '-', '- ', '? ', '[', ']', '{', '}', ',', ', ', '"', "'", '|', '|\n', '>', '>-\n', '&a', '*a', '!', '!!str ', '%', '@', '`', '#', ' # c', '\\', '\\n', '~', '=', '<', '>', '->', '<!--', '-->',
  'ok', 'a', 'A b', '1', '1.0', 'true', 'null', '2024-13-45', '0x10', 'Use when: x', 'Read, Write', 'Bash(gh pr:*)', 'SKILL.star', '../x', '/etc/passwd',
  '# H\n', '```', '```sh\n', '~~~', '[a](b)', '[a](#h)', '[[ok]]', '![x](y "z")', '[r]: x', '](', '</skill_content>', 'scripts/a.py', 'references/b.md#c', '<a name="x">',
] as const; // prettier-ignore

const BASES = [
  withFields('license: MIT # why\nmetadata:\n  a: b\n  version: 1.0\nallowed-tools: Read Bash(git:*)'),
  withFields(
    'metadata: {a: [x, {y: z}], "b": c}\nx: &a 1\ny: *a\ntags:\n  - a\n  - b\nhooks:\n  before:\n    run: "x: y" # c',
  ),
  `---\r\nname: "Ok"\r\ndescription: >-\r\n  ${DESCRIPTION}\r\n  More.\r\nmetaskill: run.star\r\n---\r\n${BODY.replaceAll('\n', '\r\n')}`,
  `---\n  name: ok\n  description: |\n    Two\n    lines\n  compatibility: ""\n  allowed-tools: [Read, Write]\n---\n\n${BODY}\n\`\`\`sh\nls\n`,
  `Text\n\n---\nname: other\ndescription: Use when: x\n---\n[a](b.md) [[c]] scripts/d.py \u200B\n`,
];

const randomText = (random: Random, pieces: number): string =>
  Array.from({ length: pieces }, () => random.pick(PIECES)).join('');

const mutate = (text: string, random: Random): string => {
  const at = random.below(text.length + 1);
  const length = random.below(12);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 2:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at + length);
    case 3:
      return text.slice(0, at + length) + text.slice(at);
    case 4:
      return text.slice(0, at);
    default:
      return text.slice(0, at) + String.fromCharCode(random.below(0x1_0000)) + text.slice(at + 1);
  }
};

/** One file: pieces by chance, a sound one with a few bytes changed, or bytes by chance. */
export const hostileFile = (random: Random): string | Uint8Array => {
  const kind = random.below(10);
  if (kind < 3) return randomText(random, random.below(40));
  if (kind < 5) return `---\n${randomText(random, random.below(30))}\n---\n${randomText(random, random.below(20))}`;
  if (kind < 9) {
    let text = random.pick(BASES);
    for (let count = 1 + random.below(6); count > 0; count--) text = mutate(text, random);
    return text;
  }
  const text = new TextEncoder().encode(mutate(random.pick(BASES), random));
  for (let count = random.below(4); count > 0; count--) text[random.below(text.length)] = random.below(256);
  return text;
};

/** Repeated many times on one line, these are what backtracking is feared for. */
// prettier-ignore
export const SLOW_PIECES: readonly string[] = [
  '[', '](', '[a](', '[a](b `', '`x` [a](b)', '![a](b', '[[a', '[[a]]', '[a]: ', '(', '<', '<a name="', '<!-- ', '-->', '> ',
  '`', '``a`', '```', '!', '"', "'", '“', ' ', 'a ', '\t', '- ', '=', '#', '# ', '.', 'a,', 'a: ', '\\', '{', '}', '%2',
  'scripts/', 'scripts/a.', 's/', '../', 'gh_', 'sk-ant-', '-----BEGIN ', 'input keys', 'I ', 'when ', 'users ', 'import ',
  'a\u200B', '\uFEFF', '\u0000', 'a\u0000', '\uD83D', '😀', '\u{E0041}', '\u{1F3F4}\u{E0041}', '\u0085', '日',
];

/** The same over many lines. */
// prettier-ignore
export const SLOW_LINES: readonly string[] = [
  '\n', '\r', '\r\n', 'a\n', '- a\n', 'a: b\n', 'a:\n', 'a: {}\n', '"\n', '# a\n', '---\n', '=\n', '```\n', '> ```\n', '[a](b)\n', '`\n', '|\n', '? a\n', '*a\n',
];
