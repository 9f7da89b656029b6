/** The results of `lathe eval` for people. */
import { percent } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import type { EvalReport, QueryReport } from '../../model/evals/report.ts';
import type { ClientId } from '../../model/clients/types.ts';
import type { EffectVerdict, ListingEffect, Standing } from '../../model/evals/listing-effect.ts';
import { exactInterval } from '../../model/evals/statistics/rates.ts';
import { skillReports, type SkillReport } from '../../model/evals/skill-report.ts';
import { rateWords } from '../../model/evals/words.ts';
import { visible, type Paint } from './terminal-text.ts';

/** In USD; nothing where a price or a usage is unknown. */
export interface Bill {
  /** Of the prompts, before the run. */
  readonly estimated: number | undefined;
  /** Of the prompts, as they were billed. */
  readonly prompts: number | undefined;
  /** With what the model said. */
  readonly billed: number | undefined;
}

export const sumBills = (bills: readonly Bill[]): Bill => {
  const sum = (of: keyof Bill): number | undefined =>
    bills.reduce<number | undefined>((total, bill) => {
      const one = bill[of];
      return total === undefined || one === undefined ? undefined : total + one;
    }, 0);
  return { estimated: sum('estimated'), prompts: sum('prompts'), billed: sum('billed') };
};

export interface SuiteReport {
  /** Below the folder that was named. */
  readonly file: string;
  /** From where the command was run, as GitHub finds it. */
  readonly path: string;
  readonly skill: string | undefined;
  readonly report: EvalReport;
  readonly threshold: number;
  /** Whose picks these are. */
  readonly by: string;
  /** Of this call; absent where results were only read. */
  readonly bill?: Bill;
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

export const expectation = ({ query: { expect, all, forbid } }: QueryReport): string => {
  const wanted = expect === undefined ? '' : expect.length === 0 ? 'no skill' : expect.join(all ? ' and ' : ' or ');
  return [wanted, ...(forbid.length > 0 ? [`not ${forbid.join(', ')}`] : [])].filter((part) => part !== '').join('; ');
};

export const picked = ({ picks, none }: QueryReport): string =>
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

const skillWords = ({ skill, recall, precision, mistaken }: SkillReport): string => {
  const parts = [
    `recall ${rateWords(recall.rate, 'not expected')}`,
    `precision ${rateWords(precision.rate, 'not picked')}`,
    ...(mistaken.length > 0
      ? [`instead ${mistaken.map(({ skill: other, hits }) => `${other ?? 'no skill'} ${hits}`).join(', ')}`]
      : []),
  ];
  return `    ${visible(skill)}: ${visible(parts.join('; '))}`;
};

const MOST_SKILLS = 20;

const skillLines = ({ report }: SuiteReport): readonly string[] => {
  const skills = skillReports(report);
  const more = skills.length - MOST_SKILLS;
  return skills.length === 0
    ? []
    : [
        '  By skill:',
        ...skills.slice(0, MOST_SKILLS).map(skillWords),
        ...(more > 0 ? [`    and ${plural(more, 'more skill')}`] : []),
      ];
};

export const humanEval = (suite: SuiteReport, paint: Paint): string => {
  const { overall, queries, usd, missing } = suite.report;
  const lines = [
    paint.bold(
      `${visible(suite.file)}: right in ${overall.right.hits} of ${plural(overall.right.runs, 'run')}, ${rateWords(overall.rate, 'not judged')}`,
    ),
    `  Picked by ${visible(suite.by)}.`,
    `  ${proofWords(suite)} ${usd === undefined ? 'Cost unknown.' : `Cost $${usd.toFixed(4)}.`}`,
  ];
  // Where every repeat went the same way, the floor says nothing.
  if (overall.floor !== undefined && overall.floor > 0)
    lines.push(`  Two runs of the same descriptions differ by up to ${percent(overall.floor)}.`);
  lines.push(...agentLines(suite, paint), ...skillLines(suite));
  if (suite.stopped !== undefined) lines.push(paint.yellow(`  ${suite.stopped} ${plural(missing, 'case')} not run.`));
  for (const row of queries) {
    const { query, right, undecided, cannotTell } = row;
    const mark =
      right === undefined || right.runs === 0
        ? ' '
        : right.hits === right.runs && !cannotTell
          ? paint.green('✓')
          : paint.red('×');
    lines.push(
      `  ${mark} ${rateWords(row.rate, row.runs === 0 ? 'not run' : 'not judged').padEnd(16)} ${visible(query.query.replace(/\s+/g, ' ').slice(0, 90))}`,
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
