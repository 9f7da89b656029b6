/** The metaskills of a session as their host knows them: a snapshot of their programs, and who may run (D25, D27). */
import { errorMessage } from '../../base/errors.ts';
import { joinPath } from '../../base/paths.ts';
import { err } from '../../base/result.ts';
import type { SkillStore } from '../library/store.ts';
import type { LibrarySkill, MetaskillPolicy } from '../library/types.ts';
import { gatherEvidence, guardSkill, programText, type ConsentBook } from '../metaskill/consent.ts';
import type { HostSkill } from '../metaskill/host-types.ts';
import { admissionOf } from '../metaskill/policy.ts';
import type { Metaskill } from '../skill/metaskill-package.ts';

export interface Trust {
  readonly policy: MetaskillPolicy;
  /** Whether a skill came by link, archive, URL, drop, or import, wherever it was saved since. */
  readonly isForeign: (item: Pick<LibrarySkill, 'path' | 'layer'>) => boolean;
  readonly book: ConsentBook;
}

type Program = Awaited<ReturnType<HostSkill['readProgram']>>;

const readProgram = async (item: LibrarySkill, program: string): Promise<Program> => {
  try {
    return programText(program, await item.tree?.read(joinPath(item.path, program)));
  } catch (thrown) {
    return {
      ok: false,
      reason: `${program} cannot be read (${errorMessage(thrown)})`,
    };
  }
};

export interface HostSkills {
  readonly find: (name: string) => HostSkill | undefined;
}

const plain = ({ skill: { name, body } }: LibrarySkill): HostSkill => ({
  name,
  metaskill: undefined,
  body,
  refusal: undefined,
  readProgram: () => Promise.resolve({ ok: false, reason: 'it has no program' }),
});

const snapshot = async (item: LibrarySkill, metaskill: Metaskill, trust: Trust): Promise<HostSkill> => {
  const { name, body } = item.skill;
  const { layer, path, tree } = item;
  const admission = admissionOf({ name, layer, isForeign: trust.isForeign(item), policy: trust.policy });
  const program = await readProgram(item, metaskill.program);
  const evidence =
    admission.kind === 'consent' && tree
      ? await gatherEvidence(tree, path, metaskill.program)
      : err('its folder cannot be read');
  return guardSkill({
    name,
    metaskill,
    body,
    admission,
    readProgram: () => Promise.resolve(program),
    evidence: () => Promise.resolve(evidence),
    book: trust.book,
  });
};

export const snapshotMetaskills = async (store: SkillStore, trust: Trust): Promise<HostSkills> => {
  const skills = new Map<string, HostSkill>();
  for (const item of store.list()) {
    const { name, metaskill } = item.skill;
    if (metaskill) skills.set(name, await snapshot(item, metaskill, trust));
  }
  return {
    find: (name) => {
      const item = store.get(name);
      return item && (skills.get(name) ?? plain(item));
    },
  };
};
