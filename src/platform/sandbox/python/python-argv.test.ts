import { describe, expect, it } from 'vitest';
import { readPythonArgv, type PythonOrder } from './python-argv.ts';

const read = (line: string): Partial<PythonOrder> | string => {
  const order = readPythonArgv(line.split(' '));
  return order.ok ? order.value : order.error;
};
const PLAIN = { unbuffered: false, optimize: 0, warnings: [] };

describe('PY1: what Python is asked to do', () => {
  it.each<[line: string, order: Partial<PythonOrder>]>([
    ['python3 a.py -x b', { kind: 'script', what: 'a.py', args: ['a.py', '-x', 'b'], ...PLAIN }],
    ['python3 -c print(1) -x', { kind: 'code', what: 'print(1)', args: ['-c', '-x'], ...PLAIN }],
    ['python3 -cprint(1)', { kind: 'code', what: 'print(1)', args: ['-c'] }],
    ['python3 -m unittest -v', { kind: 'module', what: 'unittest', args: ['-m', '-v'] }],
    ['python3', { kind: 'stdin', args: [''] }],
    ['python3 - x', { kind: 'stdin', args: ['-', 'x'] }],
    ['python3 -- -x', { kind: 'script', what: '-x', args: ['-x'] }],
    ['python3 -u a.py', { kind: 'script', unbuffered: true }],
    ['python3 -O a.py', { kind: 'script', optimize: 1 }],
    ['python3 -OOu -m x', { kind: 'module', optimize: 2, unbuffered: true }],
    ['python3 -W error -Wignore a.py', { kind: 'script', what: 'a.py', warnings: ['error', 'ignore'] }],
    // These change nothing here.
    ['python3 -B -E -s -S -I -q -X utf8 -Xdev a.py', { kind: 'script', what: 'a.py', args: ['a.py'], ...PLAIN }],
    ['python3 --version', { kind: 'version' }],
    ['python -V', { kind: 'version' }],
    ['pytest -q tests', { kind: 'module', what: 'pytest', args: ['pytest', '-q', 'tests'] }],
  ])('%s', (line, order) => {
    expect(read(line)).toMatchObject(order);
  });

  it.each([
    ['python3 -c', 'Argument expected for the -c option\n'],
    ['python3 -m', 'Argument expected for the -m option\n'],
    ['python3 -z', 'unknown option -z\n'],
    ['python3 --nope', 'unknown option --nope\n'],
  ])('%s is a usage error', (line, says) => {
    expect(read(line)).toContain(says);
  });
});
