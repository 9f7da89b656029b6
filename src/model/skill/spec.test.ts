import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RULES, severityLetters } from './catalog.ts';

it('the table of SPEC.md and the catalog say the same', () => {
  const spec = readFileSync(new URL('./SPEC.md', import.meta.url), 'utf8');
  const rows = spec.split('\n').filter((line) => /^\| `[A-Za-z0-9-]+` \| `[EWIH-]{6}` \|/.test(line));
  const expected = [...RULES.values()].map(
    (rule) => `| \`${rule.id}\` | \`${severityLetters(rule)}\` | ${rule.why.replace(/\|/g, '\\|')} | ${rule.fix} |`,
  );
  expect(rows).toEqual(expected);
});

it('every rule has a reason and says something somewhere', () => {
  for (const rule of RULES.values()) {
    expect(rule.why, rule.id).toMatch(/^[^a-z].*\.$/);
    expect(
      Object.values(rule.severity).some((severity) => severity !== undefined),
      rule.id,
    ).toBe(true);
  }
});
