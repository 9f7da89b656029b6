import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('.', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

describe('the specification', () => {
  it('names every rule that a test names, and the other way round', () => {
    const rules = new Set(Array.from(read('SPEC.md').matchAll(/^- \*\*(TO\d+)\*\*/gm), ([, rule]) => rule));
    const tested = new Set(
      readdirSync(folder)
        .filter((name) => name.endsWith('.test.ts'))
        .flatMap((name) => Array.from(read(name).matchAll(/['"](TO\d+): /g), ([, rule]) => rule)),
    );
    expect(tested).toEqual(rules);
  });
});
