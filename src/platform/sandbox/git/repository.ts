/** One repository for the time of one command: what is committed, what is staged, what is in the folder. */
import { dirName, joinPath } from '../../../base/paths.ts';
import './buffer-global.ts';
import {
  add,
  commit as commitStaged,
  expandOid,
  getConfig,
  hashBlob,
  init,
  listBranches,
  listRemotes,
  listTags,
  readBlob,
  readCommit,
  readObject,
  remove,
  resolveRef,
} from 'isomorphic-git';
import { readIndex, type IndexEntry } from '../../../model/sandbox/git-index.ts';
import type { CommitInfo, Signature } from '../../../model/sandbox/git-text.ts';
import type { CallOut } from '../call-out.ts';
import { createGitFs } from './git-fs.ts';
import { GitFailure } from './git-failure.ts';
import { readTreeEntries } from './tree-entries.ts';
import { SUBMODULE, untrackedFiles } from './untracked.ts';

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
  /** Whatever a name stands for: tags and trees as well. */
  readonly object: (revision: string) => Promise<NamedObject | undefined>;
  readonly tag: (oid: string) => Promise<TagInfo>;
  readonly isRevision: (revision: string) => Promise<boolean>;
  readonly commit: (oid: string) => Promise<CommitInfo>;
  readonly leaves: (treeOrCommit: string | undefined) => Promise<Leaves>;
  readonly blob: (oid: string) => Promise<Uint8Array>;
  readonly index: () => Promise<readonly IndexEntry[]>;
  /** Files that a merge could not decide, by path: what both sides had in common, ours, theirs. */
  readonly conflicts: () => Promise<ReadonlyMap<string, Conflict>>;
  /** A file of the repository itself, such as `MERGE_HEAD`, as text. */
  readonly note: (name: string) => Promise<string | undefined>;
  readonly forget: (name: string) => Promise<void>;
  readonly workFiles: (options: {
    readonly all: boolean;
    readonly untracked: boolean;
    /** Ignored files are listed instead of those that are not. */
    readonly ignored?: boolean;
  }) => Promise<WorkFiles>;
  readonly workBlob: (path: string) => Promise<Uint8Array | undefined>;
  readonly exists: (path: string) => Promise<'file' | 'folder' | undefined>;
  readonly add: (paths: readonly string[]) => Promise<void>;
  readonly unstage: (paths: readonly string[]) => Promise<void>;
  readonly writeCommit: (given: {
    readonly message: string;
    readonly author: Signature;
    readonly committer: Signature;
    readonly amend: boolean;
    /** Of a merge. */
    readonly parents?: readonly string[];
  }) => Promise<string>;
  readonly config: (path: string) => Promise<string | undefined>;
  readonly ref: (name: string) => Promise<string | undefined>;
  readonly branches: () => Promise<readonly string[]>;
  /** All of them by their full names, in order. */
  readonly refs: () => Promise<readonly string[]>;
  /** Files below the folder that no rule ignores and that are not tracked, one by one. */
  readonly hash: (bytes: Uint8Array) => Promise<string>;
}

export interface NamedObject {
  readonly oid: string;
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
}

export interface TagInfo {
  readonly name: string;
  readonly target: string;
  readonly tagger: Signature | undefined;
  readonly message: string;
}

export type Conflict = readonly [base: Leaf | undefined, ours: Leaf | undefined, theirs: Leaf | undefined];

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

const FOLDER = 0o040000;

/** The top of the repository that a folder belongs to. */
export const findTop = async (callOut: CallOut, cwd: string): Promise<string | undefined> => {
  for (let at = cwd; at.startsWith('/workspace') || at.startsWith('/tmp'); at = dirName(at)) {
    const isRepository = await callOut('stat', `${at}/.git/HEAD`).then(
      () => true,
      () => false,
    );
    if (isRepository) return at;
  }
  return undefined;
};

