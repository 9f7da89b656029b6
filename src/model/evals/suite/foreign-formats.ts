/** Suites that other tools write. What has no counterpart is kept word for word in `x`; nothing is guessed. */
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { YamlFile } from '../../yaml-file.ts';
import { plainQuery } from './plain-query.ts';
import { DEFAULTS, type ReadSuite, type Suite, type SuiteFault, type TriggerQuery } from './types.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** The keys of `item` beside those that were read. */
const rest = (item: Readonly<Record<string, Json>>, read: readonly string[]): { x?: Json } => {
  const others = Object.entries(item).filter(([key]) => !read.includes(key));
  return others.length === 0 ? {} : { x: Object.fromEntries(others) };
};

const warning = (line: number, message: string): SuiteFault => ({ line, severity: 'warning', message });

interface Found {
  readonly queries: TriggerQuery[];
  readonly warnings: SuiteFault[];
}

const suiteOf = (skill: string | undefined, { queries }: Found): Suite => ({
  ...(skill !== undefined && { skill }),
  defaults: DEFAULTS,
  queries,
});

/** `[{query, should_trigger}]`: a query that should not trigger forbids this skill; another skill may be right. */
const readEvalQueries = (items: readonly Json[], skill: string, lineOf: YamlFile['lineOf']): Found => {
  const found: Found = { queries: [], warnings: [] };
  items.forEach((item, index) => {
    const line = lineOf([index]);
    if (!isObject(item) || !isText(item['query']) || typeof item['should_trigger'] !== 'boolean') {
      found.warnings.push(
        warning(line, 'An entry needs a `query` and `should_trigger` (true or false). It was left out.'),
      );
      return;
    }
    const labels: Partial<TriggerQuery> = item['should_trigger']
      ? { expect: [skill], kind: 'should' }
      : { forbid: [skill], kind: 'should-not' };
    found.queries.push(plainQuery(item['query'], line, { ...labels, ...rest(item, ['query', 'should_trigger']) }));
  });
  return found;
};

/** skill-creator: each prompt should trigger; what it expects of the output is not run here. */
const readEvals = (evals: readonly Json[], skill: string, lineOf: YamlFile['lineOf']): Found => {
  const found: Found = { queries: [], warnings: [] };
  evals.forEach((item, index) => {
    const line = lineOf(['evals', index]);
    if (!isObject(item) || !isText(item['prompt'])) {
      found.warnings.push(warning(line, 'An eval needs a `prompt`. It was left out.'));
      return;
    }
    const { id } = item;
    const own = typeof id === 'number' || isText(id) ? { id: String(id) } : {};
    found.queries.push(
      plainQuery(item['prompt'], line, { ...own, expect: [skill], kind: 'should', ...rest(item, ['prompt', 'id']) }),
    );
  });
  return found;
};

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** The prompt with its variables filled in; or what is in the way. */
const filled = (prompt: string, vars: Readonly<Record<string, Json>>): { text: string } | { problem: string } => {
  if (prompt.startsWith('file://') || prompt.includes('{%'))
    return { problem: 'prompts from files or with logic are not read' };
  let problem: string | undefined;
  const text = prompt.replace(VARIABLE, (_, inner: string) => {
    const name = inner.trim();
    const value = vars[name];
    if (/[^\w.-]/.test(name)) problem = `{{${name}}} is more than a variable`;
    else if (typeof value === 'string' && !value.startsWith('file://')) return value;
    else if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    else problem = `the variable ${name} has no plain value`;
    return '';
  });
  return problem === undefined ? { text } : { problem };
};

interface SkillAssertions {
  readonly expect: readonly string[];
  readonly forbid: readonly string[];
  readonly problem?: string;
}

/** The names of an assertion without conditions: a name, a list, or `{name}`. */
const plainNames = (value: Json | undefined): readonly string[] | undefined => {
  if (isText(value)) return [value];
  if (Array.isArray(value)) return value.every(isText) ? value : undefined;
  return isObject(value) && isText(value['name']) && Object.keys(value).length === 1 ? [value['name']] : undefined;
};

/** `{name, max: 0}` forbids, whichever assertion it is in. */
const forbiddenName = (value: Json | undefined): string | undefined =>
  isObject(value) && isText(value['name']) && value['max'] === 0 && Object.keys(value).length === 2
    ? value['name']
    : undefined;

