import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROGRAM_RULES } from './rule-catalog.ts';

it('SPEC.md shows the catalogue as it is', () => {
  const spec = readFileSync(new URL('SPEC.md', import.meta.url), 'utf8');
  const table = [...PROGRAM_RULES.values()]
    .map(({ id, severity, fix, why }) => `| \`${id}\` | ${severity} | ${fix} | ${why} |\n`)
    .join('');
  expect(spec).toContain(table);
});
