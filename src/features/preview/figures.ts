import { groupDigits } from '../../base/text.ts';

/** How figures are written here. */
export const grouped = (count: number): string => groupDigits(Math.round(count));

export const percent = (share: number): string =>
  share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`;

/** Small sums need digits: a cent is a lot here. */
export const dollars = (usd: number): string => {
  const size = Math.abs(usd);
  if (size === 0) return '$0';
  if (size < 0.000_05) return 'under $0.0001';
  return `${usd < 0 ? '−' : ''}$${size < 0.1 ? size.toFixed(4) : size.toFixed(2)}`;
};
