/** Which files git leaves alone: the rules of `.gitignore`. Paths are relative to the top of the repository. */
import { baseName } from '../../base/paths.ts';

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly isNegative: boolean;
  readonly onlyFolders: boolean;
}

const escaped = (character: string): string => character.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A pattern as a regular expression over the path below the folder of its file. */
const patternOf = (glob: string): RegExp | undefined => {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? '';
    if (character === '*') {
      let end = at;
      while (glob[end + 1] === '*') end++;
      const isDouble = end > at;
      const atStart = at === 0 || glob[at - 1] === '/';
      const next = glob[end + 1];
      if (isDouble && atStart && next === '/') {
        source += '(?:.*/)?';
        end++;
      } else if (isDouble && atStart && next === undefined) source += '.*';
      else source += '[^/]*';
      at = end;
    } else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const close = glob.indexOf(']', at + (/^\[[!^]?\]/.test(glob.slice(at)) ? 3 : 1));
      if (close === -1) return undefined;
      const inner = glob
        .slice(at + 1, close)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')
        .replaceAll('[', '\\[');
      source += `(?!/)[${inner}]`;
      at = close;
    } else if (character === '\\') {
      at++;
      if (glob[at] === undefined) return undefined;
      source += escaped(glob[at] ?? '');
    } else source += escaped(character);
  }
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return undefined;
  }
};

const readRule = (line: string, folder: string): Rule | undefined => {
  // Spaces at the end do not count, unless they are escaped.
  let text = line.replace(/\r$/, '').replace(/((?:\\.|[^\\ ]| +(?=[^ ]))*) *$/, '$1');
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
    path.startsWith(prefix) && pattern.test(isTied ? path.slice(prefix.length) : baseName(path));
  return { matches, isNegative, onlyFolders };
};

export interface IgnoreRules {
  /** The rules with those of a file in a folder below. Later ones win. */
  readonly with: (folder: string, text: string) => IgnoreRules;
  /** Of the path itself; whoever asks has asked for the folders above before. */
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
