/** The options of commands as `tar` and `gzip` take them. */
interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
  readonly unknown: string | undefined;
}

/** Short options in bundles, a few long ones; `takes` are those with a value. */
export const readOptions = (
  args: readonly string[],
  known: string,
  takes = '',
  long: Readonly<Record<string, string>> = {},
): Options => {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const rest: string[] = [];
  let isOver = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (isOver || word === '-' || !word.startsWith('-')) {
      rest.push(word);
    } else if (word === '--') isOver = true;
    else if (word.startsWith('--')) {
      const [name = '', value] = word.slice(2).split(/=(.*)/s);
      const letter = long[name];
      if (letter === undefined) return { flags, values, rest, unknown: word };
      if (takes.includes(letter)) values.set(letter, value ?? args[++at] ?? '');
      else flags.add(letter);
    } else {
      for (let letter = 1; letter < word.length; letter++) {
        const option = word[letter] ?? '';
        if (takes.includes(option)) {
          const value = word.slice(letter + 1);
          values.set(option, value === '' ? (args[++at] ?? '') : value);
          break;
        }
        if (!known.includes(option)) return { flags, values, rest, unknown: `-${option}` };
        flags.add(option);
      }
    }
  }
  return { flags, values, rest, unknown: undefined };
};
