/** Queries that a model writes: in people's words, which a description often lacks. What it answers is untrusted, and checked. */
import { isObject, parseJson, type Json } from '../../../base/json.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { CallResult, CanonicalRequest } from '../../provider/types.ts';
import { pickSkill, type PickableSkill } from '../../simulator/behaviour/pick-skill.ts';
import { isText, listOf } from './foreign-entries.ts';
import { plainQuery } from './plain-query.ts';
import type { Suite, TriggerQuery } from './types.ts';

const WRITTEN = 'by-model';
const MOST_NEIGHBORS = 8;
const MOST_DESCRIPTION = 1500;
const MOST_QUERY = 1000;
const MOST_QUERIES = 40;
const MOST_OUTPUT = 4096;

const TASK = `You write messages that people send to an assistant which can load skills. They test whether the assistant loads the right one.

Write 8 messages that should load the skill TARGET, 6 that sound like it and should load one of the other skills, and 4 about other things that need none of these skills. Write as people do: short and long, formal and casual, with details of their own, and not in the words of the descriptions. Never name a skill.

Answer with one JSON array and nothing else. Each item: {"query": "the message", "kind": "should" | "near-miss" | "should-not", "expect": "the name of the skill that should load, or null"}.`;

const entryOf = ({ name, description }: PickableSkill): string =>
  `<skill name=${JSON.stringify(name)}>\n${description.slice(0, MOST_DESCRIPTION)}\n</skill>`;

/** Nothing where the library has no such skill. */
export const proposalRequest = (
  skills: readonly PickableSkill[],
  name: string,
  model: string,
): CanonicalRequest | undefined => {
  const target = skills.find((skill) => skill.name === name);
  if (!target) return undefined;
  const others = skills.filter((skill) => skill.name !== name);
  const ranked = pickSkill(target.description, others).ranked.map(({ name: other }) => other);
  const near = [...ranked.flatMap((other) => others.find((skill) => skill.name === other) ?? []), ...others];
  const shown = [...new Set(near)].slice(0, MOST_NEIGHBORS);
  const text = `${TASK}\n\nTARGET: ${JSON.stringify(name)}\n\n${[target, ...shown].map(entryOf).join('\n\n')}`;
  return {
    model,
    tools: [],
    system: { stable: '', volatile: '' },
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    maxOutputTokens: MOST_OUTPUT,
    stream: true,
    cache: { mode: 'off', ttl: { tools: '5m', system: '5m', messages: '5m' } },
    cacheKey: '',
  };
};

const queryOf = (item: Json, name: string, names: ReadonlySet<string>): TriggerQuery | undefined => {
  if (!isObject(item) || !isText(item['query']) || item['query'].length > MOST_QUERY) return undefined;
  const { kind, expect } = item;
  const query = item['query'].trim();
  if (kind === 'should') return plainQuery(query, 0, { expect: [name], kind, tags: [WRITTEN] });
  if (kind !== 'near-miss' && kind !== 'should-not') return undefined;
  // A skill that is not there can never be picked, and the model may be wrong about others: only this one is forbidden then.
  const other = isText(expect) && expect !== name && names.has(expect) ? { expect: [expect] } : {};
  return plainQuery(query, 0, { forbid: [name], kind, tags: [WRITTEN], ...other });
};

/** The queries of an answer, or why none exist. */
export const readProposal = (
  result: CallResult,
  skills: readonly PickableSkill[],
  name: string,
): Result<readonly TriggerQuery[], string> => {
  if (!result.ok) return err(result.error.message);
  const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  const json = parseJson(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1));
  const names = new Set(skills.map((skill) => skill.name));
  const found = json.ok ? listOf(json.value).flatMap((item) => queryOf(item, name, names) ?? []) : [];
  const queries = [...new Map(found.map((query) => [query.id, query])).values()].slice(0, MOST_QUERIES);
  return queries.length > 0
    ? ok(queries)
    : err('The model didn’t return queries. Try again, or choose a different model.');
};

/** Those of `more` that the suite does not have, first. */
export const withQueries = (suite: Suite, more: readonly TriggerQuery[]): Suite => {
  const ids = new Set(suite.queries.map(({ id }) => id));
  return { ...suite, queries: [...more.filter(({ id }) => !ids.has(id)), ...suite.queries] };
};
