/** A recording under another policy: what it would have read, written, and cost (WIF1 to WIF3, WIF11 to WIF13). */
import { costOf } from '../provider/cost.ts';
import { modelFacts } from '../provider/model-book.ts';
import { type Usage, writtenTokens } from '../provider/types.ts';
import type { Prediction } from '../cache/types.ts';
import { withBreakpoints } from './markers.ts';
import { withMoved } from './move.ts';
import { withPadding } from './padding.ts';
import type { Prepared } from './prepare.ts';
import { runSteps } from './run.ts';
import { withSchedule } from './schedule.ts';
import { withTools } from './tools.ts';
import type { ForecastRow, Policy, Step, Tokens, Totals, WhatIf } from './types.ts';

const withModel = (steps: readonly Step[], model: string | undefined): readonly Step[] =>
  model === undefined ? steps : steps.map((step) => ({ ...step, request: { ...step.request, model } }));

/** Share of the prompt's price that a forecast for another model may be off by: its tokenizer is only known roughly. */
const MODEL_ERROR = 0.15;

const isMarked = ({ request }: Step, book: Prepared['book']): boolean =>
  modelFacts(request.model, book).caching === 'anthropic';

/** The requests as they would have been sent. Strings that nobody has counted are collected in `missing`. */
const applyPolicy = (
  { steps, book }: Pick<Prepared, 'steps' | 'book'>,
  policy: Policy,
  count: (text: string) => number,
): readonly Step[] => {
  let changed = withModel(steps, policy.model);
  changed = withTools(changed, policy.tools);
  changed = withMoved(changed, policy.move, count);
  changed = withPadding(changed, policy.padding, count, book);
  changed = withBreakpoints(changed, policy, (step) => isMarked(step, book));
  return withSchedule(changed, policy.subAgents);
};

/** Counts of strings that policies add; each string is counted once. */
const COUNTS = new WeakMap<Prepared, Map<string, number>>();

/** Steps under a policy; asks the tokenizer for strings that no request of the recording has. */
export const stepsUnder = async (prepared: Prepared, policy: Policy): Promise<readonly Step[]> => {
  const counts = COUNTS.get(prepared) ?? new Map<string, number>();
  COUNTS.set(prepared, counts);
  const missing = new Set<string>();
  const count = (text: string): number => {
    const known = counts.get(text);
    if (known === undefined) missing.add(text);
    return known ?? 0;
  };
  const steps = applyPolicy(prepared, policy, count);
  if (missing.size === 0) return steps;
  const texts = [...missing];
  const found = await prepared.count(texts);
  texts.forEach((text, index) => counts.set(text, found[index] ?? 0));
  return applyPolicy(prepared, policy, count);
};

const outputOf = (step: Step, usage: Usage, book: Prepared['book']): number => {
  const [own, now] = [modelFacts(step.call.model, book), modelFacts(step.request.model, book)];
  if (own.id === now.id) return usage.output;
  const under = (factor: number): number =>
    step.answer?.reduce((sum, count) => sum + Math.ceil(count * factor), 0) ?? 0;
  const estimate = under(own.tokenFactor);
  return Math.round(
    usage.output * (estimate > 0 ? under(now.tokenFactor) / estimate : now.tokenFactor / own.tokenFactor),
  );
};

/** What the answer of a request cost beyond its first pass stays as it was. */
const forecastUsage = (step: Step, prediction: Prediction, book: Prepared['book']): Usage | undefined => {
  const whole = step.call.usage;
  if (!whole) return undefined;
  const first = step.usage ?? whole;
  const { charged: _charged, passes: _passes, reasoning: _reasoning, ...plain } = whole;
  const later = (all: number, own: number): number => Math.max(0, all - own);
  const writes: Record<string, number> = { ...prediction.usage.writes };
  for (const [ttl, tokens] of Object.entries(whole.writes)) {
    const more = later(tokens, first.writes[ttl as keyof Usage['writes']] ?? 0);
    if (more > 0) writes[ttl] = (writes[ttl] ?? 0) + more;
  }
  return {
    ...plain,
    uncached: prediction.usage.uncached + (step.tail ?? 0) + later(whole.uncached, first.uncached),
    read: prediction.usage.read + later(whole.read, first.read),
    writes,
    output: outputOf(step, whole, book),
    cacheReported: true,
  };
};

const tokensIn = (usage: Usage, model: string, book: Prepared['book']): Tokens => ({
  read: usage.read,
  written: writtenTokens(usage),
  uncached: usage.uncached,
  output: usage.output,
  usd: costOf(usage, model, book ? { book } : {}).usd,
});

const totalsOf = (rows: readonly (Tokens | undefined)[]): Totals => {
  const sum = { read: 0, written: 0, uncached: 0, output: 0, knownUsd: 0, unknown: 0 };
  let usd: number | undefined = 0;
  for (const row of rows) {
    if (row === undefined || row.usd === undefined) {
      sum.unknown++;
      usd = undefined;
    }
    if (!row) continue;
    sum.read += row.read;
    sum.written += row.written;
    sum.uncached += row.uncached;
    sum.output += row.output;
    sum.knownUsd += row.usd ?? 0;
    if (usd !== undefined && row.usd !== undefined) usd += row.usd;
  }
  return { ...sum, usd };
};

const isEmpty = (policy: Policy): boolean => Object.values(policy).every((value) => value === undefined);

type Rows = readonly ForecastRow[];

