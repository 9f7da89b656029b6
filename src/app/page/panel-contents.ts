/** What the panels draw: one line for each, beside the one in `views/registry.ts`. Loaded with the desk. */
import { changesContent } from '../../features/changes/content.tsx';
import { agentListingsContent, editCostContent, triggerTestContent } from '../../features/checks/content.tsx';
import { eventStreamContent } from '../../features/events/content.tsx';
import { importContent } from '../../features/import/content.tsx';
import { ledgerContent } from '../../features/ledger/content.tsx';
import { logContent } from '../../features/log/content.tsx';
import {
  metaskillListContent,
  metaskillRunContent,
  runScrubberContent,
} from '../../features/metaskill-run/content.tsx';
import { prefixContent } from '../../features/prefix/content.tsx';
import { requestContent } from '../../features/request/content.tsx';
import { sandboxContent } from '../../features/sandbox/content.tsx';
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
import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { PanelId } from '../views/registry.ts';

/** What a panel may need of the page. */
export interface PanelPage extends Desk {
  readonly log: LogStore;
  readonly count: CountTokens;
  /** For previews. */
  readonly preview: PreviewSettings;
  readonly recordings: RecordingsStore;
  readonly watch: WatchStore;
  readonly whatIf: WhatIfStore;
  readonly show: (panel: PanelId) => void;
  readonly save: (name: string, text: string, type?: string) => void;
  readonly copy: (text: string, what: string) => void;
}

/** These are in view before the desk is there, or have a head of their own: `workbench.tsx` and `desk-slots.tsx` draw them. */
type DrawnByPage = 'library' | 'editor' | 'session' | 'activation-budget' | 'problems' | 'settings';

/** A panel without its line does not compile. */
export const CONTENTS: Readonly<Record<Exclude<PanelId, DrawnByPage>, PanelContent<PanelPage>>> = {
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
