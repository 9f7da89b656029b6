/** The metaskills of the open folder with what is being edited, for running them from the editor. */
import { joinPath } from '../../base/paths.ts';
import { err } from '../../base/result.ts';
import type { FileTree } from '../files/file-tree.ts';
import { gatherEvidence, guardSkill } from '../metaskill/consent.ts';
import type { HostSkill } from '../metaskill/host-types.ts';
import { admissionOf } from '../metaskill/policy.ts';
import type { Trust } from '../session/host-skills.ts';
import { readDocument } from '../skill/document.ts';
import { findProgram } from '../skill/metaskill-package.ts';
import type { WorkspaceSkill } from './workspace-view.ts';

export interface EditedDeps extends Trust {
  /** The text of a file that is open, saved or not; nothing for one that is not. */
  readonly openText: (path: string) => string | undefined;
  /** The opened folder with the texts that are not saved: what a person trusts in a skill that is not their own. */
  readonly seen: () => FileTree | undefined;
}

/** The program in the editor runs, saved or not. */
export const editedMetaskills = (
  skills: readonly WorkspaceSkill[],
  { openText, seen, isForeign, policy, book }: EditedDeps,
): readonly HostSkill[] =>
  skills.flatMap((skill): HostSkill[] => {
    const { name, path, layer } = skill;
    const edited = layer === 'project' ? openText(joinPath(path, 'SKILL.md')) : undefined;
    // Only an open text can say something else of itself than the folder does: the others are not read again.
    if (layer !== 'project' || (!skill.isMetaskill && edited === undefined)) return [];
    const document = readDocument({ ...skill.input, content: edited ?? skill.text });
    const { metaskill } = findProgram(document);
    if (!metaskill) return [];
    const text = openText(joinPath(path, metaskill.program)) ?? skill.input.files?.get(metaskill.program)?.text;
    return [
      guardSkill({
        name,
        metaskill,
        body: document.body,
        admission: admissionOf({ name, layer, isForeign: isForeign({ path, layer }), policy }),
        evidence: async () => {
          const tree = seen();
          return tree ? gatherEvidence(tree, path, metaskill.program) : err('no folder is open');
        },
        book,
        readProgram: () =>
          Promise.resolve(
            text === undefined ? { ok: false, reason: `${metaskill.program} cannot be read` } : { ok: true, text },
          ),
      }),
    ];
  });