const rowsUnder = (prepared: Prepared, steps: readonly Step[], isObserved: boolean): Rows => {
  const { book } = prepared;
  const predictions = runSteps(steps, { book, isObserved });
  const byKey = new Map(steps.map((step, index) => [step.key, { step, prediction: predictions[index] }]));
  return prepared.calls.map(({ key, call }): ForecastRow => {
    const recorded = call.usage && tokensIn(call.usage, call.model, book);
    const found = byKey.get(key);
    const usage = found?.prediction && forecastUsage(found.step, found.prediction, book);
    if (!found?.prediction || !usage) return { key, recorded, forecast: recorded, isKept: true, breakpoints: [] };
    return {
      key,
      recorded,
      forecast: tokensIn(usage, found.step.request.model, book),
      isKept: false,
      breakpoints: found.prediction.breakpoints,
    };
  });
};

const usdOf = (rows: Rows): number => rows.reduce((sum, { forecast }) => sum + (forecast?.usd ?? 0), 0);

/** How far the forecast with nothing changed is from the bills: what the cache model is off by on this very recording. */
const ERRORS = new WeakMap<Prepared, number>();
const errorOf = (prepared: Prepared): number => {
  const known = ERRORS.get(prepared);
  if (known !== undefined) return known;
  const error = rowsUnder(prepared, prepared.steps, true).reduce(
    (sum, { recorded, forecast }) => sum + Math.abs((forecast?.usd ?? 0) - (recorded?.usd ?? 0)),
    0,
  );
  ERRORS.set(prepared, error);
  return error;
};

const rangeOf = (prepared: Prepared, steps: readonly Step[], rows: Rows, policy: Policy): WhatIf['range'] => {
  const usd = usdOf(rows);
  const hasFacts = steps.some(({ found, mostRead }) => found !== undefined || mostRead !== undefined);
  const without = hasFacts && !isEmpty(policy) ? usdOf(rowsUnder(prepared, steps, false)) : usd;
  const isOther =
    policy.model !== undefined &&
    steps.some(({ call, request }) => call.model !== request.model && call.provider !== 'simulator');
  const error = errorOf(prepared) + (isOther ? usd * MODEL_ERROR : 0);
  return { low: Math.max(0, Math.min(usd, without) - error), high: Math.max(usd, without) + error };
};

const notesOf = (prepared: Prepared, steps: readonly Step[], rows: Rows, policy: Policy): readonly string[] => {
  const kept = rows.filter(({ isKept, recorded }) => isKept && recorded).length;
  const silent = rows.filter(({ recorded }) => !recorded).length;
  const count = (fits: (step: Step) => boolean): number => steps.filter(fits).length;
  const requests = (n: number): string => (n === 1 ? '1 request' : `${n} requests`);
  const rebuilt = count(({ call }) => call.known === 'reconstructed');
  const found = count((step) => step.found !== undefined);
  const lost = count((step) => step.mostRead !== undefined);
  return [
    ...(kept > 0 ? [`${requests(kept)} without a known body. They keep the recorded numbers.`] : []),
    ...(silent > 0 ? [`${requests(silent)} without reported usage: not counted.`] : []),
    ...(rebuilt > 0
      ? [
          `${requests(rebuilt)} rebuilt from a transcript. Tools and system prompt are unknown, so only TTL, model, and timing can be changed.`,
        ]
      : []),
    ...(found > 0
      ? [`${requests(found)} read what something outside the recording had left. The forecast assumes the same.`]
      : []),
    ...(lost > 0
      ? [
          `${requests(lost)} read less than the bodies explain. The forecast assumes the same loss. The range includes no loss.`,
        ]
      : []),
    ...(policy.model === undefined
      ? []
      : ['Another model would say something else. The forecast assumes the same words.']),
    ...(prepared.calls.some(({ call }) => call.isTimeless === true)
      ? ['The recording has no times. The forecast assumes that no entry expires.']
      : []),
  ];
};

const faultsOf = (prepared: Prepared, steps: readonly Step[]): readonly string[] => [
  ...new Set(runSteps(steps, { book: prepared.book }).flatMap(({ faults }) => faults.map(({ message }) => message))),
];

export const whatIf = async (prepared: Prepared, policy: Policy): Promise<WhatIf> => {
  const steps = await stepsUnder(prepared, policy);
  const rows = rowsUnder(prepared, steps, true);
  // Refused requests were not billed and are not counted on either side.
  const refused = new Set(
    prepared.calls.flatMap(({ key, call }) => (call.failed === true && !call.usage ? [key] : [])),
  );
  const counted = rows.filter(({ key }) => !refused.has(key));
  return {
    policy,
    recorded: totalsOf(counted.map(({ recorded }) => recorded)),
    forecast: totalsOf(counted.map(({ forecast }) => forecast)),
    range: counted.some(({ forecast }) => forecast?.usd === undefined)
      ? undefined
      : rangeOf(prepared, steps, rows, policy),
    requests: rows,
    notes: notesOf(prepared, steps, counted, policy),
    faults: faultsOf(prepared, steps),
  };
};

/** USD of the forecast, for anyone who compares many policies; absent where it is unknown. */
export const forecastUsd = async (prepared: Prepared, policy: Policy): Promise<number | undefined> => {
  const rows = rowsUnder(prepared, await stepsUnder(prepared, policy), true);
  return rows.some(({ forecast, recorded }) => recorded && forecast?.usd === undefined) ? undefined : usdOf(rows);
};

/** USD of every request under a policy, by its key; without those whose amount is unknown. */
export const forecastAmounts = async (prepared: Prepared, policy: Policy): Promise<ReadonlyMap<string, number>> => {
  const rows = rowsUnder(prepared, await stepsUnder(prepared, policy), true);
  return new Map(
    rows.flatMap(({ key, forecast }): readonly (readonly [string, number])[] =>
      forecast?.usd === undefined ? [] : [[key, forecast.usd]],
    ),
  );
};
