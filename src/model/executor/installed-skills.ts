/** What has a skill's name already in a folder, and who it is (D48). */
import { joinPath } from '../../base/paths.ts';
import { readFolder } from '../files/read-folder.ts';
import { originOf, type InstalledSkill, type SkillIdentity } from '../importer/identity.ts';
import { PLAIN_MANIFEST } from '../importer/plain-skill.ts';
import type { Files } from '../signing/digest.ts';
import { verifyPlainSkill } from '../signing/verify.ts';
import { loadSkillExecutors, type LoadDeps, type ReadyExecutor } from './load-executors.ts';

/** The skill's own files, by their paths in it. */
export const ownFiles = (files: Files): Files =>
  new Map(
    [...files].flatMap(([path, content]) =>
      path.startsWith('source/') ? [[path.slice('source/'.length), content] as const] : [],
    ),
  );

interface Provenance {
  readonly imported_from: string;
  readonly source_identity?: string;
}

const identityOf = (name: string, author: string, provenance: Provenance): SkillIdentity | undefined => {
  const origin = provenance.source_identity ?? originOf(provenance.imported_from);
  return origin === undefined ? undefined : { name, author, origin };
};

/** Nothing for one that was imported before identities were kept. */
export const executorIdentity = ({ skill, manifest }: ReadyExecutor): SkillIdentity | undefined =>
  identityOf(skill, manifest.author, manifest.provenance);

const readOne = async (deps: LoadDeps, folder: string, name: string): Promise<InstalledSkill> => {
  const { tree, trusted, verify } = deps;
  const files = await readFolder(tree, folder);
  if (files.has(PLAIN_MANIFEST)) {
    const verified = await verifyPlainSkill({ files, trusted, verify }, PLAIN_MANIFEST);
    if (!verified.ok) return { identity: undefined, files };
    const { manifest } = verified.value;
    return { identity: identityOf(name, manifest.author ?? '', manifest.provenance), files: verified.value.files };
  }
  const loaded = await loadSkillExecutors(deps, folder, name);
  const ready = loaded.find((executor) => executor.state === 'ready');
  // One whose files somebody changed says nothing about who it was.
  return ready ? { identity: executorIdentity(ready), files: ownFiles(ready.files) } : { identity: undefined, files };
};

/** In `root`, whatever its folder's letters are: some file systems have one folder for both. */
export const readInstalledSkills = async (
  deps: LoadDeps,
  root: string,
  name: string,
  /** `imported`: leaves out folders without an import's mark, which are never written over there. */
  which: 'all' | 'imported' = 'all',
): Promise<readonly InstalledSkill[]> => {
  const entries = ((await deps.tree.list(root)) ?? []).filter(
    (entry) => entry.kind === 'folder' && entry.name.toLowerCase() === name.toLowerCase(),
  );
  const found: InstalledSkill[] = [];
  for (const entry of entries) {
    const folder = joinPath(root, entry.name);
    if (which === 'all' || (await deps.tree.size(joinPath(folder, PLAIN_MANIFEST))) !== undefined)
      found.push(await readOne(deps, folder, name));
  }
  return found;
};
