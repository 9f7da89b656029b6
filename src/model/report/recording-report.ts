/** A recording as one file that opens anywhere: what it cost, what to change, and every request with its evidence (REP1 to REP5). */
import { percent } from '../../base/figures.ts';
import { groupDigits, plural } from '../../base/text.ts';
import { dollars } from '../cache/forecast-words.ts';
import { verdictWords } from '../instruments/verdict-words.ts';
import { type ExplainedItem, ledgersOf, type NamedLedger } from '../ledger/ledger-items.ts';
import { ledgerOf } from '../ledger/ledger.ts';
import type { SkillRent } from '../ledger/skill-rent.ts';
import type { Ledger, Sum } from '../ledger/types.ts';
import { createMasker, type MaskedValue, type Masker } from '../masking/masker.ts';
import { costOf } from '../provider/cost.ts';
import { writtenTokens } from '../provider/types.ts';
import type { Explained } from '../traffic/explainer.ts';
import { createVerdictMasker } from './masked-verdict.ts';
import { escaped, htmlPage } from './page.ts';

export interface ReportInput {
  readonly title: string;
  readonly explained: readonly Explained[];
  /** The same requests, with what switches save. */
  readonly items: readonly ExplainedItem[];
  readonly skills: readonly SkillRent[];
}

/** Of one string; a whole prompt would be too much in a file that is passed on. */
const EXCERPT = 400;
const MOST_EVIDENCE = 8;
/** Rows beyond these are reported as a number: the file stays below 2 MB. */
const MOST_ROWS = 700;

const sumWords = ({ usd, known, unknown }: Sum): string => {
  if (usd !== undefined) return usd === 0 ? '$0' : dollars(usd);
  return known > 0 ? `unknown (at least ${dollars(known)}, ${plural(unknown, 'request')} unknown)` : 'unknown';
};

const priced = (usd: number | undefined): string =>
  usd === undefined ? 'price unknown' : usd === 0 ? '$0' : dollars(usd);
const cut = (text: string): string => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
const cell = (text: string, isNumber = false): string => `<td${isNumber ? ' class="n"' : ''}>${escaped(text)}</td>`;

const shareText = ({ avoidable, paid }: Ledger): string =>
  avoidable.usd === undefined || paid.usd === undefined || paid.usd === 0
    ? ''
    : `, ${percent(avoidable.usd / paid.usd)}`;

const NO_SAVING = 'The change would cost as much as it saves.';

const changesPart = ({ changes }: Ledger): string =>
  changes.length === 0
    ? '<p>Nothing to change.</p>'
    : `<table><thead><tr><th class="n">Saves</th><th>Cause</th><th class="n">Requests</th><th class="n">Tokens</th><th>Change</th></tr></thead><tbody>${changes
        .map(
          ({ cause, place, requests, tokens, avoidable, repair }) =>
            `<tr>${cell(sumWords(avoidable), true)}${cell(`${verdictWords(cause).title}${place === '' ? '' : ` at ${place}`}`)}${cell(groupDigits(requests), true)}${cell(groupDigits(tokens), true)}${cell(avoidable.usd === 0 ? NO_SAVING : repair)}</tr>`,
        )
        .join('')}</tbody></table>`;

const groupsPart = (title: string, groups: readonly NamedLedger[]): string =>
  groups.length < 2
    ? ''
    : `<h2>${escaped(title)}</h2><table><thead><tr><th>Name</th><th class="n">Requests</th><th class="n">Paid</th><th class="n">Necessary</th><th class="n">Avoidable</th></tr></thead><tbody>${groups
        .slice(0, MOST_ROWS)
        .map(
          ({ name, ledger }) =>
            `<tr>${cell(name)}${cell(groupDigits(ledger.requests), true)}${cell(sumWords(ledger.paid), true)}${cell(sumWords(ledger.necessary), true)}${cell(sumWords(ledger.avoidable), true)}</tr>`,
        )
        .join('')}</tbody></table>`;

const skillsPart = (skills: readonly SkillRent[]): string =>
  skills.length === 0
    ? ''
    : `<h2>Skills as rent</h2><table><thead><tr><th>Skill</th><th class="n">Rent</th><th class="n">Tokens × requests</th><th class="n">Loaded</th><th>Files read</th></tr></thead><tbody>${skills
        .map(
          ({ name, rent, listingTokens, requests, loads, files }) =>
            `<tr>${cell(name)}${cell(sumWords(rent), true)}${cell(`${groupDigits(listingTokens)} × ${groupDigits(requests)}`, true)}${cell(groupDigits(loads), true)}${cell(files.join(', '))}</tr>`,
        )
        .join('')}</tbody></table>`;

const isLoss = ({ verdict: { kind } }: Explained): boolean => kind === 'miss' || kind === 'waste';

