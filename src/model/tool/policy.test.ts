import { describe, expect, it } from 'vitest';
import { commandKey, commandText, isReadOnly } from './command-line.ts';
import { definitions } from './definitions.ts';
import { approvalKey, createPolicy, type ApprovalRule, type PolicyOptions } from './policy.ts';

const words = (line: string): string[] => line.split(' ');
const decide = (line: string, options: PolicyOptions = {}): string =>
  createPolicy(options).decide(definitions.runCommand, { argv: words(line) }).decision;

describe('commands that only read', () => {
  it.each([
    'ls -la src',
    'cat a.md',
    'grep -rn x .',
    'find . -name *.ts',
    'head -5 a',
    'tail a',
    'wc -l a',
    'diff a b',
    'git status',
    'git diff --stat HEAD~1',
    'git log --oneline -5',
    'git show HEAD',
    'git diff --output-indicator-new=+',
  ])('TO30: %s', (line) => {
    expect(isReadOnly(words(line))).toBe(true);
    expect(decide(line)).toBe('allow');
    expect(decide(line, { headless: true })).toBe('allow');
  });

  it.each([
    'rm -rf .',
    'lsx',
    './ls',
    '/bin/ls',
    'LS',
    'sh -c ls',
    'sed -i s/a/b/ a',
    'tee a',
    'sort -o a a',
    'find . -delete',
    'find . -exec rm {} ;',
    'find . -execdir rm {} +',
    'find . -ok rm {} ;',
    'find . -okdir rm {} ;',
    'find . -fprint out',
    'find . -fprint0 out',
    'find . -fprintf out %p',
    'find . -fls out',
    'git',
    'git commit -m x',
    'git -c core.pager=evil log',
    'git -C /tmp status',
    'git --exec-path=. status',
    'git --git-dir=x log',
    'git diff --output=a',
    'git log --output a',
    'git diff --outp=a',
    'git show --ext-diff',
    'git log --textconv',
    'git statusx',
    'git push',
    'git checkout .',
  ])('TO31: %s asks', (line) => {
    expect(isReadOnly(words(line))).toBe(false);
    expect(decide(line)).toBe('ask');
    expect(decide(line, { headless: true })).toBe('deny');
  });

  it('TO31: an empty command is none', () => {
    expect(isReadOnly([])).toBe(false);
    expect(isReadOnly([''])).toBe(false);
  });
});

describe('what an approval covers', () => {
  it.each([
    ['git commit -m x', 'git commit'],
    ['npm test', 'npm test'],
    ['npm run build', 'npm run build'],
    ['npm', 'npm'],
    ['npx tsc -b', 'npx tsc'],
    ['python3 -m unittest -v', 'python3 -m unittest'],
    ['python3 build.py --all', 'python3 build.py'],
    ['touch a', 'touch'],
    ['./build.sh x', './build.sh'],
    ['python3 -c x', '["python3","-c","x"]'],
    ['git -c a=b status', '["git","-c","a=b","status"]'],
    ['git diff --output=a', '["git","diff","--output=a"]'],
    ['find . -delete', '["find",".","-delete"]'],
    ['bash -c ls', '["bash","-c","ls"]'],
    ['env A=1 ls', '["env","A=1","ls"]'],
    ['timeout 5 pytest', '["timeout","5","pytest"]'],
    ['xargs rm', '["xargs","rm"]'],
    ['time ls', '["time","ls"]'],
    ['/bin/bash x.sh', '["/bin/bash","x.sh"]'],
    ['uv run python x.py', '["uv","run","python","x.py"]'],
    ['uv run pytest -q', 'uv run pytest'],
    ['npm run --silent x', '["npm","run","--silent","x"]'],
  ])('TO32: %s: %s', (line, key) => {
    expect(commandKey(words(line))).toBe(key);
  });

  it('TO32: two commands do not share a key by the spaces in their words', () => {
    expect(commandKey(['git', 'commit -m'])).not.toBe(commandKey(['git', 'commit', '-m']));
    expect(commandKey(['git commit'])).not.toBe(commandKey(['git', 'commit']));
    expect(commandKey(['python3', 'a b'])).not.toBe(commandKey(['python3 a', 'b']));
  });

  it('TO33: holds for the session or permanently, and can be taken back', () => {
    const kept: ApprovalRule[] = [];
    const policy = createPolicy({ onRemember: (rule) => kept.push(rule) });
    const run = (line: string): string => policy.decide(definitions.runCommand, { argv: words(line) }).decision;
    expect(policy.remember(definitions.runCommand, { argv: words('npm test') }, 'session')).toEqual({
      key: 'npm test',
      scope: 'session',
    });
    expect([run('npm test -- a'), run('npm install'), run('npm')]).toEqual(['allow', 'ask', 'ask']);
    policy.remember(definitions.runCommand, { argv: words('npm install') }, 'always');
    policy.remember(definitions.runCommand, { argv: words('npm install') }, 'session');
    expect(policy.rules()).toEqual([
      { key: 'npm test', scope: 'session' },
      { key: 'npm install', scope: 'always' },
    ]);
    expect(kept).toHaveLength(3);
    policy.forget('npm test');
    expect(run('npm test')).toBe('ask');
    expect(decide('npm install', { rules: policy.rules() })).toBe('allow');
    expect(decide('npm install', { rules: policy.rules(), headless: true })).toBe('allow');
  });
});

