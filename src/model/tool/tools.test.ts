import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { silentLog } from '../../base/log.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { startActivation } from '../activation/budget.ts';
import { EMPTY_STORE } from '../library/store.ts';
import type { FileTree } from '../files/file-tree.ts';
import type { CommandAnswer, CommandRequest } from '../metaskill/host-types.ts';
import { createTools } from './create-tools.ts';
import { createPendingTree, type PendingTree } from './pending-tree.ts';
import { createPolicy } from './policy.ts';
import { createBench, use, type Bench } from './testing/bench-of-tools.ts';

const read = async (tree: FileTree, path: string): Promise<string | undefined> => {
  const content = await tree.read(path);
  return content && new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
};

const open = (
  files: Record<string, string | Uint8Array>,
  runCommand?: (request: CommandRequest) => Promise<CommandAnswer>,
): { bench: Bench; files: PendingTree; text: (name: string, input: Json) => Promise<string> } => {
  const tree = createPendingTree(createMemoryTree(files));
  const tools = createTools({
    dialect: 'metis',
    store: EMPTY_STORE,
    policy: 'local',
    files: tree,
    activation: () => startActivation(),
    runMetaskill: async () => ({ result: '', ok: true }),
    log: silentLog,
    ...(runCommand && { runCommand }),
  });
  const bench = createBench(tools, { policy: createPolicy({ allowAll: true }) });
  return { bench, files: tree, text: async (name, input) => (await bench.call(name, input)).text };
};

describe('read_file', () => {
  it('TO70: gives a file as it is', async () => {
    const { bench } = open({ 'a.md': 'one\ntwo\n', 'e.md': '', 'bom.md': '\uFEFFx', 'crlf.md': 'a\r\nb' });
    expect(await bench.call('read_file', { path: './a.md' })).toMatchObject({ text: 'one\ntwo\n', isError: false });
    expect(bench.find('tool.completed')[0]?.payload.metadata).toEqual({
      path: 'a.md',
      first_line: 1,
      last_line: 2,
      total_lines: 2,
    });
    expect((await bench.call('read_file', { path: 'e.md' })).text).toBe('(empty)');
    expect((await bench.call('read_file', { path: 'bom.md' })).text).toBe('x');
    expect((await bench.call('read_file', { path: 'crlf.md' })).text).toBe('a\r\nb');
  });

  it('TO71: gives the lines that are asked for, and says which', async () => {
    const { text } = open({ 'a.md': 'one\ntwo\nthree\nfour\n' });
    expect(await text('read_file', { path: 'a.md', offset: 2, limit: 2 })).toBe(
      'two\nthree\n[lines 2-3 of 4; continue with offset=4]',
    );
    expect(await text('read_file', { path: 'a.md', offset: 4 })).toBe('four\n[lines 4-4 of 4]');
    expect(await text('read_file', { path: 'a.md', limit: 100 })).toBe('one\ntwo\nthree\nfour\n');
    expect(await text('read_file', { path: 'a.md', offset: 5 })).toBe('"a.md" has 4 lines: offset 5 is past its end');
  });

  it('TO72: says where it stopped when there is too much', async () => {
    const { text } = open({
      'a.md': `${'x'.repeat(1023)}\n`.repeat(300),
      'line.md': 'é'.repeat(200_000),
      'huge.md': 'x'.repeat(5 * 1024 * 1024 + 1),
    });
    const whole = await text('read_file', { path: 'a.md' });
    expect(whole.endsWith('\n[lines 1-200 of 300; continue with offset=201]')).toBe(true);
    expect(await text('read_file', { path: 'a.md', offset: 201 })).toMatch(/\n\[lines 201-300 of 300\]$/);
    const line = await text('read_file', { path: 'line.md' });
    expect(line).toBe(`${'é'.repeat(102_400)}\n[line 1 is cut: it has 400000 bytes]`);
    expect(await text('read_file', { path: 'huge.md' })).toBe(
      '"huge.md" has 5242881 bytes, more than the 5242880 that can be read',
    );
  });

  it('TO73: says in words what cannot be read', async () => {
    const { bench, text } = open({
      'src/main.ts': 'x',
      'p.png': new Uint8Array([137, 80, 0]),
      latin: new Uint8Array([0xe9, 0x61]),
    });
    expect(await text('read_file', { path: 'src' })).toBe('"src" is a folder: use list_dir');
    expect(await text('read_file', { path: 'src/mian.ts' })).toBe(
      'there is no file "src/mian.ts"; did you mean "src/main.ts"?',
    );
    expect(await text('read_file', { path: 'zzzzzz' })).toBe('there is no file "zzzzzz": list_dir shows what there is');
    expect(await text('read_file', { path: 'p.png' })).toBe('"p.png" is not text (3 bytes)');
    expect(await text('read_file', { path: 'latin' })).toBe('"latin" is not text (2 bytes)');
    expect(bench.find('tool.failed').map(({ payload }) => payload.error_class)).toEqual([
      'not_found',
      'not_found',
      'not_found',
      'execution_error',
      'execution_error',
    ]);
  });
});

