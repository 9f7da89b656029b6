/** A file with a suite of any format that is known, to one suite. */
import { isObject } from '../../../base/json.ts';
import { plural } from '../../../base/text.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { readYamlFile } from '../../yaml-file.ts';
import { queryId } from './query-id.ts';
import { readForeign } from './foreign-formats.ts';
import { readTriggers } from './triggers-file.ts';
import {
  MOST_BYTES,
  MOST_CHARACTERS,
  MOST_QUERIES,
  type ReadSuite,
  type SuiteFault,
  type TriggerQuery,
} from './types.ts';

const fault = (line: number, message: string): SuiteFault => ({ line, severity: 'error', message });

/** What is expected, so that two labels can be compared. */
const labelOf = ({ expect, all, forbid }: TriggerQuery): string =>
  JSON.stringify([expect?.toSorted() ?? null, all, forbid.toSorted()]);

/** Equal queries without ids of their own: the second one gets a number, so that both are run. */
const numbered = (queries: readonly TriggerQuery[]): readonly TriggerQuery[] => {
  const seen = new Map<string, number>();
  return queries.map((query) => {
    if (query.id !== queryId(query.query, query.context)) return query;
    const times = (seen.get(query.id) ?? 0) + 1;
    seen.set(query.id, times);
    return times === 1 ? query : { ...query, id: `${query.id}-${times}` };
  });
};

const duplicateFaults = (queries: readonly TriggerQuery[]): readonly SuiteFault[] => {
  const [byId, byText] = [new Map<string, TriggerQuery>(), new Map<string, TriggerQuery>()];
  const faults: SuiteFault[] = [];
  for (const query of queries) {
    const sameText = byText.get(query.query);
    const sameId = byId.get(query.id);
    if (sameText && labelOf(sameText) !== labelOf(query))
      faults.push({
        line: query.line,
        severity: 'warning',
        message: `The query of line ${sameText.line} has another label here.`,
      });
    if (sameId) faults.push(fault(query.line, `The id “${query.id}” is already used in line ${sameId.line}.`));
    byId.set(query.id, query);
    byText.set(query.query, query);
  }
  return faults;
};

/** What a suite says and can't mean. */
const strangeLabels = (queries: readonly TriggerQuery[]): readonly SuiteFault[] =>
  queries.flatMap(({ expect = [], forbid, line }): readonly SuiteFault[] => {
    const both = expect.find((name) => forbid.includes(name));
    if (both === undefined) return [];
    const message = `The query expects “${both}” and forbids it, so no run that picks it is right. Remove one.`;
    return [{ line, severity: 'warning', message }];
  });

const EMPTY: SuiteFault = { line: 1, severity: 'warning', message: 'The suite has no queries. Add one.' };

const UNKNOWN = 'Lathe doesn’t know this suite format. Start it with `format: lathe-triggers/1`, then `queries:`.';

/** JSON is YAML. `folderSkill` is the skill whose folder holds the file. */
export const readSuite = (text: string, folderSkill?: string): Result<ReadSuite, readonly SuiteFault[]> => {
  if (text.length > MOST_BYTES) return err([fault(1, `The file is larger than ${MOST_BYTES / 1e6} MB.`)]);
  const yaml = readYamlFile(text);
  if (!yaml.ok) return err(yaml.error.map(({ line, message }) => fault(line, message)));
  const foreign = readForeign(yaml.value, folderSkill);
  if (typeof foreign === 'string') return err([fault(1, foreign)]);
  let read: ReadSuite;
  if (foreign) read = foreign;
  else if (!isObject(yaml.value.data)) return err([fault(1, UNKNOWN)]);
  else {
    const own = readTriggers(yaml.value, folderSkill);
    if (!own.ok) return own;
    read = { suite: own.value, format: 'triggers', warnings: [] };
  }
  const queries = numbered(read.suite.queries);
  if (queries.length > MOST_QUERIES)
    return err([
      fault(1, `The suite has ${plural(queries.length, 'query', 'queries')}. Lathe reads at most ${MOST_QUERIES}.`),
    ]);
  const long = queries.find(({ query }) => query.length > MOST_CHARACTERS);
  if (long) return err([fault(long.line, `A query has at most ${MOST_CHARACTERS} characters.`)]);
  const faults = duplicateFaults(queries);
  const warnings = [...read.warnings, ...faults, ...strangeLabels(queries)];
  const errors = faults.filter(({ severity }) => severity === 'error');
  return errors.length > 0
    ? err(errors)
    : ok({
        ...read,
        suite: { ...read.suite, queries },
        warnings: warnings.length === 0 && queries.length === 0 ? [EMPTY] : warnings,
      });
};
