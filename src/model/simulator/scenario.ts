/** Scenario files: what the simulated model says when. A file is checked whole, and a mistake is reported with its line. */
import type { Json } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Message } from '../provider/types.ts';
import { readYamlFile, type YamlFault } from '../yaml-file.ts';
import { z } from '../zod.ts';
import { withoutNotices } from './behaviour/notices.ts';
import { spoken } from './behaviour/turn.ts';
import { FAULT_WORDS, faultKind } from './faults.ts';
import type { SimConversation, SimFault, SimReply } from './types.ts';

const whole = z.int().min(1);
const json = z.json();

const faultWord = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.enum(FAULT_WORDS as [string, ...string[]], { error: `is one of ${FAULT_WORDS.join(', ')}` }),
);

const faultSchema = z.union(
  [faultWord, z.strictObject({ kind: faultWord, retry_after: z.number().min(0).exactOptional() })],
  { error: `is one of ${FAULT_WORDS.join(', ')}, or {kind, retry_after}` },
);

const pattern = z.string().refine(
  (text) => {
    try {
      return new RegExp(text, 'u') instanceof RegExp;
    } catch {
      return false;
    }
  },
  { error: 'isn’t a valid regular expression' },
);

const whenSchema = z.strictObject({
  contains: z.string().min(1).exactOptional(),
  matches: pattern.exactOptional(),
  system_contains: z.string().min(1).exactOptional(),
  last_role: z.enum(['user', 'tool'], { error: 'is user (the user wrote) or tool (a tool responded)' }).exactOptional(),
  tool_result_of: z.string().min(1).exactOptional(),
  model: z.string().min(1).exactOptional(),
  turn: whole.exactOptional(),
  nth: whole.exactOptional(),
});

const replySchema = z
  .strictObject({
    text: z.string().exactOptional(),
    thinking: z.string().exactOptional(),
    tool_calls: z
      .array(z.strictObject({ name: z.string().min(1), input: z.record(z.string(), json).exactOptional() }))
      .exactOptional(),
    stop: z
      .enum(['max_tokens', 'refusal', 'pause_turn'], { error: 'is max_tokens, refusal or pause_turn' })
      .exactOptional(),
    fault: faultSchema.exactOptional(),
  })
  .refine((reply) => Object.keys(reply).length > 0, { error: 'needs one of text, tool_calls, thinking, stop, fault' });

const ruleSchema = z
  .strictObject({
    name: z.string().exactOptional(),
    when: whenSchema.exactOptional(),
    reply: replySchema,
    once: z.boolean().exactOptional(),
    times: whole.exactOptional(),
  })
  .refine((rule) => rule.once === undefined || rule.times === undefined, { error: 'has once or times, not both' });

const scenarioSchema = z.strictObject({
  rules: z.array(ruleSchema).min(1, { error: 'needs at least one rule' }),
  otherwise: z.enum(['builtin', 'error'], { error: 'is builtin or error' }).exactOptional(),
});

export type Scenario = z.infer<typeof scenarioSchema>;
type Rule = Scenario['rules'][number];

const ALLOWED: readonly (readonly [pattern: RegExp, keys: string])[] = [
  [/^$/, 'rules, otherwise'],
  [/^rules\.\d+$/, 'name, when, reply, once, times'],
  [/^rules\.\d+\.when$/, 'contains, matches, system_contains, last_role, tool_result_of, model, turn, nth'],
  [/^rules\.\d+\.reply$/, 'text, thinking, tool_calls, stop, fault'],
  [/^rules\.\d+\.reply\.tool_calls\.\d+$/, 'name, input'],
  [/^rules\.\d+\.reply\.fault$/, 'kind, retry_after'],
];

const sayPath = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the file'
    : path
        .map((step) => (typeof step === 'number' ? `[${step + 1}]` : String(step)))
        .join('.')
        .replaceAll('.[', '[');

const sayIssue = (issue: z.core.$ZodIssue): string => {
  const at = sayPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const path = issue.path.map(String).join('.');
    const allowed = ALLOWED.find(([expression]) => expression.test(path))?.[1];
    return `${at}: unknown key ${issue.keys.map((key) => `“${key}”`).join(', ')}${allowed === undefined ? '' : `. Allowed: ${allowed}`}`;
  }
  if (issue.code === 'invalid_type') {
    const isAbsent = issue.input === undefined;
    return isAbsent ? `${at}: is missing (${issue.expected})` : `${at}: must be ${issue.expected}`;
  }
  return `${at}: ${issue.message}`;
};

