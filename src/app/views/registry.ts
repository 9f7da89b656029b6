/** The views of the page, their columns, and one line for each panel. Whatever lists panels reads it from here. */
import { activationBudget } from '../../features/budget/entry.ts';
import { changes } from '../../features/changes/entry.ts';
import { agentListings, editCost, triggerTest } from '../../features/checks/entry.ts';
import { editor } from '../../features/editor/entry.ts';
import { eventStream } from '../../features/events/entry.ts';
import { imports } from '../../features/import/entry.ts';
import { ledger } from '../../features/ledger/entry.ts';
import { library } from '../../features/library/entry.ts';
import { log } from '../../features/log/entry.ts';
import { metaskillRun, metaskills, runSteps } from '../../features/metaskill-run/entry.ts';
import { prefix } from '../../features/prefix/entry.ts';
import { problems } from '../../features/problems/entry.ts';
import { request } from '../../features/request/entry.ts';
import { sandbox } from '../../features/sandbox/entry.ts';
import { session } from '../../features/session/entry.ts';
import { settings } from '../../features/settings/entry.ts';
import { sources } from '../../features/sources/entry.ts';
import { cacheWaterfall } from '../../features/waterfall/entry.ts';
import { whatIf } from '../../features/what-if/entry.ts';
import { type Bottom, type ColumnId, defineViews, panelsIn } from './views.ts';

export const VIEWS = defineViews([
  {
    id: 'skills',
    label: 'Skills',
    icon: 'book',
    shortcut: 'Mod+1',
    columns: [
      { id: 'left', label: 'Library', panels: [library], size: 280, minSize: 180 },
      { id: 'center', label: 'Editor', panels: [editor], minSize: 320 },
      {
        id: 'right',
        label: 'Checks',
        panels: [editCost, triggerTest, agentListings],
        size: 340,
        wideSize: 440,
        minSize: 260,
      },
    ],
  },
  {
    id: 'sessions',
    label: 'Sessions',
    icon: 'rows',
    shortcut: 'Mod+2',
    startsWithPanel: true,
    // What there is to do first.
    narrowStart: 'right',
    columns: [
      { id: 'left', label: 'Sources', panels: [sources], size: 216, minSize: 160 },
      { id: 'center', label: 'Cache', panels: [ledger, whatIf, cacheWaterfall, prefix], minSize: 420 },
      {
        id: 'right',
        label: 'Session',
        panels: [session, request],
        arrange: 'tabs',
        size: 340,
        wideSize: 760,
        minSize: 280,
      },
    ],
  },
  {
    id: 'metaskills',
    label: 'Metaskills',
    icon: 'cycle',
    shortcut: 'Mod+3',
    columns: [
      { id: 'left', label: 'Metaskills', panels: [metaskills], size: 232, wideSize: 280, minSize: 180 },
      { id: 'center', label: 'Editor', panels: [editor, runSteps], minSize: 420 },
      { id: 'right', label: 'Metaskill run', panels: [metaskillRun], size: 360, wideSize: 520, minSize: 280 },
    ],
  },
  {
    id: 'import',
    label: 'Import',
    icon: 'download',
    shortcut: 'Mod+4',
    columns: [{ id: 'center', label: 'Import', panels: [imports], minSize: 420 }],
  },
  {
    id: 'settings',
    label: 'Settings',
    icon: 'settings',
    isAtFoot: true,
    columns: [{ id: 'center', label: 'Settings', panels: [settings], minSize: 420 }],
  },
]);
export type ViewId = (typeof VIEWS)[number]['id'];
export type PageView = (typeof VIEWS)[number];

/** The column in front where the window has room for one. */
export const narrowStartOf = (view: PageView): ColumnId => ('narrowStart' in view ? view.narrowStart : 'center');

/** Common to all views. */
export const BOTTOM = [problems, eventStream, sandbox, changes, log] as const satisfies Bottom;
export type BottomId = (typeof BOTTOM)[number]['id'];

/** Drawn inside another panel: the budget is in the head of the session. */
const INSIDE = [{ panel: activationBudget, in: session }] as const;
export type InsideId = (typeof INSIDE)[number]['panel']['id'];

export const PANELS = [...panelsIn(VIEWS, BOTTOM), ...INSIDE.map(({ panel }) => panel)];
export type Panel = (typeof PANELS)[number];
export type PanelId = Panel['id'];

/** The panel that has a place of its own, for one that is drawn inside another. */
export const holderOf = (id: PanelId): PanelId => INSIDE.find(({ panel }) => panel.id === id)?.in.id ?? id;

export const isViewId = (id: string): id is ViewId => VIEWS.some((view) => view.id === id);
export const isBottomId = (id: string): id is BottomId => BOTTOM.some((panel) => panel.id === id);

/** A page of help: the first minutes, and one for each panel. Their texts are in `docs/help`. */
export type HelpTopic = 'start' | Panel['help'];
export const HELP_TOPICS: readonly { readonly id: HelpTopic; readonly title: string }[] = [
  { id: 'start', title: 'The first minutes' },
  ...PANELS.map(({ help, label }) => ({ id: help, title: label })),
];
