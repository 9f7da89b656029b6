import { useEffect, useMemo, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { NOTHING_KNOWN, segmentsOfBody, type BodySegments } from '../../model/instruments/body-segments.ts';
import { calibrate, prefixView, type Calibration, type PrefixView } from '../../model/instruments/prefix-view.ts';
import { previewBody } from '../../model/instruments/preview-body.ts';
import type { CallState } from '../../model/session/state.ts';
import type { Usage } from '../../model/provider/types.ts';
import type { SessionPreview, SessionStore } from '../../stores/session-types.ts';
import { bodiesOf, useSessions } from '../instruments/use-session.ts';

/** Counts texts as o200k does; the ranks may load at the first call. */
export type CountTokens = (texts: readonly string[]) => Promise<readonly number[]>;

/** A request as the panel shows it. */
export type ShownPrefix = {
  readonly whole: BodySegments;
  readonly view: PrefixView;
  /** Of every segment of the whole, where they were counted. */
  readonly tokens: readonly number[] | undefined;
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

/** Refines the figures once they are counted; until then the estimate stands. */
const useCounts = (whole: BodySegments | undefined, count: CountTokens | undefined): readonly number[] | undefined => {
  const [counted, setCounted] = useState<{ readonly of: BodySegments; readonly counts: readonly number[] }>();
  // What was counted for another request is there at once: nothing jumps.
  const known = useMemo(
    () =>
      whole && count
        ? knownCounts(
            count,
            whole.segments.map(({ text }) => text),
          )
        : undefined,
    [whole, count],
  );
  useEffect(() => {
    if (!whole || !count || known) return undefined;
    let isWanted = true;
    const refine = async (): Promise<void> => {
      const texts = whole.segments.map(({ text }) => text);
      // Without ranks the estimate is what there is, and the panel says so.
      const counts = await countAll(count, texts).catch(() => undefined);
      if (isWanted && counts) setCounted({ of: whole, counts });
    };
    void refine();
    return () => {
      isWanted = false;
    };
  }, [whole, count, known]);
  return known ?? (counted && counted.of === whole ? counted.counts : undefined);
};

const useCalibration = (
  whole: BodySegments | undefined,
  model: string,
  usage: Usage | undefined,
  count: CountTokens | undefined,
): Calibration | undefined => {
  const counts = useCounts(whole, count);
  return useMemo(() => (counts ? calibrate(counts, model, usage) : undefined), [counts, model, usage]);
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
  const calibration = useCalibration(whole, call?.model ?? '', call?.usage, count);
  const padding = store.state()?.config?.padding;
  const { usage, predicted, model = '' } = call ?? {};
  return useMemo(
    () =>
      whole && {
        whole,
        model,
        tokens: calibration?.tokens,
        view: prefixView({ segments: whole.segments, model, calibration, padding, predicted, usage, withoutMessages }),
      },
    [whole, model, calibration, padding, predicted, usage, withoutMessages],
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
  const [loaded, setLoaded] = useState<LoadedPreview>();
  const question = useMemo(() => ({ next, folderVersion }), [next, folderVersion]);
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

export const usePreviewPrefix = (
  preview: SessionPreview | undefined,
  count: CountTokens | undefined,
): ShownPrefix | undefined => {
  const whole = useMemo(() => {
    if (!preview) return undefined;
    const { planned, settings, volatile } = preview;
    const { tools, prompt } = planned;
    const { body, wire } = previewBody({
      settings,
      tools,
      stable: prompt.text,
      volatile: volatile.map(({ text }) => text).join(''),
    });
    const read = segmentsOfBody(body, wire, { ...NOTHING_KNOWN, tools, stable: prompt.segments });
    return read.ok ? read.value : undefined;
  }, [preview]);
  const model = preview?.settings.model ?? '';
  const calibration = useCalibration(whole, model, undefined, count);
  const padding = preview?.planned.prompt.target.policy;
  return useMemo(
    () =>
      whole && {
        whole,
        model,
        tokens: calibration?.tokens,
        view: prefixView({ segments: whole.segments, model, calibration, padding }),
      },
    [whole, model, calibration, padding],
  );
};
