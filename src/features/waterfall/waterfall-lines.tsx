/** Lines between the rows of requests: what a request lost, a pause, the name of a conversation. */
import type { CSSProperties } from 'react';
import { durationText, plural } from '../../base/text.ts';
import { type Avoidable, savesNothing } from '../../model/instruments/avoidable.ts';
import { money } from '../../model/instruments/figures.ts';
import { remedyTitle } from '../../model/instruments/remedy.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import type { ChainSum, WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './waterfall-lines.module.css';

const two = (value: number): string => String(value).padStart(2, '0');
/** By hand: the first date that a browser writes by itself costs it tens of milliseconds. */
export const clockText = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

type LineProps = { readonly style: CSSProperties };

/** The price, the cause and the advice, none of them ever cut; then as much of the evidence as there is room for. */
export const VerdictLine = ({
  row,
  avoidable,
  onClick,
  style,
}: LineProps & { readonly row: WaterfallRow; readonly avoidable: Avoidable; readonly onClick: () => void }) => {
  const { verdict } = row;
  if (!verdict) return null;
  const words = verdictWords(verdict.cause, verdict.position?.label);
  const isVain = savesNothing(avoidable);
  const advice = isVain ? undefined : remedyTitle(verdict);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- its row does the same by keyboard
    <div
      role="row"
      className={styles['line']}
      style={style}
      title={[...verdict.evidence, ...(isVain ? [] : [verdict.repair])].join(' ')}
      onClick={onClick}
    >
      <div role="gridcell" className={styles['verdict']}>
        <span
          className={styles['lost']}
          data-none={avoidable.kind === 'pending' || (avoidable.kind === 'known' && avoidable.usd === 0)}
        >
          {avoidable.kind === 'known' ? money(avoidable.usd) : avoidable.kind === 'unknown' ? 'Price unknown' : '…'}
        </span>
        <b>{words.title}.</b>
        {advice !== undefined && <span className={styles['advice']}>{advice}.</span>}
        <span className={styles['evidence']}>{verdict.evidence[0] ?? words.about}</span>
      </div>
    </div>
  );
};

export const PauseLine = ({ ms, style }: LineProps & { readonly ms: number }) => (
  <div role="row" className={styles['line']} style={style}>
    <span role="gridcell" className={styles['pause']}>
      {durationText(ms)} idle
    </span>
  </div>
);

/** One conversation of a recording: its name, and what it came to. */
export const ChainLine = ({
  chain,
  isFolded,
  onFold,
  style,
}: LineProps & { readonly chain: ChainSum; readonly isFolded: boolean; readonly onFold: () => void }) => (
  <div role="row" className={styles['chain']} style={style} aria-expanded={!isFolded} aria-level={1}>
    <span role="gridcell">
      <button type="button" className={styles['fold']} onClick={onFold} aria-expanded={!isFolded}>
        <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} />
        <b>{chain.name}</b>
      </button>
      <span className={styles['model']}>{chain.model}</span>
      <span>
        {plural(chain.requests, 'request')}, {money(chain.costUsd)}
      </span>
    </span>
  </div>
);
