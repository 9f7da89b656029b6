/** What the panels draw: one line for each, beside the one in `views/registry.ts`. Loaded with the desk. */
import { changesContent } from '../../features/changes/content.tsx';
import { agentListingsContent, editCostContent, triggerTestContent } from '../../features/checks/content.tsx';
import { eventStreamContent } from '../../features/events/content.tsx';
import { editorContent } from '../../features/editor/content.tsx';
import { importContent } from '../../features/import/content.tsx';
import { ledgerContent } from '../../features/ledger/content.tsx';
import { logContent } from '../../features/log/content.tsx';
import {
  metaskillListContent,
  metaskillRunContent,
  programContent,
  runScrubberContent,
} from '../../features/metaskill-run/content.tsx';
import { prefixContent } from '../../features/prefix/content.tsx';
import { requestContent } from '../../features/request/content.tsx';
import { sandboxContent } from '../../features/sandbox/content.tsx';
import { sessionContent } from '../../features/session/content.tsx';
import { sourcesContent } from '../../features/sources/content.tsx';
import { whatIfContent } from '../../features/what-if/content.tsx';
import { cacheWaterfallContent } from '../../features/waterfall/content.tsx';
import type { LogStore } from '../../features/log/log-store.ts';
import type { PanelContent } from '../../features/panel/panel.ts';
import type { PreviewSettings } from '../../features/preview/preview-settings.ts';
import type { CountTokens } from '../../features/prefix/use-prefix.ts';
import type { RecordingsStore } from '../../stores/recordings-store.ts';
import type { WatchStore } from '../../stores/watch-store.ts';
import type { Desk } from '../desk/desk-types.ts';
import type { ThemeStore } from '../shell/theme.ts';
import type { TriggerLabStore } from '../../stores/trigger-lab-store.ts';
import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { FirstId } from './first-contents.ts';
import type { InsideId, PanelId, ViewId } from '../views/registry.ts';

/** What a panel may need of the page and its desk. */
export interface PanelPage extends Desk {
  readonly theme: ThemeStore;
  readonly log: LogStore;
  readonly count: CountTokens;
  /** For previews. */
  readonly preview: PreviewSettings;
  readonly recordings: RecordingsStore;
  readonly watch: WatchStore;
  readonly whatIf: WhatIfStore;
  readonly lab: TriggerLabStore;
  readonly show: (panel: PanelId) => void;
  /** To the message, wherever that is. */
  readonly write: () => void;
  readonly save: (name: string, text: string, type?: string) => void;
  readonly copy: (text: string, what: string) => void;
}

type DeskId = Exclude<PanelId, FirstId | InsideId>;

/** A panel without its line does not compile. */
export const CONTENTS: Readonly<Record<DeskId, PanelContent<PanelPage>>> = {
  editor: editorContent,
  session: sessionContent,
  'edit-cost': editCostContent,
  'trigger-test': triggerTestContent,
  'agent-listings': agentListingsContent,
  sources: sourcesContent,
  ledger: ledgerContent,
  'what-if': whatIfContent,
  request: requestContent,
  prefix: prefixContent,
  'cache-waterfall': cacheWaterfallContent,
  'event-stream': eventStreamContent,
  metaskills: metaskillListContent,
  'run-steps': runScrubberContent,
  'metaskill-run': metaskillRunContent,
  changes: changesContent,
  log: logContent,
  sandbox: sandboxContent,
  import: importContent,
};

/** What a panel draws in one view alone. */
export const IN_VIEW: Readonly<Partial<Record<ViewId, Partial<Record<DeskId, PanelContent<PanelPage>>>>>> = {
  metaskills: { editor: programContent },
};