export const openRepository = (
  callOut: CallOut,
  dir: string,
  memory: ObjectMemory,
  onProgress: (text: string) => void = () => {},
): Repository => {
  const fs = createGitFs(callOut);
  const gitdir = `${dir}/.git`;
  // Packs are named by their content and stay; what is staged is read again.
  const cache: Record<PropertyKey, unknown> = {};
  for (const key of Object.getOwnPropertySymbols(memory.cache))
    if (key.description === 'PackfileCache') cache[key] = memory.cache[key];
  const keepPacks = (): void => {
    for (const key of Object.getOwnPropertySymbols(cache)) memory.cache[key] = cache[key];
  };
  const base = { fs, dir, gitdir, cache };

  const readBytes = async (path: string): Promise<Uint8Array | undefined> =>
    ((await callOut('readMany', [path])) as readonly (Uint8Array | undefined)[])[0];

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
    const { object } = await readObject({ ...base, oid, format: 'content' });
    keepPacks();
    const leaves = new Map<string, Leaf>();
    for (const { path: name, mode, oid: found } of readTreeEntries(object as Uint8Array)) {
      if (mode === FOLDER) for (const [path, leaf] of await leavesOfTree(found)) leaves.set(joinPath(name, path), leaf);
      else leaves.set(name, { oid: found, mode });
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

  const typeOf = async (oid: string): Promise<NamedObject | undefined> => {
    const found = await readObject({ ...base, oid, format: 'parsed' }).catch(() => undefined);
    return found && { oid, type: found.type as NamedObject['type'] };
  };

  const tag = async (oid: string): Promise<TagInfo> => {
    const { object } = await readObject({ ...base, oid, format: 'parsed' });
    const {
      object: target,
      tag: name,
      tagger,
      message,
    } = object as unknown as {
      readonly object: string;
      readonly tag: string;
      readonly tagger?: Signature;
      readonly message: string;
    };
    return { name, target, tagger, message };
  };

  const peel = async (found: NamedObject | undefined): Promise<NamedObject | undefined> =>
    found?.type === 'tag' ? peel(await typeOf((await tag(found.oid)).target)) : found;

  /** `HEAD~2^`, `v1^{tree}`: a name, then steps. */
  const findObject = async (revision: string): Promise<NamedObject | undefined> => {
    const [, at, path] = /^([^:]+):(.*)$/s.exec(revision) ?? [];
    if (at !== undefined && path !== undefined) {
      const tree = await findObject(`${at}^{tree}`);
      const leaf = tree && (await leavesOfTree(tree.oid)).get(path);
      return leaf && typeOf(leaf.oid);
    }
    const parts = /^(.*?)((?:[~^]\d*|\^\{[a-z]*\})*)$/s.exec(revision);
    const oid = await baseOf(parts?.[1] ?? revision);
    let found = oid === undefined ? undefined : await typeOf(oid);
    for (const [, kind, sign, digits = ''] of (parts?.[2] ?? '').matchAll(/\^\{([a-z]*)\}|([~^])(\d*)/g)) {
      if (kind === 'tag') continue;
      found = await peel(found);
      if (!found || kind === '') continue;
      if (found.type !== 'commit') return kind === found.type ? found : undefined;
      if (kind === 'tree') found = { oid: (await commit(found.oid)).tree, type: 'tree' };
      else if (kind === undefined) {
        const count = digits === '' ? 1 : Number(digits);
        let step: string | undefined = found.oid;
        if (sign === '^' && count > 0) step = (await commit(step)).parents[count - 1];
        else if (sign === '~')
          for (let left = count; left > 0 && step !== undefined; left--) step = (await commit(step)).parents[0];
        if (step === undefined) return undefined;
        found = { oid: step, type: 'commit' };
      }
    }
    return found;
  };

  const find = async (revision: string): Promise<string | undefined> => {
    const found = await peel(await findObject(revision));
    return found?.type === 'commit' ? found.oid : undefined;
  };

  const listRefs = async (): Promise<readonly string[]> => {
    const heads = (await listBranches(base)).map((name) => `refs/heads/${name}`);
    const remotes = await Promise.all(
      (await listRemotes(base)).map(async ({ remote }) =>
        (await listBranches({ ...base, remote })).map((name) => `refs/remotes/${remote}/${name}`),
      ),
    );
    const tags = (await listTags(base)).map((name) => `refs/tags/${name}`);
    return [...heads, ...remotes.flat(), ...tags].toSorted((a, b) => (a < b ? -1 : 1));
  };

  const hash = async (bytes: Uint8Array): Promise<string> => (await hashBlob({ object: bytes })).oid;

  /** Tracked files, read in batches and compared by content: times on a picked folder cannot be trusted. */
  const changedFiles = async (entries: readonly IndexEntry[]): Promise<Map<string, Leaf | undefined>> => {
    const changed = new Map<string, Leaf | undefined>();
    const files = entries.filter(({ mode }) => mode !== LINK && mode !== SUBMODULE);
    const modes = new Map((await callOut('setModes', dir)) as readonly (readonly [string, number])[]);
    const compare = ({ path, oid, mode }: IndexEntry, now: string | undefined): void => {
      const set = modes.get(`${dir}/${path}`);
      const asked = set === undefined ? mode : (set & 0o100) === 0 ? 0o100644 : 0o100755;
      if (now !== oid || asked !== mode) changed.set(path, now === undefined ? undefined : { oid: now, mode: asked });
    };
    const small = files.filter(({ size }) => size <= LARGE);
    const readFrom = (at: number): Promise<readonly (Uint8Array | undefined)[]> =>
      callOut(
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
    // One at a time, so that not many of them are in memory at the same time.
    for (const entry of files.filter(({ size }) => size > LARGE)) {
      const bytes = await readBytes(`${dir}/${entry.path}`);
      compare(entry, bytes && (await hash(bytes)));
    }
    if (files.length > 1000) onProgress('');
    return changed;
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
    isRevision: async (revision) => (await findObject(revision)) !== undefined,
    object: findObject,
    tag,
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
    conflicts: async () => {
      const found = new Map<string, [Leaf | undefined, Leaf | undefined, Leaf | undefined]>();
      for (const { path, oid, mode, stage } of await index()) {
        if (stage === 0) continue;
        const stages = found.get(path) ?? [undefined, undefined, undefined];
        stages[stage - 1] = { oid, mode };
        found.set(path, stages);
      }
      return found;
    },
    note: async (name) => {
      const bytes = await readBytes(`${gitdir}/${name}`);
      return bytes && new TextDecoder().decode(bytes);
    },
    forget: async (name) => void (await callOut('remove', `${gitdir}/${name}`, false).catch(() => undefined)),
    workFiles: async ({ all, untracked, ignored = false }) => {
      const entries = await index();
      const [changed, unknown] = await Promise.all([
        changedFiles(entries.filter(({ stage }) => stage === 0)),
        untracked ? untrackedFiles({ callOut, dir, gitdir }, entries, all, ignored) : [],
      ]);
      return { changed, untracked: unknown };
    },
    workBlob: (path) => readBytes(`${dir}/${path}`),
    exists: async (path) => {
      const found = await callOut('stat', joinPath(dir, path)).catch(() => undefined);
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
    writeCommit: ({ message, author, committer, amend, parents }) =>
      commitStaged({
        ...base,
        message,
        author: { ...author },
        committer: { ...committer },
        amend,
        ...(parents && { parent: [...parents] }),
      }),
    config: async (path) => {
      const value = (await getConfig({ ...base, path })) as string | number | boolean | null | undefined;
      return value === undefined || value === null ? undefined : String(value);
    },
    ref,
    branches: () => listBranches(base),
    refs: listRefs,
  };
};

export const initRepository = async (callOut: CallOut, dir: string, defaultBranch: string): Promise<void> => {
  await init({ fs: createGitFs(callOut), dir, defaultBranch });
};
