/** What is where on a strip: labels that do not cover each other, and names for runs of segments of one origin. */
import type { BodySegmentKind } from './body-segments.ts';
import type { PrefixSegment } from './prefix-view.ts';

export interface LabelPlace {
  /** Pixels from the left edge of the strip to the left edge of the label. */
  readonly left: number;
  readonly width: number;
  /** 0 is nearest to the strip. */
  readonly row: number;
}

/** Of one character of the monospaced small size, in pixels. */
export const CHARACTER = 7.3;
const ROOM = 8;

/** Centered over their place as far as the edges allow; one that would cover another moves to the next row. */
export const placeLabels = (
  labels: readonly { readonly at: number; readonly text: string }[],
  width: number,
): readonly LabelPlace[] => {
  const ends: number[] = [];
  const places = new Map<number, LabelPlace>();
  const byPlace = labels.map((label, index) => ({ label, index })).toSorted((a, b) => a.label.at - b.label.at);
  for (const { label, index } of byPlace) {
    const own = Math.ceil(label.text.length * CHARACTER);
    const left = Math.max(0, Math.min(width - own, label.at * width - own / 2));
    let row = 0;
    while ((ends[row] ?? -Infinity) > left) row++;
    ends[row] = left + own + ROOM;
    places.set(index, { left, width: own, row });
  }
  return labels.map((_, index) => places.get(index) ?? { left: 0, width: 0, row: 0 });
};

/** Color and name of where a segment comes from. */
export type Origin =
  | 'hidden'
  | 'tools'
  | 'persona'
  | 'instructions'
  | 'index'
  | 'preloaded'
  | 'context'
  | 'volatile'
  | 'message'
  | 'system';

const ORIGINS: Readonly<Record<BodySegmentKind, Origin>> = {
  hidden: 'hidden',
  tool: 'tools',
  persona: 'persona',
  instructions: 'instructions',
  'skill-index': 'index',
  preloaded: 'preloaded',
  'operating-context': 'context',
  environment: 'volatile',
  user: 'volatile',
  memory: 'volatile',
  message: 'message',
  system: 'system',
};

export const originOf = ({ kind }: { readonly kind: BodySegmentKind }): Origin => ORIGINS[kind];

export interface StripGroup {
  readonly key: string;
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

const GROUP_LABELS: Readonly<Partial<Record<Origin, (count: number) => string>>> = {
  tools: (count) => `tools ${count}`,
  message: (count) => `messages ${count}`,
  volatile: () => 'volatile',
  context: () => 'context',
};

/** Neighbours of one origin as one group; preloaded skills keep their names. */
export const stripGroups = (segments: readonly PrefixSegment[]): readonly StripGroup[] => {
  const groups: { key: string; origin: Origin; title: string; count: number; from: number; to: number }[] = [];
  for (const segment of segments) {
    const origin = originOf(segment);
    const last = groups.at(-1);
    if (last?.origin === origin && origin !== 'preloaded') {
      last.count++;
      last.to = segment.to;
    } else groups.push({ key: segment.id, origin, title: segment.title, count: 1, from: segment.from, to: segment.to });
  }
  return groups.map(({ key, origin, title, count, from, to }) => ({
    key,
    label: GROUP_LABELS[origin]?.(count) ?? title,
    from,
    to,
  }));
};

export interface OriginShare {
  readonly origin: Origin;
  readonly segments: number;
  readonly tokens: number;
  /** Of the whole request. */
  readonly share: number;
}

/** What the request is made of, in wire order. */
export const originShares = (segments: readonly PrefixSegment[]): readonly OriginShare[] => {
  const sums = new Map<Origin, { segments: number; tokens: number }>();
  let total = 0;
  for (const segment of segments) {
    const origin = originOf(segment);
    const tokens = segment.counted ?? segment.estimate;
    const sum = sums.get(origin) ?? { segments: 0, tokens: 0 };
    sums.set(origin, { segments: sum.segments + 1, tokens: sum.tokens + tokens });
    total += tokens;
  }
  return [...sums].map(([origin, { segments: count, tokens }]) => ({
    origin,
    segments: count,
    tokens,
    share: total === 0 ? 0 : tokens / total,
  }));
};
