// What a text cites must exist: decisions in docs/decisions.md, files and folders in the repository.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders of the repository whose texts are read. */
const FOLDERS = ['.ci', 'bench', 'docs', 'e2e', 'public', 'scripts', 'src', 'starlark', 'types'];
const TEXT = /\.(?:css|go|html|md|mjs|ts|tsx|yaml|yml)$/;
/** Texts that are data: other people's words, and skills that only look like part of a project. */
const DATA = /(?:^|\/)(?:fixtures|node_modules|testdata)\/|^public\/(?:demo|sandbox)\/|^src\/platform\/worker\/go\//;
const SELF = 'src/citations.test.ts';

const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root.split(sep).join('/'), join(entry.parentPath, entry.name).split(sep).join('/')));

const files: readonly string[] = [
  ...readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name),
  ...FOLDERS.flatMap(below),
  'bin/lathe',
];

interface Repository {
  readonly paths: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly decisions: ReadonlySet<string>;
}

const repositoryOf = (paths: readonly string[], decisions: string): Repository => ({
  paths: new Set(
    paths.flatMap((path) => {
      const parts = path.split('/');
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    }),
  ),
  names: new Set(paths.map((path) => posix.basename(path))),
  decisions: new Set(Array.from(decisions.matchAll(/^### (D\d+)$/gm), ([, id = '']) => id)),
});

const LAYERS = 'base|model|platform|stores|features|ui|app|cli';
const TOP = 'bench|bin|docs|e2e|public|scripts|src|starlark|types';
/** A path from the top of the repository or of `src/`, or the name of a source file. `scripts/x.py` is a skill's own. */
const PATH = new RegExp(
  `^(?!.*\\.(?:py|sh)$)(?:(?:${TOP}|${LAYERS})/[\\w@./*-]*\\w\\*?/?|[\\w*-]+(?:\\.[\\w*-]+)*\\.(?:ts|tsx|mjs|css|go))$`,
);

const PAGE = /`((?!(?:docs|src)\/)[\w./-]+\.md)`/g;
const COMMENTED_PAGE = /(?<=^\s*(?:\/\/|\/?\*).*)`((?!(?:docs|src)\/)[\w./-]+\.md)`/gm;
/** Pages of a user's folder that texts speak of. */
const USER_PAGES = new Set(['SKILL.md', 'skill.md', 'AGENTS.md', 'CLAUDE.md', 'CONTEXT.md', 'USER.md', 'MEMORY.md']);

const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '*': '[^/]*' };
const asPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\*\*\/|[*.+?^${}()|[\]\\]/g, (sign) => WILD[sign] ?? `\\${sign}`)}$`);

const exists = ({ paths, names }: Repository, folder: string, given: string): boolean => {
  const path = given.replace(/\/$/, '');
  const anywhere = path.includes('/') ? [] : names;
  const places = [path, `src/${path}`, posix.join(folder, path)].flatMap((place) => [place, `${place}.ts`]);
  if (!path.includes('*')) return places.some((place) => paths.has(place)) || names.has(path);
  return [...paths, ...anywhere].some((each) => places.some((place) => asPattern(place).test(each)));
};

/** The anchors that GitHub gives the headings of a page. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** The faults of one text, each with its line. */
const faultsOf = (repository: Repository, file: string, text: string): string[] => {
  const folder = posix.dirname(file);
  const faults: [offset: number, what: string][] = [];
  const each = (pattern: RegExp, judge: (match: string) => string | undefined, within = text): void => {
    for (const match of within.matchAll(pattern)) {
      const what = judge(match[1] ?? match[0]);
      if (what !== undefined) faults.push([match.index, what]);
    }
  };
  each(/(?<![\w!:.#/+-])D\d{1,2}(?!\w)/g, (id) =>
    repository.decisions.has(id) ? undefined : `${id} is not in docs/decisions.md`,
  );
  each(/`([^`\s]+)`/g, (path) =>
    !PATH.test(path) || exists(repository, folder, path) ? undefined : `${path} does not exist in the repository`,
  );
  // In code only comments: a test's own pages are not citations.
  each(file.endsWith('.md') ? PAGE : COMMENTED_PAGE, (path) =>
    USER_PAGES.has(posix.basename(path)) || exists(repository, folder, path)
      ? undefined
      : `${path} does not exist in the repository`,
  );
  if (file.endsWith('.md')) {
    const prose = text.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
    each(
      /\]\((?![a-z]+:|#)([^)\s#]+)[^)]*\)/g,
      (path) => (repository.paths.has(posix.join(folder, path)) ? undefined : `the link to ${path} leads nowhere`),
      prose,
    );
    const anchors = anchorsOf(text);
    each(/\]\(#([^)\s]+)\)/g, (anchor) => (anchors.has(anchor) ? undefined : `no heading for #${anchor}`), prose);
  }
  each(/\bthe seeds?(?:['’]s?)?\b|\bseed[ -](?:0\d\d|era)\b/gi, (words) => `"${words}": name the document`);
  each(
    /\bDESIGN\b|\bstack-facts\b|\bsystems-behind-the-\w+|\bmetaskill-cases\.md\b/g,
    (words) => `"${words}": cite docs/decisions.md`,
  );
  // Data beside the repository: a test may read it where it is present.
  if (!/\.test\.tsx?$/.test(file)) each(/(?:\.\.\/)+shared\//g, (words) => `"${words}" is not part of the repository`);
  return faults.map(([offset, what]) => `${file}:${lineOf(text, offset)}: ${what}`);
};

const repository = repositoryOf(files, readFileSync(join(root, 'docs/decisions.md'), 'utf8'));

describe('citations', () => {
  it('docs/decisions.md has D1 to D49, and none twice', () => {
    const ids = Array.from(readFileSync(join(root, 'docs/decisions.md'), 'utf8').matchAll(/^### D(\d+)$/gm), ([, n]) =>
      Number(n),
    );
    expect(ids.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: Math.max(49, ids.length) }, (_, index) => index + 1),
    );
  });

  it('every decision, file and link that a text names exists', () => {
    const texts = files.filter((file) => TEXT.test(file) && !DATA.test(file) && file !== SELF);
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.flatMap((file) => faultsOf(repository, file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });
});

/** Names of code in a table: what is in backticks and looks like neither a path nor a word of a format. */
const namesIn = (table: string): readonly string[] =>
  Array.from(table.matchAll(/`([A-Za-z]\w*)(?:\.(\w+))?`/g), ([, name = '', member]) =>
    [name, member ?? []].flat(),
  ).flat();

describe('the glossary', () => {
  const columns = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| word'))
    .map((line) => line.split(' | ')[2] ?? '');

  it('names what is in the code', () => {
    const names = new Set(columns.flatMap(namesIn));
    expect(names.size).toBeGreaterThan(25);
    const code = files
      .filter((file) => /^src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const declared = new Set(
      Array.from(code.matchAll(/\b(?:const|function|interface|type|class|readonly)\s+(\w+)/g), ([, name = '']) => name),
    );
    expect([...names].filter((name) => !declared.has(name))).toEqual([]);
  });
});

describe('the check itself', () => {
  const planted = repositoryOf(
    ['src/model/tool/policy.ts', 'docs/decisions.md', 'README.md'],
    '### D1\n\nText.\n\n### D2\n',
  );
  const faults = (text: string, file = 'src/model/tool/SPEC.md'): string[] => faultsOf(planted, file, text);

  it('accepts what exists', () => {
    expect(
      faults(
        "D1, D2: `src/model/tool/policy.ts`, `model/tool`, `policy.ts`, `model/*/policy.ts`, [x](../../../README.md#a), `SKILL.md`\n# Don't, or do\n[y](#dont-or-do)",
      ),
    ).toEqual([]);
  });

  it.each([
    ['a\n(D3)', 'src/model/tool/SPEC.md:2: D3 is not in docs/decisions.md'],
    ['`src/model/tool/gone.ts`', 'src/model/tool/SPEC.md:1: src/model/tool/gone.ts does not exist in the repository'],
    ['`model/gone`', 'src/model/tool/SPEC.md:1: model/gone does not exist in the repository'],
    ['`gone.test.ts`', 'src/model/tool/SPEC.md:1: gone.test.ts does not exist in the repository'],
    ['`model/*/gone-*.ts`', 'src/model/tool/SPEC.md:1: model/*/gone-*.ts does not exist in the repository'],
    ['`gone.md`', 'src/model/tool/SPEC.md:1: gone.md does not exist in the repository'],
    ['[x](README.md)', 'src/model/tool/SPEC.md:1: the link to README.md leads nowhere'],
    ['# Here\n[x](#there)', 'src/model/tool/SPEC.md:2: no heading for #there'],
    ['the seed says', 'src/model/tool/SPEC.md:1: "the seed": name the document'],
    ['as seed 004 has it', 'src/model/tool/SPEC.md:1: "seed 004": name the document'],
    ['DESIGN §3', 'src/model/tool/SPEC.md:1: "DESIGN": cite docs/decisions.md'],
    ['../shared/x', 'src/model/tool/SPEC.md:1: "../shared/" is not part of the repository'],
  ])('refuses %j', (text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });

  it('reads the comments of code, and not its texts', () => {
    const code = "/** As `notes/gone.md` says. */\nwrite('`mine.md`');\n";
    expect(faults(code, 'src/model/tool/a.ts')).toEqual([
      'src/model/tool/a.ts:1: notes/gone.md does not exist in the repository',
    ]);
  });

  it('lets a test read what lies beside the repository', () => {
    expect(faults("new URL('../../../../shared/corpus/', import.meta.url)", 'src/model/tool/a.test.ts')).toEqual([]);
  });
});
