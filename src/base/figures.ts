/** How every figure is written, in the page and in the terminal. By hand: never by locale, and cheap enough for hundreds of them in one frame. */
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

/** Whole percent of a share: `44%`, `<1%`; a dash where there is nothing to divide. */
export const percent = (share: number | null | undefined): string => {
  if (share === null || share === undefined) return '–';
  if (share > 0 && share < 0.005) return '<1%';
  const whole = Math.round(share * 100);
  return `${whole < 0 ? '−' : ''}${Math.abs(whole)}%`;
};

/** A change, with its sign: `+24%`, `−61%`, `0%`. */
export const signedPercent = (share: number): string => `${Math.round(share * 100) > 0 ? '+' : ''}${percent(share)}`;

/** A price per million tokens, from that of one: `$0.30/M`, `$0.025/M`. */
export const perMillion = (usdPerToken: number): string => {
  const usd = usdPerToken * 1e6;
  const cents = usd.toFixed(2);
  return `$${Math.abs(Number(cents) - usd) < 1e-6 ? cents : String(Number(usd.toFixed(4)))}/M`;
};
