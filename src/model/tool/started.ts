/** What a command starts besides itself. SPEC.md TO37. */
export interface Started {
  /** Commands that are named in the words, each with its own. */
  readonly commands: readonly (readonly string[])[];
  /** What decides what else is started, such as `a makefile`; nothing if nothing else is. */
  readonly unknown?: string;
}

export const NOTHING: Started = { commands: [] };
export const one = (argv: readonly string[]): Started => (argv.length === 0 ? NOTHING : { commands: [argv] });
export const unknown = (what: string): Started => ({ commands: [], unknown: what });
export const both = (a: Started, b: Started): Started => {
  const what = a.unknown ?? b.unknown;
  return { commands: [...a.commands, ...b.commands], ...(what !== undefined && { unknown: what }) };
};

/** Reads what a program starts from the words behind its name. */
export type Reader = (words: readonly string[]) => Started;

export interface Options {
  /** Long options, with their dashes. Any beginning of one stands for it. */
  readonly long?: readonly string[];
  /** Letters of short options, which may stand together behind one dash. */
  readonly short?: string;
  /** Letters whose value is the rest of the word: no option is after them. */
  readonly valued?: string;
}

const isLongOption = (word: string, long: readonly string[]): boolean => {
  const name = word.split('=')[0] ?? '';
  return name.length > 2 && long.some((option) => option.startsWith(name));
};

const hasLetter = (letters: string, short: string, valued: string): boolean => {
  for (const letter of letters) {
    if (short.includes(letter)) return true;
    if (valued.includes(letter)) return false;
  }
  return false;
};

/** Whether one of the options is among the words in front of `--`, in any way it can be written. */
export const hasOption = (words: readonly string[], { long = [], short = '', valued = '' }: Options): boolean => {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).some((word) => {
    if (word.startsWith('--')) return isLongOption(word, long);
    return word.startsWith('-') && hasLetter(word.slice(1), short, valued);
  });
};
