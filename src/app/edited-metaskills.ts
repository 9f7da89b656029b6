/** The metaskills of the open folder with what is being edited, for running them from the editor. */
import { joinPath } from '../base/paths.ts';
import { err } from '../base/result.ts';
import type { WorkspaceView } from '../model/workspace/workspace-view.ts';
import type { HostSkill } from '../model/metaskill/host-types.ts';
import { readDocument } from '../model/skill/document.ts';
import { findProgram } from '../model/skill/metaskill-package.ts';
import { gatherEvidence, guardSkill, type ConsentBook } from '../model/metaskill/consent.ts';
import { admissionOf } from '../model/metaskill/policy.ts';
import type { FilesStore } from '../stores/files-types.ts';
import type { FolderStore } from '../stores/folder-store.ts';
import type { SettingsStore } from '../stores/settings-store.ts';
import { withUnsaved } from './unsaved-tree.ts';

/** The program in the editor runs, saved or not. In a skill that is not the user's own, the unsaved text is part of what they trust. */
export const editedMetaskills = (
  view: WorkspaceView | undefined,
  files: FilesStore,
  folder: FolderStore,
  settings: SettingsStore,
  book: ConsentBook,
): readonly HostSkill[] => {
  const { documents } = files.getState();
  const textOf = (path: string): string | undefined => {
    const document = documents.get(path);
    return document?.kind === 'text' ? document.text : undefined;
  };
  return (view?.skills ?? []).flatMap((skill): HostSkill[] => {
    if (skill.layer !== 'project' || !skill.isMetaskill) return [];
    const text = textOf(joinPath(skill.path, 'SKILL.md')) ?? skill.text;
    const document = readDocument({ ...skill.input, content: text });
    const { metaskill } = findProgram(document);
    if (!metaskill) return [];
    const program = textOf(joinPath(skill.path, metaskill.program)) ?? skill.input.files?.get(metaskill.program)?.text;
    const { name, path, layer } = skill;
    return [
      guardSkill({
        name,
        metaskill,
        body: document.body,
        admission: admissionOf({
          name,
          layer,
          isForeign: folder.isForeign({ path, layer }),
          policy: settings.getState().settings.metaskillPolicy,
        }),
        evidence: async () => {
          const tree = folder.pending();
          if (!tree) return err('no folder is open');
          return gatherEvidence(
            withUnsaved(tree, () => files.getState().documents),
            path,
            metaskill.program,
          );
        },
        book,
        readProgram: () =>
          Promise.resolve(
            program === undefined
              ? { ok: false, reason: `${metaskill.program} cannot be read` }
              : { ok: true, text: program },
          ),
      }),
    ];
  });
};
