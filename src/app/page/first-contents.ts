/** What is drawn before the desk is there: one line for each, as in `panel-contents.ts`. Part of the first load. */
import type { ReactNode, RefObject } from 'react';
import { savedFileContent } from '../../features/editor/saved-content.tsx';
import { libraryContent } from '../../features/library/content.tsx';
import type { LibraryHandle } from '../../features/library/library-panel.tsx';
import type { LibraryTarget } from '../../features/library/library-view.ts';
import type { PanelContent } from '../../features/panel/panel.ts';
import { problemsContent } from '../../features/problems/content.tsx';
import type { Problem } from '../../features/problems/problems-view.ts';
import { settingsContent, type SettingsParts } from '../../features/settings/content.tsx';
import type { MyData } from '../../features/settings/my-data.tsx';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import type { SettingsStore } from '../../stores/settings-store.ts';
import type { WorkspaceState, WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import type { WorkspaceActions } from '../actions/shell-commands.ts';

export interface FirstDeps {
  readonly workspace: WorkspaceStore;
  readonly folderName: () => string | undefined;
  readonly cancelOpening: () => void;
  readonly actions: WorkspaceActions;
  readonly library: RefObject<LibraryHandle | null>;
  readonly copy: (text: string, what: string) => void;
  readonly settings: () => Promise<SettingsStore>;
  readonly data: MyData;
}

/** What these panels may need of the page. */
export interface FirstPage extends FirstDeps {
  readonly state: WorkspaceState;
  /** Its skill and file are there. */
  readonly inView: LibraryTarget | undefined;
  readonly selected: WorkspaceSkill | undefined;
  /** What the address names, whether it is there or not. */
  readonly target: LibraryTarget;
  readonly goTo: (to: LibraryTarget, at?: string) => void;
  readonly goToProblem: (problem: Problem) => void;
  readonly commandFor: (
    id: string,
  ) => { readonly title: string; readonly disabledReason: string | undefined; readonly run: () => void } | undefined;
  /** Theme and density, which the shell keeps. */
  readonly appearance: ReactNode;
  readonly settingsParts: SettingsParts | undefined;
  readonly readFile: ((path: string) => Promise<string | undefined>) | undefined;
}

/** There before the desk, and unchanged by it. */
export type FirstId = 'library' | 'problems' | 'settings';

/** The editor's gives way to that of the desk for files of the open folder. */
export const FIRST_CONTENTS: Readonly<Record<FirstId | 'editor', PanelContent<FirstPage>>> = {
  library: libraryContent,
  editor: savedFileContent,
  problems: problemsContent,
  settings: settingsContent,
};
