/** A session as a file: what is said, when, and what changes in between. `lathe session` plays it. */
import { err, ok, type Result } from '../../base/result.ts';
import { readClientChoice, type ClientChoice } from '../clients/client-choice.ts';
import { CLIENT_IDS } from '../clients/types.ts';
import { DIALECTS, METASKILL_POLICIES, RUNTIME_PROFILES } from '../library/types.ts';
import { PADDING_POLICIES } from '../prompt/types.ts';
import { BREAKPOINT_MODES, EFFORTS, PROVIDERS, TTLS } from '../provider/types.ts';
import { issueInWords } from '../schema-words.ts';
import { OPTIONAL_TOOLS } from '../tool/definitions.ts';
import { workspacePath } from '../tool/workspace-path.ts';
import { readYamlFile } from '../yaml-file.ts';
import { z } from '../zod.ts';

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

const TEN_YEARS_MS = 87_600 * UNIT_MS.h;

const A_DURATION = 'is a duration such as 30s, 6m or 1h';

const duration = z
  .string({ error: A_DURATION })
  .regex(DURATION, A_DURATION)
  .transform((text) => {
    const [, amount = '0', unit = 's'] = DURATION.exec(text) ?? [];
    return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  })
  // Further on there are no dates.
  .refine((ms) => ms <= TEN_YEARS_MS, 'is at most ten years (87600h)');

const filePath = z.string().transform((text, context) => {
  const read = workspacePath(text);
  if (read.ok && read.value !== '') return read.value;
  context.addIssue({ code: 'custom', message: read.ok ? 'is the path of a file' : read.error });
  return z.NEVER;
});

const thinking = z.union(
  [
    z.enum(['off', 'adaptive']).transform((mode) => ({ mode })),
    z.strictObject({ budget: z.int().min(1) }).transform(({ budget }) => ({ mode: 'budget' as const, tokens: budget })),
  ],
  { error: 'is off, adaptive or {budget: 2000}' },
);

const changeable = {
  provider: z.enum(PROVIDERS).exactOptional(),
  model: z.string().min(1).exactOptional(),
  breakpoints: z.enum(BREAKPOINT_MODES).exactOptional(),
  ttl: z.enum(TTLS).exactOptional(),
  thinking: thinking.exactOptional(),
  effort: z.enum(EFFORTS).exactOptional(),
  max_output_tokens: z.int().min(1).exactOptional(),
  spending_limit_usd: z.number().min(0).exactOptional(),
  token_limit: z.int().min(0).exactOptional(),
  run_spending_limit_usd: z.number().min(0).exactOptional(),
  run_token_limit: z.int().min(0).exactOptional(),
};

const step = z.union(
  [
    z.strictObject({ say: z.string().min(1) }),
    z.strictObject({ advance: duration }),
    z.strictObject({ change: z.strictObject(changeable) }),
    z.strictObject({ write: z.strictObject({ path: filePath, text: z.string() }) }),
    z.strictObject({ new_session: z.literal(true, { error: 'is true, or the step is left out' }) }),
  ],
  { error: 'is one of: {say: TEXT}, {advance: 6m}, {change: {…}}, {write: {path, text}}, {new_session: true}' },
);

const script = z.strictObject({
  /** Beside the script. */
  folder: z.string().min(1),
  user: z.string().min(1).exactOptional(),
  /** Inside `folder`. */
  cwd: z.string().min(1).exactOptional(),
  profile: z.enum(RUNTIME_PROFILES).exactOptional(),
  title: z.string().exactOptional(),
  dialect: z.enum(DIALECTS).exactOptional(),
  /** Whose listing is in place of the index. */
  listing: z
    .string()
    .transform((text, context): ClientChoice => {
      const choice = readClientChoice(text);
      if (choice.ok) return choice.value;
      context.addIssue({ code: 'custom', message: choice.error });
      return z.NEVER;
    })
    .exactOptional(),
  padding: z.enum(PADDING_POLICIES).exactOptional(),
  policy: z.enum(METASKILL_POLICIES).exactOptional(),
  persona: z.string().exactOptional(),
  scenario: z.string().min(1).exactOptional(),
  max_calls: z.int().min(1).exactOptional(),
  turn_seconds: z.int().min(1).exactOptional(),
  run_seconds: z.int().min(1).exactOptional(),
  without_tools: z
    .array(z.enum(OPTIONAL_TOOLS as [string, ...string[]], { error: `is one of ${OPTIONAL_TOOLS.join(', ')}` }))
    .exactOptional(),
  clock: z.iso.datetime({ error: 'is a time such as "2026-11-16T09:00:00Z"' }).exactOptional(),
  ...changeable,
  turns: z.array(step).min(1),
});

