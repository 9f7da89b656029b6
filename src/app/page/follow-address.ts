/** The editor follows the address, and the address leaves a folder that is not open any more. */
import type { Editor } from '../../features/editor/editor.ts';
import { isInFolder, type WorkspaceStore } from '../../stores/workspace-store.ts';
import type { Navigation, UrlPatch } from '../address/navigation.ts';
import { skillInView } from './workbench.tsx';

export interface FollowAddressDeps {
  readonly navigation: Navigation;
  readonly workspace: WorkspaceStore;
  /** Nothing while the desk is on its way. */
  readonly editor: () => Editor | undefined;
  /** Whether another folder was opened since it was asked last. */
  readonly takeOtherFolder: () => boolean;
  /** The path of a file of the folder, as the address names it. */
  readonly placeOf: (path: string) => Pick<UrlPatch, 'skill' | 'file'>;
}

export const followAddress = ({
  navigation,
  workspace,
  editor: editorNow,
  takeOtherFolder,
  placeOf,
}: FollowAddressDeps): void => {
  /** The address names a file: the editor shows it. */
  const follow = (): void => {
    const editor = editorNow();
    if (!editor) return;
    const { skill, file, at } = navigation.get();
    // A file alone lies in no skill: the first skill, which an empty address shows, has nothing to do with it.
    const shown = skill === undefined && file !== undefined ? undefined : skillInView(workspace.getState(), skill);
    if (shown && !isInFolder(shown)) return;
    // The address names a skill that is not here: the workbench says so.
    if (skill !== undefined && !shown) return;
    const folder = shown?.path ?? skill;
    const path = folder === undefined ? file : `${folder === '' ? '' : `${folder}/`}${file ?? 'SKILL.md'}`;
    if (path === undefined) return;
    const [line, column] = (at ?? '').split(':').map(Number);
    const isElsewhere = editor.host.getState().active !== path;
    if (isElsewhere || line) editor.open(path, line ? { line, ...(column ? { column } : {}) } : undefined);
  };

  let placeBefore = navigation.get();
  navigation.subscribe(() => {
    const before = placeBefore;
    const { skill, file, at } = (placeBefore = navigation.get());
    // Another instrument or region is no reason to take the focus into the editor, where a line of the address would be shown again.
    if (skill !== before.skill || file !== before.file || at !== before.at) follow();
  });

  /** What the address names may be in the folder before this one only: nobody asked for it here. */
  const leaveLastFolder = (): void => {
    const { skill, file } = navigation.get();
    const isHere = skill === undefined ? file === undefined : skillInView(workspace.getState(), skill) !== undefined;
    if (!isHere) navigation.settle({ skill: undefined, file: undefined, at: undefined });
  };
  /** A file that lay in no skill while the folder was read may lie in one: renaming and undo are quicker than reading. */
  const settleFile = (): void => {
    const { skill, file } = navigation.get();
    const place = skill === undefined && file !== undefined ? placeOf(file) : undefined;
    if (place?.skill !== undefined) navigation.settle(place);
  };
  workspace.subscribe((state, before) => {
    if (state.status === 'ready') settleFile();
    if (state.status === 'ready' && takeOtherFolder()) leaveLastFolder();
    const { skill } = navigation.get();
    // A skill that was just made or renamed is in the address before the folder has been read again.
    const hasCome = skill !== undefined && skillInView(state, skill) && !skillInView(before, skill);
    if (state.status === 'ready' && (before.status !== 'ready' || hasCome)) follow();
  });
};
