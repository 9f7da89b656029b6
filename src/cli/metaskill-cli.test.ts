import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

const DEMO = join(PROJECT, 'public/demo');

const skill = (name: string, program: string, keys = '- `k`: any value.'): Record<string, string> => ({
  [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: A metaskill for a test. Use when testing.\n---\n\nInput keys:\n\n${keys}\n`,
  [`${name}/SKILL.star`]: program,
});
const body = (lines: string): string => `def run(input):\n    ${lines.replaceAll('\n', '\n    ')}\n`;

/** Runs the skill `t` with an input that is never empty. */
const run = (program: string, args: readonly string[] = [], files: Record<string, string> = {}) => {
  using folder = createFolder({ ...skill('t', program), ...files });
  return runLathe(['run', 't', '--input', '{"k": 1}', ...args], folder.path);
};

interface RunReport {
  readonly result: string;
  readonly ok: boolean;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly trace: readonly { readonly kind: string; readonly data?: unknown }[];
  readonly log: readonly unknown[];
}

describe('lathe run', () => {
  it('prints the result on stdout and exits 0', () => {
    const ran = run(body('return "hi é"'));
    expect(ran.stdout).toMatch(/^\[Metaskill: t completed\]\n\{"status":"ok","answer":"hi é","trace":\[.*\]\}\n$/);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  it('--provider says who answers, and a missing key is named', () => {
    const ran = run(body('return ask("Hello?")["answer"]'), ['--provider', 'anthropic', '--json']);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stdout).toContain('ANTHROPIC_API_KEY');
    expect(ran.stdout).not.toContain('OPENAI_API_KEY');
  });

  it('CLI5: exits 1 if and only if the result is an error:', () => {
    expect(run(body('fail("boom")'))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^error: metaskill 't': runtime error: .*fail: boom\n$/) as string,
      stderr: '',
    });
    // A status of the program is not a failure of the run.
    expect(run(body('return {"status": "error"}')).code).toBe(0);
  });

  it.each([
    ['no folder', ['run']],
    ['two folders', ['run', 'empty', 'empty']],
    ['a folder that is not there', ['run', 'nowhere']],
    ['a folder without skill', ['run', 'empty', '--input', '{}']],
    ['an input that is no JSON', ['run', 't', '--input', '{k:1}']],
    ['an unknown policy', ['run', 't', '--input', '{}', '--policy', 'maybe']],
    ['an unknown option', ['run', 't', '--input', '{}', '--nope']],
    ['a limit that is no number', ['run', 't', '--input', '{}', '--max-ask-calls', 'many']],
    ['no time at all', ['run', 't', '--input', '{}', '--timeout', '0']],
    ['answers that are not there', ['run', 't', '--input', '{}', '--answers', 'nope.json']],
    ['answers of the wrong shape', ['run', 't', '--input', '{}', '--answers', 'numbers.json']],
    ['commands of the wrong shape', ['run', 't', '--input', '{}', '--commands', 'numbers.json']],
  ])('exits 2 for %s, with a sentence on stderr', (_what, args) => {
    using folder = createFolder({ ...skill('t', body('return 1')), 'empty/readme.txt': '', 'numbers.json': '[1]' });
    const ran = runLathe(args, folder.path);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).not.toBe('');
    expect(ran.stderr).not.toContain('    at ');
  });

  it('CLI1: --json prints one document with result, ok, steps and trace', () => {
    const ran = run(
      body(
        'ask("q", {"purpose": "draft", "max_turns": 99})\ncommand(["ls", "-l"])\ntrace("seen", {"n": 1})\nreturn "x"',
      ),
      ['--json', '--answers', 'a.json', '--commands', 'c.json'],
      { 'a.json': '["yes"]', 'c.json': '[{"exit_code": 3, "output": "no"}]' },
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const report = JSON.parse(ran.stdout) as RunReport;
    expect(report).toMatchObject({ ok: true, log: [] });
    expect(report.result).toMatch(/^\[Metaskill: t completed\]\n\{/);
    expect(report.steps).toMatchObject([
      { kind: 'ask', label: 'draft', ok: true, request: 'q', response: 'yes', notes: ['max_turns 99 became 30'] },
      { kind: 'command', label: 'ls -l', ok: false, request: '["ls","-l"]', response: 'no', range: { line: 3 } },
    ]);
    expect(report.trace.map(({ kind }) => kind)).toEqual(['metaskill_start', 'seen', 'metaskill_finish']);
  });

  it('--json of a failure keeps steps and trace', () => {
    const ran = run(body('trace("seen")\nask("q")\nfail("boom")'), ['--json', '--answers', 'a.json'], {
      'a.json': '["yes"]',
    });
    expect(ran.code).toBe(1);
    const report = JSON.parse(ran.stdout) as RunReport;
    expect(report.ok).toBe(false);
    expect(report.result).toMatch(/^error: /);
    expect(report.steps).toHaveLength(1);
    expect(report.trace.map(({ kind }) => kind)).toEqual(['metaskill_start', 'seen', 'metaskill_finish']);
  });

  it('gives the answers in turn, and ends as error: when they are used up', () => {
    const files = { 'a.json': '["one", "two"]' };
    const two = run(body('return ask("a")["answer"] + ask("b")["answer"]'), ['--answers', 'a.json'], files);
    expect(two.stdout).toContain('"answer":"onetwo"');
    const three = run(body('ask("a")\nask("b")\nask("c")'), ['--answers', 'a.json'], files);
    expect(three.code).toBe(1);
    expect(three.stdout).toMatch(/^error: metaskill 't': runtime error: .*used up/);
  });

  it('without --commands a command returns an error and the run continues', () => {
    const ran = run(body('r = command(["ls"])\nreturn {"answer": r["result"], "ok": r["ok"], "code": r["exit_code"]}'));
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('{"answer":"error: no commands available","ok":false,"code":-1,');
  });

  it('--max-ask-calls and --max-command-calls are the budgets', () => {
    const files = { 'a.json': '["a", "b", "c"]' };
    const asks = run(body('for i in range(3):\n    ask("x")'), ['--answers', 'a.json', '--max-ask-calls', '2'], files);
    expect(asks).toMatchObject({ code: 1, stdout: "error: metaskill 't': ask budget exhausted (2 calls)\n" });
    const commands = run(body('command(["x"])'), ['--max-command-calls', '0']);
    expect(commands).toMatchObject({ code: 1, stdout: "error: metaskill 't': command budget exhausted (0 calls)\n" });
  });

  it('BUD1: a limit out of range is clamped, and the log says so; a negative number is one', () => {
    const args = ['--json', '--answers', 'a.json', '--max-ask-calls', '-1', '--max-command-calls', '51'];
    const ran = run(body('return ask("x")["answer"]'), args, { 'a.json': '["a"]' });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect((JSON.parse(ran.stdout) as { log: unknown }).log).toEqual([
      { level: 'warning', code: 'metaskill.limit', text: 'max_ask_calls -1 is outside 1–20 and became 1' },
      { level: 'warning', code: 'metaskill.limit', text: 'max_command_calls 51 is outside 0–50 and became 50' },
    ]);
  });

  it('a skill that no session would load runs, with a warning', () => {
    using folder = createFolder({
      ...skill('t', body('return "x"')),
      't/SKILL.md': '---\nname: other\ndescription: Text.\n---\nx\n',
      'none.json': '[]',
    });
    const call = ['run', 't', '--input', '{"k":1}', '--answers'];
    const missing = runLathe([...call, 'nowhere.json'], folder.path);
    expect(missing).toMatchObject({ code: 2, stdout: '', stderr: 'lathe run: file not found: nowhere.json\n' });
    const again = runLathe([...call, 'none.json'], folder.path);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("A session wouldn't load this skill: The name is `other`");
  });

  it('--policy off refuses', () => {
    expect(run(body('return 1'), ['--policy', 'off'])).toMatchObject({
      code: 1,
      stdout: "error: metaskill 't' is not allowed (policy: off)\n",
    });
  });

  it('--timeout ends a loop that only computes', () => {
    const ran = run(body('for i in range(1 << 40):\n    pass'), ['--timeout', '1']);
    expect(ran).toMatchObject({ code: 1, stdout: "error: metaskill 't': metaskill timeout (1s) exceeded\n" });
  });

  it('print goes to stderr, also with --json', () => {
    for (const args of [[], ['--json']]) {
      const ran = run(body('print("on the", "console")\nreturn "x"'), args);
      expect(ran.stderr).toBe('on the console\n');
      expect(ran.stdout.startsWith('on the')).toBe(false);
      expect(ran.code).toBe(0);
    }
  });

  it('without input it shows the instructions', () => {
    using folder = createFolder(skill('t', body('return 1'), '- `colour`: which one.'));
    const ran = runLathe(['run', 't'], folder.path);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^error: input is required/);
    expect(ran.stdout).toContain('- `colour`: which one.');
  });

  it('a static skill, and a program that is not UTF-8, say so', () => {
    using folder = createFolder({ ...skill('t', ''), 's/SKILL.md': '---\nname: s\ndescription: Text.\n---\nx\n' });
    expect(runLathe(['run', 's', '--input', '{"k":1}'], folder.path).stdout).toBe(
      "error: skill 's' is not a metaskill\n",
    );
    using broken = createFolder({ ...skill('t', ''), 't/SKILL.star': new Uint8Array([0x78, 0xff, 0x0a]) });
    expect(runLathe(['run', 't', '--input', '{"k":1}'], broken.path).stdout).toMatch(/^error: .*not UTF-8/);
  });
});

interface TestReport {
  readonly tests: readonly {
    readonly skill: string;
    readonly name: string;
    readonly ok: boolean;
    readonly diff: readonly string[];
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

describe('lathe test', () => {
  const program = body('return {"answer": ask("q")["answer"], "list": [1, 2]}');
  const folderWith = (tests: string) => createFolder({ ...skill('t', program), 't/SKILL.test.yaml': tests });
  const PASSING = [
    'tests:',
    '  - name: echoes',
    '    input: {k: 1}',
    '    answers: [hello there]',
    '    expect: {answer: {contains: hello}, list: [1, 2], status: ok}',
    '    asks: 1',
    '    command_calls: 0',
    '  - name: nobody answers',
    '    input: {k: 1}',
    '    error: used up',
    '',
  ].join('\n');

  it('TST2, TST3: passes', () => {
    using folder = folderWith(PASSING);
    const ran = runLathe(['test', '.'], folder.path);
    expect(ran).toEqual({ code: 0, stdout: '✓ t: echoes\n✓ t: nobody answers\n\n2 passed, 0 failed\n', stderr: '' });
  });

  it('TST2, CLI5: shows what differs, and exits 1', () => {
    using folder = folderWith(
      'tests:\n  - name: wrong\n    input: {k: 1}\n    answers: [bye]\n    expect: {answer: hello, list: [1, 2], more: 5}\n    asks: 2\n',
    );
    const { code, stdout } = runLathe(['test', '.'], folder.path);
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        '✗ t: wrong',
        '    answer: expected "hello", got "bye"',
        '    more: expected 5, got nothing',
        '    asks: expected 2, got 1',
        '',
        '0 passed, 1 failed',
        '',
      ].join('\n'),
    );
  });

  it('TST3: says so when an error was expected and none came, and the other way round', () => {
    using folder = folderWith(
      'tests:\n  - name: no error\n    input: {k: 1}\n    answers: [bye]\n    error: boom\n  - name: an error\n    input: {k: 1}\n',
    );
    const { code, stdout } = runLathe(['test', '.'], folder.path);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ t: no error\n {4}expected an error with "boom", got "\[Metaskill: t completed\]/);
    expect(stdout).toMatch(/✗ t: an error\n {4}expected a result, got "error: /);
  });

  it('--json has tests, each with skill, name, ok and diff, and a summary', () => {
    using folder = folderWith(PASSING);
    const ran = runLathe(['test', '.', '--json'], folder.path);
    const report = JSON.parse(ran.stdout) as TestReport;
    expect(report.tests).toEqual([
      { skill: 't', name: 'echoes', ok: true, diff: [] },
      { skill: 't', name: 'nobody answers', ok: true, diff: [] },
    ]);
    expect(report.summary).toEqual({ tests: 2, passed: 2, failed: 0 });
  });

  it.each([
    ['no YAML', 'tests: [}'],
    ['no tests', 'tests: []'],
    ['an unknown key', 'tests:\n  - {name: x, input: {}, expected: {}}'],
    ['expect beside error', 'tests:\n  - {name: x, input: {}, expect: {}, error: y}'],
  ])('TST1: a file with %s is a failed test', (_what, text) => {
    using folder = folderWith(text);
    const { code, stdout, stderr } = runLathe(['test', '.'], folder.path);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ t: SKILL\.test\.yaml\n {4}line \d+: \S/);
    expect(stdout).toContain('0 passed, 1 failed');
    expect(stderr).toBe('');
  });

  it('exits 1 where none exist, and 2 where there is no folder', () => {
    using folder = createFolder({ 'a/readme.txt': '' });
    expect(runLathe(['test', 'a'], folder.path)).toEqual({
      code: 1,
      stdout: 'There is no SKILL.test.yaml below a.\n',
      stderr: '',
    });
    expect(runLathe(['test', 'b'], folder.path)).toMatchObject({ code: 2, stdout: '' });
    expect(runLathe(['test'], folder.path)).toMatchObject({ code: 2, stdout: '' });
  });

  it('the metaskills of the demo pass theirs', () => {
    const { tests, summary } = JSON.parse(runLathe(['test', DEMO, '--json'], PROJECT).stdout) as TestReport;
    expect(tests.filter(({ ok }) => !ok)).toEqual([]);
    expect([...new Set(tests.map(({ skill: name }) => name))]).toEqual([
      'checklist-gate',
      'diff-review',
      'endless-polish',
      'fix-until-green',
      'must-have-heading',
      'repo-pulse',
    ]);
    expect(summary).toMatchObject({ failed: 0 });
  });
});