describe('everything else', () => {
  it('TO34: reads, memory, skill tools, pending writes and metaskills run by themselves', () => {
    const policy = createPolicy({ headless: true });
    for (const definition of Object.values(definitions)) {
      const { decision } = policy.decide(definition, {});
      expect([definition.name, decision]).toEqual([
        definition.name,
        definition.name === 'run_command' ? 'deny' : 'allow',
      ]);
    }
    expect(policy.decide({ name: 'run_metaskill', sideEffects: 'execute' }, {}).decision).toBe('allow');
  });

  it('TO34: a tool with effects outside asks', () => {
    const fetcher = { name: 'fetch_page', sideEffects: 'network' } as const;
    const policy = createPolicy();
    expect(policy.decide(fetcher, {})).toEqual({ decision: 'ask', why: "tool 'fetch_page' may change something" });
    expect(approvalKey(fetcher, {})).toBe('tool:fetch_page');
    policy.remember(fetcher, {}, 'session');
    expect(policy.decide(fetcher, {}).decision).toBe('allow');
    expect(createPolicy({ headless: true }).decide(fetcher, {}).decision).toBe('deny');
  });

  it('TO35: a sandbox allows every command, and a list narrows it', () => {
    const sandbox = { headless: true, allowAll: true };
    expect(decide('rm -rf .', sandbox)).toBe('allow');
    const narrow = { ...sandbox, allowOnly: ['pytest', 'git commit'] };
    expect(decide('pytest -q', narrow)).toBe('allow');
    expect(decide('git commit -m x', narrow)).toBe('allow');
    expect(decide('git push', narrow)).toBe('deny');
    expect(decide('ls', narrow)).toBe('deny');
    expect(createPolicy({ allowOnly: [] }).decide(definitions.runCommand, { argv: ['ls'] }).why).toBe(
      'only these commands are allowed: none',
    );
  });

  it('TO36: a command is shown as one would type it', () => {
    expect(commandText(['git', 'commit', '-m', "it's", ''])).toBe(`git commit -m 'it'\\''s' ''`);
  });
});

