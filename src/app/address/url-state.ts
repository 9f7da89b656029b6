/**
 * What is looked at, as the part of the address after `#`: `#tab=problems&skill=skills/sql-style&file=SKILL.md`.
 * The hash never leaves the page. `#share=…` is a skill that somebody sent, and not a place.
 */
import { isPanelId, isRegionId, isViewId, type PanelId, type RegionId, type ViewId } from '../views/registry.ts';

export interface UrlState {
  /** The first one where none is named. */
  readonly view?: ViewId;
  /** The region shown in a narrow window. */
  readonly panel?: RegionId;
  /** The panel in front, of a region with several. */
  readonly tab?: PanelId;
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

const TEXTS = ['skill', 'file', 'at', 'session', 'event'] as const;
const WORDS = ['view', 'panel', 'tab', ...TEXTS] as const;
const SHARE = 'share';

/** Only what would end or split a value, or is no URL character; the rest stays readable. */
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

/** Anything that cannot be read is as if it were not there: an old or torn link still opens the page. */
export const parseUrlState = (hash: string): UrlState => {
  const pairs = pairsOf(hash);
  const state: { -readonly [K in keyof UrlState]: UrlState[K] } = {};
  const { view, panel, tab } = Object.fromEntries(pairs);
  if (view !== undefined && isViewId(view)) state.view = view;
  if (panel !== undefined && isRegionId(panel)) state.panel = panel;
  if (tab !== undefined && isPanelId(tab)) state.tab = tab;
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

/** What a share link carries, as it stands in the hash; undefined where there is none. */
export const sharedIn = (hash: string): string | undefined => {
  const prefix = `#${SHARE}=`;
  return hash.startsWith(prefix) && hash.length > prefix.length ? hash.slice(prefix.length) : undefined;
};
