/** What a feature says about its panel. The page reads all of it from there: tabs, help, palette, address. */
import type { LegendItem } from '../../ui/legend.tsx';

/** What a panel without readings shows: what it would show, what fills it, and what its colors mean. */
export interface Explanation {
  readonly about: string;
  readonly toCome: string;
  readonly legend?: readonly LegendItem[];
}

/** The faces of other panels, in columns. */
export interface Faces {
  readonly columns: readonly (readonly { readonly panel: string; readonly label?: string }[])[];
}

export interface PanelEntry<Id extends string = string, Help extends string = string> {
  /** Kept for good: addresses and recent commands name it. */
  readonly id: Id;
  /** The tab, and the accessible name of the region. */
  readonly label: string;
  /** The page of help, as its file in `docs/help` is called. */
  readonly help: Help;
  readonly shortcut?: string;
  readonly empty: Explanation | Faces;
}

/** An entry as it is written, its id as a type. */
export const panel = <const Id extends string, const Help extends string>(
  entry: PanelEntry<Id, Help>,
): PanelEntry<Id, Help> => entry;
