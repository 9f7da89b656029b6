/** Loads executors from the opened folder; each is verified, every time (L1). */
import { joinPath } from '../../base/paths.ts';
import { readFolder } from '../files/read-folder.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { FileTree } from '../files/file-tree.ts';
import type { Manifest } from '../signing/manifest.ts';
import type { Files } from '../signing/digest.ts';
import type { TrustedKey, VerifySignature } from '../signing/types.ts';
import { verifyExecutor } from '../signing/verify.ts';
import { EXECUTORS_FOLDER } from './folders.ts';

export interface ReadyExecutor {
  readonly state: 'ready';
  readonly skill: string;
  readonly name: string;
  readonly manifest: Manifest;
  readonly files: Files;
  readonly signedBy: string;
}

export interface DisabledExecutor {
  readonly state: 'disabled';
  readonly skill: string;
  readonly name: string;
  readonly reason: string;
}

export type LoadedExecutor = ReadyExecutor | DisabledExecutor;

export interface LoadDeps {
  readonly tree: FileTree;
  readonly trusted: readonly TrustedKey[];
  readonly verify: VerifySignature;
}

/** What the skill is called in its own, signed SKILL.md. */
const signedName = ({ files }: ReadyExecutor): string | undefined => {
  const front = /^---[ \t]*\r?\n([\s\S]*?)\n---/.exec(new TextDecoder().decode(files.get('source/SKILL.md')))?.[1];
  const written = /^name:[ \t]*([^\r\n]*)$/m.exec(front ?? '')?.[1]?.trimEnd() ?? '';
  return /^(["']?)([^"'#]+)\1$/.exec(written)?.[2];
};

/** The executors of one skill: `folder` holds `source/` and one folder for each. */
export const loadSkillExecutors = async (
  { tree, trusted, verify }: LoadDeps,
  folder: string,
  skill: string,
): Promise<readonly LoadedExecutor[]> => {
  const files = await readFolder(tree, folder);
  const names = [
    ...new Set(
      [...files.keys()].flatMap((path) =>
        path.includes('/') && !path.startsWith('source/') ? [path.slice(0, path.indexOf('/'))] : [],
      ),
    ),
  ];
  const loaded: LoadedExecutor[] = [];
  for (const name of names.toSorted(compareCodePoints)) {
    const verified = await verifyExecutor({ files, trusted, verify }, name);
    loaded.push(
      verified.ok
        ? { state: 'ready', skill, name, ...verified.value }
        : { state: 'disabled', skill, name, reason: verified.error },
    );
  }
  return loaded;
};

/** Why one that verifies is not taken all the same. */
const objection = (executor: ReadyExecutor, taken: ReadonlySet<string>): string | undefined => {
  const name = signedName(executor);
  if (name !== undefined && name !== executor.skill)
    return `the folder is called ${executor.skill}, but the signed skill is called ${name}`;
  return taken.has(executor.name) ? 'another skill has an executor with this name' : undefined;
};

/** Whoever was imported first has the name: what a folder is called says nothing about that. */
const byImport = (a: LoadedExecutor, b: LoadedExecutor): number => {
  const time = (executor: LoadedExecutor): string =>
    executor.state === 'ready' ? executor.manifest.provenance.imported_at : '';
  return compareCodePoints(time(a), time(b));
};

export const loadExecutors = async (deps: LoadDeps, root = EXECUTORS_FOLDER): Promise<readonly LoadedExecutor[]> => {
  const entries = (await deps.tree.list(root)) ?? [];
  const found: LoadedExecutor[] = [];
  for (const entry of entries
    .filter(({ kind, escapes }) => kind === 'folder' && escapes !== true)
    .toSorted((a, b) => compareCodePoints(a.name, b.name)))
    found.push(...(await loadSkillExecutors(deps, joinPath(root, entry.name), entry.name)));
  const taken = new Set<string>();
  const refused = new Map<LoadedExecutor, string>();
  for (const executor of found.toSorted(byImport)) {
    if (executor.state === 'disabled') continue;
    const reason = objection(executor, taken);
    if (reason === undefined) taken.add(executor.name);
    else refused.set(executor, reason);
  }
  return found.map((executor) => {
    const reason = refused.get(executor);
    return reason === undefined ? executor : { state: 'disabled', skill: executor.skill, name: executor.name, reason };
  });
};
