/** The states that a repository can be in, by the machine's git and by ours. Each is made twice, by the same commands. */
import { describe, expect, it } from 'vitest';
import { hasProgram, makeFolder, openSide } from '../testing/side-by-side.ts';

const LOOK = ['status', 'status -s', 'diff', 'diff HEAD', 'diff --cached', 'log --oneline', 'show', 'ls-files'];

const BOTH_SIDES = `
printf 'a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\n' > f; echo k > g; git add .; git commit -qm base
git checkout -qb other; sed -i 's/^b$/theirs/' f; git rm -q g; git commit -qam theirs
git checkout -q main; sed -i 's/^b$/ours/' f; echo kk > g; git commit -qam ours
git merge other > /dev/null || true`;

const STATES: readonly (readonly [name: string, make: string, lines: readonly string[]])[] = [
  [
    'a conflict',
    BOTH_SIDES,
    [...LOOK, 'status --porcelain=v2', 'diff --name-status HEAD', 'show :2:f', 'commit -m no'],
  ],
  ['a conflict that is decided', `${BOTH_SIDES}; echo both > f; git rm -q g; git add f`, LOOK],
  [
    'a merge that is neither side',
    `${BOTH_SIDES}; sed -i '/^[<=>]/d; s/^ours$/both/; /^theirs$/d' f; echo more >> f; git rm -q g; git add f; git commit -qm merged`,
    [
      'show',
      'show --stat',
      'show --name-only',
      'show --name-status',
      'show -m --oneline',
      'show --first-parent',
      'log -c -1',
      'log --cc -1',
      'log -p -1',
      'log --oneline -- f',
      'log --oneline --topo-order',
      'log --oneline --date-order',
      'log --oneline main...other',
      'diff other...main --stat',
      'diff main...other',
    ],
  ],
  [
    'moved files',
    `seq 20 > a.txt; (seq 20; echo tail) > b.txt; mkdir d; echo one > d/x; echo two > d/y; : > e1; git add .; git commit -qm one
     git mv a.txt z.txt; git mv d dd; sed -i 's/^3$/three/' b.txt; git mv b.txt bb.txt; git mv e1 e2; git add -A`,
    [
      ...LOOK,
      'status --porcelain=v2',
      'status -z',
      'diff --cached --stat',
      'diff --cached --summary',
      'diff --cached --raw',
      'diff --cached --no-renames --name-status',
      'diff --cached -M100% --name-status',
      'diff --cached -R',
      'diff --cached --stat -p',
      'diff --cached --diff-filter=r --name-only',
    ],
  ],
  [
    'a file that moved and went on',
    `seq 30 > old.txt; git add .; git commit -qm one; sed -i 's/^5$/five/' old.txt; git commit -qam two
     git mv old.txt new.txt; sed -i 's/^9$/nine/' new.txt; git commit -qam three; echo end >> new.txt; git commit -qam four`,
    [
      'log --oneline --follow new.txt',
      'log --oneline -- new.txt',
      'log --name-status --oneline',
      'log -S five --oneline',
    ],
  ],
  [
    'unusual names',
    `mkdir -p 'a b' 'ü/ö'; for f in 'a b/c d' 'ü/ö/é' 'back\\slash' "quo'te" ./-dash '@at' '{b}' '*star'; do echo x > "$f"; done
     git add -A; git commit -qm one; for f in 'a b/c d' 'ü/ö/é' 'back\\slash' ./-dash '*star'; do echo y >> "$f"; done; echo u > 'new ü'`,
    [...LOOK, 'diff --name-only -z', 'diff --numstat', 'ls-files -s', 'ls-files -m'],
  ],
  [
    'ignored files',
    `printf '*.log\\n!keep.log\\n/build\\ntmp/\\ndoc/*.txt\\n**/cache\\na/**/z\\n' > .gitignore; mkdir -p build x/build tmp doc/sub a/b q/cache
     touch a.log keep.log build/1 x/build/2 tmp/3 doc/1.txt doc/sub/2.txt a/z a/b/z q/cache/f; git add -A; git commit -qm one; touch b.log new.txt`,
    [
      ...LOOK,
      'status --ignored',
      'status -s --ignored',
      'ls-files -o',
      'ls-files -o -i --exclude-standard',
      'add b.log',
      'add -n -A',
    ],
  ],
  [
    'announced, of another kind, and with other ends',
    `echo a > x; mkdir d; echo b > d/e; printf 'a\\r\\nb\\r\\n' > crlf; printf 'no end' > end; git add .; git commit -qm one
     rm x; mkdir x; echo in > x/f; rm -r d; echo now > d; printf 'a\\nb\\n' > crlf; printf 'no end\\n' > end; echo n > new; git add -N new`,
    [
      ...LOOK,
      'diff -w',
      'diff -b --stat',
      'diff --ignore-space-at-eol --name-only',
      'diff --ignore-cr-at-eol',
      'diff -a -U0',
    ],
  ],
  [
    'tags and branches',
    `echo a > f; git add .; git commit -qm 'One: a/b'; git tag light; git branch side; echo b > f; git commit -qam two; git tag -a v1 -m 'First
version'; git checkout -q --detach`,
    [
      'status',
      'show v1',
      'show v1^{}',
      'show v1^{tree}',
      'show light -s',
      'show HEAD HEAD~1 --oneline -s',
      'show --format= HEAD',
      'show HEAD -- nowhere',
      'rev-parse v1 v1^{commit} HEAD^{tree} HEAD:f',
      'rev-parse --verify nosuch',
      'rev-parse nosuch',
      'log --oneline --decorate',
      'log --format=%h%d|%D|%f',
      'log --format=%<(12)%h%>(20,trunc)%s|',
      'log --pretty=raw',
      'log --pretty=reference',
      'log --oneline --all',
      'log -i --grep=ONE --oneline',
      'log --date=format:%Y/%m/%d --format=%ad',
      'log --pretty=nosuch',
      'branch --list s*',
      '-C nosuch status',
      '-C . -P log --oneline',
    ],
  ],
];