/** Every mistake of the file, first line first. */
export const parseScenario = (text: string): Result<Scenario, readonly YamlFault[]> => {
  const file = readYamlFile(text);
  if (!file.ok) return file;
  const parsed = scenarioSchema.safeParse(file.value.data, { reportInput: true });
  if (parsed.success) return ok(parsed.data);
  // A key with a typing mistake would otherwise also be reported as one that is missing.
  const strange = new Set(
    parsed.error.issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => path.join('.')),
  );
  const issues = parsed.error.issues.filter(({ code, path }) => code !== 'custom' || !strange.has(path.join('.')));
  const faults = issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
    return { line: file.value.lineOf(path), message: sayIssue(issue) };
  });
  return err(faults.toSorted((a, b) => a.line - b.line));
};

const faultOf = (value: z.infer<typeof faultSchema>): SimFault | undefined => {
  const kind = faultKind(typeof value === 'string' ? value : value.kind);
  if (!kind) return undefined;
  return typeof value === 'object' && value.retry_after !== undefined
    ? { kind, retryAfter: value.retry_after }
    : { kind };
};

const replyOf = ({ reply }: Rule): SimReply => {
  const fault = reply.fault === undefined ? undefined : faultOf(reply.fault);
  return {
    text: reply.text ?? '',
    toolCalls: (reply.tool_calls ?? []).map(({ name, input }) => ({ name, input: (input ?? {}) as Json })),
    ...(reply.thinking !== undefined && { thinking: reply.thinking }),
    ...(reply.stop !== undefined && { stop: reply.stop }),
    ...(fault && { fault }),
  };
};

/** Everything that the last message says, results of tools included; not what a harness adds to it. */
const lastText = (last: Message | undefined): string =>
  (last?.content ?? [])
    .map((block) => (block.type === 'text' || block.type === 'tool_result' ? withoutNotices(block.text) : ''))
    .join('\n');

const isPerson = (message: Message): boolean => spoken(message) !== '';

/** The same calls this often since somebody spoke: anyone who answers them goes in circles. */
const MOST_REPEATS = 8;

const isCircle = ({ reply }: Rule, { messages }: SimConversation): boolean => {
  const [wanted] = reply.tool_calls ?? [];
  if (!wanted) return false;
  const input = JSON.stringify(wanted.input ?? {});
  const from = messages.findLastIndex(isPerson);
  const made = messages
    .slice(from + 1)
    .flatMap(({ content }) => content)
    .filter(
      (block) => block.type === 'tool_use' && block.name === wanted.name && JSON.stringify(block.input) === input,
    );
  return made.length >= MOST_REPEATS;
};

const resultNames = ({ messages }: SimConversation): readonly string[] => {
  const last = messages.at(-1)?.content ?? [];
  const ids = new Set(last.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])));
  return messages
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === 'tool_use' && ids.has(block.id) ? [block.name] : []));
};

const fits = (rule: Rule, conversation: SimConversation, nth: number): boolean => {
  const { when = {} } = rule;
  const last = conversation.messages.at(-1);
  const text = lastText(last);
  const answered = resultNames(conversation);
  return (
    (when.contains === undefined || text.toLowerCase().includes(when.contains.toLowerCase())) &&
    (when.matches === undefined || new RegExp(when.matches, 'u').test(text)) &&
    (when.system_contains === undefined || conversation.system.includes(when.system_contains)) &&
    (when.last_role === undefined || (when.last_role === 'tool') === answered.length > 0) &&
    (when.tool_result_of === undefined || answered.includes(when.tool_result_of)) &&
    (when.model === undefined || conversation.model === when.model) &&
    (when.turn === undefined || conversation.messages.filter(isPerson).length === when.turn) &&
    (when.nth === undefined || nth === when.nth)
  );
};

export interface ScenarioPlayer {
  /** The reply of the first rule that fits and is not used up; `error` if none does and the file wants that to be told. */
  readonly reply: (conversation: SimConversation, nth: number) => SimReply | 'error' | undefined;
  readonly reset: () => void;
}

export const playScenario = (scenario: Scenario | undefined): ScenarioPlayer => {
  const used = new Map<Rule, number>();
  return {
    reply: (conversation, nth) => {
      if (!scenario) return undefined;
      const rule = scenario.rules.find((one) => {
        const most = one.once === true ? 1 : (one.times ?? Number.POSITIVE_INFINITY);
        return (used.get(one) ?? 0) < most && fits(one, conversation, nth);
      });
      if (rule && rule.times === undefined && isCircle(rule, conversation))
        return { text: `I made the same call ${MOST_REPEATS} times and stop here.`, toolCalls: [] };
      if (!rule) return scenario.otherwise === 'error' ? 'error' : undefined;
      used.set(rule, (used.get(rule) ?? 0) + 1);
      return replyOf(rule);
    },
    reset: () => used.clear(),
  };
};
