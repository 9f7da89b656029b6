/** One repository for the time of one command: what is committed, what is staged, what lies in the folder. */
import './buffer-global.ts';
import {
  add,
  commit as commitStaged,
  expandOid,
  getConfig,
  hashBlob,
  init,
  listBranches,
  readBlob,
  readCommit,
  readObject,
  readTree,
  remove,
  resolveRef,
} from 'isomorphic-git';
import { readIndex, type IndexEntry } from '../../../model/sandbox/git-index.ts';
import type { CommitInfo, Signature } from '../../../model/sandbox/git-text.ts';
import { noIgnoreRules, type IgnoreRules } from '../../../model/sandbox/ignore-rules.ts';
import type { Ask } from '../ask.ts';
import type { SeenEntry } from '../sandbox-files.ts';
import { createGitFs } from './git-fs.ts';

/** What git itself would print, and its exit code. */
export class GitFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 128) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Leaf {
  readonly oid: string;
  readonly mode: number;
}

/** By path. */
export type Leaves = ReadonlyMap<string, Leaf>;

export interface WorkFiles {
  /** Tracked files whose content is not the staged one, and those that are gone. */
  readonly changed: ReadonlyMap<string, Leaf | undefined>;
  /** In order; a folder with nothing tracked in it is one entry that ends with a slash. */
  readonly untracked: readonly string[];
}

export interface Repository {
  readonly dir: string;
  readonly gitdir: string;
  readonly branch: () => Promise<string | undefined>;
  /** Nothing before the first commit. */
  readonly head: () => Promise<string | undefined>;
  /** A commit by any of its names. */
  readonly resolve: (revision: string) => Promise<string>;
  readonly isRevision: (revision: string) => Promise<boolean>;
  readonly commit: (oid: string) => Promise<CommitInfo>;
  readonly leaves: (treeOrCommit: string | undefined) => Promise<Leaves>;
  readonly blob: (oid: string) => Promise<Uint8Array>;
  readonly index: () => Promise<readonly IndexEntry[]>;
  readonly workFiles: (options: { readonly all: boolean; readonly untracked: boolean }) => Promise<WorkFiles>;
  readonly workBlob: (path: string) => Promise<Uint8Array | undefined>;
  readonly exists: (path: string) => Promise<'file' | 'folder' | undefined>;
  readonly add: (paths: readonly string[]) => Promise<void>;
  readonly unstage: (paths: readonly string[]) => Promise<void>;
  readonly writeCommit: (given: {
    readonly message: string;
    readonly author: Signature;
    readonly committer: Signature;
    readonly amend: boolean;
  }) => Promise<string>;
  readonly config: (path: string) => Promise<string | undefined>;
  readonly ref: (name: string) => Promise<string | undefined>;
  readonly branches: () => Promise<readonly string[]>;
  /** Files below the folder that no rule ignores and that are not tracked, one by one. */
  readonly hash: (bytes: Uint8Array) => Promise<string>;
}

/** Read once, by name; objects never change. Lives as long as the worker. */
export interface ObjectMemory {
  readonly trees: Map<string, Leaves>;
  readonly commits: Map<string, CommitInfo>;
  readonly cache: Record<PropertyKey, unknown>;
}

export const createObjectMemory = (): ObjectMemory => ({ trees: new Map(), commits: new Map(), cache: {} });

const MOST_TREES = 2000;
const BATCH = 128;
/** A file that was larger when it was staged is read alone. */
const LARGE = 1024 * 1024;
const LINK = 0o120000;
const SUBMODULE = 0o160000;

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The top of the repository that a folder belongs to. */
export const findTop = async (ask: Ask, cwd: string): Promise<string | undefined> => {
  for (let at = cwd; at.startsWith('/workspace') || at.startsWith('/tmp'); at = at.slice(0, at.lastIndexOf('/'))) {
    const isRepository = await ask('stat', `${at}/.git/HEAD`).then(
      () => true,
      () => false,
    );
    if (isRepository) return at;
  }
  return undefined;
};

