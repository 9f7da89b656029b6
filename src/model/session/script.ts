/** A session as a file: what is said, when, and what changes in between. `lathe session` plays it. */
import { isMap, isScalar, isSeq, parseDocument, type Node } from 'yaml';
import { err, ok, type Result } from '../../base/result.ts';
import { LineIndex } from '../../base/text.ts';
import { DIALECTS, METASKILL_POLICIES } from '../library/types.ts';
import { PADDING_POLICIES } from '../prompt/types.ts';
import { BREAKPOINT_MODES, EFFORTS, PROVIDERS, TTLS } from '../provider/types.ts';
import { z } from '../zod.ts';

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

const duration = z
  .string()
  .regex(DURATION, 'is a duration such as 30s, 6m or 1h')
  .transform((text) => {
    const [, amount = '0', unit = 's'] = DURATION.exec(text) ?? [];
    return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  });

const thinking = z.union([
  z.enum(['off', 'adaptive']).transform((mode) => ({ mode })),
  z.strictObject({ budget: z.int().min(1) }).transform(({ budget }) => ({ mode: 'budget' as const, tokens: budget })),
]);

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
};

const step = z.union(
  [
    z.strictObject({ say: z.string().min(1) }),
    z.strictObject({ advance: duration }),
    z.strictObject({ change: z.strictObject(changeable) }),
    z.strictObject({ write: z.strictObject({ path: z.string().min(1), text: z.string() }) }),
    z.strictObject({ new_session: z.literal(true) }),
  ],
  { error: 'is one of: {say: TEXT}, {advance: 6m}, {change: {…}}, {write: {path, text}}, {new_session: true}' },
);

const script = z.strictObject({
  /** Beside the script. */
  folder: z.string().min(1),
  user: z.string().min(1).exactOptional(),
  title: z.string().exactOptional(),
  dialect: z.enum(DIALECTS).exactOptional(),
  padding: z.enum(PADDING_POLICIES).exactOptional(),
  policy: z.enum(METASKILL_POLICIES).exactOptional(),
  persona: z.string().exactOptional(),
  scenario: z.string().min(1).exactOptional(),
  max_calls: z.int().min(1).exactOptional(),
  clock: z.iso.datetime().exactOptional(),
  ...changeable,
  turns: z.array(step).min(1),
});

export type SessionScript = z.infer<typeof script>;
export type ScriptChange = z.infer<z.ZodObject<typeof changeable>>;

/** Every field once, with what it means: the file explains itself. */
export const SCRIPT_EXAMPLE = `# A scripted session. Paths are relative to this file.
folder: demo                  # the folder with the skills
# user: my-skills             # a second folder with your own skills
# title: Two turns
# dialect: metis              # ${DIALECTS.join(', ')}
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
# clock: "2026-11-16T09:00:00Z"  # when it begins (simulator only); else now
# spending_limit_usd: 0.50
# token_limit: 200000
turns:
  - say: Summarise the changelog.
  - say: And now in one sentence.
  # - advance: 6m                              # move the clock (simulator only)
  # - change: {model: claude-opus-5-5}         # any of provider … token_limit, in mid-session
  # - write: {path: MEMORY.md, text: "…"}      # a file that changes between turns (in memory, never on disk)
  # - new_session: true                        # begin again over the same folder
`;

/** The node at a path of keys, or the nearest one above it. */
const nodeAt = (root: Node | null, path: readonly PropertyKey[]): Node | null => {
  let node = root;
  for (const key of path) {
    const next = isMap(node) || isSeq(node) ? node.get(typeof key === 'symbol' ? String(key) : key, true) : undefined;
    if (!next) return node;
    node = next as Node;
  }
  return node;
};

/** The line of an unknown key is its own, not that of the mapping around it. */
const offsetOf = (node: Node | null, unknownKey: string | undefined): number => {
  if (unknownKey !== undefined && isMap(node)) {
    const key = node.items.find((item) => isScalar(item.key) && item.key.value === unknownKey)?.key as Node | undefined;
    if (key?.range) return key.range[0];
  }
  return node?.range?.[0] ?? 0;
};

/** A YAML text that follows a schema, or what is wrong with it, a line each. */
const readYaml = <T>(text: string, schema: z.ZodType<T>): Result<T, readonly string[]> => {
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: false });
  const lines = new LineIndex(text);
  const [fault] = document.errors;
  if (fault) return err([`line ${lines.positionAt(fault.pos[0]).line}: it is not YAML: ${fault.message}`]);
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 20 });
  } catch (thrown) {
    return err([`it is not YAML that can be used: ${thrown instanceof Error ? thrown.message : String(thrown)}`]);
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map((issue) => {
      const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      const { line } = lines.positionAt(offsetOf(nodeAt(document.contents, issue.path), key));
      return `line ${line}: ${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`;
    }),
  );
};

export const parseScript = (text: string): Result<SessionScript, readonly string[]> => readYaml(text, script);
