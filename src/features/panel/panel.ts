/** What a feature says about its panel. The page reads all of it from there: tabs, help, palette, address. */
import type { ReactNode } from 'react';
import type { LegendItem } from '../../ui/legend.tsx';

/** What a panel without readings shows: what it would show, what fills it, and what its colors mean. */
export interface Explanation {
  readonly about: string;
  readonly toCome: string;
  readonly legend?: readonly LegendItem[];
}

/**
 * What a panel draws, from what it needs of the page: a feature names only the parts that it uses. It is the `content.tsx` beside the
 * entry, a file of its own because most contents come with the desk, after the first load.
 */
export interface PanelContent<Needs> {
  readonly Content: (page: Needs) => ReactNode;
  /** Whether there is something to draw. Until then the panel explains itself. */
  readonly isReady?: (page: Needs) => boolean;
  /** The number on the tab. */
  readonly Count?: (page: Needs) => ReactNode;
  /** Small facts beside the name. */
  readonly Facts?: (page: Needs) => ReactNode;
  /** Buttons in the line with the name. */
  readonly Actions?: (page: Needs) => ReactNode;
  /** In place of a line with the name: it puts `end` at its own end. */
  readonly Head?: (page: Needs & { readonly end: ReactNode }) => ReactNode;
}

export interface PanelEntry<Id extends string = string, Help extends string = string> {
  /** Kept permanently: addresses and recent commands name it. */
  readonly id: Id;
  /** The accessible name of the region, and the tab where it has no shorter word. */
  readonly label: string;
  readonly tab?: string;
  /** The page of help, as its file in `docs/help` is called. */
  readonly help: Help;
  readonly shortcut?: string;
  /** Shown until there is content. */
  readonly empty: Explanation;
}

/** An entry as it is written, its id as a type. */
export const panel = <const Id extends string, const Help extends string>(
  entry: PanelEntry<Id, Help>,
): PanelEntry<Id, Help> => entry;
