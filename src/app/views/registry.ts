/** The views of the page, their regions, and one line for each panel. Whatever lists panels reads it from here. */
import { activationBudget } from '../../features/budget/entry.ts';
import { changes } from '../../features/changes/entry.ts';
import { editor } from '../../features/editor/entry.ts';
import { eventStream } from '../../features/events/entry.ts';
import { imports } from '../../features/import/entry.ts';
import { library } from '../../features/library/entry.ts';
import { log } from '../../features/log/entry.ts';
import { metaskillRun } from '../../features/metaskill-run/entry.ts';
import { overview } from '../../features/overview/entry.ts';
import { prefix } from '../../features/prefix/entry.ts';
import { problems } from '../../features/problems/entry.ts';
import { sandbox } from '../../features/sandbox/entry.ts';
import { session } from '../../features/session/entry.ts';
import { settings } from '../../features/settings/entry.ts';
import { cacheWaterfall } from '../../features/waterfall/entry.ts';
import { defineViews, panelsIn } from './views.ts';

export const VIEWS = defineViews([
  {
    id: 'workbench',
    label: 'Workbench',
    regions: [
      { id: 'library', label: 'Library', panels: [library] },
      { id: 'editor', label: 'Editor', panels: [editor] },
      { id: 'session', label: 'Session', panels: [session] },
      {
        id: 'instruments',
        label: 'Instruments',
        panels: [
          overview,
          prefix,
          cacheWaterfall,
          activationBudget,
          eventStream,
          metaskillRun,
          problems,
          changes,
          log,
          sandbox,
          imports,
          settings,
        ],
      },
    ],
  },
]);
export type ViewId = (typeof VIEWS)[number]['id'];
export type RegionId = (typeof VIEWS)[number]['regions'][number]['id'];

export const PANELS = panelsIn(VIEWS);
export type Panel = (typeof PANELS)[number];
export type PanelId = Panel['id'];

export const isViewId = (id: string): id is ViewId => VIEWS.some((view) => view.id === id);
export const isRegionId = (id: string): id is RegionId =>
  VIEWS.some(({ regions }) => regions.some((region) => region.id === id));
export const isPanelId = (id: string): id is PanelId => PANELS.some((panel) => panel.id === id);

/** A page of help: the first minutes, and one for each panel. Their texts are in `docs/help`. */
export type HelpTopic = 'start' | Panel['help'];
export const HELP_TOPICS: readonly { readonly id: HelpTopic; readonly title: string }[] = [
  { id: 'start', title: 'The first minutes' },
  ...PANELS.map(({ help, label }) => ({ id: help, title: label })),
];
