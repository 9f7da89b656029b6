/**
 * What may be written, decided in one place: for archives, imports, share links, restored copies and the sandbox. Paths come from
 * strangers, and a disk may read a name differently than it is spelled. SPEC.md WR.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { isTreePath } from './file-tree.ts';

/** Names that Windows gives to devices, with whatever follows the dot or the colon. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ .]*(?:\.|:|$)/i;

export const isReservedName = (name: string): boolean =>
  DEVICES.test(name) || name.includes('\\') || /^[a-z]:/i.test(name);

/** Characters that some disks ignore in a name: ext4 without case skips all that Unicode calls ignorable. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** A name as the least exact disk reads it: no case, no invisible characters, no blanks or dots at the end, no stream. */
const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(/:.*$/s, '')
    .replace(/(?<![ .])[ .]+$/, '')
    // Some disks compare the capitals: `ß` is `SS`, and both forms of a small sigma are one.
    .toUpperCase()
    .toLowerCase();

/** A path as the least exact disk reads it. */
export const foldPath = (path: string): string => path.split('/').map(foldName).join('/');

/** Folders in which version control keeps settings that name programs to run. */
const VERSION_CONTROL: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.bzr', '.jj', '.sl', '.pijul', '_darcs']);

/** Marks on a letter, and a letter `i` without its dot: no disk is known to ignore them, and nobody calls a folder so in good faith. */
const withoutMarks = (folded: string): string =>
  folded
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\u0131/g, 'i');

/** Whether some disk takes this name for `.git`, also by the short name that Windows gives it. */
export const isGitFolder = (name: string): boolean => {
  const folded = withoutMarks(foldName(name));
  return folded === '.git' || /^git~\d+$/.test(folded);
};

const isVersionControl = (name: string): boolean =>
  isGitFolder(name) || VERSION_CONTROL.has(withoutMarks(foldName(name)));

/** Control characters, and those that change the direction of a line: such a name looks like a different one. */
const isControl = (char: string): boolean => {
  const code = char.codePointAt(0) ?? 0;
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    code === 0x061c ||
    code === 0x200e ||
    code === 0x200f ||
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
};

/** No disk that people use takes longer names; deeper folders break the tools that walk them. */
const MOST_LEVELS = 64;
const MOST_NAME_BYTES = 255;
const MOST_PATH_BYTES = 1024;

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

/** A path for a message: short, and with nothing that a terminal would obey. */
export const shownPath = (path: string): string => {
  const chars = Array.from(path.length > 400 ? path.slice(0, 400) : path);
  const plain = chars.map((char) =>
    isControl(char) ? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}` : char,
  );
  return `“${plain.slice(0, 80).join('')}${plain.length > 80 ? '…' : ''}”`;
};

/** Why no file can have this path, wherever it comes from; nothing if one can. */
export const pathFault = (path: string): string | undefined => {
  // Measured first: what follows may then look at every character.
  if (path.length > MOST_PATH_BYTES || byteLength(path) > MOST_PATH_BYTES)
    return `${shownPath(path)} is longer than 1,024 bytes.`;
  if (path === '' || !isTreePath(path)) return `${shownPath(path)} leads outside the folder.`;
  const names = path.split('/');
  if (names.length > MOST_LEVELS) return `${shownPath(path)} is more than ${MOST_LEVELS} folders deep.`;
  for (const name of names) {
    if (Array.from(name).some(isControl)) return `${shownPath(path)} has control characters in its name.`;
    if (isReservedName(name)) return `${shownPath(name)} isn't a valid file name on every system.`;
    if (byteLength(name) > MOST_NAME_BYTES)
      return `${shownPath(name)} is longer than ${MOST_NAME_BYTES} bytes, the most that disks allow.`;
  }
  return undefined;
};

/** Why a program or a model may not write at a path of the folder; nothing if it may. */
export const whyNotWritten = (path: string): string | undefined => {
  if (path.split('/').some(isGitFolder)) return 'only git itself writes to .git';
  // The folder itself has no name of its own; what is done to it is said elsewhere.
  return path === '' ? undefined : pathFault(path);
};

export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

export interface Admitted<Content> {
  readonly files: ReadonlyMap<string, Content>;
  /** What would have come alive on the disk, one row per folder. */
  readonly leftOut: readonly LeftOut[];
}

const REPOSITORY_PARTS =
  /^(?:head|orig_head|fetch_head|config|config\.worktree|commondir|gitdir|packed-refs|objects|refs|reftable|hooks|info|worktrees|modules|logs)$/;

