/** Numbers as the instruments write them. */
export { grouped, money, percent, signedPercent } from '../../base/figures.ts';

/** For a scale or a narrow place: `980`, `1.6k`, `22k`, `1.2M`. */
export const short = (count: number): string => {
  const rounded = Math.round(count);
  const scaled = (value: number, unit: string): string =>
    `${value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value))}${unit}`;
  if (rounded < 1000) return String(rounded);
  return rounded < 999_500 ? scaled(rounded / 1000, 'k') : scaled(rounded / 1_000_000, 'M');
};

/** A clock that runs down: `4:12`, `1:02:09`. */
export const countdown = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

/** Since the start of a session: `02:11.482`. */
export const sinceStart = (ms: number): string => {
  const rounded = Math.max(0, Math.round(ms));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(rounded / 60_000);
  const rest = `${two(Math.floor(rounded / 1000) % 60)}.${String(rounded % 1000).padStart(3, '0')}`;
  return minutes < 60 ? `${two(minutes)}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
};

/** How long something took: `340 ms`, `4.1 s`, `2 min 05 s`. */
export const took = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
};

/** Round steps from 0 up to `most`, at most `count` of them beside 0. */
export const ticks = (most: number, count: number): readonly number[] => {
  if (!(most > 0) || count < 1) return [0];
  const raw = most / count;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * unit).find((size) => size >= raw - 1e-9) ?? raw;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
};
