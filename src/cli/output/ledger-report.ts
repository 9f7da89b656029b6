/** What recorded requests cost, for people and for programs. */
import { percent } from '../../base/figures.ts';
import { groupDigits, plural } from '../../base/text.ts';
import { dollars } from '../../model/cache/forecast-words.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import type { Ledgers, NamedLedger } from '../../model/ledger/ledger-items.ts';
import type { SkillRent } from '../../model/ledger/skill-rent.ts';
import type { CauseSum, Change, Ledger, Sum } from '../../model/ledger/types.ts';
import { type Paint, visible } from './terminal-text.ts';

/** `$1.37`; `unknown, at least $1.20` where a part is not known. */
const sumText = ({ usd, known, unknown }: Sum): string => {
  if (usd !== undefined) return usd === 0 ? '$0' : dollars(usd);
  return known > 0 ? `unknown (at least ${dollars(known)}, ${plural(unknown, 'request')} unknown)` : 'unknown';
};

const machineSum = ({ usd, known, unknown }: Sum) => ({ usd: usd ?? null, known_usd: known, unknown });
const machineCause = ({ cause, requests, tokens, avoidable }: CauseSum) => ({
  cause,
  requests,
  tokens,
  avoidable: machineSum(avoidable),
});
const machineChange = ({ place, repair, worst, ...sum }: Change) => ({
  ...machineCause(sum),
  place,
  repair,
  worst_request: Number(worst),
});

const machineLedger = (ledger: Ledger) => ({
  requests: ledger.requests,
  failed: ledger.failed,
  unjudged: ledger.unjudged,
  paid: machineSum(ledger.paid),
  necessary: machineSum(ledger.necessary),
  avoidable: machineSum(ledger.avoidable),
  tokens: ledger.lostTokens,
  causes: ledger.causes.map(machineCause),
  changes: ledger.changes.map(machineChange),
  enough: ledger.enough,
});

export const machineLedgers = ({ total, sources, chains, days }: Ledgers, skills: readonly SkillRent[]) => ({
  ...machineLedger(total),
  sources: sources.map(({ name, ledger }) => ({ file: name, ...machineLedger(ledger) })),
  chains: chains.map(({ name, kind, ledger }) => ({ id: name, kind, ...machineLedger(ledger) })),
  days: days.map(({ name, ledger }) => ({ day: name, ...machineLedger(ledger) })),
  skills: skills.map(({ rent, listingTokens, ...skill }) => ({
    ...skill,
    listing_tokens: listingTokens,
    rent: machineSum(rent),
  })),
});

const shareText = ({ avoidable, paid }: Ledger): string =>
  avoidable.usd === undefined || paid.usd === undefined || paid.usd === 0
    ? ''
    : ` (${percent(avoidable.usd / paid.usd)})`;

const groupLines = (title: string, groups: readonly NamedLedger[], paint: Paint): readonly string[] =>
  groups.length < 2
    ? []
    : [
        '',
        paint.bold(title),
        ...groups.map(
          ({ name, ledger }) =>
            `  ${visible(name)}: ${sumText(ledger.paid)} paid, ${sumText(ledger.avoidable)} avoidable${shareText(ledger)}, ${plural(ledger.requests, 'request')}`,
        ),
      ];

const changeLines = ({ cause, place, requests, tokens, avoidable, repair }: Change, at: number): readonly string[] => [
  `  ${at + 1}. ${sumText(avoidable)}  ${verdictWords(cause).title}${place === '' ? '' : ` at ${visible(place)}`}: ${plural(requests, 'request')}, ${plural(tokens, 'token')}`,
  ...(avoidable.usd === 0
    ? ['     The change would cost as much as it saves.']
    : repair === ''
      ? []
      : [`     ${visible(repair)}`]),
];

const skillLines = (skills: readonly SkillRent[], paint: Paint): readonly string[] =>
  skills.length === 0
    ? []
    : [
        '',
        paint.bold('Skills as rent'),
        ...skills.map(({ name, rent, listingTokens, requests, loads, files }) => {
          const used = loads === 0 ? 'never loaded' : `loaded ${plural(loads, 'time')}`;
          const read = files.length === 0 ? '' : `; read ${files.map(visible).join(', ')}`;
          return `  ${sumText(rent)}  ${visible(name)}: ${groupDigits(listingTokens)} tokens × ${plural(requests, 'request')}, ${used}${read}`;
        }),
      ];

export const humanLedgers = (
  { total, sources, chains, days }: Ledgers,
  skills: readonly SkillRent[],
  paint: Paint,
): string =>
  [
    paint.bold(`${sumText(total.avoidable)} avoidable${shareText(total)} of ${sumText(total.paid)} paid`),
    `${sumText(total.necessary)} necessary, ${plural(total.requests, 'request')}${total.failed > 0 ? `, ${total.failed} failed` : ''}${total.unjudged > 0 ? `, ${total.unjudged} unjudged` : ''}`,
    ...(total.changes.length === 0
      ? ['Nothing to change.']
      : [
          '',
          paint.bold(
            total.enough > 0 && total.enough < total.changes.length
              ? `Best change first; the first ${total.enough} ${total.enough === 1 ? 'saves' : 'save'} most`
              : 'Best change first',
          ),
          ...total.changes.flatMap(changeLines),
        ]),
    ...groupLines('By source', sources, paint),
    ...groupLines(
      'By conversation',
      chains.map(({ name, kind, ledger }) => ({ name: `${name} ${kind}`, ledger })),
      paint,
    ),
    ...groupLines('By day (UTC)', days, paint),
    ...skillLines(skills, paint),
  ].join('\n');
