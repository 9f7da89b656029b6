/** The same commands by the machine's git and by ours, over the same repository. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram, makeFolder, openSide, type Folder, type Side } from '../testing/side-by-side.ts';

const FARES = `"""Fares."""

RATE = 100


def child_fare(cents):
    """Half, rounded down."""
    return cents // 2


def total(legs):
    result = 0
    for leg in legs:
        result += leg.price
    return result


def group_fare(people, cents):
    if people > 9:
        return people * cents * 9 // 10
    return people * cents
`;

const changed = FARES.replace('cents // 2', 'round(cents / 2)').replace(
  '    result = 0\n',
  '    # Start with nothing.\n    result = 0\n',
);

const build = (): Folder => {
  const folder = makeFolder({
    'README.md': '# Harbour\n\nTickets.\n',
    'harbour/fares.py': FARES,
    'harbour/seats.py': 'SEATS = 12\n',
    'harbour/old.py': 'gone = True\nmore = 1\n',
    'docs/a b.txt': 'a blank in the name\n',
    'docs/ünï.txt': 'ü\n',
    'docs/no-newline.txt': 'last line',
    'data.bin': new Uint8Array([0, 1, 2, 3, 0, 255]),
    '.gitignore': '*.log\nbuild/\n!keep.log\n/top-only.txt\n',
    'empty.txt': '',
  });
  const git = (...args: string[]): void => {
    const { exitCode, output } = folder.real(['git', ...args]);
    if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Mira Solberg');
  git('config', 'user.email', 'mira@harbour.example');
  git('add', '-A');
  git('commit', '-q', '-m', 'Start');
  folder.write('harbour/seats.py', 'SEATS = 12\nROWS = 3\n');
  git('commit', '-q', '-am', 'Add rows\n\nThe crew counts in rows.\n\n- one\n- two');
  folder.write('docs/new.md', 'new\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Notes for the crew');
  git('mv', 'harbour/seats.py', 'harbour/places.py');
  git('commit', '-q', '-m', 'Rename');
  git('rm', '-q', 'docs/new.md');
  git('commit', '-q', '-m', 'Drop the notes');
  git('tag', 'v1');
  git('branch', 'side', 'HEAD~2');
  // What is not committed.
  folder.write('harbour/fares.py', changed);
  folder.write('README.md', '# Harbour\n\nTickets for ferries.\n');
  folder.write('docs/no-newline.txt', 'last line\n');
  folder.write('data.bin', new Uint8Array([0, 9, 9]));
  folder.write('docs/ünï.txt', 'ü\nö\n');
  folder.write('docs/a b.txt', 'changed\n');
  folder.write('staged.py', 'x = 1\n');
  git('add', 'staged.py', 'README.md');
  folder.write('README.md', '# Harbour\n\nTickets for ferries.\n\nMore.\n');
  git('rm', '-q', '--cached', 'empty.txt');
  folder.real(['rm', 'harbour/old.py']);
  folder.write('loose/one.txt', '1\n');
  folder.write('loose/deep/two.txt', '2\n');
  folder.write('x.log', 'ignored\n');
  folder.write('keep.log', 'kept\n');
  folder.write('build/out.js', 'ignored\n');
  folder.write('top-only.txt', 'ignored\n');
  folder.write('docs/top-only.txt', 'seen\n');
  return folder;
};

const LINES = [
  'status',
  'status --porcelain',
  'status -s',
  'status --short --branch',
  'status --porcelain -b',
  'status -uno',
  'status --porcelain -uall',
  'status -sb docs',
  'status --porcelain -- harbour',
  'diff',
  'diff HEAD',
  'diff --cached',
  'diff --staged --stat',
  'diff --stat',
  'diff --stat HEAD',
  'diff --numstat',
  'diff --shortstat',
  'diff --name-only',
  'diff --name-status HEAD',
  'diff -U0',
  'diff -U1 harbour',
  'diff -- README.md',
  'diff HEAD -- README.md docs',
  'diff HEAD~1',
  'diff HEAD~3 HEAD',
  'diff HEAD~3..HEAD --stat',
  'diff side main --name-status',
  'diff --quiet',
  'diff --exit-code -- LICENSE',
  'diff v1 -- harbour/fares.py',
  'log',
  'log --oneline',
  'log --oneline -n 2',
  'log -2',
  'log -n1 --stat',
  'log --oneline --stat',
  'log -p -1',
  'log --name-only --oneline',
  'log --name-status -2',
  'log --format=%h%x20%s',
  'log --pretty=format:%H|%an|%ae|%ad|%s',
  'log --format=%B -3',
  'log --format=%cn%n%cI',
  'log --pretty=oneline',
  'log --pretty=short',
  'log --pretty=full -1',
  'log --pretty=fuller -2',
  'log --date=short --format=%ad',
  'log --date=iso -1',
  'log --reverse --oneline',
  'log --oneline side',
  'log --oneline side..main',
  'log --oneline -- harbour/fares.py',
  'log --oneline -- docs',
  'log --oneline --grep=rows',
  'log --abbrev-commit -1',
  'log --oneline --skip=2',
  'show',
  'show --stat',
  'show HEAD~1',
  'show HEAD~3',
  'show v1 --name-only',
  'show -s --format=%s HEAD~2',
  'show HEAD:README.md',
  'show HEAD~4:harbour/seats.py',
  'show HEAD:docs/no-newline.txt',
  'show HEAD:harbour',
  'show HEAD:nowhere.txt',
  'show HEAD:staged.py',
  'show nosuch',
  'diff nosuch',
  'log nosuch',
  'log --oneline HEAD~99',
  'rev-parse HEAD',
  'rev-parse --short HEAD~1',
  'rev-parse --abbrev-ref HEAD',
  'rev-parse --show-toplevel',
  'rev-parse --is-inside-work-tree',
  'branch',
  'branch --show-current',
  'ls-files',
  'ls-files docs',
  'ls-files -o --exclude-standard',
];

describe.skipIf(!hasProgram('git'))('DIF2: git beside git', () => {
  let folder: Folder | undefined;
  let side: Side | undefined;
  beforeAll(() => {
    folder = build();
    side = openSide(folder.path);
  });
  afterAll(() => folder?.[Symbol.dispose]());

  it.each(LINES)('git %s', async (line) => {
    const argv = ['git', ...line.split(' ')];
    expect(await side?.run(argv)).toEqual(folder?.real(argv));
  });

  it('from a folder below', async () => {
    if (!folder) return;
    const below = openSide(folder.path, 'docs');
    for (const line of [
      'status',
      'status -s',
      'status --porcelain',
      'diff --stat .',
      'log --oneline -- .',
      'rev-parse --show-prefix',
    ]) {
      const argv = ['git', ...line.split(' ')];
      expect(await below.run(argv), line).toEqual(folder.real(['sh', '-c', `cd docs && git ${line}`]));
    }
  });
});

describe.skipIf(!hasProgram('git'))('DIF2: without commits, without a repository', () => {
  const rows: readonly (readonly [string, (folder: Folder) => void])[] = [
    ['no repository', () => {}],
    ['nothing in it', (folder) => void folder.real(['git', 'init', '-q', '-b', 'main'])],
    [
      'staged only',
      (folder) => {
        folder.real(['git', 'init', '-q', '-b', 'trunk']);
        folder.real(['git', 'add', 'a.txt']);
      },
    ],
    [
      'clean',
      (folder) => {
        folder.real(['git', 'init', '-q', '-b', 'main']);
        folder.real(['git', 'add', '-A']);
        folder.real(['git', 'commit', '-q', '-m', 'All']);
      },
    ],
  ];
  it.each(rows)('%s', async (_name, prepare) => {
    using folder = makeFolder({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
    prepare(folder);
    const side = openSide(folder.path);
    for (const line of [
      'status',
      'status --porcelain',
      'status -sb',
      'diff',
      'diff --cached',
      'log',
      'log --oneline',
      'show --stat',
    ]) {
      const argv = ['git', ...line.split(' ')];
      // Where there is no repository, git diff compares any two files and says so at length.
      if (line.startsWith('diff') && _name === 'no repository') continue;
      expect(await side.run(argv), line).toEqual(folder.real(argv));
    }
  });
});

describe.skipIf(!hasProgram('git'))('DIF3: what our git writes, git reads', () => {
  it('init, add and commit', async () => {
    using folder = makeFolder({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
    const side = openSide(folder.path);
    expect((await side.run(['git', 'init', '-b', 'main'])).output).toBe(
      'Initialized empty Git repository in /workspace/.git/\n',
    );
    expect(await side.run(['git', 'add', '.'])).toEqual({ exitCode: 0, output: '' });
    const first = await side.run(['git', 'commit', '-m', 'First']);
    expect(first.exitCode).toBe(0);
    expect(first.output).toMatch(
      /^\[main \(root-commit\) [0-9a-f]{7}\] First\n 2 files changed, 2 insertions\(\+\)\n create mode 100644 a\.txt\n create mode 100644 b\/c\.txt\n$/,
    );
    expect((await side.run(['git', 'commit', '-m', 'Nothing'])).exitCode).toBe(1);
    await side.run(['sh', '-c', 'echo more >> a.txt; rm b/c.txt']);
    expect((await side.run(['git', 'status', '-s'])).output).toBe(' M a.txt\n D b/c.txt\n');
    expect((await side.run(['git', 'commit', '-am', 'Second'])).exitCode).toBe(0);
    expect((await side.files.apply()).ok).toBe(true);
    expect(folder.real(['git', 'fsck', '--strict']).exitCode).toBe(0);
    expect(folder.real(['git', 'status', '--porcelain']).output).toBe('');
    expect(folder.real(['git', 'log', '--format=%s|%an']).output).toBe('Second|Lathe sandbox\nFirst|Lathe sandbox\n');
    expect((await side.run(['git', 'log', '--format=%s'])).output).toBe('Second\nFirst\n');
  });

  it('a packed repository with many commits', async () => {
    using folder = makeFolder({ 'n.txt': '0\n' });
    folder.real(['git', 'init', '-q', '-b', 'main']);
    folder.real(['git', 'add', '-A']);
    for (let count = 1; count <= 12; count++) {
      folder.write('n.txt', `${count}\n`);
      folder.real(['git', 'commit', '-q', '-am', `Count ${count}`]);
    }
    folder.real(['git', 'gc', '-q']);
    folder.write('n.txt', 'x\n');
    const side = openSide(folder.path);
    for (const line of ['log --oneline', 'diff', 'diff HEAD~5', 'show HEAD~3', 'status -s']) {
      const argv = ['git', ...line.split(' ')];
      expect(await side.run(argv), line).toEqual(folder.real(argv));
    }
  });
});
