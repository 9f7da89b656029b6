/** Strings that are programs: of a shell, of awk, of sed. What they start, as far as it can be read. SPEC.md TO37. */
import { both, NOTHING, one, type Started, unknown } from './started.ts';

/** Words of a shell that have no other meaning than themselves, in quotes or bare; nothing where there is more to it. */
const plainShellCommands = (text: string): readonly (readonly string[])[] | undefined => {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      const inner = text.slice(at + 1, end);
      if (end === -1 || (char === '"' && /[$`\\!]/.test(inner))) return undefined;
      word = (word ?? '') + inner;
      at = end;
    } else if (char === ' ' || char === '\t') endWord();
    else if (char === '\n' || char === ';' || char === '|' || char === '&') endCommand();
    else if (/[\w@%+=:,./~^-]/.test(char)) word = (word ?? '') + char;
    else return undefined;
  }
  endCommand();
  return commands;
};

/** Words that steer a shell, or change what the next words mean. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  'if then else elif fi for while until do done case esac function select in time coproc alias unalias source . eval exec trap set shopt export declare typeset local readonly hash enable builtin read let bind complete compgen mapfile readarray fc'.split(
    ' ',
  ),
);

/** Those that take the index of an array in a word, and start what is in it: `printf -v 'a[$(rm)]'`. */
const TAKES_INDEX: ReadonlySet<string> = new Set([
  'printf',
  'test',
  '[',
  '[[',
  'unset',
  'wait',
  'getopts',
  'command',
  'builtin',
]);

const isPlainCommand = (words: readonly string[]): boolean => {
  const [first = ''] = words;
  if (SHELL_WORDS.has(first) || first.includes('=')) return false;
  return !TAKES_INDEX.has(first) || !words.some((word) => /\[.*[$`]/s.test(word));
};

export const fromShellText = (text: string): Started => {
  const commands = plainShellCommands(text);
  const isPlain = commands?.every(isPlainCommand);
  return commands && isPlain === true ? { commands } : unknown('a shell script');
};

/** `system(…)`, `"cmd" | getline`, `print | "cmd"`, a function called by its name in a string, another file. */
export const fromAwkText = (program: string): Started => {
  if (/\bsystem\b|@(?:load|include)\b|@\w+\s*\(|\||getline|\\\n/.test(program.replaceAll('||', '')))
    return unknown('an awk program');
  // Only behind `print` is it a file, and a comparison elsewhere.
  return /\bprintf?\b[^;}\n]*>/.test(program) ? one(['tee']) : NOTHING;
};

/** Where a part of a sed command ends: a mark behind a backslash is part of it, and in some versions one between brackets. */
const behindMark = (script: string, from: number, mark: string, hasBrackets: boolean): number => {
  for (let at = from; at < script.length; at++) {
    const char = script[at];
    if (char === '\\') at++;
    else if (char === mark) return at + 1;
    else if (hasBrackets && char === '[') {
      const end = script.indexOf(']', script[at + 1] === '^' ? at + 3 : at + 2);
      if (end !== -1) at = end;
    }
  }
  return script.length;
};

/** The rest of the line is a text or a name of a file. */
const TO_LINE_END = /[aicrR#v]/;

const readSed = (script: string, hasBrackets: boolean): Started => {
  const foreign = unknown('a sed script');
  let found: Started = NOTHING;
  const writes = (): void => {
    found = both(found, one(['tee']));
  };
  const lineEnd = (from: number): number => {
    const end = script.indexOf('\n', from);
    return end === -1 ? script.length : end;
  };
  let at = 0;
  while (at < script.length) {
    const char = script[at++] ?? '';
    if (char === '/' || char === '\\') {
      const mark = char === '/' ? '/' : (script[at++] ?? '');
      at = behindMark(script, at, mark, hasBrackets);
      // Flags of an address.
      while (/[IM]/.test(script[at] ?? '')) at++;
    } else if (char === 's' || char === 'y') {
      const mark = script[at++] ?? '';
      if (mark === '\\' || mark === '\n') return foreign;
      at = behindMark(script, at, mark, hasBrackets && char === 's');
      at = behindMark(script, at, mark, false);
      if (char === 'y') continue;
      const flags = /^[gpiImM0-9ew ]*/.exec(script.slice(at, at + 20))?.[0] ?? '';
      if (flags.includes('e')) return foreign;
      if (flags.includes('w')) {
        writes();
        at = lineEnd(at);
      } else at += flags.length;
    } else if (char === 'e') return foreign;
    else if (char === 'w' || char === 'W') {
      writes();
      at = lineEnd(at);
    } else if (/[btT:]/.test(char)) {
      // In some versions a label ends with a semicolon or a brace: what is after it is read as a command.
      while (at < script.length && !/[;}\n]/.test(script[at] ?? '')) at++;
    } else if (TO_LINE_END.test(char)) at = lineEnd(at);
  }
  return found;
};

/** The commands `e` and `w`, and the same as flags of `s`; what cannot be reported counts. Versions of sed differ, so it is read both ways. */
export const fromSedText = (script: string): Started => both(readSed(script, true), readSed(script, false));

/** Ways of Python to start a program, or to reach by a made-up name what does. */
const PYTHON_STARTS =
  /subprocess|popen|fork|spawn|startfile|pickle|\b(?:system|exec\w*|pty|ctypes|cffi|multiprocessing|concurrent|importlib|runpy|code|codeop|pdb|bdb|timeit|trace|profile|cProfile|doctest|webbrowser|antigravity|pydoc|pip|ensurepip|venv|eval|getattr|attrgetter|methodcaller|globals|locals|vars|builtins|modules|inspect|gc|marshal)\b|(?<!\bre\.)\bcompile\b|__(?!(?:name|doc|file|init|main|len|str|repr|version)__)\w+__/i;

export const fromPythonText = (text: string): Started =>
  // The engine reads names in other letters (𝐬𝐲𝐬𝐭𝐞𝐦) as these.
  PYTHON_STARTS.test(text.normalize('NFKC')) ? unknown('a Python program') : NOTHING;
