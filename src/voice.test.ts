// What people read follows docs/voice.md: the strings of the app and the CLI, the help, and the pages of the project.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parser } from '@lezer/javascript';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Phrases that no text has, and that none may get. */
const BANNED: readonly RegExp[] = [
  /\b(is|are|was|were|be|been) (told|said)\b/,
  /\bsays? so\b/,
  /\bwho(m)?ever\b/,
  /\b(lies|lay) (in|at|inside|outside|below|behind|before|more|to)\b/,
  /\b(tools?|prompts?|messages?|entry|entries|executors?) lives?\b/,
  /(?<!there )\b(is|are|was|were) no (?!longer|more)/,
  /\bfor good\b/,
  /\ball the same\b/,
  /\banew\b/,
  /\bany more\b/,
  /(?<!all )\bat once\b/,
  /\b(is|are) being \w+/,
  /\bon its way\b/,
  /\b(bring|brings|brought) back\b/,
  /\btakes? (another|its|disk)\b/,
  /\bkept (session|key)s?\b/,
  /\bfrom elsewhere\b/,
  /\bin (plain )?words\b/,
  /\bits kin\b|\btheir like\b/,
  /(?<!\/)\bpictures?\b(?!\/)/,
  /\blet through\b/,
  /\bpass(ed)? over\b/,
  /\b(please|sorry|oops|simply)\b/,
  /\bwrong use\b|\ba good start\b/,
  /\bthat you (chose|opened|allowed|enter|keep)\b/,
];

/** Phrases of older texts, with how many are left: in strings, and in pages. A count may only fall. */
const FALLING: readonly (readonly [phrase: RegExp, strings: number, pages: number])[] = [
  [/\bwhat (had|was|has|is) (come|came|arrived|written|kept|sent|said|there|open)\b/, 0, 2],
  [/\bthe (one|request|session|answer|call) before\b/, 0, 3],
  [/\bbehind (it|them|that|the (?!scenes))\b/, 0, 1],
  [/[\d}] %/, 0, 0],
  [/\b(go|goes|went) on\b/, 1, 1],
  [/\ba text\b|\btexts\b/, 0, 5],
  [/\bfigures?\b(?! out)/, 1, 1],
  [/\blapse[sd]?\b|\blived out\b/, 1, 0],
  [/\b(colour|behaviour|licence|analyse|normalise|serialise|authoris|organisation|honour|centre)/, 1, 0],
  [/\b(stands?|stood) (at|in|on|before|behind|where|there|here|still)\b/, 0, 1],
];

/** One text that a person reads. */
interface Said {
  readonly line: number;
  readonly text: string;
}

const dialects = { ts: parser.configure({ dialect: 'ts' }), tsx: parser.configure({ dialect: 'ts jsx' }) };

/** The string literals and JSX texts of a source file, without what it imports and without the code inside a template. */
const stringsOf = (source: string, dialect: keyof typeof dialects = 'tsx'): readonly Said[] => {
  const said: Said[] = [];
  const add = (from: number, text: string): void => {
    // Words have a space between them; what has none is a name, a class, or a value.
    if (/\S\s+\S/.test(text)) said.push({ line: source.slice(0, from).split('\n').length, text });
  };
  dialects[dialect].parse(source).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'ImportDeclaration') return false;
      if (name === 'TemplateString') {
        let text = source.slice(from, to);
        for (const { from: start, to: end } of node.getChildren('Interpolation').toReversed()) {
          text = `${text.slice(0, start - from)}…${text.slice(end - from)}`;
        }
        add(from, text);
      } else if (name === 'String' || name === 'JSXText' || name === 'JSXAttributeValue') {
        add(from, source.slice(from, to));
      }
      return true;
    },
  });
  return said;
};

/** The prose of a page in Markdown: without code. */
const proseOf = (page: string): readonly Said[] =>
  page
    .replace(/^```[^]*?^```/gm, (code) => code.replace(/[^\n]/g, ' '))
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line.replace(/`[^`]*`/g, '`') }));

const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root.split(sep).join('/'), join(entry.parentPath, entry.name).split(sep).join('/')));

const sources = ['src/app', 'src/cli', 'src/features', 'src/ui']
  .flatMap(below)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/(?:fixtures|testing)\//.test(file));

/** `docs/voice.md` shows what not to write. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'CHANGELOG.md',
  ...below('docs'),
].filter((file) => file.endsWith('.md') && file !== 'docs/voice.md');

const read = (
  files: readonly string[],
  extract: (text: string, dialect: 'ts' | 'tsx') => readonly Said[],
): readonly (Said & { file: string })[] =>
  files.flatMap((file) =>
    extract(readFileSync(join(root, file), 'utf8'), file.endsWith('.tsx') ? 'tsx' : 'ts').map(({ line, text }) => ({
      file,
      line,
      text,
    })),
  );

const hits = (texts: readonly (Said & { file: string })[], phrase: RegExp): readonly string[] => {
  const any = new RegExp(phrase.source, 'i');
  return texts.flatMap(({ file, line, text }) => {
    const found = any.exec(text);
    if (!found) return [];
    const around = text.slice(Math.max(0, found.index - 40), found.index + 60).replace(/\s+/g, ' ');
    return [`${file}:${line}: ${phrase.source}: ${around}`];
  });
};

describe('the voice of the project', () => {
  const strings = read(sources, stringsOf);
  const prose = read(pages, proseOf);

  it('reads what people read', () => {
    expect(strings.length).toBeGreaterThan(2000);
    expect(prose.length).toBeGreaterThan(1000);
  });

  it('uses no banned phrase', () => {
    expect(BANNED.flatMap((phrase) => hits([...strings, ...prose], phrase))).toEqual([]);
  });

  it.each(FALLING)('%s: no more than before', (phrase, inStrings, inPages) => {
    const left = [hits(strings, phrase), hits(prose, phrase)] as const;
    if (left[0].length > inStrings) expect(left[0]).toEqual([]);
    if (left[1].length > inPages) expect(left[1]).toEqual([]);
    expect(left[0].length).toBeLessThanOrEqual(inStrings);
    expect(left[1].length).toBeLessThanOrEqual(inPages);
  });
});

describe('the reader of strings', () => {
  const texts = (source: string): readonly string[] => stringsOf(source).map(({ text }) => text);

  it('reads literals, templates, and JSX, and neither comments nor imports', () => {
    expect(
      texts("import a from 'not this one';\n// not this either\nconst b = 'one text';\nconst c = `two ${b} texts`;"),
    ).toEqual(["'one text'", '`two … texts`']);
    expect(texts('const v = <p title="a title">some words</p>;')).toEqual(['"a title"', 'some words']);
  });

  it('skips code in pages', () => {
    expect(proseOf('a\n```sh\nwhoever\n```\n`whoever` b').map(({ text }) => text.trim())).toEqual([
      'a',
      '',
      '',
      '',
      '` b',
    ]);
  });
});
