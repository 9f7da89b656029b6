import { useEffect, useMemo, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { segmentsOfBody, type BodySegments } from '../../model/instruments/body-segments.ts';
import { prefixView, type PrefixView } from '../../model/instruments/prefix-view.ts';
import { countedBlocks, segmentSizes, textsToCount, type SegmentSizes } from '../../model/instruments/segment-sizes.ts';
import type { CallState } from '../../model/session/state.ts';
import type { SessionPreview, SessionStore } from '../../stores/session-types.ts';
import { bodiesOf, useSessions } from '../instruments/use-session.ts';

/** Counts texts as o200k does; the ranks may load at the first call. */
export type CountTokens = (texts: readonly string[]) => Promise<readonly number[]>;

/** A request as the panel shows it. */
export type ShownPrefix = {
  readonly whole: BodySegments;
  readonly view: PrefixView;
  /** Of every segment of the whole, where they were counted. */
  readonly sizes: SegmentSizes | undefined;
  readonly model: string;
};

const COUNTS = new WeakMap<CountTokens, Map<string, number>>();

const countAll = async (count: CountTokens, texts: readonly string[]): Promise<readonly number[]> => {
  const known = COUNTS.get(count) ?? new Map<string, number>();
  COUNTS.set(count, known);
  const fresh = [...new Set(texts.filter((text) => !known.has(text)))];
  if (fresh.length > 0) {
    const counts = await count(fresh);
    fresh.forEach((text, index) => known.set(text, counts[index] ?? 0));
  }
  return texts.map((text) => known.get(text) ?? 0);
};

const knownCounts = (count: CountTokens, texts: readonly string[]): readonly number[] | undefined => {
  const known = COUNTS.get(count);
  const counts = known && texts.map((text) => known.get(text));
  return counts?.every((tokens) => tokens !== undefined) ? counts : undefined;
};

/** Refines the numbers once they are counted; until then the estimate stands. */
const useCounts = (whole: BodySegments | undefined, count: CountTokens | undefined): readonly number[] | undefined => {
  const [counted, setCounted] = useState<{ readonly of: BodySegments; readonly counts: readonly number[] }>();
  // What was counted for another request is there immediately: nothing jumps.
  const known = useMemo(() => (whole && count ? knownCounts(count, textsToCount(whole)) : undefined), [whole, count]);
  useEffect(() => {
    if (!whole || !count || known) return undefined;
    let isWanted = true;
    const refine = async (): Promise<void> => {
      // Without ranks the estimate is what there is, and the panel says so.
      const counts = await countAll(count, textsToCount(whole)).catch(() => undefined);
      if (isWanted && counts) setCounted({ of: whole, counts });
    };
    void refine();
    return () => {
      isWanted = false;
    };
  }, [whole, count, known]);
  return known ?? (counted && counted.of === whole ? counted.counts : undefined);
};

type Measured = { readonly sizes: SegmentSizes; readonly tokens: readonly number[] };

/** As the forecast counts them; nothing while they are being counted. */
const useMeasured = (
  store: SessionStore,
  whole: BodySegments | undefined,
  model: string,
  count: CountTokens | undefined,
): Measured | undefined => {
  const counts = useCounts(whole, count);
  // A bill may have come.
  const revision = useSessions(store, (state) => state.revision);
  return useMemo(() => {
    if (!whole || !counts || revision < 0) return undefined;
    const tokens = countedBlocks(whole, counts, model);
    return { tokens, sizes: segmentSizes(whole, counts, store.sizes(whole.request, tokens)) };
  }, [store, whole, counts, model, revision]);
};

type Facts = Omit<Parameters<typeof prefixView>[0], 'segments' | 'sizes'>;

const shownPrefix = (whole: BodySegments, measured: Measured | undefined, facts: Facts): ShownPrefix => {
  const sizes = measured?.sizes;
  return { whole, model: facts.model, sizes, view: prefixView({ ...facts, segments: whole.segments, sizes }) };
};

/** One request of the session. */
export const useRequestPrefix = (
  store: SessionStore,
  call: CallState | undefined,
  count: CountTokens | undefined,
  withoutMessages = false,
): ShownPrefix | undefined => {
  useSessions(store, ({ revision }) => revision);
  const whole = call && bodiesOf(store)?.segments(call.requestId);
  const measured = useMeasured(store, whole, call?.model ?? '', count);
  const padding = store.state()?.config?.padding;
  const { usage, predicted, model = '' } = call ?? {};
  return useMemo(
    () => whole && shownPrefix(whole, measured, { model, padding, predicted, usage, withoutMessages }),
    [whole, model, measured, padding, predicted, usage, withoutMessages],
  );
};

type LoadedPreview = {
  /** What it was asked with. */
  readonly of: object;
  readonly preview?: SessionPreview;
  readonly problem?: string;
};

/** What a session that starts now would send; asked again when the settings or the folder change. */
export const usePreview = (
  store: SessionStore,
  isWanted: boolean,
  folderVersion: number | string | undefined,
): { readonly preview: SessionPreview | undefined; readonly problem: string | undefined } => {
  const next = useSessions(store, (state) => state.next);
  const typed = useSessions(store, (state) => state.typed);
  const [loaded, setLoaded] = useState<LoadedPreview>();
  const question = useMemo(() => ({ next, typed, folderVersion }), [next, typed, folderVersion]);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    const load = async (): Promise<void> => {
      try {
        const preview = await store.preview();
        if (isCurrent) setLoaded({ of: question, preview });
      } catch (thrown) {
        const problem = errorMessage(thrown);
        if (isCurrent) setLoaded({ of: question, problem });
      }
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [store, isWanted, question]);
  return { preview: loaded?.preview, problem: loaded?.of === question ? loaded.problem : undefined };
};

/** What a session that starts now would send, with what its first request would read and write. */
export const usePreviewPrefix = (
  store: SessionStore,
  preview: SessionPreview | undefined,
  count: CountTokens | undefined,
): ShownPrefix | undefined => {
  const whole = useMemo(() => {
    if (!preview) return undefined;
    const { planned, body, wire } = preview;
    const read = segmentsOfBody(body, wire, { tools: planned.tools, stable: planned.prompt.segments });
    return read.ok ? read.value : undefined;
  }, [preview]);
  const settings = preview?.settings;
  const model = settings?.model ?? '';
  const measured = useMeasured(store, whole, model, count);
  const padding = preview?.planned.prompt.target.policy;
  return useMemo(() => {
    if (!whole || !settings) return undefined;
    const expected = measured && store.expected(settings, whole.request, measured.tokens);
    return shownPrefix(whole, measured, {
      model,
      padding,
      predicted: expected && { ...expected.usage, breakpoints: expected.breakpoints },
    });
  }, [store, whole, settings, model, measured, padding]);
};
