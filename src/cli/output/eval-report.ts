/** The results of `lathe eval` for people, machines, JUnit, and GitHub. */
import { plural } from '../../base/text.ts';
import type { EvalReport, QueryReport } from '../../model/evals/report.ts';
import type { ClientId } from '../../model/clients/types.ts';
import type { EffectVerdict, ListingEffect, Standing } from '../../model/evals/listing-effect.ts';
import { exactInterval, type Count, type Rate } from '../../model/evals/statistics/rates.ts';
import { rateWords } from '../../model/evals/words.ts';
import { visible, type Paint } from './terminal-text.ts';
import { jsonDocument } from './json-document.ts';

export interface SuiteReport {
  readonly file: string;
  readonly skill: string | undefined;
  readonly report: EvalReport;
  readonly threshold: number;
  /** Whose picks these are. */
  readonly by: string;
  /** Why it ended early; nothing where it is complete. */
  readonly stopped?: string;
  /** What the listing of an agent did; absent under Lathe's own. */
  readonly agent?: {
    readonly client: ClientId;
    readonly label: string;
    /** Whether the wording is the agent's own. */
    readonly isExact: boolean;
    readonly unlisted: readonly (Standing & { readonly skill: string })[];
    readonly effects: readonly ListingEffect[];
  };
}

export const byWords = (provider: string, model: string, isNoisy: boolean): string =>
  provider === 'simulator'
    ? `the simulator, by word overlap${isNoisy ? ' with seeded noise' : ''}, not a model`
    : `${model} (${provider})`;

const percent = (value: number): string => `${Math.round(value * 100)}%`;

const expectation = ({ query: { expect, all, forbid } }: QueryReport): string => {
  const wanted = expect === undefined ? '' : expect.length === 0 ? 'no skill' : expect.join(all ? ' and ' : ' or ');
  return [wanted, ...(forbid.length > 0 ? [`not ${forbid.join(', ')}`] : [])].filter((part) => part !== '').join('; ');
};

const picked = ({ picks, none }: QueryReport): string =>
  [...picks.map(({ skill, hits }) => `${skill} ${hits}`), ...(none > 0 ? [`no skill ${none}`] : [])].join(', ');

/** The interval above speaks of queries like these; a threshold is for these queries. */
const proofWords = ({ report: { overall }, threshold }: SuiteReport): string => {
  if (overall.right.runs === 0) return 'No run was judged.';
  const { low, high } = exactInterval(overall.right);
  const range = `exactly ${percent(low)}–${percent(high)} for these queries`;
  return overall.proof === 'undecided'
    ? `Can't tell whether the rate is below ${percent(threshold)} (${range}). More runs would show it.`
    : `Proven ${overall.proof} ${percent(threshold)} (${range}).`;
};

const EFFECTS: Readonly<Record<EffectVerdict, string>> = {
  lost: 'lost to the listing',
  gained: 'picked more under the listing',
  same: 'no difference seen',
  'cannot-tell': 'cannot tell',
};

const effectWords = ({ skill, reason, whole, listed, wholeRate, listedRate, verdict }: ListingEffect): string =>
  `${visible(skill)}: whole listing ${whole.hits} of ${whole.runs}, ${rateWords(wholeRate)}; this listing ${listed.hits} of ${listed.runs}, ${rateWords(listedRate)}: ${EFFECTS[verdict]}. ${visible(reason)}`;

const agentLines = ({ agent }: SuiteReport, paint: Paint): readonly string[] => {
  if (!agent) return [];
  const { label, isExact, effects, unlisted } = agent;
  const lost = effects.filter(({ verdict }) => verdict === 'lost').length;
  const answer =
    effects.length === 0
      ? `  Under ${label}’s listing; its budget cuts no text that these queries need.`
      : lost > 0
        ? paint.red(
            `  Under ${label}’s listing, ${plural(lost, 'query', 'queries')} lost the skill that the whole listing picks.`,
          )
        : `  Under ${label}’s listing. Whether its cuts change what is picked: see below.`;
  return [
    answer,
    ...(isExact ? [] : [paint.yellow(`  ${label}’s wording is known only in part.`)]),
    ...unlisted.map(({ skill, reason }) => paint.yellow(`  ${visible(skill)} is not in it. ${visible(reason)}`)),
  ];
};

export const humanEval = (suite: SuiteReport, paint: Paint): string => {
  const { overall, queries, usd, missing } = suite.report;
  const lines = [
    paint.bold(
      `${visible(suite.file)}: right in ${overall.right.hits} of ${plural(overall.right.runs, 'run')}, ${rateWords(overall.rate)}`,
    ),
    `  Picked by ${visible(suite.by)}.`,
    `  ${proofWords(suite)} ${usd === undefined ? 'Cost unknown.' : `Cost $${usd.toFixed(4)}.`}`,
  ];
  lines.push(...agentLines(suite, paint));
  if (suite.stopped !== undefined) lines.push(paint.yellow(`  ${suite.stopped} ${plural(missing, 'case')} not run.`));
  for (const row of queries) {
    const { query, right, undecided, cannotTell } = row;
    const mark =
      right === undefined ? ' ' : right.hits === right.runs && !cannotTell ? paint.green('✓') : paint.red('×');
    lines.push(
      `  ${mark} ${rateWords(row.rate).padEnd(16)} ${visible(query.query.replace(/\s+/g, ' ').slice(0, 90))}`,
      paint.dim(`      expected ${visible(expectation(row))}; picked ${visible(picked(row)) || 'nothing'}`),
    );
    for (const effect of suite.agent?.effects ?? [])
      if (effect.query.id === query.id) lines.push(`      ${effectWords(effect)}`);
    if (undecided > 0)
      lines.push(
        paint.yellow(`      ${plural(undecided, 'run')} refused, cut, or failed${cannotTell ? ': cannot tell' : ''}`),
      );
  }
  return `${lines.join('\n')}\n`;
};