describe('write_file', () => {
  it.each([
    ['.git/hooks/pre-commit', 'only git itself writes to .git'],
    ['sub/.GIT/config', 'only git itself writes to .git'],
    ['.git./config', 'only git itself writes to .git'],
    ['GIT~1/config', 'only git itself writes to .git'],
    ['.g\u200cit/config', 'only git itself writes to .git'],
    ['con', "“con” isn't a valid file name on every system"],
    ['a/NUL.txt', "“NUL.txt” isn't a valid file name on every system"],
    ['a\\b', "“a\\b” isn't a valid file name on every system"],
  ])('TO79: refuses %j, as commands do', async (path, why) => {
    const { bench, files } = open({ '.git/config': 'old' });
    const answer = await bench.call('write_file', { path, content: 'new' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(`cannot be written: ${why}`);
    expect((await bench.call('patch_file', { path, old: 'old', new: 'new' })).text).toContain(why);
    expect(files.pending()).toEqual([]);
  });

  it('TO74: writes pending files', async () => {
    const { bench, files, text } = open({ 'a.md': 'old' });
    expect(await text('write_file', { path: 'a.md', content: 'né' })).toBe(
      'wrote "a.md" (3 bytes; replaced, it had 3 bytes), pending until the user applies it',
    );
    expect(await text('write_file', { path: 'x/b.md', content: '' })).toBe(
      'wrote "x/b.md" (0 bytes; new file), pending until the user applies it',
    );
    expect(await text('write_file', { path: 'a.md', content: 'né' })).toBe(
      '"a.md" already has this content: nothing changed',
    );
    expect(files.pending().map(({ path }) => path)).toEqual(['a.md', 'x/b.md']);
    expect(bench.find('tool.completed').map(({ payload }) => payload.files_modified)).toEqual([
      ['a.md'],
      ['x/b.md'],
      null,
    ]);
    expect(await text('read_file', { path: 'a.md' })).toBe('né');
  });

  it('TO74: says what is in the way', async () => {
    const { bench, text } = open({ 'a/b.md': 'x' });
    expect(await text('write_file', { path: 'a', content: '' })).toBe('a is a folder');
    expect(await text('write_file', { path: 'a/b.md/c', content: '' })).toBe('a/b.md is a file');
    expect(await text('write_file', { path: '.', content: '' })).toBe('path must name a file, not the folder itself');
    expect(bench.find('tool.failed')).toHaveLength(3);
  });
});

describe('patch_file', () => {
  it('TO75: replaces the one occurrence, and nothing else', async () => {
    const { bench, files, text } = open({ 'a.md': '\uFEFFone\r\ntwo $& three\r\n' });
    expect(await text('patch_file', { path: 'a.md', old: 'two $&', new: "$' $1" })).toBe(
      'patched "a.md" at line 2, pending until the user applies it',
    );
    expect(await read(files, 'a.md')).toBe("\uFEFFone\r\n$' $1 three\r\n");
    expect(bench.find('tool.completed')[0]?.payload.files_modified).toEqual(['a.md']);
  });

  it('TO76: says how often it occurs, and what is different', async () => {
    const { text, files } = open({
      'a.md': 'foo\nbar\nfoo\n  if (x) {\n    y();\n',
      'crlf.md': 'a\r\nb\r\n',
      'aaa.md': 'aaa',
    });
    expect(await text('patch_file', { path: 'a.md', old: 'foo', new: 'x' })).toBe(
      'old occurs 2 times in "a.md" (lines 1, 3), it must occur exactly once: add text around it',
    );
    expect(await text('patch_file', { path: 'a.md', old: 'o', new: 'x' })).toContain('4 times in "a.md" (lines 1, 3),');
    expect(await text('patch_file', { path: 'a.md', old: 'if (x) {\n  y();', new: 'z' })).toBe(
      'old occurs 0 times in "a.md", it must occur exactly once: a passage that differs only in white space starts at line 4: copy it exactly',
    );
    expect(await text('patch_file', { path: 'crlf.md', old: 'a\nb', new: 'z' })).toBe(
      'old occurs 0 times in "crlf.md", it must occur exactly once: a passage that differs only in white space (its line ends are CRLF) starts at line 1: copy it exactly',
    );
    expect(await text('patch_file', { path: 'a.md', old: 'nothing like it', new: 'z' })).toBe(
      'old occurs 0 times in "a.md", it must occur exactly once: read it again, it may have changed',
    );
    expect(await text('patch_file', { path: 'aaa.md', old: 'aa', new: 'z' })).toMatch(/^old occurs 2 times/);
    expect(await text('patch_file', { path: 'a.md', old: 'bar', new: 'bar' })).toBe(
      'old and new are the same: nothing to change',
    );
    expect(await text('patch_file', { path: 'b.md', old: 'x', new: 'y' })).toBe(
      'there is no file "b.md"; did you mean "a.md"?',
    );
    expect(files.pending()).toEqual([]);
  });

  it('TO77: several at the same time on one file all count', async () => {
    const { bench, files } = open({ 'a.md': '1 2 3 4 5' });
    const results = await bench.dispatch(
      ['1', '2', '3', '4', '5'].map((old) => use('patch_file', { path: 'a.md', old, new: `<${old}>` })),
    );
    expect(results.every(({ isError }) => !isError)).toBe(true);
    expect(await read(files, 'a.md')).toBe('<1> <2> <3> <4> <5>');
  });
});

describe('list_dir', () => {
  it('TO78: lists by code point, folders with /', async () => {
    const { text } = open({ 'b.md': '', 'B.md': '', 'a/x.md': '', é: '', '😀': '', '\uFFFD': '' });
    expect(await text('list_dir', {})).toBe('B.md\na/\nb.md\né\n\uFFFD\n😀');
    expect(await text('list_dir', { path: 'a/' })).toBe('x.md');
    expect(await text('list_dir', { path: 'b.md' })).toBe('"b.md" is a file: use read_file');
    expect(await text('list_dir', { path: 'z' })).toBe('there is no folder "z"');
    expect(await open({}).text('list_dir', { path: '.' })).toBe('(empty)');
  });

  it('TO78: says how many are left out', async () => {
    const { text } = open(Object.fromEntries(Array.from({ length: 1002 }, (_, index) => [`f${index}`, ''])));
    expect(await text('list_dir', {})).toMatch(/\n\[2 more are not shown\]$/);
  });
});

describe('grep_files', () => {
  it('TO80: gives path, line and text, in the order of the paths', async () => {
    const { bench, text } = open({
      'b.md': 'x\nfoo bar\r\nfood\n',
      'a/z.ts': '  foo  \n',
      '.git/config': 'foo',
      'node_modules/x/i.js': 'foo',
      bin: new Uint8Array([0, 102, 111, 111]),
    });
    expect(await text('grep_files', { pattern: 'foo\\b' })).toBe('a/z.ts:1:   foo\nb.md:2: foo bar');
    expect(bench.find('tool.completed')[0]?.payload.metadata).toEqual({
      matches: 2,
      files_searched: 3,
      truncated: false,
    });
    expect(await text('grep_files', { pattern: 'foo', path: 'b.md' })).toBe('b.md:2: foo bar\nb.md:3: food');
    expect(await text('grep_files', { pattern: 'foo', glob: '*.ts' })).toBe('a/z.ts:1:   foo');
    expect(await text('grep_files', { pattern: 'foo', path: 'a', glob: 'a/*.ts' })).toBe('a/z.ts:1:   foo');
    expect(await text('grep_files', { pattern: '(?i)FOOD$' })).toBe('b.md:3: food');
    expect(await text('grep_files', { pattern: 'nothing' })).toBe('no matches for "nothing"');
    expect(await text('grep_files', { pattern: 'x', path: 'zz' })).toBe('there is no file or folder "zz"');
    expect(await text('grep_files', { pattern: '(' })).toBe('pattern "(" is not valid: a "(" is not closed');
  });

  it('TO81: stops at 50 or at what is asked for, and says so', async () => {
    const { bench, text } = open({ 'a.md': 'x\n'.repeat(300), 'big.md': 'x'.repeat(5 * 1024 * 1024 + 1) });
    const lines = (await text('grep_files', { pattern: 'x' })).split('\n');
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe('[stopped at 50 matches: narrow path, glob or pattern, or raise max (at most 200)]');
    expect(bench.find('tool.completed')[0]?.payload.metadata).toMatchObject({ matches: 50, truncated: true });
    expect((await text('grep_files', { pattern: 'x', max: 200 })).split('\n').at(-1)).toBe(
      '[stopped at 200 matches: narrow path, glob or pattern]',
    );
    expect(await text('grep_files', { pattern: 'x', max: 201 })).toBe(
      'max: must be an integer between 1 and 200, got 201',
    );
    expect(await text('grep_files', { pattern: 'y' })).toBe('no matches for "y"\n[not searched, over 5 MB: big.md]');
  });

  it('TO82: cuts long lines at 300 characters', async () => {
    const { text } = open({ 'a.md': '😀'.repeat(400) });
    expect(await text('grep_files', { pattern: '😀' })).toBe(`a.md:1: ${'😀'.repeat(300)}…`);
  });

  it('TO83: sees pending writes', async () => {
    const { text } = open({ 'a.md': 'old' });
    await text('write_file', { path: 'a.md', content: 'new' });
    expect(await text('grep_files', { pattern: 'old|new' })).toBe('a.md:1: new');
  });
});

describe('run_command', () => {
  it('TO84: gives command, exit code and output', async () => {
    const asked: CommandRequest[] = [];
    const { bench, text } = open({}, async (request) => {
      asked.push(request);
      return { kind: 'exited', exitCode: request.argv[0] === 'false' ? 1 : 0, output: 'out\n' };
    });
    expect(await text('run_command', { argv: ['echo', 'a b'] })).toBe("$ echo 'a b'\nexit_code=0\n\nout\n");
    expect(asked[0]).toMatchObject({ argv: ['echo', 'a b'], timeoutSeconds: 60 });
    expect(await bench.call('run_command', { argv: ['false'], timeout_seconds: 600 })).toMatchObject({
      text: '$ false\nexit_code=1\n\nout\n',
      isError: true,
    });
    expect(asked[1]?.timeoutSeconds).toBe(600);
    expect(
      bench.find('tool.completed').map(({ payload }) => [payload.success, payload.command_executed, payload.metadata]),
    ).toEqual([
      [true, "echo 'a b'", { exit_code: 0, truncated: false }],
      [false, 'false', { exit_code: 1, truncated: false }],
    ]);
    expect(await text('run_command', { argv: ['x'], timeout_seconds: 601 })).toBe(
      'timeout_seconds: must be an integer between 1 and 600, got 601',
    );
    expect(await text('run_command', { argv: 'ls -l' })).toBe('argv: must be an array of at least 1 item, got "ls -l"');
  });

  it('TO85: cuts output at 256 KB, and says so', async () => {
    const { text } = open({}, async ({ argv }) =>
      argv[0] === 'big'
        ? { kind: 'exited', exitCode: 0, output: `a${'é'.repeat(200_000)}` }
        : { kind: 'exited', exitCode: 0, output: 'part', truncated: true },
    );
    const big = await text('run_command', { argv: ['big'] });
    expect(big).toBe(
      `$ big\nexit_code=0\n\na${'é'.repeat(131_071)}\n[output truncated: the first 262144 of 400001 bytes]`,
    );
    expect(await text('run_command', { argv: ['x'] })).toBe('$ x\nexit_code=0\n\npart\n[output truncated]');
  });

  it('TO86: without a sandbox, and when it cannot start', async () => {
    expect(await open({}).text('run_command', { argv: ['ls'] })).toBe('error: no commands available');
    const { bench, text } = open({}, async () => ({
      kind: 'failed',
      message: 'x: command not found',
      output: 'partly',
    }));
    expect(await text('run_command', { argv: ['x'] })).toBe('error: x: command not found\n\npartly');
    expect(bench.types()).toEqual(['tool.called', 'tool.failed']);
  });
});

describe('memory', () => {
  it('TO90: is written where it was found, else in .agents, and is pending', async () => {
    const { bench, files, text } = open({ '.metis/MEMORY.md': 'one\n' });
    expect(await text('memory_add', { text: '  two ' })).toBe('.metis/MEMORY.md now has 8 of 4096 bytes');
    expect(await read(files, '.metis/MEMORY.md')).toBe('one\ntwo\n');
    expect(await text('memory_add', { text: 'likes tea', file: 'USER.md' })).toBe(
      '.agents/USER.md now has 10 of 3072 bytes',
    );
    expect(await text('memory_replace', { old: 'one\n', new: '' })).toBe('.metis/MEMORY.md now has 4 of 4096 bytes');
    expect(files.pending().map(({ path }) => path)).toEqual(['.agents/USER.md', '.metis/MEMORY.md']);
    const [first, second, third] = bench.find('memory.updated');
    expect(first).toMatchObject({
      parent_event_id: bench.find('tool.called')[0]?.id,
      payload: { file: '.metis/MEMORY.md', operation: 'add', before_size: 4, after_size: 8 },
    });
    expect(second?.payload).toMatchObject({ file: '.agents/USER.md', before_hash: null, before_size: 0 });
    expect(third?.payload).toMatchObject({ operation: 'replace', before_hash: first?.payload.after_hash });
  });

  it('TO91: is small: a note over the soft limit, a refusal over the hard one', async () => {
    const { bench, files, text } = open({});
    expect(await text('memory_add', { text: 'x'.repeat(2047) })).toBe('.agents/MEMORY.md now has 2048 of 4096 bytes');
    expect(await text('memory_add', { text: 'y' })).toBe(
      '.agents/MEMORY.md now has 2050 of 4096 bytes. It is over 2048 bytes: shorten it with memory_replace soon',
    );
    expect(await text('memory_add', { text: 'z'.repeat(2046) })).toBe(
      'MEMORY.md would have 4097 bytes and may have 4096: shorten it with memory_replace first, then add',
    );
    expect(await text('memory_add', { text: 'é'.repeat(1600), file: 'USER.md' })).toMatch(
      /^USER.md would have 3201 bytes and may have 3072/,
    );
    expect(bench.find('memory.updated')).toHaveLength(2);
    expect((await files.read('.agents/MEMORY.md'))?.length).toBe(2050);
  });

  it('TO91: one that is too large already can be made smaller', async () => {
    const { text } = open({ 'MEMORY.md': `${'x'.repeat(5000)}\nend\n` });
    expect(await text('memory_replace', { old: 'end\n', new: '' })).toMatch(/^MEMORY.md now has 5001 of 4096 bytes/);
    expect(await text('memory_add', { text: 'more' })).toMatch(/^MEMORY.md would have/);
  });

  it('TO92: says what is wrong', async () => {
    const { bench, text } = open({ 'MEMORY.md': 'a\nb\na\n' });
    expect(await text('memory_add', { text: 'b' })).toBe('MEMORY.md already says this: nothing was added');
    expect(await text('memory_add', { text: ' ' })).toBe('text is empty');
    expect(await text('memory_replace', { old: 'a', new: 'c' })).toMatch(/^old occurs 2 times in MEMORY.md/);
    expect(await text('memory_add', { text: 'x', file: 'OTHER.md' })).toBe(
      'file: must be one of "MEMORY.md" or "USER.md", got "OTHER.md"',
    );
    expect(bench.find('memory.updated')).toEqual([]);
  });
});
