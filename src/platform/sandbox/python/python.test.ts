/** Python in real threads. The machine's own Python says what is right, where it has one. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeTree } from '../../fs/node-tree.ts';
import { openThreaded, type ThreadedSandbox } from '../testing/node-threads.ts';
import { makeFolder, type Folder } from '../testing/side-by-side.ts';

const FILES = {
  'args.py':
    'import sys\nprint(sys.argv[1:])\nprint(sys.stdin.read().upper(), end="")\nprint("to stderr", file=sys.stderr)\nsys.exit(3)\n',
  'data.json': '{"b": [1, 2, {"c": null}], "a": "ü"}',
  'broken.json': '{"b": ',
  'pack/__init__.py': 'NAME = "pack"\n',
  'pack/__main__.py': 'from . import NAME\nimport sys\nprint(NAME, sys.argv[1:])\n',
  'pack/tool.py': 'def twice(x):\n    return 2 * x\n\nif __name__ == "__main__":\n    print(twice(21))\n',
  'tests/__init__.py': '',
  'tests/test_good.py':
    'import unittest\nfrom pack.tool import twice\n\nclass Good(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(2), 4)\n\n    @unittest.skip("later")\n    def test_later(self):\n        pass\n',
  'bad/test_bad.py':
    'import unittest\n\nclass Bad(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(1 + 1, 3, "sums")\n',
  'plain_test.py': 'def test_ok():\n    assert 1 + 1 == 2\n\ndef test_wrong():\n    assert [1, 2] == [1, 3]\n',
  'app/__main__.py': 'import sys\nprint(sys.argv, __name__, sys.path[0])\n',
  'deep.py': 'def f(x):\n    return 1 / x\n\n\nf(0)\n',
  'words.csv': 'name,count\nb,2\na,1\n',
  'tidy.py':
    'import argparse, csv, sys\np = argparse.ArgumentParser()\np.add_argument("file")\np.add_argument("--desc", action="store_true")\na = p.parse_args()\nwith open(a.file, newline="") as f:\n    rows = sorted(csv.DictReader(f), key=lambda r: r["count"], reverse=a.desc)\nw = csv.writer(sys.stdout)\nfor r in rows:\n    w.writerow(r.values())\n',
} as const;

const code = (text: string): readonly string[] => ['python3', '-c', text];

/** The same by any Python of the last years. */
const SAME: readonly (readonly [argv: readonly string[], stdin?: string])[] = [
  [code('print(1 + 1)')],
  [code('import sys; print(sys.stdin.readline().strip(), len(sys.stdin.read()))'), 'one\ntwo\nthree\n'],
  [code('print(input("? "))'), 'answer\n'],
  [['python', 'args.py', '1'], 'x'],
  [['python3', '-m', 'json.tool', 'data.json']],
  [['python3', '-m', 'json.tool', '--sort-keys', '--indent', '2', 'data.json']],
  [['python3', '-m', 'json.tool', '--compact'], '[1, 2]'],
  [['python3', '-m', 'pack.tool']],
  [['python3', 'pack/tool.py']],
  [['python3', 'tidy.py', 'words.csv']],
  [['python3', 'tidy.py', '--desc', 'words.csv']],
  [['python3', '-m', 'base64', '-e'], 'hello'],
  [['python3', '-m', 'textwrap'], ''],
  [['python3', '-c', '']],
  [['sh', '-c', 'X=5 python3 -c "import os; print(os.environ[\'X\'])"']],
  [['python3', '-c', "import os; print(oct(os.stat('args.py').st_mode))"]],
];

/** Every way to say what Python shall run, and what it then prints. */
const FORMS: readonly (readonly [argv: readonly string[], stdin: string, output: string])[] = [
  [
    ['python3', '-c', 'import sys; print(sys.argv, __name__)', 'a b', '$HOME', '*', ';'],
    '',
    "['-c', 'a b', '$HOME', '*', ';'] __main__\n",
  ],
  [['python3', '-u', 'args.py', 'a', '--b', 'c d'], 'text\n', "['a', '--b', 'c d']\nTEXT\nto stderr\n"],
  [['python3', '-m', 'pack', 'x'], '', "pack ['x']\n"],
  [['python3', '-', 'x'], 'import sys; print(sys.argv)\n', "['-', 'x']\n"],
  [['python3'], 'import sys\nprint(sys.argv)\n', "['']\n"],
  [['python3', '-BO', '-c', 'assert 0; print(__debug__)'], '', 'False\n'],
  [['python3', 'app', 'x'], '', "['app', 'x'] __main__ /workspace/app\n"],
  [
    ['sh', '-c', 'cd app && zip -q ../app.zip __main__.py && cd .. && python3 app.zip x; rm app.zip'],
    '',
    "['app.zip', 'x'] __main__ /workspace/app.zip\n",
  ],
];

/** How a program can end by itself. */
const ENDS: readonly (readonly [text: string, exitCode: number, output: string])[] = [
  ['raise SystemExit', 0, ''],
  ['import sys; sys.exit(7)', 7, ''],
  ['import sys; sys.exit("no good")', 1, 'no good\n'],
  ['import sys; sys.exit(-1)', 255, ''],
  ['import os; os._exit(9)', 9, ''],
];

