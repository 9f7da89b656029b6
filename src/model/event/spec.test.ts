import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog } from './catalog.ts';

const folder = new URL('.', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const spec = read('SPEC.md');

describe('the specification', () => {
  it('EV7: has the catalog', () => {
    const rows = Array.from(
      spec.matchAll(/^\| `([a-z]+\.[a-z_]+)` \| (\w+) \| (\w+) \| (?:ours|sources) \|/gm),
      (row) => row.slice(1),
    );
    expect(rows).toEqual(Object.entries(catalog).map(([type, { actor, sensitivity }]) => [type, actor, sensitivity]));
  });

  it('EV7: names every rule that a test names, and the other way round', () => {
    const rules = new Set(Array.from(spec.matchAll(/^- \*\*(EV\d+)\*\*/gm), ([, rule]) => rule));
    const tested = new Set(
      readdirSync(folder)
        .filter((name) => name.endsWith('.test.ts'))
        .flatMap((name) => Array.from(read(name).matchAll(/'(EV\d+): /g), ([, rule]) => rule)),
    );
    expect(tested).toEqual(rules);
  });
});