const sideJson = ({ hits, runs }: Count, rate: Rate | undefined) => ({
  picked: hits,
  runs,
  rate: rate?.rate ?? null,
  low: rate?.low ?? null,
  high: rate?.high ?? null,
});

export const evalJson = (suites: readonly SuiteReport[], log: readonly unknown[]): string => {
  const cases = suites.flatMap(({ file, skill, report }) =>
    report.queries.map(({ query, picks, runs, right, rate, undecided, cannotTell, none }) => ({
      suite: file,
      skill: skill ?? null,
      id: query.id,
      query: query.query,
      expected: query.expect ?? null,
      forbidden: query.forbid,
      runs,
      right: right?.hits ?? null,
      rate: rate?.rate ?? null,
      low: rate?.low ?? null,
      high: rate?.high ?? null,
      picked: Object.fromEntries(picks.map(({ skill: name, hits }) => [name, hits])),
      none,
      undecided,
      cannot_tell: cannotTell,
    })),
  );
  const rates = suites.flatMap(({ report }) =>
    report.queries.flatMap(({ query, picks }) =>
      picks.map(({ skill, hits, runs, rate }) => ({
        query: query.id,
        skill,
        runs,
        picked: hits,
        rate: rate?.rate ?? null,
        low: rate?.low ?? null,
        high: rate?.high ?? null,
      })),
    ),
  );
  const summaries = suites.map(({ file, report: { overall, usd, missing }, threshold, by, stopped, agent }) => ({
    suite: file,
    picked_by: by,
    listing: agent?.client ?? null,
    unlisted: agent?.unlisted.map(({ skill, state, reason }) => ({ skill, state, reason })) ?? [],
    listing_effects:
      agent?.effects.map(({ query, skill, state, reason, whole, listed, wholeRate, listedRate, verdict }) => ({
        query: query.id,
        skill,
        state,
        reason,
        verdict,
        whole: sideJson(whole, wholeRate),
        listed: sideJson(listed, listedRate),
      })) ?? [],
    runs: overall.right.runs,
    right: overall.right.hits,
    rate: overall.rate?.rate ?? null,
    low: overall.rate?.low ?? null,
    high: overall.rate?.high ?? null,
    threshold,
    proof: overall.proof,
    cost_usd: usd === undefined ? null : Math.round(usd * 1e8) / 1e8,
    missing,
    stopped: stopped ?? null,
  }));
  return jsonDocument({ cases, rates, suites: summaries, comparison: null, log });
};

/** What XML 1.0 cannot hold is left out. */
const xml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- the control characters that XML forbids
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const isBelow = ({ rate, cannotTell }: QueryReport, threshold: number): boolean =>
  rate !== undefined && !cannotTell && rate.high < threshold;

export const junitEval = (suites: readonly SuiteReport[]): string => {
  const parts = suites.map(({ file, report: { queries }, threshold }) => {
    const rows = queries.map((row) => {
      const { query, rate, cannotTell, runs } = row;
      const isUnclear = rate === undefined || cannotTell || (rate.low < threshold && rate.high >= threshold);
      const verdict = isBelow(row, threshold)
        ? `<failure message="${xml(`right in ${rateWords(rate)}; expected ${expectation(row)}; picked ${picked(row)}`)}"/>`
        : isUnclear
          ? `<skipped message="${xml(`cannot tell: ${rateWords(rate)} in ${plural(runs, 'run')}`)}"/>`
          : '';
      const values = { runs, rate: rate?.rate, low: rate?.low, high: rate?.high };
      const properties = Object.entries(values)
        .map(([name, value]) => `<property name="${name}" value="${value ?? 'unknown'}"/>`)
        .join('');
      return {
        isFailure: isBelow(row, threshold),
        isUnclear,
        text: `    <testcase classname="${xml(file)}" name="${xml(query.query)}" time="0"><properties>${properties}</properties>${verdict}</testcase>`,
      };
    });
    const failures = rows.filter(({ isFailure }) => isFailure).length;
    const skipped = rows.filter(({ isFailure, isUnclear }) => !isFailure && isUnclear).length;
    return `  <testsuite name="${xml(file)}" tests="${rows.length}" failures="${failures}" errors="0" skipped="${skipped}" time="0">\n${rows.map(({ text }) => text).join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${parts.join('\n')}\n</testsuites>\n`;
};

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Worst first, because GitHub shows about ten of a step. */
export const githubEval = (suites: readonly SuiteReport[]): string =>
  suites
    .flatMap(({ file, report: { queries }, threshold }) =>
      queries
        .filter((row) => isBelow(row, threshold))
        .map(
          (row) =>
            `::error file=${property(file)},line=${row.query.line},title=${property('Not picked as expected')}::${escaped(`Right in ${rateWords(row.rate)}. Expected ${expectation(row)}, picked ${picked(row)}: ${row.query.query}`)}\n`,
        ),
    )
    .join('');