/** Programs that print and end by themselves. They run one after the other in a single start, because a start takes seconds. */
const PRINTING: readonly string[] = [
  'print("ü€😀")',
  'print(*range(5), sep="-")',
  'import json; print(json.dumps({"a": [1, 2.5, None, True]}, sort_keys=True))',
  'import math, fractions, decimal; print(math.pi, fractions.Fraction(1, 3), decimal.Decimal("1.10") + 1)',
  'import re; print(re.findall(r"\\w+", "a b-c"))',
  'import datetime; print(datetime.date(2026, 3, 1).isoformat(), datetime.timedelta(hours=25))',
  'import collections; print(collections.Counter("hello").most_common(1))',
  'import hashlib; print(hashlib.sha256(b"x").hexdigest())',
  'import asyncio\nasync def f():\n    await asyncio.sleep(0.001)\n    return 5\nprint(asyncio.run(f()))',
  'import os; print(os.getcwd(), sorted(os.listdir("pack")))',
  'from pathlib import Path; print(Path("data.json").read_text(encoding="utf-8"))',
  'import sys; sys.stdout.buffer.write(bytes([65, 10]))',
  'import random; random.seed(4); print(random.randint(1, 100))',
  'import itertools as i; print(list(i.accumulate([1, 2, 3])))',
  'import textwrap; print(textwrap.fill("word " * 30, 40))',
  'import string; print(string.Template("$a!").substitute(a=1))',
  'import struct; print(struct.pack(">I", 7))',
  'import sqlite3; c = sqlite3.connect(":memory:"); print(c.execute("select 1+1").fetchone())',
  'import zlib, gzip; print(gzip.decompress(gzip.compress(b"x" * 99)) == b"x" * 99)',
  'import tempfile, os; f = tempfile.NamedTemporaryFile(); print(os.path.exists(f.name))',
];

const MARK = '-- program --\n';
const ONE_BY_ONE = `import json, sys
for text in json.loads(${JSON.stringify(JSON.stringify(PRINTING))}):
    print(${JSON.stringify(MARK)}, end="", flush=True)
    exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    sys.stdout.flush()`;