describe.skipIf(!hasProgram('git'))('DIF2: states of a repository', () => {
  it.each(STATES)('%s', async (_name, make, lines) => {
    using theirs = makeFolder({});
    using ours = makeFolder({});
    for (const folder of [theirs, ours]) {
      const settings = 'git init -q -b main .; git config user.name M; git config user.email m@h.example';
      const made = folder.real(['bash', '-c', `set -e; ${settings}; ${make}`]);
      if (made.exitCode !== 0) throw new Error(made.output);
    }
    const side = openSide(ours.path);
    for (const line of lines) {
      const argv = ['git', ...line.split(' ')];
      expect(await side.run(argv), line).toEqual(theirs.real(argv));
    }
  });

  it('DIF3: a merge is concluded by a commit with both parents', async () => {
    using folder = makeFolder({});
    folder.real(['bash', '-c', `git init -q -b main .; ${BOTH_SIDES}; echo both > f`]);
    const side = openSide(folder.path);
    expect((await side.run(['git', 'add', '-A'])).exitCode).toBe(0);
    expect((await side.run(['git', '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit'])).output).toMatch(
      /^\[main [0-9a-f]{7}\] Merge branch 'other'\n/,
    );
    expect((await side.files.apply()).ok).toBe(true);
    expect(folder.real(['git', 'log', '-1', '--format=%an %p']).output).toMatch(/^A [0-9a-f]{7} [0-9a-f]{7}\n$/);
    expect(folder.real(['git', 'status', '--porcelain']).output).toBe('');
    expect(folder.real(['git', 'fsck', '--strict']).exitCode).toBe(0);
  });

  it('DIF3: a mode that was set in the sandbox is seen and committed', async () => {
    using folder = makeFolder({ 'run.sh': 'echo\n' });
    folder.real(['bash', '-c', 'git init -q -b main .; git add .; git commit -qm one']);
    const side = openSide(folder.path);
    await side.run(['chmod', '+x', 'run.sh']);
    expect((await side.run(['git', 'diff'])).output).toBe(
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
    );
    expect((await side.run(['git', 'commit', '-am', 'Two'])).output).toMatch(
      / mode change 100644 => 100755 run\.sh\n$/,
    );
  });

  it('DIF6: what git cannot do here is an error, never another answer', async () => {
    using folder = makeFolder({ f: 'a\n' });
    folder.real(['bash', '-c', 'git init -q -b main .; git add .; git commit -qm one']);
    const side = openSide(folder.path);
    for (const line of ['log --graph', 'diff --word-diff', 'log -L1,1:f', 'show HEAD@{1}', 'status --nosuch'])
      expect((await side.run(['git', ...line.split(' ')])).exitCode, line).toBeGreaterThan(1);
  });
});
