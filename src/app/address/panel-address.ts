import { type PanelId, type RegionId, VIEWS } from '../views/registry.ts';
import { placeOfPanel } from '../views/views.ts';
import type { UrlPatch } from './navigation.ts';
import type { UrlState } from './url-state.ts';

/** The view that the address names. */
export const viewAt = ({ view }: Pick<UrlState, 'view'>): (typeof VIEWS)[number] =>
  VIEWS.find(({ id }) => id === view) ?? VIEWS[0];

/** The panel that a region shows at an address. */
export const panelAt = (region: RegionId, place: Pick<UrlState, 'view' | 'tab'>): PanelId | undefined => {
  const panels = viewAt(place).regions.find(({ id }) => id === region)?.panels ?? [];
  return (panels.find(({ id }) => id === place.tab) ?? panels[0])?.id;
};

/** What the address says when somebody goes to a panel. */
export const addressOfPanel = (id: PanelId, from: UrlState): UrlPatch => {
  const place = placeOfPanel(VIEWS, id, viewAt(from));
  if (!place) return {};
  const { view, region, isTab } = place;
  return {
    view: view === VIEWS[0] ? undefined : view.id,
    ...(isTab && { tab: id }),
    // A wide window shows all regions, and its address names none.
    ...(from.panel !== undefined && { panel: region.id }),
  };
};