/** Python's messages change from version to version; the exit code and these words do not. */
const FAILING: readonly (readonly [argv: readonly string[], exitCode: number, words: RegExp])[] = [
  [['python3', 'nosuch.py'], 2, /can't open file '\/workspace\/nosuch\.py': \[Errno 2\] No such file or directory/],
  [['python3', '-m', 'nosuch'], 1, /No module named nosuch/],
  [['python3', 'deep.py'], 1, /File "\/workspace\/deep\.py", line 5[^]*line 2, in f\n {4}return 1 \/ x\n/],
  [['python3', 'pack/tool.py/x'], 2, /can't open file '\/workspace\/pack\/tool\.py\/x': \[Errno 20\]/],
  [['python3', 'bad'], 1, /can't find '__main__' module in '\/workspace\/bad'/],
  [['python3', '-W', 'error', '-c', 'import warnings; warnings.warn("w")'], 1, /UserWarning: w/],
  [['python3', '-c'], 2, /Argument expected for the -c option/],
  [code('1/0'), 1, /Traceback[^]*ZeroDivisionError: division by zero/],
  [code('def f(:'), 1, /SyntaxError/],
  [code('raise ValueError("seen")'), 1, /ValueError: seen/],
  [code('import nosuch'), 1, /ModuleNotFoundError: No module named 'nosuch'/],
  [code('open("nosuch")'), 1, /FileNotFoundError.*No such file or directory: 'nosuch'/],
  [['python3', '-m', 'json.tool', 'broken.json'], 1, /Expecting value: line 1 column 7/],
  [['python3', '-m', 'unittest', 'tests.test_good'], 0, /Ran 2 tests in [^]*OK \(skipped=1\)/],
  [
    ['python3', '-m', 'unittest', 'discover', '-s', 'bad'],
    1,
    /FAIL: test_sum[^]*AssertionError: 2 != 3 : sums[^]*FAILED \(failures=1\)/,
  ],
  [['python3', '-m', 'unittest', 'nosuch'], 1, /ModuleNotFoundError[^]*FAILED \(errors=1\)/],
  [['python3', 'tidy.py'], 2, /usage: tidy\.py[^]*the following arguments are required: file/],
];

let folder: Folder | undefined;
let side: ThreadedSandbox | undefined;

beforeAll(() => {
  folder = makeFolder(FILES);
  side = openThreaded(createNodeTree(folder.path));
});
afterAll(() => {
  side?.[Symbol.dispose]();
  folder?.[Symbol.dispose]();
});

const run: ThreadedSandbox['run'] = (argv, options) => {
  if (!side) throw new Error('not started');
  return side.run(argv, options);
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('DIF4: Python beside Python', () => {
  it.skipIf(!hasPython).each(SAME.map(([argv, stdin = '']) => ({ argv, stdin })))('$argv', async ({ argv, stdin }) => {
    expect(await run(argv, { stdin })).toEqual(folder?.realInOrder(argv, stdin));
  });

  describe.skipIf(!hasPython)('in one start', () => {
    const outputs = ({ exitCode, output }: { readonly exitCode: number; readonly output: string }) => {
      if (exitCode !== 0) throw new Error(output);
      return output.split(MARK).slice(1);
    };
    let ours: readonly string[] = [];
    let theirs: readonly string[] = [];
    beforeAll(async () => {
      if (!folder) throw new Error('not started');
      ours = outputs(await run(code(ONE_BY_ONE)));
      theirs = outputs(folder.realInOrder(code(ONE_BY_ONE)));
    });

    it.each(PRINTING.map((text, index) => ({ text, index })))('$text', ({ index }) => {
      expect(theirs[index]).toBeTypeOf('string');
      expect(ours[index]).toBe(theirs[index]);
    });
  });

  it.each(FORMS)('PY1: %j', async (argv, stdin, output) => {
    expect((await run(argv, { stdin })).output).toBe(output);
    if (hasPython && argv[0] === 'python3') expect(folder?.realInOrder(argv, stdin).output).toBe(output);
  });

  it.each(ENDS)('PY2: %s', async (text, exitCode, output) => {
    expect(await run(code(text))).toEqual({ exitCode, output });
    if (hasPython) expect(folder?.realInOrder(code(text))).toEqual({ exitCode, output });
  });

  it.each(FAILING)('PY1, PY2: %j', async (argv, exitCode, words) => {
    const ran = await run(argv);
    expect(ran.output).toMatch(words);
    expect(ran.exitCode).toBe(exitCode);
    if (hasPython) expect(folder?.real(argv).exitCode).toBe(exitCode);
  });
});

describe('PY: files, streams, tests', () => {
  it('PY3: what a program writes is pending; what it removes is gone; what Python leaves behind is not kept', async () => {
    await run(
      code(
        'import os, pack.tool\nos.makedirs("made/deep")\nopen("made/deep/new.txt", "w").write("new")\nos.remove("broken.json")\nopen("words.csv", "a").write("c,3\\n")',
      ),
    );
    expect(side?.files.pending().map(({ path, after }) => [path, after && new TextDecoder().decode(after)])).toEqual([
      ['broken.json', null],
      ['made/deep/new.txt', 'new'],
      ['words.csv', 'name,count\nb,2\na,1\nc,3\n'],
    ]);
    expect((await run(['ls', 'made'])).output).toBe('deep\n');
    await side?.files.discard();
  });

  it('SB8: Python works inside sh -c, pipes included', async () => {
    expect(
      (await run(['sh', '-c', 'python3 -c "print(3 * 4)" | tr 1 x; echo \'[1]\' | python -m json.tool'])).output,
    ).toBe('x2\n[\n    1\n]\n');
  });

  it('SB2: both streams are in the order of writing', async () => {
    const text = 'import sys\nfor i in range(3):\n    print(i, file=[sys.stdout, sys.stderr][i % 2], flush=True)';
    expect(await run(code(text))).toMatchObject({ exitCode: 0, output: '0\n1\n2\n' });
  });

  it('PY4: asyncio waits by sleeping and does immediately what it would do in a thread; there are no threads', async () => {
    const text = [
      'import asyncio, threading, time',
      'async def nap(name, seconds):',
      '    await asyncio.sleep(seconds)',
      '    return name',
      'async def main():',
      '    before = time.monotonic()',
      '    print(await asyncio.gather(nap("a", 0.02), nap("b", 0.01)), time.monotonic() - before >= 0.02)',
      '    print(await asyncio.to_thread(lambda: "in place"))',
      'asyncio.run(main())',
      'try: threading.Thread(target=print).start()',
      'except RuntimeError as e: print(e)',
    ].join('\n');
    expect(await run(code(text))).toEqual({
      exitCode: 0,
      output: "['a', 'b'] True\nin place\ncan't start new thread\n",
    });
  });

  it('PY5, SB8: pytest is there when it is wanted', async () => {
    const short = await run(['sh', '-c', 'pytest -q plain_test.py; echo "code $?"']);
    expect(short.output).toMatch(/assert \[1, 2\] == \[1, 3\][^]*1 failed, 1 passed[^]*\ncode 1\n/);
    expect((await run(['python3', '-m', 'pytest', 'tests', '-q'])).output).toMatch(/1 passed, 1 skipped/);
    expect(side?.files.pending()).toEqual([]);
    // Two starts with five wheels: longer than any other test here on a busy machine.
  }, 240_000);

  it('PY6: two programs do not see each other', async () => {
    await run(code('import builtins, sys\nbuiltins.left = 1\nsys.modules["json"] = None'));
    expect((await run(code('import json, builtins; print(hasattr(builtins, "left"), json.dumps(1))'))).output).toBe(
      'False 1\n',
    );
    const [one, two] = await Promise.all([
      run(code('import random; print(random.random())')),
      run(code('import random; print(random.random())')),
    ]);
    expect(one.output).not.toBe(two.output);
  });
});
