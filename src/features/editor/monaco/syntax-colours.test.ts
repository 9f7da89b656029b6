import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SYNTAX } from './syntax-colours.ts';

const tokens = readFileSync(new URL('../../../ui/tokens.css', import.meta.url), 'utf8');

/** The values of a surface in the order of the file: light, dark, light in contrast, dark in contrast. */
const surfaces = (name: string): readonly string[] =>
  [...tokens.matchAll(new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`, 'g'))].flatMap(
    ([, light = '', dark = '']) => [light, dark],
  );

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

const cases = Object.entries(SYNTAX).flatMap(([theme, colours], index) =>
  Object.entries(colours).flatMap(([role, colour]) =>
    ['bg-1', 'bg-2', 'accent-bg'].map((name) => ({ theme, role, name, colour, surface: surfaces(name)[index] ?? '' })),
  ),
);

describe('colors of code', () => {
  it.each(cases)('ED19: $role of $theme can be read on $name', ({ theme, colour, surface }) => {
    expect(surface).toMatch(/^#/);
    expect(contrast(colour, surface)).toBeGreaterThanOrEqual(theme.startsWith('contrast') ? 7 : 4.5);
  });
});
