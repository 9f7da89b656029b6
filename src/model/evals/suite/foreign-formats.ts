/** Suites that other tools write. What has no counterpart is kept word for word in `x`; nothing is guessed. */
import { sha256 } from '../../../base/hash.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { takeCodePoints } from '../../../base/text.ts';
import type { YamlFile } from '../../yaml-file.ts';
import { bareName, isText, listOf, rest, warning, type Found } from './foreign-entries.ts';
import { plainQuery } from './plain-query.ts';
import { isPromptfoo, isPromptfooTest, readPromptfoo, readPromptfooTests } from './promptfoo.ts';
import { DEFAULTS, type ReadSuite, type Suite, type TriggerQuery } from './types.ts';

type Mapping = Readonly<Record<string, Json>>;

/** As a `triggers.yaml` takes one. */
const MOST_ID = 64;

const suiteOf = (skill: string | undefined, { queries }: Found): Suite => ({
  ...(skill !== undefined && { skill }),
  defaults: DEFAULTS,
  queries,
});

/** What should not trigger forbids this skill; another skill may be right. */
const labelsOf = (isWanted: boolean, skill: string): Partial<TriggerQuery> =>
  isWanted ? { expect: [skill], kind: 'should' } : { forbid: [skill], kind: 'should-not' };

/** A long id is cut, and stays one of its own. */
const idOf = (given: Json | undefined): { id?: string } => {
  if (typeof given !== 'number' && !isText(given)) return {};
  const id = String(given);
  return { id: id.length <= MOST_ID ? id : `${takeCodePoints(id, 25)}-${sha256(id).slice(0, 10)}` };
};

/** The place of an item in the file, and its line there. */
type At = (index: number) => number;

/** `[{query, should_trigger}]`. */
const readEvalQueries = (items: readonly Json[], skill: string, lineAt: At): Found => {
  const found: Found = { queries: [], warnings: [] };
  items.forEach((item, index) => {
    const line = lineAt(index);
    const text = isObject(item) ? (item['query'] ?? item['prompt']) : undefined;
    if (!isObject(item) || !isText(text) || typeof item['should_trigger'] !== 'boolean') {
      found.warnings.push(
        warning(line, 'An entry needs a `query` and `should_trigger` (true or false). Lathe skipped it.'),
      );
      return;
    }
    const labels = labelsOf(item['should_trigger'], skill);
    found.queries.push(
      plainQuery(text, line, {
        ...idOf(item['id']),
        ...labels,
        ...rest(item, ['id', item['query'] === undefined ? 'prompt' : 'query', 'should_trigger']),
      }),
    );
  });
  return found;
};

/** skill-creator: each prompt should trigger unless it says otherwise; what it expects of the output is not run here. */
const readEvals = (items: readonly Json[], skill: string, lineAt: At): Found => {
  const found: Found = { queries: [], warnings: [] };
  items.forEach((item, index) => {
    const line = lineAt(index);
    const text = isObject(item) ? (item['prompt'] ?? item['query']) : undefined;
    const isWanted = isObject(item) ? (item['should_trigger'] ?? true) : true;
    if (!isObject(item) || !isText(text) || typeof isWanted !== 'boolean') {
      found.warnings.push(
        warning(line, 'An eval needs a `prompt`, and `should_trigger` must be true or false. Lathe skipped it.'),
      );
      return;
    }
    const read = ['id', item['prompt'] === undefined ? 'query' : 'prompt', 'should_trigger'];
    found.queries.push(
      plainQuery(text, line, { ...idOf(item['id']), ...labelsOf(isWanted, skill), ...rest(item, read) }),
    );
  });
  return found;
};

const WAZA_KEYS = ['should_trigger_prompts', 'should_not_trigger_prompts'] as const;

const CONFIDENCE: Readonly<Record<string, number>> = { high: 1, medium: 0.5 };

/** waza: two lists of prompts, each with a reason. */
const readWaza = (data: Mapping, skill: string, lineOf: YamlFile['lineOf']): Found => {
  const found: Found = { queries: [], warnings: [] };
  for (const key of WAZA_KEYS)
    listOf(data[key]).forEach((item, index) => {
      const line = lineOf([key, index]);
      const { prompt, reason, confidence } = isObject(item) ? item : { prompt: item };
      if (!isText(prompt)) {
        found.warnings.push(warning(line, 'An entry needs a `prompt`. Lathe skipped it.'));
        return;
      }
      found.queries.push(
        plainQuery(prompt, line, {
          ...labelsOf(key === 'should_trigger_prompts', skill),
          ...(isText(reason) && { note: reason }),
          weight: (isText(confidence) ? CONFIDENCE[confidence] : undefined) ?? 1,
          ...(isObject(item) && rest(item, ['prompt', 'reason', 'confidence'])),
        }),
      );
    });
  return found;
};