/** Folders that git takes for a repository by what is in them, though they are not called `.git`. */
const bareRepositories = (paths: Iterable<string>): ReadonlySet<string> => {
  const parts = new Map<string, Set<string>>();
  for (const path of paths) {
    const folded = foldPath(path);
    for (const match of folded.matchAll(/(?:^|\/)(head$|commondir$|objects\/|refs\/)/g)) {
      const folder = folded.slice(0, match.index);
      const found = parts.get(folder) ?? new Set();
      parts.set(folder, found.add((match[1] ?? '').replace('/', '')));
    }
  }
  // A work tree has its objects and refs where `commondir` points.
  const isRepository = (found: ReadonlySet<string>): boolean =>
    found.has('head') && (found.has('commondir') || (found.has('objects') && found.has('refs')));
  return new Set([...parts].flatMap(([folder, found]) => (isRepository(found) ? [folder] : [])));
};

/** The folder because of which a path is left out, with the reason. */
const leftOutBy = (path: string, repositories: ReadonlySet<string>): LeftOut | undefined => {
  const names = path.split('/');
  const at = names.findIndex(isVersionControl);
  if (at !== -1)
    return {
      path: names.slice(0, at + 1).join('/'),
      reason: 'Version control settings can run programs, so Lathe never writes them.',
    };
  for (let depth = 0; depth < names.length; depth++) {
    const folder = foldPath(names.slice(0, depth).join('/'));
    if (repositories.has(folder) && REPOSITORY_PARTS.test(foldName(names[depth] ?? '')))
      return {
        path: names.slice(0, depth + 1).join('/'),
        reason: 'Git reads this as a repository and can run programs from its settings, so Lathe never writes it.',
      };
  }
  return undefined;
};

const PACKAGES = 'Installed packages are large, and other people install their own.';
const LINK = 'A link can lead anywhere on a disk.';
const SUBMODULE = 'A submodule is a different repository that nobody has reviewed.';

/** A folder that a copy doesn't even look into. */
export const passedOver = (path: string): LeftOut => leftOutBy(path, new Set()) ?? { path, reason: PACKAGES };

export const linkLeftOut = (path: string): LeftOut => ({ path, reason: LINK });
export const submoduleLeftOut = (path: string): LeftOut => ({ path, reason: SUBMODULE });

/** Two paths that some disk cannot hold side by side: alike but for case, or a file where a folder is. */
const findTwins = (paths: readonly string[]): readonly [string, string] | undefined => {
  const files = new Map<string, string>();
  for (const path of paths) {
    const key = foldPath(path);
    const other = files.get(key);
    if (other !== undefined) return [other, path];
    files.set(key, path);
  }
  for (const path of paths) {
    const key = foldPath(path);
    for (let cut = key.indexOf('/'); cut !== -1; cut = key.indexOf('/', cut + 1)) {
      const other = files.get(key.slice(0, cut));
      if (other !== undefined) return [other, path];
    }
  }
  return undefined;
};

/** Windows and browsers have no such names: they refuse the file, or write another one. A path of the user's own disk may have them. */
const portableFault = (path: string): string | undefined => {
  const name = path.split('/').find((item) => /[<>:"|?*]|[ .]$/.test(item));
  return name === undefined ? undefined : `${shownPath(name)} isn't a valid file name on every system.`;
};

/** All or nothing: what of a set of foreign files may be written, or why none of it. Decided before the first byte is. */
export const admitFiles = <Content>(files: ReadonlyMap<string, Content>): Result<Admitted<Content>, string> => {
  const admitted = new Map<string, Content>();
  const leftOut = new Map<string, LeftOut>();
  for (const path of files.keys()) {
    const fault = pathFault(path);
    if (fault !== undefined) return err(fault);
  }
  const repositories = bareRepositories(files.keys());
  for (const [path, content] of files) {
    const out = leftOutBy(path, repositories);
    if (out) leftOut.set(out.path, out);
    else admitted.set(path, content);
  }
  for (const path of admitted.keys()) {
    const fault = portableFault(path);
    if (fault !== undefined) return err(fault);
  }
  const twins = findTwins([...admitted.keys()]);
  if (twins)
    return err(
      `${shownPath(twins[0])} and ${shownPath(twins[1])} are the same file on some disks. Rename one and pack it again.`,
    );
  return ok({ files: admitted, leftOut: [...leftOut.values()] });
};

/** One sentence for what was left out; nothing if nothing was. */
export const leftOutNote = (leftOut: readonly LeftOut[]): string | undefined => {
  if (leftOut.length === 0) return undefined;
  const names = leftOut.slice(0, 3).map(({ path }) => shownPath(path));
  const more = leftOut.length > 3 ? ` and ${leftOut.length - 3} more` : '';
  const own: Readonly<Record<string, string>> = {
    [PACKAGES]: 'Installed packages are large, so install them again where you need them.',
    [LINK]: 'Links can lead anywhere on a disk.',
    [SUBMODULE]: 'Submodules are other repositories. Import them on their own.',
  };
  const why = new Set(leftOut.map(({ reason }) => own[reason] ?? 'Version control settings can run programs.'));
  return `Left out ${names.join(', ')}${more}. ${[...why].join(' ')}`;
};
