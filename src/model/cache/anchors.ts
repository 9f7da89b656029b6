/**
 * What a provider billed for a prefix, by the prefix's hash. A count that was billed replaces the estimate of it, so one
 * unchanged prefix has one count in every request that begins with it.
 */
import { sharedItems } from '../../base/growing-list.ts';
import { promptTokens, writtenTokens, type Usage } from '../provider/types.ts';

/** A bill that is this many times the estimate, or its fraction, is not about this prompt alone (several iterations, a cut stream). */
const MOST_RATIO = 3;

/** How far a billed read may lie from the estimate of the position that it is taken to end at. */
const SAME_PLACE = 0.25;

export interface Anchors {
  /** Counts that were billed, by hash. */
  readonly billed: ReadonlyMap<string, number>;
  /** Billed tokens over estimated ones, by model, of the newest bill. */
  readonly ratios: ReadonlyMap<string, number>;
  /** The blocks of a prompt up to which it was billed, first to last. `hashes` are those of its blocks, each with all before it. */
  readonly places: (hashes: readonly string[]) => readonly BilledPlace[];
  readonly learn: (bill: Bill) => void;
  readonly clear: () => void;
  readonly copy: () => Anchors;
}

interface BilledPlace {
  readonly at: number;
  readonly tokens: number;
}

export interface Bill {
  readonly model: string;
  readonly usage: Usage;
  /** Estimated tokens up to and with each block, `hidden` included. */
  readonly estimates: readonly number[];
  readonly hashes: readonly string[];
  readonly hidden: number;
  /** Where the read is predicted to end, and where breakpoints are. */
  readonly hitAt: number | undefined;
  readonly breakpoints: readonly number[];
}

const isPlausible = (billed: number, estimate: number): boolean =>
  billed > 0 && billed <= estimate * MOST_RATIO && billed * MOST_RATIO >= estimate;

/** The place whose estimate is nearest to what was billed; nothing where none is near. */
const placeOf = (billed: number, places: readonly number[], estimates: readonly number[], ratio: number) => {
  const distance = (at: number): number => Math.abs((estimates[at] ?? 0) * ratio - billed);
  const best = places.reduce<number | undefined>(
    (found, at) => (found === undefined || distance(at) < distance(found) ? at : found),
    undefined,
  );
  return best !== undefined && distance(best) <= billed * SAME_PLACE ? best : undefined;
};

/** Places of the prompt that was looked at last: the next one begins like it. */
const createBilledPlaces = (billed: ReadonlyMap<string, number>) => {
  let known: { readonly hashes: readonly string[]; readonly places: readonly BilledPlace[] } | undefined;
  return {
    of: (hashes: readonly string[]): readonly BilledPlace[] => {
      const shared = known ? sharedItems(known.hashes, hashes) : 0;
      const last = known?.places.findLastIndex(({ at }) => at < shared) ?? -1;
      const places = known?.places.slice(0, last + 1) ?? [];
      for (let at = shared; at < hashes.length; at++) {
        const tokens = billed.get(hashes[at] ?? '');
        if (tokens !== undefined) places.push({ at, tokens });
      }
      known = { hashes, places };
      return places;
    },
    /** What was billed up to this place is new. */
    changed: (hashes: readonly string[], at: number, tokens: number): void => {
      if (!known || known.hashes !== hashes) {
        known = undefined;
        return;
      }
      const before = known.places.findLastIndex((place) => place.at < at);
      const rest = known.places.slice(before + 1);
      const behind = rest[0]?.at === at ? rest.slice(1) : rest;
      known = { hashes, places: [...known.places.slice(0, before + 1), { at, tokens }, ...behind] };
    },
    clear: (): void => {
      known = undefined;
    },
  };
};

export const createAnchors = (billed = new Map<string, number>(), ratios = new Map<string, number>()): Anchors => {
  const billedPlaces = createBilledPlaces(billed);
  return {
    billed,
    ratios,
    places: billedPlaces.of,
    learn: ({ model, usage, estimates, hashes, hidden, hitAt, breakpoints }) => {
      const last = estimates.length - 1;
      const [total, whole] = [promptTokens(usage), estimates[last] ?? 0];
      if (usage.partial || !usage.cacheReported || !isPlausible(total, whole)) return;
      const anchor = (at: number | undefined, tokens: number): void => {
        const hash = at === undefined ? undefined : hashes[at];
        if (at === undefined || hash === undefined || tokens <= 0 || billed.get(hash) === tokens) return;
        billed.set(hash, tokens);
        billedPlaces.changed(hashes, at, tokens);
      };
      const ratio = whole > hidden && total > hidden ? (total - hidden) / (whole - hidden) : 1;
      ratios.set(model, ratio);
      anchor(last, total);
      const covered = usage.read + writtenTokens(usage);
      // Whatever was read or written ends at the last breakpoint: a prefix that holds a long enough one is long enough itself.
      const end = breakpoints.at(-1);
      if (covered > 0 && end !== undefined && isPlausible(covered, estimates[end] ?? 0)) anchor(end, covered);
      // Without breakpoints reads are rounded and end anywhere.
      if (end === undefined || usage.read === 0 || usage.read === covered) return;
      const known = hashes.findLastIndex((hash) => billed.get(hash) === usage.read);
      if (known !== -1) return;
      const places = hitAt === undefined ? breakpoints : [hitAt, ...breakpoints];
      anchor(placeOf(usage.read, places, estimates, ratio), usage.read);
    },
    clear: () => {
      billed.clear();
      ratios.clear();
      billedPlaces.clear();
    },
    copy: () => createAnchors(new Map(billed), new Map(ratios)),
  };
};

/**
 * Counts up to and with each block, where `estimates` gives way to what was billed. Between two billed places the difference is
 * spread in proportion; after the last one, counts follow the newest ratio of the model.
 */
export const anchoredPrefix = (
  estimates: readonly number[],
  hashes: readonly string[],
  hidden: number,
  { places, ratios }: Pick<Anchors, 'places' | 'ratios'>,
  model: string,
): readonly number[] => {
  const ratio = ratios.get(model);
  if (ratio === undefined) return estimates;
  const counts: number[] = [];
  let [estimated, counted] = [hidden, hidden];
  const fill = (end: number, slope: number): void => {
    for (let at = counts.length; at < end; at++)
      counts.push(counted + Math.round(((estimates[at] ?? 0) - estimated) * slope));
  };
  for (const { at, tokens } of places(hashes)) {
    if (tokens < counted) continue;
    const estimate = estimates[at] ?? 0;
    fill(at, (tokens - counted) / Math.max(1, estimate - estimated));
    counts.push(tokens);
    [estimated, counted] = [estimate, tokens];
  }
  fill(estimates.length, ratio);
  return counts;
};
