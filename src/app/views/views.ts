/** What a window is made of: views with regions, and the panels in them. The views themselves are in `registry.ts`. */
import type { PanelEntry } from '../../features/panel/panel.ts';

/** A place of a window. With several panels it shows one of them, as a tab. */
export interface Region<Panel extends PanelEntry = PanelEntry> {
  readonly id: string;
  /** Its accessible name. */
  readonly label: string;
  readonly panels: readonly [Panel, ...Panel[]];
}

/** A whole window, made for one job. */
export interface View {
  readonly id: string;
  readonly label: string;
  readonly shortcut?: string;
  readonly regions: readonly [Region, ...Region[]];
}

export type Views = readonly [View, ...View[]];

const duplicates = (ids: readonly string[]): readonly string[] => ids.filter((id, index) => ids.indexOf(id) !== index);

/** Every panel once, in the order of the views: one panel may be part of several. */
export const panelsIn = <V extends Views>(views: V): readonly V[number]['regions'][number]['panels'][number][] => [
  ...new Set(views.flatMap(({ regions }) => regions.flatMap(({ panels }) => panels))),
];

/** Views as they are written. Throws for an id that two of them, two panels, or two regions of one view would share. */
export const defineViews = <const V extends Views>(views: V): V => {
  const taken = [
    ...duplicates(views.map(({ id }) => id)),
    ...duplicates(panelsIn(views).map(({ id }) => id)),
    ...views.flatMap(({ regions }) => duplicates(regions.map(({ id }) => id))),
  ];
  if (taken.length > 0) throw new Error(`Two entries are called ${taken[0]}`);
  return views;
};

export interface PanelPlace<V extends Views> {
  readonly view: V[number];
  readonly region: V[number]['regions'][number];
  /** The region shows one of several panels. */
  readonly isTab: boolean;
}

/** Where a panel is shown: in the view in front if that has it, else in the first that does. */
export const placeOfPanel = <V extends Views>(views: V, id: string, inFront?: V[number]): PanelPlace<V> | undefined => {
  for (const view of inFront ? [inFront, ...views] : views) {
    const region = view.regions.find(({ panels }) => panels.some((panel) => panel.id === id));
    if (region) return { view, region, isTab: region.panels.length > 1 };
  }
  return undefined;
};
