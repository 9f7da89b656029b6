import { BOTTOM, holderOf, isBottomId, type PageView, type Panel, type PanelId, VIEWS } from '../views/registry.ts';
import { placeOfPanel } from '../views/views.ts';
import type { UrlPatch, UrlState } from './url-state.ts';

const viewCalled = (id: string): PageView => VIEWS.find((view) => view.id === id) ?? VIEWS[0];

/** The view that the address names; without a word, the one that shows what it names: a file, else the sessions. */
export const viewAt = ({ view, skill, file, session }: UrlState): PageView =>
  viewCalled(view ?? ((skill ?? file) !== undefined && session === undefined ? 'skills' : 'sessions'));

/** What the address says when somebody goes to a panel. */
export const addressOfPanel = (id: PanelId, from: UrlState): UrlPatch => {
  const held = holderOf(id);
  const isNarrow = from.panel !== undefined;
  if (isBottomId(held)) return { tab: held, ...(isNarrow && { panel: 'bottom' }) };
  const place = placeOfPanel(VIEWS, held, viewAt(from));
  if (!place) return {};
  const { view, column } = place;
  return {
    view: view.id,
    ...((held === 'session' || held === 'request') && { side: held }),
    // A wide window shows all columns, and its address names none.
    ...(isNarrow && { panel: column.id }),
  };
};

/** The panels that an address shows, where one of several is in front. */
export const panelsAt = (place: UrlState): readonly PanelId[] => {
  const bottom = BOTTOM.find(({ id }) => id === place.tab);
  return [
    ...viewAt(place).columns.flatMap((column): readonly PanelId[] => {
      const panels: readonly [Panel, ...Panel[]] = column.panels;
      return 'arrange' in column
        ? [(panels.find(({ id }) => id === place.side) ?? panels[0]).id]
        : panels.map(({ id }) => id);
    }),
    ...(bottom ? [bottom.id] : []),
  ];
};
