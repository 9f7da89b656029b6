/** The editor follows the address, and the address leaves a folder that is no longer open. */
import type { Editor } from '../../features/editor/editor.ts';
import { joinPath } from '../../base/paths.ts';
import { addressOfPath, skillAt } from '../../model/workspace/holder.ts';
import { skillsIn, type WorkspaceState, type WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import type { Navigation } from '../address/navigation.ts';

export interface FollowAddressDeps {
  readonly navigation: Navigation;
  readonly workspace: WorkspaceStore;
  /** Nothing while the desk is on its way. */
  readonly editor: () => Editor | undefined;
  /** Whether another folder was opened since it was asked last. */
  readonly takeOtherFolder: () => boolean;
}

export const followAddress = ({
  navigation,
  workspace,
  editor: editorNow,
  takeOtherFolder,
}: FollowAddressDeps): void => {
  /** The address names a file: the editor shows it. */
  const follow = (): void => {
    const editor = editorNow();
    if (!editor) return;
    const { skill, file, at } = navigation.get();
    const shown = skillAt(skillsIn(workspace.getState()), { skill, file });
    if (shown && !shown.isInFolder) return;
    // The address names a skill that is not here: the workbench says so.
    if (skill !== undefined && !shown) return;
    const path = shown ? joinPath(shown.path, file ?? 'SKILL.md') : file;
    if (path === undefined) return;
    const [line, column] = (at ?? '').split(':').map(Number);
    const isElsewhere = editor.needs.getState().active !== path;
    if (isElsewhere || line) editor.open(path, line ? { line, ...(column ? { column } : {}) } : undefined);
  };

  let placeBefore = navigation.get();
  navigation.subscribe(() => {
    const before = placeBefore;
    const { skill, file, at } = (placeBefore = navigation.get());
    // Another instrument or region is not a reason to take the focus into the editor, where a line of the address would be shown again.
    if (skill !== before.skill || file !== before.file || at !== before.at) follow();
  });

  /** What the address names may be in the folder before this one only: nobody asked for it here. */
  const leaveLastFolder = (): void => {
    const { skill, file } = navigation.get();
    const isHere =
      skill === undefined ? file === undefined : skillAt(skillsIn(workspace.getState()), { skill }) !== undefined;
    if (!isHere) navigation.settle({ skill: undefined, file: undefined, at: undefined });
  };
  /** A file that was in no skill while the folder was read may lie in one: renaming and undo are quicker than reading. */
  const settleFile = (): void => {
    const { skill, file } = navigation.get();
    if (skill !== undefined || file === undefined) return;
    const address = addressOfPath(skillsIn(workspace.getState()), file);
    if (address.skill !== undefined) navigation.settle(address);
  };
  workspace.subscribe((state, before) => {
    if (state.status === 'ready') settleFile();
    // While skills are still being found, the one that the address names may be among those to come.
    const hasAll = state.status === 'ready' && state.workspace.stillReading !== 'skills';
    if (hasAll && takeOtherFolder()) leaveLastFolder();
    const { skill } = navigation.get();
    // A skill that was just made or renamed is in the address before the folder has been read again.
    const isIn = (then: WorkspaceState): boolean => skillAt(skillsIn(then), { skill }) !== undefined;
    const hasCome = skill !== undefined && isIn(state) && !isIn(before);
    if (state.status === 'ready' && (before.status !== 'ready' || hasCome)) follow();
  });
};
