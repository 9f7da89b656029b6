/** `evals/triggers.yaml`: our own format. */
import { stringify } from 'yaml';
import { err, ok, type Result } from '../../../base/result.ts';
import { issueInWords } from '../../schema-words.ts';
import type { YamlFile } from '../../yaml-file.ts';
import { z } from '../../zod.ts';
import { queryId } from './query-id.ts';
import {
  DEFAULTS,
  MOST_CHARACTERS,
  QUERY_KINDS,
  SPLITS,
  type Suite,
  type SuiteFault,
  type TriggerQuery,
} from './types.ts';

const TRIGGERS_FORMAT = 'lathe-triggers/1';

const text = z.string().min(1).max(MOST_CHARACTERS);
const names = z.array(z.string().min(1).max(200)).max(100);
const repeats = z.int().min(1).max(1000);

const querySchema = z.strictObject({
  id: z.string().min(1).max(64).optional(),
  query: text,
  expect: names.optional(),
  all: z.boolean().optional(),
  forbid: names.optional(),
  allow: names.optional(),
  kind: z.enum(QUERY_KINDS).optional(),
  split: z.enum(SPLITS).optional(),
  tags: z.array(z.string()).max(100).optional(),
  context: z.array(text).max(50).optional(),
  repeats: repeats.optional(),
  weight: z.number().min(0).max(1000).optional(),
  note: z.string().optional(),
  x: z.json().optional(),
});

const suiteSchema = z.strictObject({
  format: z.literal(TRIGGERS_FORMAT, { error: `write \`format: ${TRIGGERS_FORMAT}\`` }),
  skill: z.string().min(1).max(200).optional(),
  defaults: z.strictObject({ repeats: repeats.optional(), maxTurns: z.int().min(1).max(30).optional() }).optional(),
  queries: z.array(querySchema),
});

type RawQuery = z.infer<typeof querySchema>;

const queryOf = (raw: RawQuery, skill: string | undefined, line: number): TriggerQuery => {
  const context = raw.context ?? [];
  const isUnlabeled = raw.expect === undefined && raw.forbid === undefined && skill !== undefined;
  const expect = isUnlabeled ? [skill] : raw.expect;
  return {
    id: raw.id ?? queryId(raw.query, context),
    query: raw.query,
    ...(expect && { expect }),
    all: raw.all ?? false,
    forbid: raw.forbid ?? [],
    allow: raw.allow ?? [],
    ...(raw.kind && { kind: raw.kind }),
    ...(raw.split && { split: raw.split }),
    tags: raw.tags ?? [],
    context,
    ...(raw.repeats !== undefined && { repeats: raw.repeats }),
    weight: raw.weight ?? 1,
    ...(raw.note !== undefined && { note: raw.note }),
    ...(raw.x !== undefined && { x: raw.x }),
    line,
  };
};

/** The keys that a mapping of the file may have. */
const knownKeys = (path: readonly PropertyKey[]): readonly string[] => {
  if (path.length === 0) return Object.keys(suiteSchema.shape);
  return path[0] === 'queries' && path.length === 2 ? Object.keys(querySchema.shape) : [];
};

/** `folderSkill` is the skill whose folder holds the file. */
export const readTriggers = (
  { data, lineOf }: YamlFile,
  folderSkill?: string,
): Result<Suite, readonly SuiteFault[]> => {
  const parsed = suiteSchema.safeParse(data, { reportInput: true });
  if (!parsed.success)
    return err(
      parsed.error.issues.map((issue) => ({
        line: lineOf(issue.path),
        severity: 'error',
        message: `${issue.path.length === 0 ? 'The suite' : issue.path.join('.')}: ${issueInWords(issue, knownKeys(issue.path))}`,
      })),
    );
  const { skill = folderSkill, defaults, queries } = parsed.data;
  return ok({
    ...(skill !== undefined && { skill }),
    defaults: { repeats: defaults?.repeats ?? DEFAULTS.repeats, maxTurns: defaults?.maxTurns ?? DEFAULTS.maxTurns },
    queries: queries.map((query, index) => queryOf(query, skill, lineOf(['queries', index]))),
  });
};

/** Without what is the same when it is left out. */
export const writeTriggers = ({ skill, defaults, queries }: Suite): string =>
  stringify(
    {
      format: TRIGGERS_FORMAT,
      ...(skill !== undefined && { skill }),
      defaults,
      queries: queries.map((query) => ({
        ...(query.id !== queryId(query.query, query.context) && { id: query.id }),
        query: query.query,
        ...(query.expect && { expect: query.expect }),
        ...(query.all && { all: true }),
        ...(query.forbid.length > 0 || query.expect === undefined ? { forbid: query.forbid } : {}),
        ...(query.allow.length > 0 && { allow: query.allow }),
        ...(query.kind && { kind: query.kind }),
        ...(query.split && { split: query.split }),
        ...(query.tags.length > 0 && { tags: query.tags }),
        ...(query.context.length > 0 && { context: query.context }),
        ...(query.repeats !== undefined && { repeats: query.repeats }),
        ...(query.weight !== 1 && { weight: query.weight }),
        ...(query.note !== undefined && { note: query.note }),
        ...(query.x !== undefined && { x: query.x }),
      })),
    },
    { lineWidth: 0 },
  );
