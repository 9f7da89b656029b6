// What people read follows docs/voice.md: every string that the app and the CLI show, the help, and the pages of the project.
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
  /(^|[.:;] )there (is|are|was|were) no\b/,
  /\bis none\b/,
  /\bwhat (had|was|has|is) (come|came|arrived|written|kept|sent|said|there|open)\b/,
  /\bthe (one|request|session|answer|call) before\b/,
  /\bbehind (it|them|that|the (?!scenes))\b/,
  /[\d}] %/,
  /\b(go|goes|went) on\b/,
  /\ba text\b(?! (block|file|or))|\btexts\b/,
  /\bfigures?\b(?! out)/,
  /\blapse[sd]?\b|\blived out\b/,
  /\b(colour|behaviour|licence|analyse|normalise|serialise|authoris|organisation|honour|centre)/,
  /\b(stands?|stood) (at|in|on|before|behind|where|there|here|still)\b/,
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

/** Text that isn't the voice of Lathe: what a model reads, what imitates a model, a provider, or a program, and lists of words. */
const OTHER_VOICES: readonly RegExp[] = [
  /^src\/model\/prompt\/operating-context\//,
  /^src\/model\/(tool\/definitions|guard\/prefix)\.ts$/,
  /^src\/model\/simulator\/(behaviour\/|check-|sim-error)/,
  /^src\/platform\/sandbox\/(git|python|shell)\//,
  /^src\/model\/importer\/(vocabulary-words|executor-python)\.ts$/,
];

/** Words that people search for in the command palette. */
const KEYWORDS = /^'[a-z ]+'$/;

const sources = [
  'src/api',
  'src/app',
  'src/base',
  'src/cli',
  'src/features',
  'src/model',
  'src/platform',
  'src/stores',
  'src/ui',
]
  .flatMap(below)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/(?:fixtures|testing)\//.test(file))
  .filter((file) => !OTHER_VOICES.some((other) => other.test(file)));

/** `docs/voice.md` shows what not to write. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'CHANGELOG.md',
  'AGENTS.md',
  'llms.txt',
  ...below('docs'),
].filter((file) => /\.(md|txt)$/.test(file) && file !== 'docs/voice.md');

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
  const strings = read(sources, stringsOf).filter(({ text }) => !KEYWORDS.test(text));
  const prose = read(pages, proseOf);

  it('reads what people read', () => {
    expect(strings.length).toBeGreaterThan(5000);
    expect(prose.length).toBeGreaterThan(1000);
  });

  it('uses no banned phrase', () => {
    expect(BANNED.flatMap((phrase) => hits([...strings, ...prose], phrase))).toEqual([]);
  });
});

/** Comments, names of tests, and specifications have older texts. How many banned phrases they may have; this may only fall. */
const OLDER: readonly (readonly [kind: string, line: RegExp, file: RegExp, most: number])[] = [
  ['specifications', /^(.*)$/, /SPEC\.md$/, 210],
  ['names of tests', /^\s*(?:it|test|describe)(?:\.\w+)*\(\s*(['"`].*)$/, /\.(?:test|spec)\.tsx?$/, 230],
  ['comments', /^\s*(?:\/\/|\/\*\*?|\*) (.*)$/, /\.(?:ts|tsx|mjs|css)$/, 570],
];

describe('the voice of the code', () => {
  const files = ['src', 'e2e', 'scripts', 'bench'].flatMap(below);

  it.each(OLDER)('%s: no more banned phrases than before', (_kind, line, file, most) => {
    const texts = read(
      files.filter((path) => file.test(path) && path !== 'src/voice.test.ts'),
      (text) =>
        text.split('\n').flatMap((row, index) => {
          const [, said] = line.exec(row) ?? [];
          return said === undefined ? [] : [{ line: index + 1, text: said.replace(/`[^`]*`/g, '`') }];
        }),
    );
    // One pass over one text: there are 20,000 lines.
    const any = new RegExp(BANNED.map(({ source }) => source).join('|'), 'gim');
    const found = texts
      .map(({ text }) => text)
      .join('\n')
      .match(any);
    expect(found?.length ?? 0, found?.slice(-20).join(', ')).toBeLessThanOrEqual(most);
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
