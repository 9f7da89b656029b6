import { memo } from 'react';
import { plural } from '../../base/text.ts';
import { cacheAnalytics } from '../../model/cache/analytics.ts';
import { money, percent, signedPercent } from '../../model/instruments/figures.ts';
import type { Usage } from '../../model/provider/types.ts';
import styles from './waterfall-panel.module.css';

export type TotalsProps = {
  readonly calls: readonly { readonly model: string; readonly usage: Usage }[];
  readonly isShort?: boolean;
};

const Kpi = ({
  value,
  name,
  about,
  tone,
}: {
  readonly value: string;
  readonly name: string;
  readonly about: string;
  readonly tone?: 'read';
}) => (
  <div className={styles['kpi']} title={about}>
    <b data-tone={tone}>{value}</b>
    <span>{name}</span>
  </div>
);

/** How well the cache worked over all requests. */
export const WaterfallTotals = memo(function WaterfallTotals({ calls, isShort = false }: TotalsProps) {
  const { total, unknown } = cacheAnalytics(calls);
  return (
    <div className={styles['kpis']}>
      <Kpi
        value={percent(total.hit_rate)}
        name="hit rate"
        {...((total.hit_rate ?? 0) > 0 && { tone: 'read' as const })}
        about="Of all prompt tokens, how many were read from the cache."
      />
      <Kpi
        value={percent(total.cache_write_share)}
        name="write share"
        about="Of all prompt tokens, how many were written to the cache. High and staying high means that the cache is never used."
      />
      {!isShort && (
        <Kpi value={money(total.cost)} name="cost" about={unknown[0] ?? plural(total.call_count, 'request')} />
      )}
      <Kpi
        value={calls.length === 0 ? '–' : total.savings_pct === null ? 'unknown' : signedPercent(-total.savings_pct)}
        name="against no cache"
        about={
          calls.length === 0
            ? 'No request has been answered yet.'
            : total.savings === null
              ? (unknown[0] ?? 'The price is not known.')
              : `${money(total.cost)} instead of ${money(total.cost_without_cache)}.`
        }
      />
    </div>
  );
});
