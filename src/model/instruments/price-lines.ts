/** The bill of one request, line by line: what was necessary, and what a repair takes away. */
import { costOf } from '../provider/cost.ts';
import { writtenTokens } from '../provider/types.ts';
import { type WaterfallRow, wastedWrite } from './waterfall-view.ts';

export interface PriceLine {
  readonly kind: 'read' | 'written' | 'wasted write' | 'uncached' | 'output';
  readonly tokens: number;
  /** USD for one token; nothing where the price is not known. */
  readonly rate: number | undefined;
  readonly usd: number | undefined;
}

const times = (tokens: number, rate: number | undefined): number | undefined =>
  tokens === 0 ? 0 : rate === undefined ? undefined : tokens * rate;

/** Without lines of no tokens, but for what was read: that nothing was is news. Nothing where no usage was reported. */
export const priceLines = (row: WaterfallRow): readonly PriceLine[] => {
  const { usage, model } = row;
  if (!usage) return [];
  const { parts } = costOf(usage, model);
  const written = writtenTokens(usage);
  const wasted = wastedWrite(row);
  const rateOf = (usd: number | undefined, tokens: number): number | undefined =>
    usd === undefined || tokens === 0 ? undefined : usd / tokens;
  const writeRate = rateOf(parts.write, written);
  const lines: readonly PriceLine[] = [
    { kind: 'read', tokens: usage.read, rate: rateOf(parts.read, usage.read), usd: parts.read },
    { kind: 'written', tokens: written - wasted, rate: writeRate, usd: times(written - wasted, writeRate) },
    { kind: 'wasted write', tokens: wasted, rate: writeRate, usd: times(wasted, writeRate) },
    { kind: 'uncached', tokens: usage.uncached, rate: rateOf(parts.uncached, usage.uncached), usd: parts.uncached },
    { kind: 'output', tokens: usage.output, rate: rateOf(parts.output, usage.output), usd: parts.output },
  ];
  return lines.filter(({ kind, tokens }) => tokens > 0 || kind === 'read');
};
