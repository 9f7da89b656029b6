/**
 * A second set, written from the threat list alone, without a look at the rules: short programs and pages, one in a line of
 * `testing/short-*.jsonl`. Hosts are reserved names, payloads do nothing. `found` says honestly what check zero finds: an alarm, `cap:` where
 * the capability card is the answer, only a note, or nothing.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from '../zod.ts';
import { scanSkill } from './scan-skill.ts';

const encoder = new TextEncoder();
const shortSkill = z.object({
  found: z.string().optional(),
  page: z.string().optional(),
  files: z.record(z.string(), z.string()).optional(),
});
type ShortSkill = z.infer<typeof shortSkill>;

const read = (name: string): readonly ShortSkill[] =>
  readFileSync(new URL(`./testing/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => shortSkill.parse(JSON.parse(line)));

const HEAD = '---\nname: short\ndescription: Tidies up meeting notes. Use when notes need order.\n---\n\n# short\n\n';

const scan = ({ page, files }: ShortSkill): ReturnType<typeof scanSkill> =>
  scanSkill({
    name: 'short',
    files: new Map(
      Object.entries(files ?? { 'SKILL.md': `${HEAD}${page ?? ''}\n` }).map(([path, text]) => [
        path,
        encoder.encode(text),
      ]),
    ),
  });

/** What is found of what was expected; else what there is. */
const foundIn = (skill: ShortSkill): string => {
  const { alarms, capabilities, notes } = scan(skill);
  const { found = '' } = skill;
  const rules = alarms.map(({ rule }) => rule);
  if (found.startsWith('cap:')) return capabilities.some(({ kind }) => `cap:${kind}` === found) ? found : 'nothing';
  if (rules.includes(found)) return found;
  return rules[0] ?? (notes.length > 0 ? 'note' : 'nothing');
};

describe('short skills', () => {
  const hostile = read('short-hostile');
  const honest = read('short-honest');

  it('CZ1: hostile ones are found as they say', () => {
    const wrong = hostile.filter((skill) => foundIn(skill) !== skill.found);
    expect(wrong).toEqual([]);
  });

  it('CZ3: honest ones that look like them have no alarm', () => {
    const wrong = honest.flatMap((skill) => scan(skill).alarms.map(({ rule }) => ({ rule, skill })));
    expect(wrong).toEqual([]);
  });

  it('CZ1, CZ10: docs/CHECK-ZERO.md has their numbers', () => {
    const page = readFileSync(new URL('../../../docs/CHECK-ZERO.md', import.meta.url), 'utf8');
    const count = (kind: (found: string) => boolean): number => hostile.filter(({ found = '' }) => kind(found)).length;
    const alarms = count((found) => !/^(?:cap:.*|note|nothing)$/.test(found));
    expect(page).toContain(`**${alarms} of ${hostile.length}** raise an alarm`);
    expect(page).toContain(
      `${count((found) => found.startsWith('cap:'))} are on the capability card (persistence), ${count((found) => found === 'note')} only have a note, ${count((found) => found === 'nothing')} have nothing`,
    );
    expect(page).toContain(`${honest.length} honest look-alikes`);
  });
});
