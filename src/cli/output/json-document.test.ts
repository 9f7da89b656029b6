import { expect, it } from 'vitest';
import { jsonDocument } from './json-document.ts';

it('CLI8: numbers end after nine digits; whole numbers, small ones and texts stay', () => {
  const told = {
    cost: 0.1 + 0.2,
    share: 1 / 3,
    tiny: 1e-9,
    nothing: 0,
    at: 1763500000123,
    text: '0.30000000000000004',
    none: null,
  };
  expect(JSON.parse(jsonDocument(told))).toEqual({ ...told, cost: 0.3, share: 0.333333333 });
  expect(jsonDocument([1], 0)).toBe('[1]\n');
});