const REACH_KINDS: Readonly<Record<string, TriggerQuery['kind']>> = {
  implicit: 'should',
  contextual: 'should',
  neighbor_negative: 'near-miss',
  out_of_scope: 'should-not',
};

/** skill-reach: a query names the skill that is expected, or none at all. */
const readReach = (items: readonly Json[], lineAt: At): Found => {
  const found: Found = { queries: [], warnings: [] };
  items.forEach((item, index) => {
    const line = lineAt(index);
    const wanted = isObject(item) ? item['expected_skill'] : undefined;
    if (!isObject(item) || !isText(item['text']) || !(wanted === null || isText(wanted))) {
      found.warnings.push(
        warning(line, 'A query needs a `text` and an `expected_skill` (a name or null). Lathe skipped it.'),
      );
      return;
    }
    const kind = isText(item['kind']) ? REACH_KINDS[item['kind']] : undefined;
    found.queries.push(
      plainQuery(item['text'], line, {
        ...idOf(item['id'] ?? item['query_id']),
        expect: wanted === null ? [] : [bareName(wanted)],
        allow: listOf(item['acceptable_skills']).filter(isText).map(bareName),
        ...(kind && { kind }),
        ...(isText(item['notes']) && { note: item['notes'] }),
        ...rest(item, [
          'id',
          'query_id',
          'text',
          'expected_skill',
          'acceptable_skills',
          'notes',
          ...(kind ? ['kind'] : []),
        ]),
      }),
    );
  });
  return found;
};

const has = (items: readonly Json[], key: string): boolean => items.some((item) => isObject(item) && key in item);

/** What the data is, by its content; nothing where it is not a suite of theirs. */
export const readForeign = (
  { data, lineOf }: YamlFile,
  folderSkill: string | undefined,
): ReadSuite | string | undefined => {
  const done = (format: ReadSuite['format'], skill: string | undefined, found: Found): ReadSuite => ({
    suite: suiteOf(skill, found),
    format,
    warnings: found.warnings,
  });
  const needSkill = (skill: string | undefined, read: (name: string) => ReadSuite): ReadSuite | string =>
    skill === undefined ? 'The suite doesn’t name its skill. Move it to the skill’s `evals` folder.' : read(skill);
  if (Array.isArray(data)) {
    const items = data as readonly Json[];
    if (has(items, 'should_trigger'))
      return needSkill(folderSkill, (skill) =>
        done(
          'eval-queries',
          skill,
          readEvalQueries(items, skill, (index) => lineOf([index])),
        ),
      );
    return items.length > 0 && items.every(isPromptfooTest)
      ? done('promptfoo', folderSkill, readPromptfooTests(items, lineOf))
      : undefined;
  }
  if (!isObject(data) || data['format'] !== undefined) return undefined;
  const given = [data['skill_name'], data['skill']].find(isText);
  const named = given === undefined ? folderSkill : bareName(given);
  const { evals, queries } = data;
  if (Array.isArray(evals))
    return needSkill(named, (skill) =>
      done(
        'evals',
        skill,
        readEvals(evals as readonly Json[], skill, (index) => lineOf(['evals', index])),
      ),
    );
  if (WAZA_KEYS.some((key) => Array.isArray(data[key])))
    return needSkill(named, (skill) => done('waza', skill, readWaza(data, skill, lineOf)));
  if (Array.isArray(queries)) {
    const items = queries as readonly Json[];
    const lineAt: At = (index) => lineOf(['queries', index]);
    if (has(items, 'expected_skill')) return done('skill-reach', folderSkill, readReach(items, lineAt));
    if (has(items, 'should_trigger'))
      return needSkill(named, (skill) => done('eval-queries', skill, readEvalQueries(items, skill, lineAt)));
  }
  return isPromptfoo(data) ? done('promptfoo', folderSkill, readPromptfoo(data, lineOf)) : undefined;
};
