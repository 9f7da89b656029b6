// The static rules, from a program's text through the committed module to diagnostics.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../model/skill/types.ts';
import { documentedInputKeys } from '../../model/starlark/input-keys.ts';
import { checkProgram } from '../../model/starlark/program-rules.ts';
import { PROGRAM_RULES, type ProgramRuleId } from '../../model/starlark/rule-catalog.ts';
import { startTestEngine, type TestEngine } from './testing/node-engine.ts';
import { RULE_CASES } from './testing/rule-cases.ts';

let test: TestEngine;
beforeAll(() => {
  test = startTestEngine();
});
afterAll(() => test[Symbol.dispose]());

const check = async (text: string, skill?: string): Promise<Diagnostic[]> => {
  const program = { file: 'SKILL.star', text };
  const analysis = await test.engine.analyse(program);
  const documented =
    skill === undefined ? undefined : { keys: documentedInputKeys(skill), file: 'SKILL.md', text: skill };
  return checkProgram({ program, analysis, ...(documented && { documented }) });
};

const applied = (text: string, diagnostic: Diagnostic): string => {
  const action = diagnostic.fixes[0]?.action;
  if (action?.kind !== 'edit') return '';
  return action.edits.reduceRight(
    (out, { range, text: replacement }) => out.slice(0, range.start) + replacement + out.slice(range.end),
    text,
  );
};

describe.each(Object.entries(RULE_CASES) as [ProgramRuleId, (typeof RULE_CASES)[ProgramRuleId]][])(
  '%s',
  (rule, cases) => {
    it.each(cases.fires)('fires on $text', async ({ text, marks, fixed, skill }) => {
      const found = (await check(text, skill)).find((diagnostic) => diagnostic.rule === rule);
      expect(found, 'fires').toBeDefined();
      if (!found) return;
      const source = found.file === 'SKILL.md' ? (skill ?? '') : text;
      expect(source.slice(found.range.start, found.range.end)).toBe(marks);
      expect(found.severity).toBe(PROGRAM_RULES.get(rule)?.severity);
      expect(found.message).toMatch(/[.…?]$/);
      if (fixed === undefined) return;
      expect(applied(source, found)).toBe(fixed);
      expect((await check(fixed, skill)).map((diagnostic) => diagnostic.rule)).not.toContain(rule);
    });

    it.each(cases.silent.map((entry) => (typeof entry === 'string' ? { text: entry, skill: undefined } : entry)))(
      'is silent on $text',
      async ({ text, skill }) => {
        expect((await check(text, skill)).map((diagnostic) => diagnostic.rule)).not.toContain(rule);
      },
    );
  },
);

describe('all rules', () => {
  it('have cases', () => {
    expect(Object.keys(RULE_CASES).toSorted()).toEqual([...PROGRAM_RULES.keys()].toSorted());
  });

  it('document a key where the list is', async () => {
    const skill = '---\nname: x\n---\nInput keys:\r\n\r\n- `a`: A,\r\n  and more.\r\n\r\nEnd.\r\n';
    const found = (await check('def run(input):\n    return input.get("a") + input.get("b")\n', skill)).find(
      ({ rule }) => rule === 'MS-input-key-used-not-documented',
    );
    expect(found && applied(skill, found)).toContain('  and more.\r\n- `b`: …\r\n\r\nEnd.');
  });

  const demo = new URL('../../../public/demo/skills/', import.meta.url);
  const names = readdirSync(demo).filter((name) => readdirSync(new URL(`${name}/`, demo)).includes('SKILL.star'));
  it.each(names)('have no warning for the demo skill %s, except where it is the point', async (name) => {
    const text = readFileSync(new URL(`${name}/SKILL.star`, demo), 'utf8');
    const skill = readFileSync(new URL(`${name}/SKILL.md`, demo), 'utf8');
    const grave = (await check(text, skill)).filter(({ severity }) => severity === 'error' || severity === 'warning');
    expect(grave.map(({ rule, message }) => `${rule} ${message}`)).toEqual(
      name === 'endless-polish'
        ? ['MS-ask-in-unbounded-range A loop of 8 rounds calls `ask`. The program can ask 8 times; the budget is 5.']
        : [],
    );
  });

  it('give the worst case of the demo skills', async () => {
    const worst: Record<string, unknown> = {};
    for (const name of names) {
      const text = readFileSync(new URL(`${name}/SKILL.star`, demo), 'utf8');
      worst[name] = (await test.engine.analyse({ file: 'SKILL.star', text })).facts?.worst;
    }
    expect(worst).toMatchObject({
      'fix-until-green': { ask: 3, command: 4 },
      'endless-polish': { ask: 8, command: 0 },
    });
  });
});
