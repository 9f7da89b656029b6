/** What `python3` and `pytest` are asked to do. */
import { err, ok, type Result } from '../../../base/result.ts';

export interface PythonOrder {
  readonly kind: 'code' | 'module' | 'script' | 'stdin' | 'version' | 'help';
  readonly what: string;
  /** `sys.argv`. */
  readonly args: readonly string[];
  readonly unbuffered: boolean;
  /** `-O` is 1 (no `assert`), `-OO` is 2 (no strings of documentation either). */
  readonly optimize: number;
  /** What `-W` asked for. */
  readonly warnings: readonly string[];
}

/** Letters that may be in one word; those that are not looked at change nothing here. */
const LETTERS = /^-[BEsSIOqdvbPu]+$/;

const USAGE = 'usage: /usr/bin/python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n';

export const HELP = `${USAGE}
In the sandbox these options count: -c, -m, -O, -OO, -u, -W, -V, -h. There are no threads, processes or sockets.
`;

/** The error is what Python would write. */
export const readPythonArgv = (argv: readonly string[]): Result<PythonOrder, string> => {
  const [program = '', ...words] = argv;
  const warnings: string[] = [];
  let [unbuffered, optimize] = [false, 0];
  type Order = Pick<PythonOrder, 'kind' | 'what' | 'args'>;
  const order = (asked: Order): Result<PythonOrder, string> => ok({ ...asked, unbuffered, optimize, warnings });
  const note = (letters: string): void => {
    if (letters.includes('u')) unbuffered = true;
    optimize += letters.replace(/[^O]/g, '').length;
  };
  if (program === 'pytest') return order({ kind: 'module', what: 'pytest', args: ['pytest', ...words] });
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') break;
    if (word === '--') {
      at++;
      break;
    }
    if (word === '--version' || word === '-V' || word === '-VV') return order({ kind: 'version', what: '', args: [] });
    if (word === '--help' || word === '-h' || word === '-?') return order({ kind: 'help', what: '', args: [] });
    const taking = /^-([BEsSIOqdvbPu]*)([cm])(.*)$/s.exec(word);
    if (taking) {
      const [, letters = '', letter, glued = ''] = taking;
      note(letters);
      const value = glued === '' ? words[at + 1] : glued;
      if (value === undefined) return err(`Argument expected for the -${letter} option\n`);
      const rest = words.slice(at + (glued === '' ? 2 : 1));
      return order(
        letter === 'c'
          ? { kind: 'code', what: value, args: ['-c', ...rest] }
          : { kind: 'module', what: value, args: ['-m', ...rest] },
      );
    }
    if (word === '-W') warnings.push(words[++at] ?? '');
    else if (word === '-X') at++;
    else if (word.startsWith('-W')) warnings.push(word.slice(2));
    else if (word.startsWith('-X')) continue;
    else if (LETTERS.test(word)) note(word);
    else return err(`unknown option ${word}\n${USAGE}Try \`python3 -h' for more information.\n`);
  }
  const [script, ...args] = words.slice(at);
  if (script === undefined || script === '-')
    return order({ kind: 'stdin', what: '-', args: [script === undefined ? '' : '-', ...args] });
  return order({ kind: 'script', what: script, args: [script, ...args] });
};
