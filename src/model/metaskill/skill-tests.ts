/** `SKILL.test.yaml`: golden runs of a metaskill with scripted answers and commands. */
import { err, ok, type Result } from '../../base/result.ts';
import { issueInWords } from '../schema-words.ts';
import { readYamlFile } from '../yaml-file.ts';
import { z } from '../zod.ts';
import type { RunOutcome } from './host.ts';

export const TEST_FILE = 'SKILL.test.yaml';

const commandResult = z.strictObject({ exit_code: z.int(), output: z.string().default('') });

const testCase = z
  .strictObject({
    name: z.string().min(1),
    input: z.record(z.string(), z.json()),
    answers: z.array(z.string()).default([]),
    commands: z.array(commandResult).default([]),
    max_ask_calls: z.int().exactOptional(),
    max_command_calls: z.int().exactOptional(),
    /** Members of the envelope; a string may also be `{contains: …}`. */
    expect: z.record(z.string(), z.json()).exactOptional(),
    /** The result is an `error:` that contains this. */
    error: z.string().exactOptional(),
    asks: z.int().exactOptional(),
    command_calls: z.int().exactOptional(),
  })
  .refine(({ expect, error }) => expect === undefined || error === undefined, {
    error: '`expect` and `error` exclude each other: an error has no envelope',
  });

export type SkillTest = z.infer<typeof testCase>;
export type ScriptedCommand = z.infer<typeof commandResult>;

const testFile = z.strictObject({ tests: z.array(testCase).min(1) });

export const answersSchema = z.array(z.string());
export const commandsSchema = z.array(commandResult);

const knownKeys = (path: readonly PropertyKey[]): readonly string[] => {
  if (path.length === 0) return Object.keys(testFile.shape);
  return path.length === 2 ? Object.keys(testCase.shape) : [];
};

export const parseSkillTests = (text: string): Result<readonly SkillTest[], string> => {
  const file = readYamlFile(text);
  if (!file.ok) return err(file.error.map(({ line, message }) => `line ${line}: ${message}`).join('; '));
  const result = testFile.safeParse(file.value.data, { reportInput: true });
  if (result.success) return ok(result.data.tests);
  const [issue] = result.error.issues;
  if (!issue) return err('not understood');
  const key = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const line = file.value.lineOf([...issue.path, ...key]);
  return err(`line ${line}: ${issue.path.join('.') || 'the file'}: ${issueInWords(issue, knownKeys(issue.path))}`);
};

const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

const matches = (actual: unknown, expected: unknown): boolean => {
  if (
    typeof expected === 'object' &&
    expected !== null &&
    'contains' in expected &&
    Object.keys(expected).length === 1
  ) {
    return typeof actual === 'string' && actual.includes(String(expected.contains));
  }
  return canonical(actual) === canonical(expected);
};

/** The order of keys does not matter to a test. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? 'undefined';

const envelopeOf = (result: string): Readonly<Record<string, unknown>> =>
  JSON.parse(result.slice(result.indexOf('\n') + 1)) as Readonly<Record<string, unknown>>;

/** What differs from what the test expects, a line each; empty if it passed. */
export const compareRun = (test: SkillTest, outcome: RunOutcome): readonly string[] => {
  const diff: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown): void => {
    if (!matches(actual, expected)) diff.push(`${what}: expected ${show(expected)}, got ${show(actual)}`);
  };
  const count = (kind: 'ask' | 'command'): number => outcome.steps.filter((step) => step.kind === kind).length;
  if (test.error !== undefined) {
    if (outcome.ok || !outcome.result.includes(test.error))
      diff.push(`expected an error with ${show(test.error)}, got ${show(outcome.result)}`);
  } else if (!outcome.ok) diff.push(`expected a result, got ${show(outcome.result)}`);
  else {
    const envelope = envelopeOf(outcome.result);
    for (const [key, expected] of Object.entries(test.expect ?? {})) compare(key, envelope[key], expected);
  }
  if (test.asks !== undefined) compare('asks', count('ask'), test.asks);
  if (test.command_calls !== undefined) compare('command_calls', count('command'), test.command_calls);
  return diff;
};
