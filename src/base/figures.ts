/** How every number is written, in the page and in the terminal. By hand: never by locale, and cheap enough for hundreds of them in one frame. */
import { groupDigits } from './text.ts';

/** `4,994`. */
export const grouped = (count: number): string => groupDigits(Math.round(count));

/** `$0.0204`, `$1.92`, `−$0.0145`. A price that is not known is never a zero, and neither is one that is only small. */
export const money = (usd: number | null | undefined): string => {
  if (usd === null || usd === undefined) return 'unknown';
  if (usd === 0) return '$0';
  const size = Math.abs(usd);
  const sign = usd < 0 ? '−' : '';
  if (size < 0.000_05) return `${sign}<$0.0001`;
  return `${sign}$${size.toFixed(size < 1 ? 4 : 2)}`;
};

/** What sums of prices are off by. */
const DUST = 1e-9;

/**
 * Percent of a share, whole or with `digits` after the point: `44%`, `<1%`, `>99%`; a dash where there is nothing to divide.
 * Only nothing is 0%, and only all of it is 100%.
 */
export const percent = (share: number | null | undefined, digits = 0): string => {
  if (share === null || share === undefined) return '–';
  const size = Math.abs(share);
  const sign = share < 0 ? '−' : '';
  const written = (size * 100).toFixed(digits);
  const step = 10 ** -digits;
  const isNear = (whole: number): boolean => Number(written) === whole * 100 && Math.abs(size - whole) > DUST;
  if (isNear(0)) return `${sign}<${step.toFixed(digits)}%`;
  if (isNear(1)) return size < 1 ? `${sign}>${(100 - step).toFixed(digits)}%` : `${sign}>100%`;
  return `${Number(written) === 0 ? '' : sign}${written}%`;
};

/** A change, with its sign: `+24%`, `−61%`, `0%`. */
export const signedPercent = (share: number): string => `${share > DUST ? '+' : ''}${percent(share)}`;

/** A price per million tokens, from that of one: `$0.30/M`, `$0.025/M`. */
export const perMillion = (usdPerToken: number): string => {
  const usd = usdPerToken * 1e6;
  const cents = usd.toFixed(2);
  return `$${Math.abs(Number(cents) - usd) < 1e-6 ? cents : String(Number(usd.toFixed(4)))}/M`;
};