export type SessionScript = z.infer<typeof script>;
export type ScriptChange = z.infer<z.ZodObject<typeof changeable>>;

/** Every field once, with what it means: the file explains itself. */
export const SCRIPT_EXAMPLE = `# A scripted session. Paths are relative to this file.
folder: demo                  # the folder with the skills
# user: my-skills             # a second folder with your own skills
# cwd: apps/web               # the working folder, inside the folder; --cwd overrides it
# profile: standard           # ${RUNTIME_PROFILES.join(', ')}
# title: Two turns
# dialect: metis              # ${DIALECTS.join(', ')}
# listing: claude-code        # show the listing of an agent in place of the index, as claude-code@2.1.197: ${CLIENT_IDS.join(', ')}
# padding: spec               # ${PADDING_POLICIES.join(', ')}
# policy: local               # who may run metaskills: ${METASKILL_POLICIES.join(', ')}
# persona: You are terse.
# provider: simulator         # ${PROVIDERS.join(', ')}; keys come from the environment
# model: claude-haiku-4-5
# scenario: replies.yaml      # what the simulator says; else it decides by itself
# breakpoints: static         # ${BREAKPOINT_MODES.join(', ')}
# ttl: 5m                     # ${TTLS.join(', ')}
# thinking: off               # off, adaptive, or {budget: 2000}
# effort: high                # ${EFFORTS.join(', ')}
# max_output_tokens: 4096
# max_calls: 30               # of one turn
# turn_seconds: 1800          # the longest turn
# run_seconds: 300            # the longest run of a metaskill
# without_tools: [run_command]  # tools that the model doesn't get: ${OPTIONAL_TOOLS.join(', ')}
# clock: "2026-11-16T09:00:00Z"  # when it begins (simulator only); else now
# spending_limit_usd: 0.50
# token_limit: 200000
# run_spending_limit_usd: 0.10  # of one run of a metaskill
# run_token_limit: 50000
turns:
  - say: Summarise the changelog.
  - say: And now in one sentence.
  # - advance: 6m                              # move the clock (simulator only)
  # - change: {model: claude-opus-5-5}         # any of provider … run_token_limit, in mid-session
  # - write: {path: MEMORY.md, text: "…"}      # a file that changes between turns (in memory, never on disk)
  # - new_session: true                        # begin again over the same folder
`;

type Issue = z.core.$ZodIssue;

/** Of alternatives, what is wrong with the one that was meant: the one whose keys are there, if it is only one. */
const meantIssues = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.filter((issues) => issues.every(({ path }) => path.length > 0));
  const [only] = meant;
  if (!only || meant.length > 1) return [issue];
  return only.flatMap((inner) => meantIssues({ ...inner, path: [...issue.path, ...inner.path] }));
};

const knownKeys = (path: readonly PropertyKey[]): readonly string[] => {
  if (path.length === 0) return Object.keys(script.shape);
  return path.at(-1) === 'change' ? Object.keys(changeable) : [];
};

export const parseScript = (text: string): Result<SessionScript, readonly string[]> => {
  const file = readYamlFile(text);
  if (!file.ok) return err(file.error.map(({ line, message }) => `line ${line}: ${message}`));
  const parsed = script.safeParse(file.value.data, { reportInput: true });
  if (parsed.success) return ok(parsed.data);
  const faults = parsed.error.issues.flatMap(meantIssues).map((issue) => {
    const key = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const line = file.value.lineOf([...issue.path, ...key]);
    const message = issueInWords(issue, knownKeys(issue.path));
    return { line, message: `${issue.path.map(String).join('.') || 'the file'}: ${message}` };
  });
  return err(faults.toSorted((a, b) => a.line - b.line).map(({ line, message }) => `line ${line}: ${message}`));
};
