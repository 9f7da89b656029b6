import { grouped, money, percent, signedPercent } from '../../model/instruments/figures.ts';
import type { Avoidable } from '../../model/instruments/avoidable.ts';
import { perMillion } from '../../base/figures.ts';
import { type PriceLine, priceLines } from '../../model/instruments/price-lines.ts';
import { segmentName } from '../../model/instruments/verdict-words.ts';
import type { Verdict, WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { witnessWords } from '../../model/instruments/witness-words.ts';
import { VisibleText } from '../waterfall/visible-text.tsx';
import { Explained } from '../../ui/explained.tsx';
import styles from './request-panel.module.css';

const ABOUT: Readonly<Record<PriceLine['kind'], string>> = {
  read: 'From the cache, at about a tenth of the input price.',
  written: 'Written to the cache for the next request. This write was necessary.',
  'wasted write': 'Rewritten although it was cached. The advice above avoids this.',
  uncached: 'After the last cache breakpoint. Billed at the full input price.',
  output: 'The model’s response.',
};

/** The bill, line by line. */
export const Price = ({ row }: { readonly row: WaterfallRow }) => {
  const lines = priceLines(row);
  if (lines.length === 0) return null;
  return (
    <section className={styles['part']} aria-label="Price">
      <h4 className={styles['heading']}>Price</h4>
      <table className={styles['prices']}>
        <tbody>
          {lines.map(({ kind, tokens, rate, usd }) => (
            <tr key={kind}>
              <th scope="row">
                <Explained about={ABOUT[kind]}>
                  <span className={styles['swatch']} data-kind={kind} /> {kind}
                </Explained>
              </th>
              <td>{grouped(tokens)}</td>
              <td className={styles['rate']}>{rate === undefined ? '' : `× ${perMillion(rate)}`}</td>
              <td>{money(usd)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">total</th>
            <td colSpan={3}>{money(row.costUsd)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
};

/** What this request alone would have cost; what the change costs in others is not part of it. */
export const WithChange = ({ row, avoidable }: { readonly row: WaterfallRow; readonly avoidable: Avoidable }) => {
  const { costUsd } = row;
  const lost = avoidable.kind === 'known' ? avoidable.lost : 0;
  if (costUsd === undefined || lost <= 0 || costUsd <= lost) return null;
  return (
    <p className={styles['change']}>
      This request <s>{money(costUsd)}</s> <b>{money(costUsd - lost)}</b> <span>{signedPercent(-lost / costUsd)}</span>
    </p>
  );
};

const placeText = ({ label, path, offset, segment }: NonNullable<Verdict['position']>): string => {
  const at = `${label}${path === '' ? '' : ` ${path}`}, character ${grouped(offset)}`;
  return segment ? `${segmentName(segment)} (${at})` : at;
};

/** What the verdict is based on: each witness for itself. */
export const Evidence = ({
  row,
  verdict,
  comparedWith,
}: {
  readonly row: WaterfallRow;
  readonly verdict: Verdict;
  readonly comparedWith: string | undefined;
}) => {
  const { comparison, provider, usage } = witnessWords(verdict);
  const { position } = verdict;
  const { predicted } = row;
  return (
    <section className={styles['part']} aria-label="Evidence">
      <h4 className={styles['heading']}>Evidence</h4>
      {position && position.before !== position.after && (
        <div className={styles['excerpt']}>
          <del>
            <VisibleText text={position.before || 'not set'} />
          </del>
          <ins>
            <VisibleText text={position.after || 'not set'} />
          </ins>
        </div>
      )}
      <dl className={styles['witnesses']}>
        <dt>Comparison</dt>
        <dd>{comparison}</dd>
        {position && (
          <>
            <dt>Where</dt>
            <dd>{placeText(position)}</dd>
          </>
        )}
        {comparedWith !== undefined && (
          <>
            <dt>Compared with</dt>
            <dd>{comparedWith}</dd>
          </>
        )}
        <dt>Provider</dt>
        <dd>{provider}</dd>
        <dt>Usage</dt>
        <dd>{usage}</dd>
        {predicted && (
          <>
            <dt>Predicted</dt>
            <dd>
              {grouped(predicted.read)} read, {grouped(predicted.written)} written, {grouped(predicted.uncached)}{' '}
              uncached{row.isUncertain ? ', within the estimate’s margin' : ''}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
};

/** Of what was sent, how much came from the cache. */
export const readShare = ({ actual }: WaterfallRow): string | undefined => {
  const total = actual ? actual.read + actual.written + actual.uncached : 0;
  return actual && total > 0
    ? `${grouped(actual.read)} of ${grouped(total)} prompt tokens read from the cache, ${percent(actual.read / total)}.`
    : undefined;
};
