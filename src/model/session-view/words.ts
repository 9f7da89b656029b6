/** Numbers as people read them. Never by locale: the same number looks the same everywhere. */

import { money } from '../../base/figures.ts';
import { groupDigits } from '../../base/text.ts';

export { groupDigits };

/** 950, 4,994, 22.7k, 1.05M */
export const shortTokens = (tokens: number): string => {
  if (tokens < 10_000) return groupDigits(tokens);
  if (tokens < 999_500) {
    const thousands = tokens / 1000;
    return `${thousands < 100 ? trimmed(thousands.toFixed(1)) : Math.round(thousands)}k`;
  }
  return `${trimmed((tokens / 1_000_000).toFixed(2))}M`;
};

/** 950, 5.9k, 105k, 1.05M: where there is little room. */
export const briefTokens = (tokens: number): string =>
  tokens < 1000 || tokens >= 10_000 ? shortTokens(tokens) : `${trimmed((tokens / 1000).toFixed(1))}k`;

const trimmed = (text: string): string => text.replace(/\.?0+$/, '');

/** Nothing known is said, never a zero. */
export const usdText = (usd: number | undefined): string => (usd === undefined ? 'cost unknown' : money(usd));

/** `a`, `a and b`, `a, b and 3 more`. */
export const listed = (names: readonly string[], most = 3): string => {
  if (names.length <= 1) return names[0] ?? '';
  const shown = names.length <= most ? names.slice(0, -1) : names.slice(0, most - 1);
  const rest = names.length - shown.length;
  return `${shown.join(', ')} and ${rest === 1 ? names.at(-1) : `${rest} more`}`;
};
