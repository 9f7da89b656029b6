/** Verdicts on recorded requests, for people and for programs. */
import { money as figure } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import type { Verdict, VerdictKind } from '../../model/cache/explain/types.ts';
import { verdictWords } from '../../model/event/verdict-words.ts';
import type { Call } from '../../model/traffic/call.ts';
import type { Explained } from '../../model/traffic/explainer.ts';
import { type Paint, visible } from './terminal-text.ts';

/** Causes that say nothing against a request of which no usage is known. */
const NEUTRAL: ReadonlySet<Verdict['cause']> = new Set(['hit', 'chain-start', 'compaction', 'not-recorded']);

export const isProblem = ({ kind, cause }: Verdict): boolean =>
  kind === 'miss' || kind === 'waste' || (kind === 'unknown' && !NEUTRAL.has(cause));

export const summaryOf = (verdicts: readonly Verdict[]) => {
  const lost = verdicts.filter(({ kind }) => kind === 'miss' || kind === 'waste');
  const costs = lost.map(({ costLost }) => costLost);
  const count = (kind: VerdictKind): number => verdicts.filter((verdict) => verdict.kind === kind).length;
  return {
    requests: verdicts.length,
    hits: count('hit'),
    starts: count('start'),
    misses: count('miss'),
    wastes: count('waste'),
    unknown: count('unknown'),
    tokens: lost.reduce((sum, { tokensLost }) => sum + tokensLost, 0),
    cost: costs.includes(undefined) ? null : costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0),
  };
};

const money = (usd: number | null | undefined): string => (usd == null ? 'price unknown' : figure(usd));

export const summaryText = (summary: ReturnType<typeof summaryOf>): string => {
  const kinds = [
    plural(summary.hits, 'hit'),
    plural(summary.starts, 'start'),
    plural(summary.misses, 'miss', 'misses'),
    ...(summary.wastes > 0 ? [`${summary.wastes} wasted`] : []),
    ...(summary.unknown > 0 ? [`${summary.unknown} unknown`] : []),
  ];
  return `${plural(summary.requests, 'request')}: ${kinds.join(', ')}; ${plural(summary.tokens, 'token')} lost, ${money(summary.cost)}`;
};

export const machineVerdict = ({ call, chain, verdict }: Explained): unknown => {
  const { kind, cause, partial, position, evidence, providerSaid, usageSays, tokensLost, costLost, repair, certainty } =
    verdict;
  const compared: Call | null = verdict.comparedWith;
  return {
    file: call.source?.file ?? null,
    line: call.source?.line ?? null,
    id: call.id ?? null,
    kind,
    cause,
    chain: { id: chain.id, kind: chain.kind, parent: chain.parent ?? null },
    partial,
    position,
    evidence,
    provider_said: providerSaid,
    usage_says: usageSays,
    tokens: tokensLost,
    cost: costLost ?? null,
    repair,
    certainty,
    body: call.known ?? 'exact',
    previous_file: compared?.source?.file ?? null,
    previous_line: compared?.source?.line ?? null,
  };
};

const paintKind = (paint: Paint, kind: VerdictKind, text: string): string => {
  if (kind === 'miss') return paint.red(text);
  if (kind === 'waste') return paint.yellow(text);
  return kind === 'unknown' ? paint.dim(text) : paint.green(text);
};

const placeText = ({ label, path, offset, segment }: NonNullable<Verdict['position']>): string => {
  if (!segment) return `at ${visible(label)}${path === '' ? '' : ` ${visible(path)}`}, character ${offset}`;
  const file =
    segment.file === undefined
      ? ''
      : ` (${visible(segment.file)}${segment.line === undefined ? '' : `:${segment.line}`})`;
  return `at ${visible(segment.name)}${file}`;
};

export const humanVerdict = ({ call, chain, verdict }: Explained, paint: Paint, hasFiles: boolean): string => {
  const { kind, cause, partial, position, evidence, usageSays, tokensLost, costLost, repair, certainty } = verdict;
  const where = (item: Call): string =>
    `${hasFiles ? `${visible(item.source?.file ?? '')}:` : ''}${item.source?.line ?? ''}`;
  const name = paintKind(paint, kind, `${verdictWords(cause, position?.label).title}${partial ? ' (partial)' : ''}`);
  const compared: Call | null = verdict.comparedWith;
  const notes = [
    ...(certainty === 'likely' ? [' (likely)'] : []),
    ...(chain.kind === 'main' ? [] : [`  ${chain.kind}`]),
  ].join('');
  const lines = [
    `${paint.bold(`${where(call)}  ${visible(call.model)}`)}  ${name}${paint.dim(notes)}${position ? `  ${placeText(position)}` : ''}${compared ? paint.dim(`  against ${where(compared)}`) : ''}`,
    ...(position && position.before !== position.after
      ? [`    ${paint.red(`- ${visible(position.before)}`)}`, `    ${paint.green(`+ ${visible(position.after)}`)}`]
      : []),
    ...evidence.map((line) => `    ${visible(line)}`),
    ...(usageSays === null ? [] : [`    ${paint.dim(`Usage: ${usageSays}`)}`]),
    ...(tokensLost > 0
      ? [`    ${kind === 'waste' ? 'Wasted' : 'Lost'}: ${plural(tokensLost, 'token')}, ${money(costLost)}.`]
      : []),
    ...(repair === '' ? [] : [`    ${paint.green('Repair:')} ${visible(repair)}`]),
  ];
  return lines.join('\n');
};
