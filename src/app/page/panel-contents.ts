/** What the panels draw: one line for each, beside the one in `views/registry.ts`. Loaded with the desk. */
import { activationBudgetContent } from '../../features/budget/content.tsx';
import { changesContent } from '../../features/changes/content.tsx';
import { eventStreamContent } from '../../features/events/content.tsx';
import { importContent } from '../../features/import/content.tsx';
import { logContent } from '../../features/log/content.tsx';
import { metaskillRunContent } from '../../features/metaskill-run/content.tsx';
import { overviewContent } from '../../features/overview/content.tsx';
import { prefixContent } from '../../features/prefix/content.tsx';
import { sandboxContent } from '../../features/sandbox/content.tsx';
import { cacheWaterfallContent } from '../../features/waterfall/content.tsx';
import type { LogStore } from '../../features/log/log-store.ts';
import type { PanelContent } from '../../features/panel/panel.ts';
import type { CountTokens } from '../../features/prefix/use-prefix.ts';
import type { Desk } from '../desk/desk-types.ts';
import type { PanelId } from '../views/registry.ts';

/** What a panel may need of the page. */
export interface PanelPage extends Desk {
  readonly log: LogStore;
  readonly count: CountTokens;
  readonly show: (panel: PanelId) => void;
  readonly save: (name: string, text: string) => void;
  readonly copy: (text: string, what: string) => void;
}

/** These are in view before the desk is there, or have a head of their own: `workbench.tsx` and `desk-slots.tsx` draw them. */
type DrawnByPage = 'library' | 'editor' | 'session' | 'problems' | 'settings';

/** A panel without its line does not compile. */
export const CONTENTS: Readonly<Record<Exclude<PanelId, DrawnByPage>, PanelContent<PanelPage>>> = {
  overview: overviewContent,
  prefix: prefixContent,
  'cache-waterfall': cacheWaterfallContent,
  'activation-budget': activationBudgetContent,
  'event-stream': eventStreamContent,
  'metaskill-run': metaskillRunContent,
  changes: changesContent,
  log: logContent,
  sandbox: sandboxContent,
  import: importContent,
};
