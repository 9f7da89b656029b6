/**
 * A third set, in four rounds: each was written without a look at the rules, after public write-ups of how scanners of skills were got past.
 * Hosts are reserved names and addresses of documents. `found` says honestly what check zero finds.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from '../zod.ts';
import { scanSkill } from './scan-skill.ts';

const encoder = new TextEncoder();
const freshSkill = z.object({
  round: z.number(),
  name: z.string(),
  found: z.string(),
  files: z.record(z.string(), z.string()),
  bytes: z.record(z.string(), z.string()).optional(),
});

const skills = readFileSync(new URL('./testing/fresh-hostile.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => freshSkill.parse(JSON.parse(line)));

const foundIn = ({ name, found, files, bytes = {} }: z.infer<typeof freshSkill>): string => {
  const { alarms } = scanSkill({
    name,
    files: new Map([
      ...Object.entries(files).map(([path, text]) => [path, encoder.encode(text)] as const),
      ...Object.entries(bytes).map(
        ([path, text]) => [path, Uint8Array.from(atob(text), (char) => char.charCodeAt(0))] as const,
      ),
    ]),
  });
  const rules: readonly string[] = alarms.map(({ rule }) => rule);
  return rules.includes(found) ? found : (rules[0] ?? 'nothing');
};

describe('fresh skills', () => {
  it('CZ12: are found as they say', () => {
    expect(
      skills.filter((skill) => foundIn(skill) !== skill.found).map((skill) => [skill.name, foundIn(skill)]),
    ).toEqual([]);
  });

  it('CZ12: at least nine of ten raise an alarm, and docs/CHECK-ZERO.md has the numbers', () => {
    const page = readFileSync(new URL('../../../docs/CHECK-ZERO.md', import.meta.url), 'utf8');
    const found = skills.filter((skill) => skill.found !== 'nothing');
    expect(found.length / skills.length).toBeGreaterThanOrEqual(0.9);
    expect(page).toContain(`**${found.length} of ${skills.length}** raise an alarm now`);
  });
});
