/**
 * What is looked at, as the part of the address after `#`: `#view=skills&tab=problems&skill=skills/sql-style`.
 * The hash never leaves the page. `#share=…` is a skill that somebody sent, and not a place.
 */
import { type BottomId, isBottomId, isViewId, type ViewId } from '../views/registry.ts';
import { COLUMN_IDS, type ColumnId } from '../views/views.ts';

/** A part of a narrow window, which shows one at a time. */
export type PartId = ColumnId | 'bottom';
/** What is in front where a column shows one of several panels. */
export type SideId = 'session' | 'request';

export interface UrlState {
  /** Where none is named, the one that shows what the rest names (`viewAt`). */
  readonly view?: ViewId;
  /** The part shown in a narrow window. */
  readonly panel?: PartId;
  /** The panel in front, below all views. */
  readonly tab?: BottomId;
  /** The panel in front, of a column with several. */
  readonly side?: SideId;
  /** The folder of a skill. */
  readonly skill?: string;
  /** A path inside the skill's folder, or inside the workspace where no skill is named. */
  readonly file?: string;
  /** `line` or `line:column`, both from 1. */
  readonly at?: string;
  /** The id of the open session. */
  readonly session?: string;
  /** The id of an event. */
  readonly event?: string;
  /** From 1. */
  readonly turn?: number;
}

/** `undefined` takes a word away. */
export type UrlPatch = { readonly [K in keyof UrlState]: UrlState[K] | undefined };

const TEXTS = ['skill', 'file', 'at', 'session', 'event'] as const;
const WORDS = ['view', 'panel', 'tab', 'side', ...TEXTS] as const;
const PARTS: readonly PartId[] = [...COLUMN_IDS, 'bottom'];
const SIDES: readonly SideId[] = ['session', 'request'];

/** Words of addresses from before there were views. */
const OLD_TABS: Readonly<Record<string, Pick<UrlState, 'view'>>> = {
  overview: { view: 'sessions' },
  prefix: { view: 'sessions' },
  'cache-waterfall': { view: 'sessions' },
  'activation-budget': { view: 'sessions' },
  'metaskill-run': { view: 'metaskills' },
  import: { view: 'import' },
  settings: { view: 'settings' },
};
const OLD_PANELS: Readonly<Record<string, Pick<UrlState, 'view' | 'panel'>>> = {
  library: { view: 'skills', panel: 'left' },
  editor: { view: 'skills', panel: 'center' },
  session: { view: 'sessions', panel: 'right' },
  instruments: { panel: 'bottom' },
};
const SHARE = 'share';

/** Only what would end or split a value, or is not a URL character; the rest stays readable. */
const encode = (value: string): string =>
  // A lone half of a surrogate pair has no UTF-8 form.
  encodeURIComponent(value.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD'))
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replaceAll('%20', '+');

const decode = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

const pairsOf = (hash: string): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    const value = at < 0 ? undefined : decode(part.slice(at + 1));
    if (value !== undefined && value !== '') pairs.set(part.slice(0, at), value);
  }
  return pairs;
};

const entryOf = <T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined =>
  word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;

/** Anything that cannot be read is as if it were not there: an old or torn link still opens the page. */
export const parseUrlState = (hash: string): UrlState => {
  const pairs = pairsOf(hash);
  const [view, panel, tab, side] = ['view', 'panel', 'tab', 'side'].map((word) => pairs.get(word) ?? '');
  const old = { ...entryOf(OLD_PANELS, panel), ...entryOf(OLD_TABS, tab) };
  const state: { -readonly [K in keyof UrlState]: UrlState[K] } = { ...old };
  if (view !== undefined && isViewId(view)) state.view = view;
  const part = PARTS.find((id) => id === panel);
  if (part) state.panel = part;
  if (tab !== undefined && isBottomId(tab)) state.tab = tab;
  const front = SIDES.find((id) => id === side);
  if (front) state.side = front;
  for (const word of TEXTS) {
    const value = pairs.get(word);
    if (value !== undefined) state[word] = value;
  }
  const turn = pairs.get('turn');
  if (turn !== undefined && /^[1-9]\d{0,8}$/.test(turn)) state.turn = Number(turn);
  return state;
};

/** With its `#`; empty when there is nothing to say. The order of the words is fixed, so that one place has one address. */
export const formatUrlState = (state: UrlState): string => {
  const parts = WORDS.flatMap((word) => {
    const value = state[word];
    return value === undefined || value === '' ? [] : [`${word}=${encode(value)}`];
  });
  if (state.turn !== undefined) parts.push(`turn=${state.turn}`);
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
};

/** What a share link carries, as it is in the hash; undefined where none exists. */
export const sharedIn = (hash: string): string | undefined => {
  const prefix = `#${SHARE}=`;
  return hash.startsWith(prefix) && hash.length > prefix.length ? hash.slice(prefix.length) : undefined;
};
