/** What the palette lists, and in which order. */
import { CATEGORIES, type Command, disabledReason } from './commands.ts';
import { fuzzyMatch, type Match } from './fuzzy.ts';
import type { Shortcut } from './keymap.ts';

/** Something to go to that is no command, such as a skill. Found only by typing. */
export interface Place {
  readonly id: string;
  readonly title: string;
  /** What it is, in a word or two. */
  readonly kind: string;
  /** There may be thousands: it is found by whole pieces only, and comes behind what else is found. */
  readonly isFile?: true;
  readonly run: () => void;
}

export interface PaletteItem {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly shortcut?: Shortcut;
  readonly disabledReason?: string;
  /** The letters of the title that matched. */
  readonly ranges: Match['ranges'];
  readonly isRecent?: boolean;
}

export interface PaletteInput {
  readonly commands: readonly Command[];
  readonly recent: readonly string[];
  readonly places: readonly Place[];
}

const MAX_ITEMS = 100;

/** Letters of the title, or whole words of the category and the keywords, which count less. */
const matchCommand = (query: string, { title, category, keywords = '' }: Command): Match | undefined => {
  const inTitle = fuzzyMatch(query, title);
  if (inTitle) return { ...inTitle, score: inTitle.score + 20 };
  const anywhere = fuzzyMatch(query, `${title} ${category} ${keywords}`, { whole: true });
  return anywhere && { score: anywhere.score - 40, ranges: anywhere.ranges.filter(([, end]) => end <= title.length) };
};

const itemOf = (command: Command, ranges: Match['ranges'], isRecent = false): PaletteItem => {
  const reason = disabledReason(command);
  return {
    id: command.id,
    title: command.title,
    kind: command.category,
    ranges,
    ...(command.shortcut !== undefined && { shortcut: command.shortcut }),
    ...(reason !== undefined && { disabledReason: reason }),
    ...(isRecent && { isRecent }),
  };
};

const byPossible = (a: PaletteItem, b: PaletteItem): number =>
  Number(a.disabledReason !== undefined) - Number(b.disabledReason !== undefined);

export const paletteItems = (query: string, input: PaletteInput): readonly PaletteItem[] => {
  const { recent, places } = input;
  const commands = input.commands.filter(({ inPalette }) => inPalette !== false);
  if (query.trim() === '') {
    const last = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
    const rest = commands
      .filter((command) => !last.includes(command))
      .toSorted((a, b) => CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category));
    return [
      ...last.map((command) => itemOf(command, [], true)),
      ...rest.map((command) => itemOf(command, [])).toSorted(byPossible),
    ];
  }
  const found = [
    ...commands.flatMap((command) => {
      const match = matchCommand(query, command);
      return match ? { item: itemOf(command, match.ranges), score: match.score } : [];
    }),
    ...places.flatMap(({ id, title, kind, isFile = false }) => {
      const match = fuzzyMatch(query, title, { whole: isFile });
      return match ? { item: { id, title, kind, ranges: match.ranges }, score: match.score - (isFile ? 60 : 0) } : [];
    }),
  ];
  return found
    .toSorted((a, b) => byPossible(a.item, b.item) || b.score - a.score)
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item);
};
