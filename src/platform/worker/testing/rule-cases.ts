/** Programs that each rule fires on, with the text that it marks, and programs on which it is silent. */
import type { ProgramRuleId } from '../../../model/starlark/rule-catalog.ts';

export interface FiringProgram {
  readonly text: string;
  readonly marks: string;
  /** What the first fix makes of it. */
  readonly fixed?: string;
  readonly skill?: string;
}

interface Cases {
  readonly fires: readonly FiringProgram[];
  readonly silent: readonly (string | { readonly text: string; readonly skill: string })[];
}

const run = (body: string): string => `def run(input):\n    ${body.replaceAll('\n', '\n    ')}\n`;
const skill = (keys: string): string => `---\nname: x\ndescription: y\n---\n\nText.\n\n${keys}\n`;

export const RULE_CASES: Readonly<Record<ProgramRuleId, Cases>> = {
  'MS-syntax': {
    fires: [
      { text: run('return input is None'), marks: 'is', fixed: run('return input == None') },
      { text: run('try:\n    pass'), marks: 'try' },
      { text: 'def run(input)\n    pass\n', marks: ')', fixed: 'def run(input):\n    pass\n' },
    ],
    silent: [run('return input == None')],
  },
  'MS-resolve': {
    fires: [{ text: run('return asks("x")'), marks: 'asks', fixed: run('return ask("x")') }],
    silent: [run('return ask("x")["answer"]')],
  },
  'MS-fstring': {
    fires: [{ text: run('x = 1\nreturn f"a {x}"'), marks: 'f"a {x}"', fixed: run('x = 1\nreturn "a {}".format(x)') }],
    silent: [run('return "a {}".format(1)')],
  },
  'MS-while': {
    fires: [{ text: run('while True:\n    pass'), marks: 'while' }],
    silent: [run('for i in range(3):\n    pass')],
  },
  'MS-set': {
    fires: [{ text: run('x = set([1])\nreturn str(x)'), marks: 'set' }],
    silent: [run('x = {1: True}\nreturn str(x)')],
  },
  'MS-top-level-control': {
    fires: [{ text: `if True:\n    x = 1\n${run('pass')}`, marks: 'if' }],
    silent: [run('if input:\n    pass')],
  },
  'MS-recursion': {
    fires: [
      { text: `def f(n):\n    return f(n)\n${run('return f(1)')}`, marks: 'f' },
      { text: `def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\n${run('return f(1)')}`, marks: 'f' },
    ],
    silent: [`def f(n):\n    return n\ndef g(n):\n    return f(f(n))\n${run('return str(g(1))')}`],
  },
  'MS-load-used': {
    fires: [{ text: `load("a.star", "b")\n${run('return b')}`, marks: 'load("a.star", "b")' }],
    silent: [run('return "load"')],
  },
  'MS-input-global': {
    fires: [{ text: `X = input\n${run('pass')}`, marks: 'input' }],
    silent: [run('return input.get("a")')],
  },
  'MS-agent-object': {
    fires: [{ text: run('return agent.ask("x")["answer"]'), marks: 'agent', fixed: run('return ask("x")["answer"]') }],
    silent: [run('agent = 1\nreturn str(agent)')],
  },
  'MS-no-run': {
    fires: [
      { text: 'x = 1\n', marks: '', fixed: 'x = 1\n\ndef run(input):\n    return {"status": "ok", "answer": ""}\n' },
    ],
    silent: [run('pass'), 'run = lambda input: None\n'],
  },
  'MS-run-arity': {
    fires: [
      { text: 'def run():\n    pass\n', marks: '()', fixed: 'def run(input):\n    pass\n' },
      { text: 'def run(a, b):\n    pass\n', marks: '(a, b)' },
      { text: 'def run(a, *, b):\n    pass\n', marks: '(a, *, b)' },
    ],
    silent: [
      run('pass'),
      'def run(*a):\n    pass\n',
      'def run(a, b = 1, **c):\n    pass\n',
      'def run(i = 1):\n    pass\n',
    ],
  },
  'MS-run-not-callable': {
    fires: [{ text: 'run = 5\n', marks: 'run' }],
    silent: ['def f(input):\n    pass\nrun = f\n', 'run = lambda x: None\n'],
  },
  'MS-return-type': {
    fires: [
      { text: run('return 5'), marks: '5', fixed: run('return {"status": "ok", "answer": str(5)}') },
      { text: run('x = [1]\nreturn x'), marks: 'x' },
      { text: run('return len(input) > 1'), marks: 'len(input) > 1' },
    ],
    silent: [
      run('return None'),
      run('return "a" + "b"'),
      run('return input["x"]'),
      `def f():\n    return 5\n${run('return str(f())')}`,
    ],
  },
  'MS-return-missing-answer': {
    fires: [
      {
        text: run('return {"status": "ok"}'),
        marks: '{"status": "ok"}',
        fixed: run('return {"answer": "", "status": "ok"}'),
      },
    ],
    silent: [run('return {"answer": "x"}'), run('x = {}\nreturn x')],
  },
  'MS-unreachable': {
    fires: [
      { text: run('return "a"\ntrace("b")'), marks: 'trace("b")' },
      { text: run('fail("a")\ntrace("b")'), marks: 'trace("b")' },
    ],
    silent: [run('if input:\n    return "a"\ntrace("b")')],
  },
  'MS-unused-variable': {
    fires: [{ text: run('x = 1\nreturn ""'), marks: 'x' }],
    silent: [run('x = 1\nreturn str(x)'), run('_x = 1')],
  },
  'MS-host-call-at-top-level': {
    fires: [{ text: `X = ask("a")\n${run('return X["answer"]')}`, marks: 'ask("a")' }],
    silent: [run('ask("a")')],
  },
  'MS-shadowed-host-function': {
    fires: [
      { text: `def ask(x):\n    return x\n${run('return ask("a")')}`, marks: 'ask' },
      { text: run('trace = 1\nreturn str(trace)'), marks: 'trace' },
    ],
    silent: [run('asked = ask("a")\nreturn asked["answer"]')],
  },
  'MS-ask-in-unbounded-range': {
    fires: [
      { text: run('for i in range(6):\n    ask("a")'), marks: 'for i in range(6)' },
      { text: run('for x in input["list"]:\n    ask(x)'), marks: 'for x in input["list"]' },
      { text: run('for i in range(11):\n    command(["a"])'), marks: 'for i in range(11)' },
      { text: run(Array.from({ length: 6 }, () => 'ask("a")').join('\n')), marks: 'ask("a")' },
    ],
    silent: [
      run('for i in range(5):\n    ask("a")'),
      run('for x in input["list"][:5]:\n    ask(x)'),
      run('for i in range(10):\n    command(["a"])'),
      run('for x in input["list"]:\n    trace("a")'),
    ],
  },
  'MS-max-turns': {
    fires: [
      { text: run('ask("a", {"max_turns": 50})'), marks: '50', fixed: run('ask("a", {"max_turns": 30})') },
      { text: run('ask("a", {"max_turns": 0})'), marks: '0', fixed: run('ask("a", {"max_turns": 1})') },
    ],
    silent: [
      run('ask("a", {"max_turns": 30})'),
      run('ask("a", {"max_turns": input["n"]})'),
      run('trace("a", {"max_turns": 99})'),
    ],
  },
  'MS-timeout': {
    fires: [
      { text: run('command(["a"], {"timeout": 121})'), marks: '121', fixed: run('command(["a"], {"timeout": 120})') },
    ],
    silent: [run('command(["a"], {"timeout": 120})'), run('ask("a", {"timeout": 999})')],
  },
  'MS-option-type': {
    fires: [
      { text: run('ask("a", {"max_turns": "4"})'), marks: '"4"' },
      { text: run('ask("a", [1])'), marks: '[1]' },
      { text: run('trace("a", "b")'), marks: '"b"' },
      { text: run('command(["a"], {"timeout": 1.5})'), marks: '1.5' },
    ],
    silent: [run('ask("a", None)'), run('ask("a", input["opts"])'), run('trace("a", {"x": 1})')],
  },
  'MS-command-string-not-list': {
    fires: [
      { text: run('command("git status")'), marks: '"git status"', fixed: run('command(["git", "status"])') },
      { text: run('command("cat \'a b\'")'), marks: '"cat \'a b\'"' },
      { text: run('command(("git", "status"))'), marks: '("git", "status")' },
    ],
    silent: [run('command(["git", "status"])'), run('command(input["argv"])')],
  },
  'MS-shell-wrapper': {
    fires: [
      { text: run('command(["/bin/sh", "-c", "ls"])'), marks: '["/bin/sh", "-c", "ls"]' },
      { text: run('command(["bash", "-lc", "ls"])'), marks: '["bash", "-lc", "ls"]' },
    ],
    silent: [run('command(["sh", "script.sh"])'), run('command(["git", "-c", "a=b"])')],
  },
  'MS-untrusted-concat': {
    fires: [
      { text: run('command(["git", "log", "--author=" + input["who"]])'), marks: '"--author=" + input["who"]' },
      { text: run('x = "a %s" % ask("q")["answer"]\ncommand(["echo", x])'), marks: 'x' },
    ],
    silent: [run('command(["git", "log", input["who"]])'), run('command(["git", "a" + "b"])')],
  },
  'MS-ignored-ok': {
    fires: [
      { text: run('return command(["a"])["result"]'), marks: 'command(["a"])' },
      { text: run('command(["a"])'), marks: 'command(["a"])' },
    ],
    silent: [
      run('r = command(["a"])\nif r["ok"]:\n    return r["result"]'),
      run('r = command(["a"])\nreturn {"answer": "", "all": r}'),
      `def good(r):\n    return r["exit_code"] == 0\n${run('r = command(["a"])\nif good(r):\n    return r["result"]')}`,
    ],
  },
  'MS-ignored-exhausted': {
    fires: [{ text: run('return ask("a")["answer"]'), marks: 'ask("a")' }],
    silent: [run('r = ask("a")\nif not r["exhausted"]:\n    return r["answer"]'), run('ask("a")')],
  },
  'MS-ignored-truncated': {
    fires: [
      { text: run('return ask("a")["answer"]'), marks: 'ask("a")' },
      { text: run('r = command(["a"])\nif r["ok"]:\n    return r["result"]'), marks: 'command(["a"])' },
    ],
    silent: [run('r = ask("a")\nif not r.get("truncated"):\n    return r["answer"]')],
  },
  'MS-trace-in-big-loop': {
    fires: [
      { text: run('for i in range(99):\n    trace("a")'), marks: 'for i in range(99)' },
      { text: run('for x in input["l"]:\n    trace("a")'), marks: 'for x in input["l"]' },
    ],
    silent: [run('for i in range(98):\n    trace("a")')],
  },
  'MS-print-used': { fires: [{ text: run('print("a")'), marks: 'print("a")' }], silent: [run('trace("print")')] },
  'MS-string-iteration': {
    fires: [
      {
        text: run('for c in ask("a")["answer"]:\n    trace(c)'),
        marks: 'ask("a")["answer"]',
        fixed: run('for c in ask("a")["answer"].codepoints():\n    trace(c)'),
      },
      { text: run('return str([c for c in "abc"])'), marks: '"abc"' },
    ],
    silent: [run('for c in "abc".elems():\n    trace(c)'), run('for c in input["text"]:\n    trace(c)')],
  },
  'MS-len-of-text-as-chars': {
    fires: [{ text: run('r = ask("a")\nreturn str(len(r["answer"].strip()))'), marks: 'len(r["answer"].strip())' }],
    silent: [run('return str(len(ask("a")["answer"].splitlines()))'), run('return str(len("abc"))')],
  },
  'MS-frozen-value': {
    fires: [
      { text: run('input["a"] = 1'), marks: 'input' },
      { text: `G = []\n${run('G.append(1)')}`, marks: 'G' },
      { text: run('input.update({"a": 1})'), marks: 'input' },
    ],
    silent: [run('x = dict(input)\nx["a"] = 1\nreturn x'), 'G = []\nG.append(1)\ndef run(input):\n    pass\n'],
  },
  'MS-input-key-used-not-documented': {
    fires: [
      {
        text: run('return input.get("b")'),
        marks: 'input.get("b")',
        skill: skill('Input keys:\n\n- `a`: A.'),
      },
      { text: run('return input["b"]'), marks: 'input["b"]', skill: skill('Input keys: none') },
    ],
    silent: [
      { text: run('return input.get("a")'), skill: skill('Input keys:\n\n- `a`: A.') },
      { text: run('return input.get("a")'), skill: skill('Nothing here.') },
      {
        text: run('return input.get("a")'),
        skill: skill('| key | meaning |\n|---|---|\n\n## Input keys\n\n| key | meaning |\n|---|---|\n| `a` | A |'),
      },
    ],
  },
  'MS-documented-not-used': {
    fires: [{ text: run('return input.get("b")'), marks: 'a', skill: skill('**Input keys:**\n- `a`: A.\n- `b`: B.') }],
    silent: [
      { text: run('return str(input)'), skill: skill('Input keys:\n- `a`: A.') },
      { text: run('return input.get("a")'), skill: skill('Input keys: `a`') },
    ],
  },
  'MS-required-key-without-default': {
    fires: [{ text: run('return input["a"]'), marks: 'input["a"]', fixed: run('return input.get("a")') }],
    silent: [run('return input.get("a")'), run('if "a" not in input:\n    fail("a is missing")\nreturn input["a"]')],
  },
};
