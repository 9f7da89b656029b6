import type { ForecastRow } from './types.ts';

/** Whether a request would have been different: in its tokens, or in their price alone, like that of an hour. */
export const isOther = ({ recorded, forecast }: Pick<ForecastRow, 'recorded' | 'forecast'>): boolean =>
  recorded !== undefined &&
  forecast !== undefined &&
  (forecast.read !== recorded.read ||
    forecast.written !== recorded.written ||
    forecast.uncached !== recorded.uncached ||
    forecast.usd !== recorded.usd);
