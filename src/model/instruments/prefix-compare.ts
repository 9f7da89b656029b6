/** Two requests, segment by segment. */
import type { BodySegment, BodySegments } from './body-segments.ts';
import { bytePlaces } from './byte-places.ts';
import type { SegmentSizes } from './segment-sizes.ts';

export type SegmentState = 'same' | 'changed' | 'moved' | 'added' | 'removed';

export interface ComparedSegment {
  readonly id: string;
  readonly kind: BodySegment['kind'];
  readonly title: string;
  readonly state: SegmentState;
  readonly a?: BodySegment;
  readonly b?: BodySegment;
  /** Of both, as their strips draw them. */
  readonly tokens: { readonly a?: number; readonly b?: number };
  /** Of the first difference, in the bodies of both. */
  readonly firstByte?: { readonly a: number; readonly b: number };
}

export interface PrefixComparison {
  /** In the order of B; what only A has is where it stood. */
  readonly rows: readonly ComparedSegment[];
  readonly counts: Readonly<Record<SegmentState, number>>;
  /** The first row that is not the same; nothing if B begins as A does, to A's end. */
  readonly breaksAt: ComparedSegment | undefined;
  /** Tokens of B before it, as its strip draws them. */
  readonly shared: number;
}

const firstDifference = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
};

/** Markers are not content. A part of a system text is compared by its text, every other segment by its whole block. */
const contentOf = ({ request }: BodySegments, segment: BodySegment): string =>
  segment.kind === 'tool' || segment.kind === 'message'
    ? (request.blocks[segment.block]?.text ?? segment.text)
    : segment.text;

const changedAt = (a: BodySegments, one: BodySegment, b: BodySegments, other: BodySegment) => {
  const cut = ({ body }: BodySegments, from: number, to: number): string => body.slice(from, to);
  const inside = firstDifference(cut(a, one.shown.start, one.shown.end), cut(b, other.shown.start, other.shown.end));
  // What people read may be equal, and something beside it differ: an id, a flag.
  const isBeside =
    one.shown.isString && inside === one.shown.end - one.shown.start && inside === other.shown.end - other.shown.start;
  const at = isBeside ? firstDifference(cut(a, one.start, one.end), cut(b, other.start, other.end)) : inside;
  const [inA, inB] = [(isBeside ? one.start : one.shown.start) + at, (isBeside ? other.start : other.shown.start) + at];
  return { a: bytePlaces(a.body, [inA])(inA), b: bytePlaces(b.body, [inB])(inB) };
};

/** One request, and the tokens of its segments where they were counted. */
export interface ComparedRequest {
  readonly whole: BodySegments;
  readonly sizes?: SegmentSizes | undefined;
}

const sizesOf = ({ whole, sizes }: ComparedRequest): ReadonlyMap<string, number> =>
  new Map(whole.segments.map(({ id, estimate }, index) => [id, sizes?.tokens[index] ?? estimate]));

const sizePair = (a: number | undefined, b: number | undefined): ComparedSegment['tokens'] => ({
  ...(a !== undefined && { a }),
  ...(b !== undefined && { b }),
});

export const comparePrefixes = (earlier: ComparedRequest, later: ComparedRequest): PrefixComparison => {
  const [a, b] = [earlier.whole, later.whole];
  const [sizesA, sizesB] = [sizesOf(earlier), sizesOf(later)];
  const inA = new Map(a.segments.map((segment) => [segment.id, segment]));
  const inB = new Set(b.segments.map(({ id }) => id));
  const orderA = a.segments.filter(({ id }) => inB.has(id)).map(({ id }) => id);
  const orderB = b.segments.filter(({ id }) => inA.has(id)).map(({ id }) => id);
  const moved = new Set(orderB.filter((id, index) => orderA[index] !== id));

  const rows: ComparedSegment[] = [];
  const removed = a.segments.filter(({ id }) => !inB.has(id));
  let next = 0;
  const takeRemoved = (before: number): void => {
    for (; next < removed.length; next++) {
      const one = removed[next];
      if (!one || a.segments.indexOf(one) > before) return;
      rows.push({
        id: one.id,
        kind: one.kind,
        title: one.title,
        state: 'removed',
        a: one,
        tokens: sizePair(sizesA.get(one.id), undefined),
      });
    }
  };
  for (const other of b.segments) {
    const one = inA.get(other.id);
    const basis = {
      id: other.id,
      kind: other.kind,
      title: other.title,
      b: other,
      tokens: sizePair(sizesA.get(other.id), sizesB.get(other.id)),
    };
    if (!one) {
      rows.push({ ...basis, state: 'added' });
      continue;
    }
    takeRemoved(a.segments.indexOf(one));
    if (contentOf(a, one) !== contentOf(b, other))
      rows.push({ ...basis, state: 'changed', a: one, firstByte: changedAt(a, one, b, other) });
    else rows.push({ ...basis, state: moved.has(other.id) ? 'moved' : 'same', a: one });
  }
  takeRemoved(a.segments.length);

  const counts = { same: 0, changed: 0, moved: 0, added: 0, removed: 0 };
  for (const { state } of rows) counts[state]++;
  // What B adds behind everything of A breaks nothing.
  const lastOfA = rows.findLastIndex(({ a: one }) => one !== undefined);
  const first = rows.findIndex(({ state }) => state !== 'same');
  const breaksAt = first === -1 || first > lastOfA ? undefined : rows[first];
  const end = breaksAt ? rows.indexOf(breaksAt) : lastOfA + 1;
  return {
    rows,
    counts,
    breaksAt,
    shared: rows.slice(0, end).reduce((sum, row) => sum + (row.tokens.b ?? 0), later.sizes?.hidden ?? 0),
  };
};
