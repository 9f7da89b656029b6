import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
type Scheme = 'light' | 'dark';

/** The colors of one block, as hex. */
const colours = (block: string, scheme: Scheme): Record<string, string> =>
  Object.fromEntries(
    [...block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
      name,
      scheme === 'light' ? light : dark,
    ]),
  );

const blocks = css.split(/^:root/m);
const palette = (scheme: Scheme, contrast: boolean) => ({
  ...colours(blocks[1] ?? '', scheme),
  ...(contrast && colours(blocks.find((block) => block.startsWith("[data-theme='contrast']")) ?? '', scheme)),
});

/** Relative luminance and contrast as WCAG 2 defines them. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

const texts = ['text-1', 'text-2', 'text-3', 'accent', 'read', 'error', 'warning', 'origin-preloaded'];
const surfaces = ['bg-0', 'bg-1', 'bg-2', 'bg-3', 'accent-bg'];
const marks = [
  'write',
  'uncached',
  'output',
  'volatile',
  'origin-hidden',
  'origin-tools',
  'origin-persona',
  'origin-instructions',
  'origin-index',
  'origin-context',
  'origin-message',
];

describe.each([
  ['light', false, 4.5],
  ['dark', false, 4.5],
  ['light', true, 7],
  ['dark', true, 7],
] as const)('colors, %s, more contrast: %s', (scheme, more, minimum) => {
  const hex: Record<string, string | undefined> = palette(scheme, more);
  const tooLow = (names: readonly string[], on: readonly string[], least: number) =>
    names.flatMap((name) =>
      on
        .map((surface) => ({ name, surface, value: contrast(hex[name] ?? '', hex[surface] ?? '') }))
        .filter(({ value }) => !(value >= least))
        .map((low) => `${low.name} on ${low.surface}: ${low.value.toFixed(2)}`),
    );

  it('are readable as text on every surface', () => {
    expect(tooLow(texts, surfaces, minimum)).toEqual([]);
    expect(tooLow(['on-accent'], ['accent'], minimum)).toEqual([]);
    expect(tooLow(['error', 'text-1', 'text-2'], ['error-bg'], minimum)).toEqual([]);
    expect(tooLow(['warning', 'text-1', 'text-2'], ['warning-bg'], minimum)).toEqual([]);
  });

  it('are visible as marks on a panel', () => {
    expect(tooLow(marks, ['bg-1'], more ? 7 : 3)).toEqual([]);
  });
});
