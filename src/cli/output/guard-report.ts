/** What `lathe guard` found, for people and for programs. */
import { money as figure } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import { verdictWords } from '../../model/event/verdict-words.ts';
import type { Compared, Drift } from '../../model/guard/drift.ts';
import type { CachedPrefix } from '../../model/guard/prefix.ts';
import { type Paint, visible } from './terminal-text.ts';

const machinePrefix = ({ model, wire, parts }: CachedPrefix): Readonly<Record<string, unknown>> => ({
  model,
  wire,
  parts: parts.map(({ at }) => at),
});

const machineDrift = ({ current, difference, verdict }: Drift): Readonly<Record<string, unknown>> => ({
  state: 'drifted',
  ...machinePrefix(current),
  at: difference.at,
  before: difference.before,
  after: difference.after,
  verdict: {
    kind: verdict.kind,
    cause: verdict.cause,
    position: verdict.position,
    evidence: verdict.evidence,
    tokens: verdict.tokensLost,
    cost: verdict.costLost ?? null,
    repair: verdict.repair,
    certainty: verdict.certainty,
  },
});

export const machinePrefixes = ({ same, drifted, added, unused }: Compared): readonly unknown[] => [
  ...same.map((prefix) => ({ state: 'same', ...machinePrefix(prefix) })),
  ...drifted.map(machineDrift),
  ...added.map((prefix) => ({ state: 'new', ...machinePrefix(prefix) })),
  ...unused.map((prefix) => ({ state: 'unused', ...machinePrefix(prefix) })),
];

/** Of one prefix, without a line end. */
export const humanDrift = ({ current, difference, verdict }: Drift, paint: Paint): string => {
  const isLoss = verdict.kind === 'miss' || verdict.kind === 'waste';
  const title = isLoss ? verdictWords(verdict.cause, verdict.position?.label).title : 'Prefix changed';
  const price = verdict.costLost === undefined ? 'price unknown' : figure(verdict.costLost);
  const lines = [
    `${paint.bold(visible(current.model))}  ${paint.red(title)}  at ${visible(difference.at)}`,
    `    ${paint.red(`- ${visible(difference.before)}`)}`,
    `    ${paint.green(`+ ${visible(difference.after)}`)}`,
    ...(isLoss ? verdict.evidence : ['None of it was cached, so the change costs nothing now.']).map(
      (line) => `    ${visible(line)}`,
    ),
    ...(verdict.tokensLost > 0
      ? [`    Lost: ${plural(verdict.tokensLost, 'token')}, ${price} for each open conversation.`]
      : []),
    ...(isLoss && verdict.repair !== '' ? [`    ${paint.green('Repair:')} ${visible(verdict.repair)}`] : []),
  ];
  return lines.join('\n');
};

export const humanAdded = (prefix: CachedPrefix, file: string, paint: Paint): string =>
  `${paint.bold(visible(prefix.model))}  ${paint.red('New prefix')}  ${plural(prefix.parts.length, 'part')}, not in ${file}`;