const rowPart = (item: Explained, avoidable: Sum, index: number, scale: number): string => {
  const { call, chain, verdict } = item;
  const { usage } = call;
  const width = (tokens: number): string => `${((tokens / scale) * 100).toFixed(2)}%`;
  const part = (name: string, tokens: number): string =>
    tokens > 0 ? `<i class="${name}" style="width:${width(tokens)}"></i>` : '';
  const written = usage ? writtenTokens(usage) : 0;
  const wasted = verdict.kind === 'miss' ? Math.min(written, verdict.tokensLost) : 0;
  const bar = usage
    ? part('read', usage.read) +
      part('wasted', wasted) +
      part('written', written - wasted) +
      part('uncached', usage.uncached) +
      part('output', usage.output)
    : '<span class="quiet">usage not reported</span>';
  const time =
    call.isTimeless === true ? '' : `${new Date(call.startedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC · `;
  const words = verdictWords(verdict.cause);
  const { position } = verdict;
  const difference =
    position && position.before !== position.after
      ? `<pre>${escaped(position.label)} ${escaped(position.path)}\n<del>- ${escaped(cut(position.before))}</del>\n<ins>+ ${escaped(cut(position.after))}</ins></pre>`
      : '';
  const lost = isLoss(item) && verdict.tokensLost > 0;
  return `<details class="row" id="r${index + 1}"${lost ? ' data-loss' : ''}><summary><span class="quiet">${index + 1}</span><span class="bar">${bar}</span><span>${escaped(usage ? priced(costOf(usage, call.model).usd) : '')}</span><span${lost ? '' : ' class="quiet"'}>${escaped(call.failed === true ? 'Failed' : words.title)}</span></summary><div>
<p class="quiet">${escaped(`${time}${call.model} · ${chain.kind} ${chain.id}`)}</p>${
    lost
      ? `<p><b>${escaped(priced(avoidable.usd))} avoidable</b>: ${escaped(plural(Math.round(verdict.tokensLost), 'token'))}.</p>`
      : ''
  }${verdict.repair === '' ? '' : `<p><b>${escaped(cut(verdict.repair))}</b></p>`}${difference}${verdict.evidence
    .slice(0, MOST_EVIDENCE)
    .map((line) => `<p>${escaped(cut(line))}</p>`)
    .join(
      '',
    )}${verdict.usageSays === null ? '' : `<p class="quiet">Usage: ${escaped(verdict.usageSays)}</p>`}</div></details>`;
};

const LEGEND = ['read', 'written', 'wasted', 'uncached', 'output']
  .map((name) => `<span class="key ${name}"></span>${name}`)
  .join('');

/** Values that fields name in bodies are private wherever they are quoted. */
const learnFrom = (masker: Masker, explained: readonly Explained[]): void => {
  // What the verdicts quote is all that gets into the file.
  for (const { call, verdict } of explained)
    if (verdict.position !== null && call.known !== 'absent' && call.known !== 'reconstructed') masker.learn(call.body);
};

export interface Report {
  readonly html: string;
  readonly masked: readonly MaskedValue[];
}

export const maskedPart = (masked: readonly MaskedValue[]): string =>
  masked.length === 0
    ? '<p class="quiet">No private value was found in what this file shows.</p>'
    : `<details><summary>${escaped(plural(masked.length, 'private value'))} masked</summary><table><thead><tr><th>Kind</th><th>Stand-in</th><th class="n">Count</th></tr></thead><tbody>${masked
        .map(({ kind, standIn, count }) => `<tr>${cell(kind)}${cell(standIn)}${cell(String(count), true)}</tr>`)
        .join('')}</tbody></table></details>`;

export const recordingReport = ({ title, explained, items, skills }: ReportInput): Report => {
  const masker = createMasker();
  learnFrom(masker, explained);
  // Before anything becomes markup, so that values are found as they are written.
  const verdicts = createVerdictMasker(masker);
  const shown = explained.slice(0, MOST_ROWS).map((item): Explained =>
    Object.assign({}, item, {
      chain: masker.mask({ ...item.chain }),
      verdict: verdicts.mask(item.verdict, item.call),
    }),
  );
  const { total, sources, chains, days } = ledgersOf(items);
  const maskNamed = (groups: readonly NamedLedger[]): readonly NamedLedger[] =>
    groups.map(({ name, ledger }) => ({ name: masker.mask(name), ledger }));
  const named = { sources: maskNamed(sources), chains: maskNamed(chains) };
  // The advice of a change is that of its worst request, quotes included.
  const changes = total.changes.map(
    ({ worst, repair }) => shown[Number(worst) - 1]?.verdict.repair ?? masker.mask(repair),
  );
  const ledger: Ledger = {
    ...total,
    changes: total.changes.map((change, index) => Object.assign({}, change, { repair: changes[index] ?? '' })),
  };
  const own = masker.mask(title);
  const scale = shown.reduce((most, { call: { usage } }) => {
    if (!usage) return most;
    return Math.max(most, usage.uncached + usage.read + writtenTokens(usage) + usage.output);
  }, 1);
  const rows = shown
    .map((item, index) => rowPart(item, ledgerOf(items.slice(index, index + 1)).avoidable, index, scale * 1.01))
    .join('\n');
  const more = explained.length - shown.length;
  const body = `<h1>${escaped(sumWords(total.avoidable))} avoidable${escaped(shareText(total))} of ${escaped(sumWords(total.paid))}</h1>
<p class="quiet">${escaped(`${own} · ${plural(total.requests, 'request')} · ${sumWords(total.necessary)} necessary`)}${total.failed > 0 ? ` · ${total.failed} failed` : ''}</p>
<h2>Best change first</h2>
${changesPart(ledger)}
<h2>Requests</h2>
<p class="quiet">Open a row for its evidence. ${LEGEND}</p>
<section aria-label="Cache waterfall">
${rows}
</section>
${more > 0 ? `<p class="quiet">${escaped(plural(more, 'more request'))} counted above and not shown.</p>` : ''}
${groupsPart('By source', named.sources)}
${groupsPart('By conversation', named.chains)}
${groupsPart('By day (UTC)', days)}
${skillsPart(masker.mask(skills))}
<h2>Privacy</h2>
${maskedPart(masker.masked())}`;
  return { html: htmlPage({ title: `Lathe report: ${own}`, body }), masked: masker.masked() };
};
