/** The metaskills of a session as their host knows them: a snapshot of their programs, and who may run (D25, D27). */
import { errorMessage } from '../../base/errors.ts';
import { joinPath, type FileTree } from '../files/file-tree.ts';
import type { SkillStore } from '../library/store.ts';
import type { LibrarySkill, MetaskillPolicy } from '../library/types.ts';
import type { HostSkill } from '../metaskill/host-types.ts';
import { consentHash, refusalOf } from '../metaskill/policy.ts';

export interface Trust {
  readonly policy: MetaskillPolicy;
  /** Whether a skill came by link, archive, address, drop or import, wherever it was saved since. */
  readonly isForeign: (item: LibrarySkill) => boolean;
  /** Hashes that the user agreed to; looked at when a skill is to run. */
  readonly consents: () => ReadonlySet<string>;
}

const MAX_FILES = 2000;

/** Every file below the folder, so that whoever agrees agrees to all of them. */
const readAll = async (tree: FileTree, folder: string): Promise<ReadonlyMap<string, Uint8Array>> => {
  const files = new Map<string, Uint8Array>();
  const visit = async (inner: string): Promise<void> => {
    for (const entry of (await tree.list(joinPath(folder, inner))) ?? []) {
      const path = joinPath(inner, entry.name);
      if (entry.escapes || files.size >= MAX_FILES) continue;
      if (entry.kind === 'folder') await visit(path);
      else files.set(path, (await tree.read(joinPath(folder, path))) ?? new Uint8Array());
    }
  };
  await visit('');
  return files;
};

type Program = Awaited<ReturnType<HostSkill['readProgram']>>;

const readProgram = async (item: LibrarySkill, program: string): Promise<Program> => {
  try {
    const bytes = await item.tree?.read(joinPath(item.path, program));
    if (!bytes) return { ok: false, reason: `${program} cannot be read` };
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (thrown) {
    return {
      ok: false,
      reason: `${program} cannot be read (${errorMessage(thrown)})`,
    };
  }
};

/** What a person is asked to agree to. */
export interface MetaskillFacts {
  readonly hash: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

export interface HostSkills {
  readonly find: (name: string) => HostSkill | undefined;
  /** Of a skill that needs consent; nothing for one that does not. */
  readonly needsConsent: (name: string) => MetaskillFacts | undefined;
}

export const snapshotMetaskills = async (store: SkillStore, trust: Trust): Promise<HostSkills> => {
  const programs = new Map<string, Program>();
  const outside = new Map<string, MetaskillFacts>();
  for (const item of store.list()) {
    const { name, metaskill } = item.skill;
    if (!metaskill) continue;
    programs.set(name, await readProgram(item, metaskill.program));
    const isLocal = (item.layer === 'project' || item.layer === 'bundled') && !trust.isForeign(item);
    if (isLocal || !item.tree) continue;
    const files = await readAll(item.tree, item.path);
    outside.set(name, {
      hash: consentHash(files),
      files: [...files].map(([path, bytes]) => ({ path, bytes: bytes.length })),
    });
  }
  const refusal = (item: LibrarySkill): string | undefined =>
    item.skill.metaskill &&
    refusalOf({
      name: item.skill.name,
      layer: item.layer,
      isForeign: trust.isForeign(item),
      policy: trust.policy,
      hash: outside.get(item.skill.name)?.hash ?? '',
      consents: trust.consents(),
    });
  return {
    find: (name) => {
      const item = store.get(name);
      if (!item) return undefined;
      const program = programs.get(name);
      return {
        name,
        metaskill: item.skill.metaskill,
        body: item.skill.body,
        refusal: refusal(item),
        readProgram: () => Promise.resolve(program ?? { ok: false, reason: 'it has no program' }),
      };
    },
    needsConsent: (name) => {
      const facts = outside.get(name);
      return facts && !trust.consents().has(facts.hash) ? facts : undefined;
    },
  };
};
