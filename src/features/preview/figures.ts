import { groupDigits } from '../../base/text.ts';

/** How figures are written here. */
export const grouped = (count: number): string => groupDigits(Math.round(count));

export const percent = (share: number): string =>
  share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`;
