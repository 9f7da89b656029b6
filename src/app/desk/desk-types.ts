/** What the desk needs of the page, and what it is to it. */
import type { StoreApi } from 'zustand/vanilla';
import type { Log } from '../../base/log.ts';
import type { Editor } from '../../features/editor/editor.ts';
import type { RunDesk } from '../../features/metaskill-run/run-desk.ts';
import type { SessionNeeds } from '../../features/session/needs.ts';
import type { SessionUi } from '../../features/session/session-ui.ts';
import type { TerminalStore } from '../../features/sandbox/terminal-store.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import type { PrivateWorkspaces } from '../../platform/fs/private-workspace.ts';
import type { HostLog } from '../../platform/provider/host-log.ts';
import type { SessionServices } from '../../platform/runtime/session-services.ts';
import type { CountedDatabase } from '../../platform/store/kept-counts.ts';
import type { ConsentStore } from '../../stores/consent-store.ts';
import type { FilesStore } from '../../stores/files-types.ts';
import type { SourcesStore } from '../../stores/sources-store.ts';
import type { FolderStore } from '../../stores/folder-types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import type { SettingsStore } from '../../stores/settings-store.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import type { WorkspaceStore } from '../../stores/workspace/workspace-store.ts';
import type { PanelId } from '../views/registry.ts';
import type { ImportDesk } from './import-desk.ts';
import type { Outside } from './outside.ts';

export interface DeskDeps {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly settings: SettingsStore;
  readonly hosts: HostLog;
  readonly log: Log;
  readonly outside: Outside;
  readonly tell: (message: string) => void;
  readonly confirmDiscard: (path: string) => Promise<boolean>;
  readonly onActive: (path: string | undefined) => void;
  readonly copy: (text: string, what: string) => void;
  readonly download: (name: string, text: string) => void;
  readonly showInstrument: (id: PanelId) => void;
  readonly runMetaskill: (skill: string) => void;
  /** What panels draw of the open folder. */
  readonly workspace: Pick<WorkspaceStore, 'amend' | 'open' | 'reloadSoon'>;
}

export interface ImportState {
  readonly imports: ImportDesk | undefined;
  readonly problem: string | undefined;
}

export interface Desk {
  readonly folder: FolderStore;
  readonly consents: ConsentStore;
  readonly sources: SourcesStore;
  readonly files: FilesStore;
  readonly editor: Editor;
  readonly sessions: SessionStore;
  readonly sessionUi: SessionUi;
  readonly sessionNeeds: SessionNeeds;
  readonly terminal: TerminalStore;
  readonly services: () => Promise<SessionServices>;
  /** Loaded when it is first asked for. */
  readonly imports: () => Promise<ImportDesk>;
  /** Whether it is there; its forms may come at any time from then on. */
  readonly importState: Pick<StoreApi<ImportState>, 'getState' | 'getInitialState' | 'subscribe'>;
  readonly database: CountedDatabase;
  readonly privates: () => Promise<PrivateWorkspaces | undefined>;
  readonly engine: () => Promise<StarlarkEngine | undefined>;
  /** What is known of the open folder. */
  readonly workspace: WorkspaceFacts;
  /** Which run of which metaskill is looked at, and how the next one starts. */
  readonly runDesk: RunDesk;
  readonly tokenizer: Tokenizer;
}
