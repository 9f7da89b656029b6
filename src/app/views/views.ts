/** What a window is made of: views with columns, and the panels in them. The views themselves are in `registry.ts`. */
import type { PanelEntry } from '../../features/panel/panel.ts';
import type { IconName } from '../../ui/icon.tsx';

export const COLUMN_IDS = ['left', 'center', 'right'] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

/** A column of a view. Each of its panels is a region of its own. */
export interface Column<Panel extends PanelEntry = PanelEntry> {
  readonly id: ColumnId;
  /** Of its splitter, and of its tab where the window is narrow. */
  readonly label: string;
  readonly panels: readonly [Panel, ...Panel[]];
  /** One below the other; or one at a time, as tabs, side by side where the column is wide enough. */
  readonly arrange?: 'stack' | 'tabs';
  /** In pixels. The center has what is left. */
  readonly size?: number;
  /** In a wide window. */
  readonly wideSize?: number;
  readonly minSize: number;
}

/** A whole window, made for one job. */
export interface View<Panel extends PanelEntry = PanelEntry> {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly shortcut?: string;
  /** At the foot of the rail. */
  readonly isAtFoot?: boolean;
  /** The panel below starts open. */
  readonly startsWithPanel?: boolean;
  /** The column in front where the window has room for one. The center, if nothing is reported. */
  readonly narrowStart?: ColumnId;
  readonly columns: readonly [Column<Panel>, ...Column<Panel>[]];
}

/** Common to all views, below them: one panel at a time, as tabs. */
export type Bottom<Panel extends PanelEntry = PanelEntry> = readonly [Panel, ...Panel[]];

export type Views = readonly [View, ...View[]];

const duplicates = (ids: readonly string[]): readonly string[] => ids.filter((id, index) => ids.indexOf(id) !== index);

/** Every panel once, in the order of the views: one panel may be part of several. */
export const panelsIn = <V extends Views, B extends readonly PanelEntry[] = []>(
  views: V,
  bottom?: B,
): readonly (V[number]['columns'][number]['panels'][number] | B[number])[] => [
  ...new Set([...views.flatMap(({ columns }) => columns.flatMap(({ panels }) => panels)), ...(bottom ?? [])]),
];

/** Views as they are written. Throws for an id that two of them, two panels, or two columns of one view would share. */
export const defineViews = <const V extends Views>(views: V): V => {
  const taken = [
    ...duplicates(views.map(({ id }) => id)),
    ...duplicates(panelsIn(views).map(({ id }) => id)),
    ...views.flatMap(({ columns }) => duplicates(columns.map(({ id }) => id))),
  ];
  if (taken.length > 0) throw new Error(`Two entries are called ${taken[0]}`);
  return views;
};

export interface PanelPlace<V extends Views> {
  readonly view: V[number];
  readonly column: V[number]['columns'][number];
  /** The column shows one of several panels. */
  readonly isTab: boolean;
}

/** Where a panel is shown: in the view in front if that has it, else in the first that does. Nowhere: it is below, in all. */
export const placeOfPanel = <V extends Views>(views: V, id: string, inFront?: V[number]): PanelPlace<V> | undefined => {
  for (const view of inFront ? [inFront, ...views] : views) {
    const column = view.columns.find(({ panels }) => panels.some((panel) => panel.id === id));
    if (column) return { view, column, isTab: column.arrange === 'tabs' };
  }
  return undefined;
};
