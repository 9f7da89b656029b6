/** Flags that a Python script defines itself, with argparse or click: the truth about them, before any example. */

export interface SourceFlag {
  readonly required: boolean;
}

const MOST_CHARACTERS = 4000;

/** What stands between the bracket at `start` and the one that closes it. */
const insideBrackets = (text: string, start: number): string => {
  let depth = 0;
  let quote = '';
  for (let at = start; at < Math.min(text.length, start + MOST_CHARACTERS); at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return text.slice(start + 1, at);
  }
  return '';
};

/** By flag. One that several sub-commands define is required only if it is in all of them. */
export const sourceFlags = (text: string): ReadonlyMap<string, SourceFlag> => {
  const flags = new Map<string, SourceFlag>();
  for (const match of text.matchAll(/(?:\.add_argument|\bclick\.option|@option|\.option)\s*\(/g)) {
    const inside = insideBrackets(text, match.index + match[0].length - 1);
    const names = /^\s*((?:["'][^"']*["']\s*,?\s*)+)/.exec(inside)?.[1] ?? '';
    const required = /\brequired\s*=\s*True\b/.test(inside);
    for (const [, flag = ''] of names.matchAll(/["'](--?[\w-]+)["']/g))
      flags.set(flag, { required: required && (flags.get(flag)?.required ?? true) });
  }
  return flags;
};
