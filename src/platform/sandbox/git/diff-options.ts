/** The options that `diff`, `log` and `show` have in common. */
import { byteText, changedLines, type Fold } from '../../../model/sandbox/unified-diff.ts';
import { fromTop, type GitArguments } from './arguments.ts';
import { FORMS, reversed, USUAL, type Change, type Contents, type DiffForm, type ShowOptions } from './changes.ts';
import { findRenames } from './renames.ts';
import { GitFailure } from './git-failure.ts';
import type { Repository } from './repository.ts';
import { WHOLE } from '../../../model/sandbox/similarity.ts';

export const DIFF_FLAGS: readonly string[] = [
  ...Object.keys(FORMS),
  '-w',
  '-b',
  '--ignore-space-at-eol',
  '--ignore-cr-at-eol',
  '-R',
  '-a',
  '-z',
  '--full-index',
  '--no-prefix',
  '--no-renames',
  '--no-relative',
];
export const DIFF_VALUES: readonly string[] = [
  '-U',
  '--diff-filter',
  '--src-prefix',
  '--dst-prefix',
  '-S',
  '-G',
  '--stat-width',
];
export const DIFF_OPTIONAL: readonly string[] = ['--stat', '-M', '--abbrev', '--relative'];
export const DIFF_SAME: Readonly<Record<string, string>> = {
  '--unified': '-U',
  '--ignore-all-space': '-w',
  '--ignore-space-change': '-b',
  '--text': '-a',
  '--find-renames': '-M',
};

const foldOf = ({ flags }: GitArguments): Fold | undefined => {
  if (flags.has('-w')) return (line) => line.replace(/\s+/g, '');
  if (flags.has('-b')) return (line) => line.replace(/(?<!\s)\s+$/, '').replace(/\s+/g, ' ');
  if (flags.has('--ignore-space-at-eol')) return (line) => line.replace(/(?<!\s)\s+$/, '');
  if (flags.has('--ignore-cr-at-eol')) return (line) => line.replace(/\r?\n?$/, '');
  return undefined;
};

export const formsOf = ({ flags, values }: GitArguments, usual: DiffForm): readonly DiffForm[] => {
  const chosen = [...flags].flatMap((flag) => (Object.hasOwn(FORMS, flag) ? (FORMS[flag] ?? []) : []));
  const all: DiffForm[] = values.has('--stat') || values.has('--stat-width') ? [...chosen, 'stat'] : chosen;
  return all.length === 0 ? [usual] : all;
};

const wholeNumber = (given: GitArguments, option: string): number | undefined => {
  const value = given.values.get(option);
  if (value === undefined || value === '') return undefined;
  if (!/^\d+$/.test(value)) throw new GitFailure(`error: ${option} expects a numerical value`, 129);
  return Number(value);
};

/** Below which folder paths are shown; nothing if all are. */
export const relativeFolder = (repository: Repository, cwd: string, { values }: GitArguments): string | undefined => {
  const given = values.get('--relative');
  if (given === undefined) return undefined;
  const folder = given === '' ? fromTop(repository, cwd, '.') : given.replace(/\/$/, '');
  return folder === '' ? undefined : folder;
};

export const showOptionsOf = (given: GitArguments, usual: DiffForm, folder?: string): ShowOptions => {
  const { flags, values } = given;
  const [from, to] = flags.has('--no-prefix') ? ['', ''] : USUAL.prefixes;
  const prefixes = [values.get('--src-prefix') ?? from, values.get('--dst-prefix') ?? to] as const;
  const width = values.get('--stat')?.split(',')[0] || values.get('--stat-width');
  const digits = flags.has('--full-index') ? 40 : Math.min(40, Math.max(4, wholeNumber(given, '--abbrev') ?? 7));
  return {
    ...USUAL,
    forms: formsOf(given, usual),
    context: wholeNumber(given, '-U') ?? 3,
    prefixes: flags.has('-R') ? [prefixes[1], prefixes[0]] : prefixes,
    fold: foldOf(given),
    isText: flags.has('-a'),
    isNul: flags.has('-z'),
    digits,
    width: width === undefined ? undefined : Number(width),
    ...(folder !== undefined && { shown: (path: string) => path.slice(folder.length + 1) }),
  };
};

const leastOf = ({ values }: GitArguments): number | undefined => {
  const given = values.get('-M');
  if (given === undefined || given === '') return undefined;
  const [, digits = '', percent] = /^(\d+)(%?)$/.exec(given) ?? [];
  if (digits === '') throw new GitFailure('error: invalid argument to find-renames', 129);
  return percent === '%' ? Math.min(WHOLE, (Number(digits) * WHOLE) / 100) : Number(`0.${digits}`) * WHOLE;
};

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Moves found, and only what the options ask for. */
export const selectChanges = async (
  all: readonly Change[],
  contents: Contents,
  given: GitArguments,
): Promise<readonly Change[]> => {
  const { flags, values } = given;
  let changes = flags.has('--no-renames') ? all : await findRenames(all, contents, leastOf(given));
  const filter = values.get('--diff-filter');
  if (filter !== undefined) {
    const [wanted, unwanted] = [filter.replace(/[^A-Z]/g, ''), filter.replace(/[^a-z]/g, '').toUpperCase()];
    changes = changes.filter(({ status }) => (wanted === '' || wanted.includes(status)) && !unwanted.includes(status));
  }
  const [part, source] = [values.get('-S'), values.get('-G')];
  if (part !== undefined || source !== undefined) {
    const pattern = source === undefined ? undefined : patternOf(source);
    const kept: Change[] = [];
    for (const change of changes) {
      const [old, now] = [
        change.before ? byteText(await contents.before(change)) : '',
        change.after ? byteText(await contents.after(change)) : '',
      ];
      const words = part === undefined ? '' : byteText(new TextEncoder().encode(part));
      const isHit = pattern
        ? changedLines(old, now).some((line) => pattern.test(line))
        : countOf(old, words) !== countOf(now, words);
      if (isHit) kept.push(change);
    }
    changes = kept;
  }
  return flags.has('-R') ? reversed(changes) : changes;
};

/** A pattern of the old kind, as `--grep` and `--author` take it. */
export const patternOf = (text: string, flags = ''): RegExp => {
  const source = text.replace(/\\?[+?|(){}]/g, (sign) => (sign.length === 2 ? sign.slice(1) : `\\${sign}`));
  try {
    return new RegExp(source, flags);
  } catch {
    throw new GitFailure(`fatal: command line, '${text}': Invalid regular expression`);
  }
};