const isAboutSkills = (item: Json): item is JsonObject =>
  isObject(item) && (item['type'] === 'skill-used' || item['type'] === 'not-skill-used');

const skillAssertions = (asserts: readonly Json[]): SkillAssertions => {
  const [expect, forbid]: [string[], string[]] = [[], []];
  for (const { type, value } of asserts.filter(isAboutSkills)) {
    const names = plainNames(value);
    const forbidden = forbiddenName(value);
    if (forbidden !== undefined) forbid.push(forbidden);
    else if (names) (type === 'skill-used' ? expect : forbid).push(...names);
    else return { expect, forbid, problem: 'an assertion about skills has a pattern or limits that cannot be read' };
  }
  return { expect, forbid };
};

const readPromptfoo = (data: Readonly<Record<string, Json>>, lineOf: YamlFile['lineOf']): Found => {
  const found: Found = { queries: [], warnings: [] };
  const prompts = (
    Array.isArray(data['prompts']) ? data['prompts'] : [data['prompts'] ?? '{{query}}']
  ) as readonly Json[];
  const shared = isObject(data['defaultTest']) ? data['defaultTest'] : {};
  const sharedVars = isObject(shared['vars']) ? shared['vars'] : {};
  const sharedAsserts = Array.isArray(shared['assert']) ? (shared['assert'] as readonly Json[]) : [];
  const tests = data['tests'] as readonly Json[];
  tests.forEach((test, index) => {
    const line = lineOf(['tests', index]);
    if (!isObject(test)) {
      found.warnings.push(warning(line, 'A test must be a mapping. It was left out.'));
      return;
    }
    const vars = { ...sharedVars, ...(isObject(test['vars']) ? test['vars'] : {}) };
    const asserts = Array.isArray(test['assert']) ? (test['assert'] as readonly Json[]) : [];
    const { problem, expect, forbid } = skillAssertions([...sharedAsserts, ...asserts]);
    if (problem !== undefined || (expect.length === 0 && forbid.length === 0)) {
      found.warnings.push(warning(line, `The test was left out: ${problem ?? 'it says nothing about skills'}.`));
      return;
    }
    const others = asserts.filter((item) => !isAboutSkills(item));
    for (const prompt of prompts) {
      const query = typeof prompt === 'string' ? filled(prompt, vars) : { problem: 'a prompt must be text' };
      if ('problem' in query) {
        found.warnings.push(warning(line, `The test was left out: ${query.problem}.`));
        continue;
      }
      found.queries.push(
        plainQuery(query.text, line, {
          ...(expect.length > 0 && { expect }),
          kind: expect.length > 0 ? 'should' : 'should-not',
          all: expect.length > 1,
          forbid,
          ...(isText(test['description']) && { note: test['description'] }),
          ...(others.length > 0 && { x: { assert: others } }),
        }),
      );
    }
  });
  return found;
};

/** What the data is, by its content; nothing where it is no suite of theirs. */
export const readForeign = (
  { data, lineOf }: YamlFile,
  folderSkill: string | undefined,
): ReadSuite | string | undefined => {
  const NO_SKILL = 'The suite does not say which skill it is for. Put it into the `evals` folder of the skill.';
  if (Array.isArray(data) && data.some((item) => isObject(item) && 'should_trigger' in item)) {
    if (folderSkill === undefined) return NO_SKILL;
    const found = readEvalQueries(data as readonly Json[], folderSkill, lineOf);
    return { suite: suiteOf(folderSkill, found), format: 'eval-queries', warnings: found.warnings };
  }
  if (!isObject(data)) return undefined;
  if (Array.isArray(data['evals'])) {
    const skill = isText(data['skill_name']) ? data['skill_name'] : folderSkill;
    if (skill === undefined) return NO_SKILL;
    const found = readEvals(data['evals'] as readonly Json[], skill, lineOf);
    return { suite: suiteOf(skill, found), format: 'evals', warnings: found.warnings };
  }
  if (Array.isArray(data['tests'])) {
    const found = readPromptfoo(data, lineOf);
    return { suite: suiteOf(folderSkill, found), format: 'promptfoo', warnings: found.warnings };
  }
  return undefined;
};
