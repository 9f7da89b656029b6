/** A recording under another policy, for people and for programs. */
import { groupDigits, plural } from '../../base/text.ts';
import { dollars } from '../../model/cache/forecast-words.ts';
import type { Advice } from '../../model/whatif/advice.ts';
import type { Movable } from '../../model/whatif/move.ts';
import type { Plan } from '../../model/whatif/planner.ts';
import type { SwitchSaving } from '../../model/whatif/switches.ts';
import type { Placement, Tokens, WhatIf } from '../../model/whatif/types.ts';
import { isOther } from '../../model/whatif/difference.ts';
import { type Paint, visible } from './terminal-text.ts';

export interface ToldWhatIf {
  readonly result: WhatIf;
  readonly switches: readonly SwitchSaving[];
  readonly plan: Plan | undefined;
  readonly advice: readonly Advice[];
  readonly movable: readonly Movable[];
}

const figures = (tokens: Tokens | undefined) =>
  tokens
    ? {
        read: tokens.read,
        written: tokens.written,
        uncached: tokens.uncached,
        output: tokens.output,
        usd: tokens.usd ?? null,
      }
    : null;

export const machineWhatIf = ({ result, switches, plan, advice, movable }: ToldWhatIf) => ({
  recorded: figures(result.recorded),
  forecast: figures(result.forecast),
  range: result.range ?? null,
  requests: result.requests.map(({ recorded, forecast, isKept }) => ({
    recorded: figures(recorded),
    forecast: figures(forecast),
    kept: isKept,
  })),
  policy: result.policy,
  switches: switches.map(({ name, usd, moot }) => ({ name, saves_usd: usd ?? null, moot: moot ?? null })),
  plan: plan ? { breakpoints: plan.breakpoints, saves_usd: plan.saves, is_recorded: plan.isRecorded } : null,
  paste: advice,
  movable,
  notes: result.notes,
  refused: result.faults,
});

const money = (usd: number | undefined): string =>
  usd === undefined ? 'price unknown' : usd === 0 ? '$0' : dollars(usd);

const tokensLine = (name: string, tokens: Tokens): string =>
  `${name}  ${money(tokens.usd)}: ${groupDigits(tokens.read)} read, ${groupDigits(tokens.written)} written, ${groupDigits(tokens.uncached)} uncached, ${groupDigits(tokens.output)} output`;

const saved = (usd: number | undefined): string => {
  if (usd === undefined) return 'saving unknown';
  if (Math.abs(usd) < 1e-9) return 'saves nothing';
  return `${usd > 0 ? 'saves' : 'costs'} ${dollars(usd)}${usd > 0 ? '' : ' more'}`;
};

const placesText = (places: readonly Placement[]): string =>
  places.length === 0
    ? 'none'
    : places.map(({ at, ttl }) => `${visible(at)}${ttl === undefined ? '' : ` (${ttl})`}`).join(', ');

export const humanWhatIf = ({ result, switches, plan, advice, movable }: ToldWhatIf, paint: Paint): string => {
  const { recorded, forecast, range } = result;
  const difference = recorded.usd === undefined || forecast.usd === undefined ? undefined : recorded.usd - forecast.usd;
  const isRange = range !== undefined && range.high - range.low > 0.00005;
  const changed = result.requests.filter(isOther).length;
  return [
    paint.bold(
      `It ${difference !== undefined && difference > 1e-9 ? 'would have saved' : difference !== undefined && difference < -1e-9 ? 'would have cost' : 'would have changed nothing:'} ${difference === undefined ? 'an unknown amount' : `${money(Math.abs(difference))}${difference < -1e-9 ? ' more' : ''}`}`,
    ),
    tokensLine('Recorded', recorded),
    `${tokensLine('Forecast', forecast)}${isRange ? ` (between ${dollars(range.low)} and ${dollars(range.high)})` : ''}`,
    `${plural(changed, 'request')} of ${result.requests.length} would have been different`,
    ...(plan
      ? [
          plan.isRecorded
            ? 'Best breakpoints: the recorded ones.'
            : `Best breakpoints: ${placesText(plan.breakpoints)}. They save ${dollars(plan.saves)}.`,
        ]
      : []),
    ...(switches.length > 1 || switches.some(({ moot }) => moot !== undefined)
      ? [
          '',
          paint.bold('Each switch, given the others'),
          ...switches.map(({ name, usd, moot }) => `  ${name}: ${moot ?? saved(usd)}`),
        ]
      : []),
    ...(advice.length > 0
      ? [
          '',
          paint.bold('To change it'),
          ...advice.flatMap(({ about, paste }) => [
            `  ${visible(about)}`,
            ...(paste === undefined ? [] : [`    ${paint.green(visible(paste))}`]),
          ]),
        ]
      : []),
    ...(movable.length > 0 && result.policy.move === undefined
      ? [
          '',
          `Changing values that --move can take out of the system prompt: ${movable.map(({ label }) => visible(label)).join(', ')}`,
        ]
      : []),
    ...(result.faults.length > 0
      ? ['', paint.red('The provider refuses this:'), ...result.faults.map((fault) => `  ${visible(fault)}`)]
      : []),
    ...result.notes.map((note) => paint.dim(note)),
  ].join('\n');
};
