/** The metaskills of the open folder with what is being edited, for running them from the editor. */
import { joinPath } from '../model/files/file-tree.ts';
import type { WorkspaceView } from '../model/workspace/workspace-view.ts';
import type { HostSkill } from '../model/metaskill/host-types.ts';
import { readDocument } from '../model/skill/document.ts';
import { findProgram } from '../model/skill/metaskill-package.ts';
import { refusalOf } from '../model/metaskill/policy.ts';
import type { FilesStore } from '../stores/files-types.ts';
import type { FolderStore } from '../stores/folder-store.ts';
import type { SettingsStore } from '../stores/settings-store.ts';

/** Whoever edits a program runs what stands in the editor: it is the person's own text, so only the folder's origin can forbid it. */
export const editedMetaskills = (
  view: WorkspaceView | undefined,
  files: FilesStore,
  folder: FolderStore,
  settings: SettingsStore,
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
    const item = view?.library.store.get(skill.name);
    return [
      {
        name: skill.name,
        metaskill,
        body: document.body,
        refusal: refusalOf({
          name: skill.name,
          layer: 'project',
          isForeign: item ? folder.isForeign(item) : false,
          policy: settings.getState().settings.metaskillPolicy,
          hash: '',
          consents: folder.consents(),
        }),
        readProgram: () =>
          Promise.resolve(
            program === undefined
              ? { ok: false, reason: `${metaskill.program} cannot be read` }
              : { ok: true, text: program },
          ),
      },
    ];
  });
};