export const openRepository = (
  ask: Ask,
  dir: string,
  memory: ObjectMemory,
  onProgress: (text: string) => void = () => {},
): Repository => {
  const fs = createGitFs(ask);
  const gitdir = `${dir}/.git`;
  // Packs are named by their content and stay; what is staged is read anew.
  const cache: Record<PropertyKey, unknown> = {};
  for (const key of Object.getOwnPropertySymbols(memory.cache))
    if (key.description === 'PackfileCache') cache[key] = memory.cache[key];
  const keepPacks = (): void => {
    for (const key of Object.getOwnPropertySymbols(cache)) memory.cache[key] = cache[key];
  };
  const base = { fs, dir, gitdir, cache };

  const readBytes = async (path: string): Promise<Uint8Array | undefined> =>
    ((await ask('readMany', [path])) as readonly (Uint8Array | undefined)[])[0];

  const commit = async (oid: string): Promise<CommitInfo> => {
    const known = memory.commits.get(oid);
    if (known) return known;
    const { commit: found } = await readCommit({ ...base, oid });
    keepPacks();
    const { tree, parent: parents, author, committer, message } = found;
    const made = { oid, tree, parents, author, committer, message };
    memory.commits.set(oid, made);
    return made;
  };

  const leavesOfTree = async (oid: string): Promise<Leaves> => {
    const known = memory.trees.get(oid);
    if (known) return known;
    const { tree } = await readTree({ ...base, oid });
    keepPacks();
    const leaves = new Map<string, Leaf>();
    for (const entry of tree) {
      if (entry.type === 'tree')
        for (const [path, leaf] of await leavesOfTree(entry.oid)) leaves.set(join(entry.path, path), leaf);
      else leaves.set(entry.path, { oid: entry.oid, mode: Number.parseInt(entry.mode, 8) });
    }
    if (memory.trees.size > MOST_TREES) memory.trees.clear();
    memory.trees.set(oid, leaves);
    return leaves;
  };

  let staged: readonly IndexEntry[] | undefined;
  const index = async (): Promise<readonly IndexEntry[]> => {
    if (staged) return staged;
    const bytes = await readBytes(`${gitdir}/index`);
    const read = bytes ? readIndex(bytes) : undefined;
    if (read && !read.ok) throw new GitFailure(`fatal: ${read.error}`);
    staged = read?.value ?? [];
    return staged;
  };

  const ref = async (name: string): Promise<string | undefined> => {
    try {
      return await resolveRef({ ...base, ref: name });
    } catch {
      return undefined;
    }
  };

  const baseOf = async (name: string): Promise<string | undefined> => {
    if (name === '@') return ref('HEAD');
    for (const candidate of [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`, `refs/remotes/${name}`]) {
      if (!/^[\w./-]+$/.test(candidate)) continue;
      const found = await ref(candidate);
      if (found !== undefined) return found;
    }
    if (!/^[0-9a-f]{4,40}$/.test(name)) return undefined;
    try {
      return await expandOid({ ...base, oid: name });
    } catch {
      return undefined;
    }
  };

  /** `HEAD~2^`: a name, then steps. */
  const find = async (revision: string): Promise<string | undefined> => {
    const parts = /^(.*?)((?:[~^]\d*|\^\{[a-z]*\})*)$/s.exec(revision);
    let oid = await baseOf(parts?.[1] ?? revision);
    if (oid === undefined) return undefined;
    const peeled = await readObject({ ...base, oid, format: 'parsed' }).catch(() => undefined);
    if (peeled?.type === 'tag') oid = (peeled.object as { readonly object: string }).object;
    if (peeled?.type !== 'commit' && peeled?.type !== 'tag') return undefined;
    for (const [, sign, digits] of (parts?.[2] ?? '').matchAll(/([~^])(\d*)(?:\{[a-z]*\})?/g)) {
      const count = digits === '' ? 1 : Number(digits);
      if (sign === '^') {
        if (count === 0) continue;
        oid = (await commit(oid)).parents[count - 1];
      } else for (let step = 0; step < count && oid !== undefined; step++) oid = (await commit(oid)).parents[0];
      if (oid === undefined) return undefined;
    }
    return oid;
  };

  const hash = async (bytes: Uint8Array): Promise<string> => (await hashBlob({ object: bytes })).oid;

  /** Tracked files, read in batches and compared by content: times on a picked folder cannot be trusted. */
  const changedFiles = async (entries: readonly IndexEntry[]): Promise<Map<string, Leaf | undefined>> => {
    const changed = new Map<string, Leaf | undefined>();
    const files = entries.filter(({ mode }) => mode !== LINK && mode !== SUBMODULE);
    const compare = ({ path, oid, mode }: IndexEntry, now: string | undefined): void => {
      if (now !== oid) changed.set(path, now === undefined ? undefined : { oid: now, mode });
    };
    const small = files.filter(({ size }) => size <= LARGE);
    const readFrom = (at: number): Promise<readonly (Uint8Array | undefined)[]> =>
      ask(
        'readMany',
        small.slice(at, at + BATCH).map(({ path }) => `${dir}/${path}`),
      ) as Promise<readonly (Uint8Array | undefined)[]>;
    // The next ones are read while these are hashed.
    let ahead = readFrom(0);
    for (let at = 0; at < small.length; at += BATCH) {
      if (files.length > 1000) onProgress(`git: ${at} of ${files.length} files compared`);
      const contents = await ahead;
      ahead = readFrom(at + BATCH);
      const oids = await Promise.all(contents.map(async (bytes) => bytes && (await hash(bytes))));
      for (const [position, entry] of small.slice(at, at + BATCH).entries()) compare(entry, oids[position]);
    }
    await ahead;
    // One at a time, so that not many of them are in memory at once.
    for (const entry of files.filter(({ size }) => size > LARGE)) {
      const bytes = await readBytes(`${dir}/${entry.path}`);
      compare(entry, bytes && (await hash(bytes)));
    }
    if (files.length > 1000) onProgress('');
    return changed;
  };

  const untrackedFiles = async (entries: readonly IndexEntry[], all: boolean): Promise<string[]> => {
    const tracked = new Set(entries.map(({ path }) => path));
    const folders = new Set<string>();
    for (const { path } of entries)
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
    const exclude = await readBytes(`${gitdir}/info/exclude`);
    const start = exclude ? noIgnoreRules.with('', new TextDecoder().decode(exclude)) : noIgnoreRules;

    const walk = async (folder: string, above: IgnoreRules): Promise<string[]> => {
      const entriesHere = (await ask('list', folder === '' ? dir : `${dir}/${folder}`).catch(
        () => [],
      )) as readonly SeenEntry[];
      const own = entriesHere.some(({ name }) => name === '.gitignore')
        ? await readBytes(`${dir}/${join(folder, '.gitignore')}`)
        : undefined;
      const rules = own ? above.with(folder, new TextDecoder().decode(own)) : above;
      const found = entriesHere.map(async ({ name, kind }): Promise<readonly string[]> => {
        const path = join(folder, name);
        if (name === '.git') return [];
        if (kind === 'file') return !tracked.has(path) && !rules.ignores(path, false) ? [path] : [];
        if (rules.ignores(path, true) && !folders.has(path)) return [];
        const isNested = await ask('stat', `${dir}/${path}/.git`).then(
          () => true,
          () => false,
        );
        const inside = isNested ? [`${path}/`] : await walk(path, rules);
        return inside.length > 0 && !folders.has(path) && !all ? [`${path}/`] : inside;
      });
      return (await Promise.all(found)).flat();
    };
    return (await walk('', start)).toSorted((a, b) => (a < b ? -1 : 1));
  };

  return {
    dir,
    gitdir,
    hash,
    branch: async () => {
      const text = await readBytes(`${gitdir}/HEAD`);
      const name = text && /^ref: refs\/heads\/(.+)$/m.exec(new TextDecoder().decode(text))?.[1];
      return name === undefined ? undefined : name.trim();
    },
    head: () => ref('HEAD'),
    resolve: async (revision) => {
      const oid = await find(revision);
      if (oid !== undefined) return oid;
      throw new GitFailure(
        `fatal: ambiguous argument '${revision}': unknown revision or path not in the working tree.\n` +
          "Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'",
      );
    },
    isRevision: async (revision) => (await find(revision)) !== undefined,
    commit,
    leaves: async (oid) => {
      if (oid === undefined) return new Map();
      return leavesOfTree(memory.commits.has(oid) ? (await commit(oid)).tree : oid);
    },
    blob: async (oid) => {
      const { blob } = await readBlob({ ...base, oid });
      keepPacks();
      return blob;
    },
    index,
    workFiles: async ({ all, untracked }) => {
      const entries = await index();
      const [changed, unknown] = await Promise.all([
        changedFiles(entries.filter(({ stage }) => stage === 0)),
        untracked ? untrackedFiles(entries, all) : [],
      ]);
      return { changed, untracked: unknown };
    },
    workBlob: (path) => readBytes(`${dir}/${path}`),
    exists: async (path) => {
      const found = await ask('stat', path === '' ? dir : `${dir}/${path}`).catch(() => undefined);
      return (found as { readonly kind: 'file' | 'folder' } | undefined)?.kind;
    },
    add: async (paths) => {
      await add({ ...base, filepath: [...paths], force: true, parallel: false });
      staged = undefined;
    },
    unstage: async (paths) => {
      for (const filepath of paths) await remove({ ...base, filepath });
      staged = undefined;
    },
    writeCommit: async ({ message, author, committer, amend }) => {
      const oid = await commitStaged({ ...base, message, author: { ...author }, committer: { ...committer }, amend });
      return oid;
    },
    config: async (path) => {
      const value = (await getConfig({ ...base, path })) as string | number | boolean | null | undefined;
      return value === undefined || value === null ? undefined : String(value);
    },
    ref,
    branches: () => listBranches(base),
  };
};

export const initRepository = async (ask: Ask, dir: string, defaultBranch: string): Promise<void> => {
  await init({ fs: createGitFs(ask), dir, defaultBranch });
};
