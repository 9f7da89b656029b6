import { memo } from 'react';
import { durationText } from '../../base/text.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import { writtenTokens, type Usage } from '../../model/provider/types.ts';
import type { CallView } from '../../model/session-view/types.ts';
import { groupDigits, briefTokens, usdText } from '../../model/session-view/words.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './call-line.module.css';

export type CallLineProps = {
  readonly call: CallView;
  readonly onRaw: (requestId: string) => void;
  readonly onSelect: (requestId: string) => void;
  readonly isSelected: boolean;
};

const PARTS = [
  ['read', ({ read }: Usage) => read],
  ['written', writtenTokens],
  ['uncached', ({ uncached }: Usage) => uncached],
] as const;

const usageText = (usage: Usage): string =>
  [
    ...PARTS.map(([name, tokensOf]) => `${groupDigits(tokensOf(usage))} ${name}`),
    `${groupDigits(usage.output)} output`,
  ].join(', ');

const factsText = ({ model, usage, latencyMs }: CallView): string =>
  [model, ...(usage ? [usageText(usage)] : []), ...(latencyMs === undefined ? [] : [durationText(latencyMs)])].join(
    ' · ',
  );

/** The prompt of a call as a small bar: what was read from the cache, written to it, and neither. */
const Share = ({ usage }: { readonly usage: Usage }) => (
  <span className={styles['share']} aria-hidden="true">
    {PARTS.map(([name, tokensOf]) => (
      <span key={name} data-part={name} style={{ flexGrow: tokensOf(usage) }} />
    ))}
  </span>
);

const Verdict = ({ kind, cause, at, repair, lostTokens }: CallView) => {
  // The bar shows a hit, and of what was not reported there is nothing to say.
  if (cause === undefined || kind === 'hit' || kind === 'unknown') return null;
  const { title, about } = verdictWords(cause, at);
  if (kind === 'start') return <span title={about}>first</span>;
  const lost = lostTokens === undefined || lostTokens === 0 ? '' : `${groupDigits(lostTokens)} avoidable tokens. `;
  return (
    <Badge tone={kind === 'waste' ? 'warning' : 'error'} label={`${about} ${lost}${repair ?? ''}`}>
      {title}
    </Badge>
  );
};

/** One line below an answer: what its call came to. */
export const CallLine = memo(({ call, onRaw, onSelect, isSelected }: CallLineProps) => {
  const { usage, costUsd, requestId, status } = call;
  return (
    <div className={styles['line']} data-selected={isSelected}>
      <button
        type="button"
        className={styles['facts']}
        aria-pressed={isSelected}
        title={factsText(call)}
        onClick={() => onSelect(requestId)}
      >
        {usage ? (
          <>
            <Share usage={usage} />
            <span>
              {briefTokens(usage.read)} read · {briefTokens(usage.uncached + writtenTokens(usage))} new ·{' '}
              {briefTokens(usage.output)} out
              {usage.partial && ' until it ended'}
            </span>
            <span>{usdText(costUsd)}</span>
          </>
        ) : (
          <span>{status === 'running' ? call.model : 'no usage reported'}</span>
        )}
        <Verdict {...call} />
      </button>
      <Button look="quiet" onPress={() => onRaw(requestId)} tip="Request, response, and chunks">
        Raw
      </Button>
    </div>
  );
});
