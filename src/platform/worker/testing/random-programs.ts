/** Programs that nobody would write, the same ones for the same seed. */

interface Random {
  readonly below: (n: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Mulberry32. */
const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
};

const NAMES = ['a', 'b', 'c', 'xs', 'd', 'input', 'ask', 'f'];
const LITERALS = [
  '0',
  '1',
  '-7',
  '1.5',
  '1e300',
  '1 << 70',
  '""',
  '"é😀"',
  '"a\\0b"',
  'b"x"',
  'None',
  'True',
  '[]',
  '{}',
  '()',
  '[1, 2]',
  '{"k": 1}',
  '{1: 2}',
  '"\\xff"',
  'float("nan")',
  'range(5)',
  '(1,)',
];
const OPERATORS = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '==',
  '!=',
  '<',
  '>=',
  'in',
  'not in',
  'and',
  'or',
  '|',
  '&',
  '^',
  '<<',
  '>>',
];
const CALLS = [
  'len',
  'str',
  'repr',
  'list',
  'sorted',
  'dict',
  'type',
  'int',
  'float',
  'enumerate',
  'zip',
  'min',
  'max',
  'any',
  'reversed',
  'tuple',
  'bool',
  'hash',
  'abs',
  'ord',
  'chr',
  'ask',
  'command',
  'trace',
  'f',
  'dir',
  'fail',
  'print',
];
const METHODS = [
  'append(1)',
  'get("k")',
  'items()',
  'keys()',
  'strip()',
  'split(",")',
  'join(["a"])',
  'upper()',
  'pop()',
  'elems()',
  'codepoints()',
  'format(1)',
  'update({"z": 1})',
  'extend([1])',
  'replace("a", "bb")',
  'splitlines()',
  'setdefault("k", [])',
  'index(1)',
];

const expression = (random: Random, depth: number): string => {
  if (depth <= 0 || random.below(4) === 0) return random.pick(random.below(2) === 0 ? NAMES : LITERALS);
  const sub = (): string => expression(random, depth - 1);
  switch (random.below(12)) {
    case 0:
      return `${sub()} ${random.pick(OPERATORS)} ${sub()}`;
    case 1:
      return `(${sub()} ${random.pick(OPERATORS)} ${sub()})`;
    case 2:
      return `${random.pick(CALLS)}(${Array.from({ length: random.below(3) }, sub).join(', ')})`;
    case 3:
      return `${random.pick(NAMES)}.${random.pick(METHODS)}`;
    case 4:
      return `[${Array.from({ length: random.below(4) }, sub).join(', ')}]`;
    case 5:
      return `{${Array.from({ length: random.below(3) }, () => `${random.pick(['"a"', '"b"', '1'])}: ${sub()}`).join(', ')}}`;
    case 6:
      return `${random.pick(NAMES)}[${sub()}]`;
    case 7:
      return `${random.pick(NAMES)}[${random.pick(['', '1', '-2'])}:${random.pick(['', '2'])}]`;
    case 8:
      return `[x for x in ${sub()} if ${random.pick(['x', 'True', 'x == 1'])}]`;
    case 9:
      return `(${sub()} if ${sub()} else ${sub()})`;
    case 10:
      return `(lambda p: ${random.pick(['p', 'p + 1', '[p]', 'f(p)'])})(${sub()})`;
    default:
      return `not (${sub()})`;
  }
};

const statements = (random: Random, indent: string, depth: number): string => {
  const lines: string[] = [];
  for (let count = 1 + random.below(4); count > 0; count--) {
    const value = expression(random, 3);
    switch (depth > 0 ? random.below(9) : random.below(6)) {
      case 0:
        lines.push(`${indent}${random.pick(NAMES)} = ${value}`);
        break;
      case 1:
        lines.push(`${indent}${random.pick(['a', 'xs', 'd'])} += ${value}`);
        break;
      case 2:
        lines.push(`${indent}${random.pick(['d', 'xs', 'input'])}[${expression(random, 1)}] = ${value}`);
        break;
      case 3:
        lines.push(`${indent}return ${value}`);
        break;
      case 4:
        lines.push(`${indent}${value}`);
        break;
      case 5:
        lines.push(`${indent}trace("t", {"v": ${value}})`);
        break;
      case 6:
        lines.push(
          `${indent}for ${random.pick(['c', 'b', 'c, b'])} in ${value}:`,
          statements(random, `${indent}  `, depth - 1),
        );
        break;
      case 7:
        lines.push(
          `${indent}if ${value}:`,
          statements(random, `${indent}  `, depth - 1),
          `${indent}else:`,
          statements(random, `${indent}  `, depth - 1),
        );
        break;
      default:
        lines.push(`${indent}def inner(p = ${expression(random, 1)}):`, statements(random, `${indent}  `, 0));
    }
  }
  return lines.join('\n');
};

export const randomProgram = (seed: number): string => {
  const random = randomFrom(seed);
  return `f = lambda v: [v, a]\na = [1]\nd = {"k": a}\ndef run(input):\n  b = 2\n  c = "text"\n  xs = [1, 2, 3]\n  d = {"k": [1]}\n  a = 1\n${statements(random, '  ', 2)}\n`;
};

/** A string with a few pieces removed, doubled or replaced. */
export const damaged = (text: string, seed: number): string => {
  const random = randomFrom(seed);
  let out = text;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(out.length);
    const length = random.below(12);
    const piece = random.pick([
      '',
      '(',
      ')',
      '"',
      '"""',
      '\n',
      '\n  ',
      ':',
      '\t',
      '\\',
      '😀',
      '\u0000',
      '{',
      ']',
      '#',
      '\r',
      'f"',
      'is',
      'try',
      ' = ',
      out.slice(at, at + length),
    ]);
    out = out.slice(0, at) + piece + out.slice(at + random.below(length + 1));
  }
  return out;
};
