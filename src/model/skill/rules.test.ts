/** Every rule has cases that fire it and close ones that do not; severity, range and fixes are what the catalog promises. */
import { describe, expect, it } from 'vitest';
import { RULES, type RuleId } from './catalog.ts';
import { diagnose } from './diagnose.ts';
import { readDocument } from './document.ts';
import { applyAction } from './fix.ts';
import { LIBRARY_RULES, RULE_CASES } from './testing/rule-cases.ts';
import { inputOf, type FiringCase, type SkillCase } from './testing/skill-case.ts';
import type { Diagnostic, Fix, Profile, SkillInput } from './types.ts';

const NO_FIX = '–';

const found = (input: SkillInput, profile: Profile, rule: string): readonly Diagnostic[] =>
  diagnose(readDocument(input), profile).filter((diagnostic) => diagnostic.rule === rule);

const titleOf = (given: SkillCase): string => {
  const profile = given.profile ?? 'standard';
  const content = typeof given.content === 'string' ? given.content : new TextDecoder().decode(given.content);
  return `${profile}: ${given.what ?? JSON.stringify(content).slice(1, 60)}`;
};

const textOf = (input: SkillInput, file: string): string =>
  file === input.fileName ? readDocument(input).text : (input.files?.get(file)?.text ?? '');

/** A fix that is applied without a person finishing it must end the problem. */
const expectToHelp = (fix: Fix, input: SkillInput, profile: Profile, rule: string): void => {
  if (fix.safety === 'manual' || fix.action.kind === 'create-file') return;
  const after = applyAction(input, fix.action);
  expect(after, fix.title).toBeDefined();
  if (after) expect(found(after, profile, rule), fix.title).toEqual([]);
};

const expectToFire = (rule: RuleId, given: FiringCase): void => {
  const input = inputOf(given);
  const profile = given.profile ?? 'standard';
  const diagnostics = found(input, profile, rule);
  const [diagnostic] = diagnostics;
  expect(diagnostics.length, 'number of diagnostics').toBeGreaterThan(0);
  if (!diagnostic) return;
  expect(diagnostic.severity).toBe(RULES.get(rule)?.severity[profile]);
  expect(diagnostic.file).toBe(given.inFile ?? input.fileName);
  expect(textOf(input, diagnostic.file).slice(diagnostic.range.start, diagnostic.range.end)).toBe(given.at);
  if (given.noFix !== undefined) expect(diagnostic.fixes, given.noFix).toEqual([]);
  else if (RULES.get(rule)?.fix !== NO_FIX) expect(diagnostic.fixes.length, 'number of fixes').toBeGreaterThan(0);
  for (const fix of diagnostic.fixes) expectToHelp(fix, input, profile, rule);
};

describe('cases', () => {
  it('cover the whole catalog, and nothing else', () => {
    expect([...RULE_CASES.keys(), ...LIBRARY_RULES].toSorted()).toEqual([...RULES.keys()].toSorted());
  });

  it('show the fix of every rule that has one', () => {
    const withFix = [...RULES.values()].filter((rule) => rule.fix !== NO_FIX);
    const shown = withFix.filter((rule) => RULE_CASES.get(rule.id)?.fires.some((given) => given.noFix === undefined));
    expect(shown.map((rule) => rule.id)).toEqual(withFix.map((rule) => rule.id));
  });
});

for (const [id, cases] of RULE_CASES) {
  const rule = id as RuleId;
  describe(rule, () => {
    it.each(cases.fires.map((given) => [titleOf(given), given] as const))(`${rule}: fires – %s`, (_, given) => {
      expectToFire(rule, given);
    });
    it.each(cases.silent.map((given) => [titleOf(given), given] as const))(`${rule}: silent – %s`, (_, given) => {
      expect(found(inputOf(given), given.profile ?? 'standard', rule)).toEqual([]);
    });
  });
}
