/** What `python3` and `pytest` are asked to do. */
import { err, ok, type Result } from '../../../base/result.ts';

export interface PythonOrder {
  readonly kind: 'code' | 'module' | 'script' | 'stdin' | 'version';
  readonly what: string;
  /** `sys.argv`. */
  readonly args: readonly string[];
  readonly unbuffered: boolean;
}

const IGNORED = new Set(['B', 'E', 's', 'S', 'I', 'O', 'OO', 'q', 'd', 'v', 'b', 'bb', 'P']);

/** The error is what Python would write. */
export const readPythonArgv = (argv: readonly string[]): Result<PythonOrder, string> => {
  const [program = '', ...words] = argv;
  if (program === 'pytest')
    return ok({ kind: 'module', what: 'pytest', args: ['pytest', ...words], unbuffered: false });
  let unbuffered = false;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') break;
    if (word === '--') {
      at++;
      break;
    }
    if (word === '--version' || word === '-V' || word === '-VV')
      return ok({ kind: 'version', what: '', args: [], unbuffered });
    const taking = /^-(?:[BEsSIOqdvbPu]*)([cm])(.*)$/s.exec(word);
    if (taking) {
      const [, letter, glued = ''] = taking;
      const value = glued === '' ? words[at + 1] : glued;
      if (value === undefined) return err(`Argument expected for the -${letter} option\n`);
      const rest = words.slice(at + (glued === '' ? 2 : 1));
      return ok(
        letter === 'c'
          ? { kind: 'code', what: value, args: ['-c', ...rest], unbuffered }
          : { kind: 'module', what: value, args: ['-m', ...rest], unbuffered },
      );
    }
    if (word === '-W' || word === '-X') at++;
    else if (/^-[WX]./.test(word)) continue;
    else if (word === '-u') unbuffered = true;
    else if (!IGNORED.has(word.slice(1)))
      return err(
        `unknown option ${word}\nusage: /usr/bin/python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\nTry \`python3 -h' for more information.\n`,
      );
  }
  const [script, ...args] = words.slice(at);
  if (script === undefined || script === '-')
    return ok({ kind: 'stdin', what: '-', args: [script === undefined ? '' : '-', ...args], unbuffered });
  return ok({ kind: 'script', what: script, args: [script, ...args], unbuffered });
};