describe('programs that start others', () => {
  const allowed = (argv: readonly string[], ...only: readonly string[]): boolean =>
    createPolicy({ headless: true, allowOnly: only }).decide(definitions.runCommand, { argv: [...argv] }).decision ===
    'allow';

  it.each([
    [['find', '.', '-exec', 'sh', '-c', 'rm -rf .', ';'], 'find'],
    [['find', '.', '-exec', 'sh', '-c', 'rm -rf .', ';'], 'find,sh'],
    [['find', '.', '-name', 'x', '-delete'], 'find'],
    [['find', '.', '-fprint', 'out'], 'find'],
    [['find', '.', '-execdir', 'cat', '{}', '+', '-ok', 'rm', '{}', ';'], 'find,cat'],
    [['xargs', '-n', '1', 'rm'], 'xargs'],
    [['xargs', 'sh', '-c', 'rm x'], 'xargs,sh'],
    [['env', 'A=1', 'rm', 'x'], 'env'],
    [['env', '-i', '-u', 'B', 'rm'], 'env'],
    [['env', '-S', 'rm x'], 'env,rm'],
    [['env', 'env', 'env', 'rm'], 'env'],
    [['sh', '-c', 'ls; rm x'], 'sh,ls'],
    [['sh', '-ec', 'ls && rm x'], 'sh,ls'],
    [['sh', '-c', 'ls | tee x'], 'sh,ls'],
    [['sh', '-c', 'ls > x'], 'sh,ls'],
    [['sh', '-c', '$(echo rm) x'], 'sh,echo'],
    [['sh', '-c', 'A=1 rm'], 'sh,rm'],
    [['sh', '-c', 'eval rm'], 'sh,eval'],
    [['bash', 'x.sh'], 'bash'],
    [['/bin/sh', '-c', 'rm'], '/bin/sh'],
    [['timeout', '-s', 'KILL', '5', 'rm', 'x'], 'timeout'],
    [['nice', '-n', '5', 'rm'], 'nice'],
    [['git', '-c', 'alias.x=!rm', 'x'], 'git'],
    [['git', 'config', 'alias.x', '!rm'], 'git'],
    [['git', 'rebase', '-x', 'rm'], 'git'],
    [['awk', 'BEGIN { system("rm x") }'], 'awk'],
    [['awk', '{ print | "sh" }'], 'awk'],
    [['awk', 'BEGIN { "date" | getline d }'], 'awk'],
    [['awk', '-f', 'x.awk'], 'awk'],
    [['sed', '1e rm x', 'a'], 'sed'],
    [['sed', '-n', '-e', 's/x/rm y/e', 'a'], 'sed'],
    [['sed', 's|x|y|ge', 'a'], 'sed'],
    [['sed', '-f', 'x.sed'], 'sed'],
    [['tar', 'xf', 'a.tar', '--to-command=sh'], 'tar'],
    [['tar', 'xf', 'a.tar', '--to-c=sh'], 'tar'],
    [['tar', '-cf', 'a', '--checkpoint=1', '--checkpoint-action=exec=sh'], 'tar'],
    [['tar', '-I', 'sh', '-xf', 'a'], 'tar'],
    [['make', 'all'], 'make'],
  ] as const)('TO37: %j is refused with --allow %s', (argv, only) => {
    expect(allowed(argv, ...only.split(','))).toBe(false);
  });

  it.each([
    [['find', '.', '-name', '*.md'], 'find'],
    [['find', '.', '-exec', 'grep', '-l', 'x', '{}', '+'], 'find,grep'],
    [['find', '.', '-delete'], 'find,rm'],
    [['xargs', '-n', '1', 'wc', '-l'], 'xargs,wc'],
    [['env', 'A=1', 'ls'], 'env,ls'],
    [['env'], 'env'],
    [['sh', '-c', "ls -la; grep 'a b' x | wc -l"], 'sh,ls,grep,wc'],
    [['sh', '-c', 'rm x'], 'sh,rm'],
    [['timeout', '5', 'pytest'], 'timeout,pytest'],
    [['git', 'commit', '-m', 'x'], 'git'],
    [['awk', '$1 == 2 || $3 { print $1 }', 'a'], 'awk'],
    [['sed', 's/e/E/g; /end/d', 'a'], 'sed'],
    [['sed', '-i', '-e', 's/replace/delete/', 'a'], 'sed'],
    [['tar', 'czf', 'a.tgz', 'src'], 'tar'],
    [['make', 'test'], 'make test'],
    [['python3', '-c', 'print(1)'], 'python3'],
  ] as const)('TO37: %j runs with --allow %s', (argv, only) => {
    expect(allowed(argv, ...only.split(','))).toBe(true);
  });

  it('TO37: an approval for the session does not cover what the program can be made to start', () => {
    expect(commandKey(['tar', 'xf', 'a', '--to-command=sh'])).toBe('["tar","xf","a","--to-command=sh"]');
    expect(commandKey(['sed', 's/x/y/e', 'a'])).toBe('["sed","s/x/y/e","a"]');
    expect(commandKey(['tar', 'xf', 'a'])).toBe('tar');
  });
});
