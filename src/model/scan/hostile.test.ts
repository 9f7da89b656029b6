/** The detection table: what check zero finds in skills that were written to harm. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scanSkill } from './scan-skill.ts';
import { filesOf, HOSTILE_SKILLS } from './testing/hostile-skills.ts';

describe('hostile skills', () => {
  it('are at least forty, each with its own name', () => {
    expect(HOSTILE_SKILLS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(HOSTILE_SKILLS.map(({ name }) => name)).size).toBe(HOSTILE_SKILLS.length);
  });

  it.each(HOSTILE_SKILLS.map((skill) => [skill.name, skill] as const))('CZ1: %s', (_, skill) => {
    const { alarms, notes } = scanSkill({ name: skill.name, files: filesOf(skill) });
    const rules = [...new Set(alarms.map(({ rule }) => rule))];
    if (skill.expect === 'nothing') expect({ rules }).toEqual({ rules: [] });
    else if (skill.expect === 'note') expect({ rules, noted: notes.length > 0 }).toEqual({ rules: [], noted: true });
    else expect(rules).toContain(skill.expect);
  });
});

describe('docs/CHECK-ZERO.md', () => {
  it('CZ1: prints the table as it is', () => {
    const page = readFileSync(new URL('../../../docs/CHECK-ZERO.md', import.meta.url), 'utf8').replace(/ {2,}/g, ' ');
    const rows = HOSTILE_SKILLS.map((skill) => {
      const { alarms, notes } = scanSkill({ name: skill.name, files: filesOf(skill) });
      const found = [...new Set(alarms.map(({ rule }) => rule))].join(', ');
      const result = found === '' ? (notes.length > 0 ? 'note only' : '**not found**') : found;
      return `| ${skill.pattern} | ${skill.technique} | ${result} |`;
    });
    const alarmed = rows.filter((row) => !row.includes('note only') && !row.includes('not found')).length;
    expect(page).toContain(`${alarmed} of ${rows.length}`);
    for (const row of rows) expect(page).toContain(row);
  });
});
