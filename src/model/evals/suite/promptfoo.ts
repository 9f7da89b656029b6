/** promptfoo's YAML: each test with an assertion about skills is a query. What it cannot say plainly is left out, and told. */
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { YamlFile } from '../../yaml-file.ts';
import { bareName, isText, listOf, mappingOf, warning, type Found } from './foreign-entries.ts';
import { plainQuery } from './plain-query.ts';

type Mapping = Readonly<Record<string, Json>>;

const VARIABLE = /\{\{([^{}]*)\}\}/g;
/** promptfoo takes such a prompt for a file. */
const FILE_NAME = /^(?:file:\/\/|\S+\.(?:txt|md|json|jsonl|ya?ml|j2|csv|py|[cm]?[jt]s)$)/;
const LOGIC = /\{[%#]/;
/** A template in a variable is filled in by promptfoo, with rules of its own. */
const TEMPLATE_MARK = /\{[{%#]/;
const MESSAGES = /^\s*\[\s*\{[\s\S]*"role"/;

/** The prompt with its variables filled in; or what is in the way. */
const filled = (prompt: string, vars: Mapping): { text: string } | { problem: string } => {
  if (FILE_NAME.test(prompt) || LOGIC.test(prompt))
    return { problem: 'Lathe doesn’t read prompts from files or with logic' };
  if (MESSAGES.test(prompt)) return { problem: 'Lathe doesn’t read prompts with several messages' };
  let problem: string | undefined;
  const text = prompt.replace(VARIABLE, (_, inner: string) => {
    const name = inner.trim();
    const value = vars[name];
    if (/[^\w.-]/.test(name)) problem = `{{${name}}} is more than a variable`;
    else if (typeof value === 'string' && TEMPLATE_MARK.test(value)) problem = `the variable ${name} holds a template`;
    else if (typeof value === 'string' && !value.startsWith('file://')) return value;
    else if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    else problem = `the variable ${name} has no plain value`;
    return '';
  });
  if (problem !== undefined) return { problem };
  return text.trim() === '' ? { problem: 'its prompt is empty' } : { text };
};

/** A string, or a mapping with one: `{raw}`. */
const promptText = (prompt: Json): string | undefined => {
  if (typeof prompt === 'string') return prompt;
  const { raw } = mappingOf(prompt);
  return isText(raw) ? raw : undefined;
};

/** Without prompts, promptfoo sends the variable `prompt`. */
const promptsOf = ({ prompts }: Mapping): readonly Json[] => {
  if (prompts === undefined || prompts === null) return ['{{prompt}}'];
  return Array.isArray(prompts) ? (prompts as readonly Json[]) : [prompts];
};

interface SkillAssertions {
  readonly expect: readonly string[];
  readonly forbid: readonly string[];
  /** What a suite of ours cannot say. */
  readonly others: readonly Json[];
  readonly problem?: string;
}

/** The names of an assertion without conditions: a name, a list, or `{name}`. */
const plainNames = (value: Json | undefined): readonly string[] | undefined => {
  if (isText(value)) return [value];
  if (Array.isArray(value)) return value.length > 0 && value.every(isText) ? value : undefined;
  return isObject(value) && isText(value['name']) && Object.keys(value).length === 1 ? [value['name']] : undefined;
};

const LIMITS: ReadonlySet<string> = new Set(['name', 'min', 'max']);

/** `{name, min, max}`: how often it must load. More than once is not asked here. */
const counted = (value: Json | undefined): { readonly name: string; readonly isForbidden: boolean } | undefined => {
  if (!isObject(value) || !isText(value['name']) || !Object.keys(value).every((key) => LIMITS.has(key)))
    return undefined;
  const { name, min, max } = value;
  if (max === 0) return { name, isForbidden: true };
  const least = min ?? (max === undefined ? 1 : 0);
  return typeof least === 'number' && least >= 1 ? { name, isForbidden: false } : undefined;
};

const isAboutSkills = ({ type }: JsonObject): boolean => type === 'skill-used' || type === 'not-skill-used';

const skillAssertions = (asserts: readonly JsonObject[]): SkillAssertions => {
  const [expect, forbid, others]: [string[], string[], Json[]] = [[], [], []];
  for (const assert of asserts) {
    const { type, value } = assert;
    if (!isAboutSkills(assert)) {
      others.push(assert);
      continue;
    }
    const names = plainNames(value);
    const limits = names ? undefined : counted(value);
    if (limits?.isForbidden === true) forbid.push(limits.name);
    else if (names) (type === 'skill-used' ? expect : forbid).push(...names);
    else if (limits && type === 'skill-used') {
      expect.push(limits.name);
      others.push(assert);
    } else
      return {
        expect,
        forbid,
        others,
        problem: 'an assertion about skills has a pattern or limits that cannot be read',
      };
  }
  return { expect: [...new Set(expect.map(bareName))], forbid: [...new Set(forbid.map(bareName))], others };
};

const TEMPLATE = /^#\/assertionTemplates\/(.+)$/;

/** Templates in their places, and sets of which all must hold as what they hold. */
const plainAsserts = (asserts: readonly Json[], templates: Mapping, depth = 0): readonly JsonObject[] =>
  asserts.flatMap((item): readonly JsonObject[] => {
    if (!isObject(item)) return [];
    const [, name] = TEMPLATE.exec(isText(item['$ref']) ? item['$ref'] : '') ?? [];
    const template = name === undefined ? undefined : templates[name];
    if (isObject(template) && depth < 10) {
      const { $ref: _ref, ...own } = item;
      return plainAsserts([{ ...template, ...own }], templates, depth + 1);
    }
    return item['type'] === 'assert-set' && item['threshold'] === undefined && depth < 10
      ? plainAsserts(listOf(item['assert']), templates, depth + 1)
      : [item];
  });

/** Sets of which only some must hold: what is in them cannot be asked of every run. */
const hasSkillsInSet = (asserts: readonly JsonObject[]): boolean =>
  asserts.some(
    ({ type, assert }) => type === 'assert-set' && listOf(assert).some((item) => isObject(item) && isAboutSkills(item)),
  );

interface Shared {
  readonly prompts: readonly Json[];
  readonly vars: Mapping;
  readonly asserts: readonly JsonObject[];
  readonly templates: Mapping;
}

const readTest = (test: Json, line: number, shared: Shared, found: Found): void => {
  const skip = (why: string): void => void found.warnings.push(warning(line, `Lathe skipped the test: ${why}.`));
  if (typeof test === 'string') return skip('Lathe doesn’t read tests in other files');
  if (!isObject(test)) return void found.warnings.push(warning(line, 'A test must be a mapping. Lathe skipped it.'));
  const vars = { ...shared.vars, ...mappingOf(test['vars']) };
  const own = plainAsserts(listOf(test['assert']), shared.templates);
  const withDefaults = mappingOf(test['options'])['disableDefaultAsserts'] !== true;
  const asserts = withDefaults ? [...shared.asserts, ...own] : own;
  const { problem, expect, forbid, others } = skillAssertions(asserts);
  if (hasSkillsInSet(asserts)) return skip('a set of assertions that needs only some to hold names skills');
  if (problem !== undefined) return skip(problem);
  if (expect.length === 0 && forbid.length === 0) return skip('it doesn’t mention skills');
  if (test['prompts'] !== undefined) return skip('it chooses among the prompts');
  for (const prompt of shared.prompts) {
    const text = promptText(prompt);
    const query = text === undefined ? { problem: 'a prompt must be text' } : filled(text, vars);
    if ('problem' in query) {
      skip(query.problem);
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
};

export const readPromptfoo = (data: Mapping, lineOf: YamlFile['lineOf']): Found => {
  const found: Found = { queries: [], warnings: [] };
  const defaults = mappingOf(data['defaultTest']);
  const templates = mappingOf(data['assertionTemplates']);
  const shared: Shared = {
    prompts: promptsOf(data),
    vars: mappingOf(defaults['vars']),
    asserts: plainAsserts(listOf(defaults['assert']), templates),
    templates,
  };
  const tests = data['tests'];
  if (Array.isArray(tests))
    (tests as readonly Json[]).forEach((test, index) => readTest(test, lineOf(['tests', index]), shared, found));
  else readTest(tests ?? null, lineOf(['tests']), shared, found);
  if (data['scenarios'] !== undefined)
    found.warnings.push(warning(lineOf(['scenarios']), 'Lathe doesn’t read scenarios. It skipped them.'));
  return found;
};

/** The tests alone, as promptfoo keeps them in a file of their own. */
export const readPromptfooTests = (tests: readonly Json[], lineOf: YamlFile['lineOf']): Found =>
  readPromptfoo({ tests }, ([, ...path]) => lineOf(path));

export const isPromptfoo = ({ tests, prompts, providers, scenarios }: Mapping): boolean =>
  Array.isArray(tests) ||
  (tests !== undefined && (prompts !== undefined || providers !== undefined)) ||
  Array.isArray(scenarios);

export const isPromptfooTest = (item: Json): boolean =>
  isObject(item) && Array.isArray(item['assert']) && (isObject(item['vars']) || item['vars'] === undefined);
