/** The actions of the workspace before there is a desk: they say why not yet, and wait for it where they are started. */
import type { LibraryTarget } from '../../features/library/library-view.ts';
import type { Problem } from '../../features/problems/problems-view.ts';
import type { FolderActions } from './folder-actions.ts';
import type { Action, WorkspaceActions } from './shell-commands.ts';

export interface WaitingActionsDeps {
  /** Nothing while the desk is on its way. */
  readonly now: () => FolderActions | undefined;
  readonly whenThere: () => Promise<FolderActions>;
  /** Why there is nothing yet. */
  readonly reason: () => string;
  readonly openFolder: () => Promise<void>;
}

export const waitingActions = ({ now, whenThere, reason, openFolder }: WaitingActionsDeps): WorkspaceActions => {
  const onFolder = <Args extends readonly unknown[]>(
    run: (actions: FolderActions, ...args: Args) => Promise<void>,
  ): Action<Args> => ({
    enabled: () => now()?.canChange() ?? reason(),
    run: async (...args) => run(await whenThere(), ...args),
  });
  type OnTarget = (actions: FolderActions, target: LibraryTarget) => Promise<void>;
  const onTarget = (run: OnTarget): Action<readonly [LibraryTarget]> => ({
    ...onFolder(run),
    enabled: (target) => now()?.canChange(target) ?? reason(),
  });
  const onSkill = (run: OnTarget): Action<readonly [LibraryTarget]> => ({
    ...onFolder(run),
    enabled: (target) => now()?.canExport(target) ?? reason(),
  });
  return {
    // The browser shows its picker only inside the click: nothing can be waited for.
    openFolder: { enabled: () => (now() ? true : reason()), run: openFolder },
    newSkill: onFolder((folder) => folder.create('skill')),
    rename: onTarget((folder, target) => folder.rename(target)),
    duplicate: onTarget((folder, target) => folder.duplicate(target)),
    remove: onTarget((folder, target) => folder.remove(target)),
    newFile: onTarget((folder, target) => folder.createFile(target)),
    exportSkill: onSkill((folder, target) => folder.exportSkill(target)),
    share: onSkill((folder, target) => folder.share(target)),
    fix: onFolder((folder, problem: Problem) => folder.fix(problem)),
    fixAll: onFolder((folder) => folder.fixAll()),
  };
};
