/** Which files git leaves alone: the rules of `.gitignore`. Paths are relative to the top of the repository. */
import { baseName } from '../../base/paths.ts';
import { ANY, isChar, matchesWildcard, type WildcardPiece } from '../../base/wildcard.ts';

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly isNegative: boolean;
  readonly onlyFolders: boolean;
}

const notSlash = (char: string): boolean => char !== '/';

/** A set such as `[a-z]`; nothing if it is none. */
const setOf = (inner: string): ((char: string) => boolean) | undefined => {
  try {
    const set = new RegExp(`^[${inner.replace(/^!/, '^').replaceAll('\\', '\\\\').replaceAll('[', '\\[')}]$`, 's');
    return (char) => notSlash(char) && set.test(char);
  } catch {
    return undefined;
  }
};

/** A pattern over the path below the folder of its file. */
const patternOf = (glob: string): readonly WildcardPiece[] | undefined => {
  const pieces: WildcardPiece[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? '';
    if (character === '*') {
      let end = at;
      while (glob[end + 1] === '*') end++;
      const isDouble = end > at;
      const atStart = at === 0 || glob[at - 1] === '/';
      const next = glob[end + 1];
      if (isDouble && atStart && next === '/') {
        pieces.push({ kind: 'folders' });
        end++;
      } else pieces.push({ kind: 'many', accepts: isDouble && atStart && next === undefined ? ANY : notSlash });
      at = end;
    } else if (character === '?') pieces.push({ kind: 'one', accepts: notSlash });
    else if (character === '[') {
      const close = glob.indexOf(']', at + (/^\[[!^]?\]/.test(glob.slice(at, at + 3)) ? 3 : 1));
      const accepts = close === -1 ? undefined : setOf(glob.slice(at + 1, close));
      if (!accepts) return undefined;
      pieces.push({ kind: 'one', accepts });
      at = close;
    } else {
      if (character === '\\') at++;
      const wanted = glob[at];
      if (wanted === undefined) return undefined;
      pieces.push({ kind: 'one', accepts: isChar(wanted) });
    }
  }
  return pieces;
};

/** Spaces at the end do not count, unless they are escaped. */
const withoutSpaces = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  if (end === line.length) return line;
  let escapes = 0;
  while (line[end - 1 - escapes] === '\\') escapes++;
  return line.slice(0, end + (escapes % 2));
};

const readRule = (line: string, folder: string): Rule | undefined => {
  let text = withoutSpaces(line.replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegative = text.startsWith('!');
  if (isNegative) text = text.slice(1);
  const onlyFolders = text.endsWith('/');
  if (onlyFolders) text = text.slice(0, -1);
  // A slash in it ties a pattern to its folder.
  const isTied = text.includes('/');
  const pattern = patternOf(text.replace(/^\//, ''));
  if (!pattern || text === '') return undefined;
  const prefix = folder === '' ? '' : `${folder}/`;
  const matches = (path: string): boolean =>
    path.startsWith(prefix) && matchesWildcard(pattern, isTied ? path.slice(prefix.length) : baseName(path));
  return { matches, isNegative, onlyFolders };
};

export interface IgnoreRules {
  /** The rules with those of a file in a folder below. Later ones win. */
  readonly with: (folder: string, text: string) => IgnoreRules;
  /** Of the path itself; anyone who asks has asked for the folders above before. */
  readonly ignores: (path: string, isFolder: boolean) => boolean;
}

const rulesFrom = (rules: readonly Rule[]): IgnoreRules => ({
  with: (folder, text) => {
    const more = text.split('\n').flatMap((line) => readRule(line, folder) ?? []);
    return more.length === 0 ? rulesFrom(rules) : rulesFrom([...rules, ...more]);
  },
  ignores: (path, isFolder) => {
    const rule = rules.findLast(({ matches, onlyFolders }) => (isFolder || !onlyFolders) && matches(path));
    return rule !== undefined && !rule.isNegative;
  },
});

export const noIgnoreRules: IgnoreRules = rulesFrom([]);
