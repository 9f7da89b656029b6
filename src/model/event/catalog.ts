/**
 * Every event of a session, with who speaks and how private it is. Names and payloads as the source documents have them
 * (`SPEC.md` lists what is ours). A journal can hold nothing else.
 */
import { CLIENT_IDS } from '../clients/types.ts';
import type { Json } from '../../base/json.ts';
import { BREAKPOINT_MODES, EFFORTS, ERROR_CLASSES, PROVIDERS, TTLS, WIRES } from '../provider/types.ts';
import { z } from '../zod.ts';
import type { Actor, Sensitivity } from './envelope.ts';
import { SIDE_EFFECTS, TOOL_ERROR_CLASSES } from './tool-classes.ts';

interface Definition<P extends z.ZodType> {
  readonly actor: Actor;
  readonly sensitivity: Sensitivity;
  readonly payload: P;
}

/** The shape is made when it is first asked for: all of them at the same time would take a page's first moments. */
const define = <P extends z.ZodType>(actor: Actor, sensitivity: Sensitivity, shape: () => P): Definition<P> => {
  let made: P | undefined;
  return {
    actor,
    sensitivity,
    get payload() {
      return (made ??= shape());
    },
  };
};

const count = z.number().int().min(0);
const text = z.string();
/** One walk instead of zod's union at every value: inputs and raw blocks can be large. */
const isJson = (value: unknown): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
};
const json = z.custom<Json>(isJson, 'must be JSON');

const writesShape = z.strictObject({
  '5m': count.exactOptional(),
  '1h': count.exactOptional(),
  '30m': count.exactOptional(),
  '12h': count.exactOptional(),
  unknown: count.exactOptional(),
});

const usageShape = z.strictObject({
  uncached: count,
  read: count,
  writes: writesShape,
  output: count,
  reasoning: count.exactOptional(),
  cacheReported: z.boolean(),
  partial: z.boolean(),
  charged: z.number().exactOptional(),
  passes: z
    .array(z.strictObject({ kind: text, uncached: count, read: count, writes: writesShape, output: count }))
    .readonly()
    .exactOptional(),
});

const diagnosisShape = z.strictObject({
  state: z.enum(['none', 'pending', 'hit', 'miss', 'not_found', 'unavailable']),
  reason: text.exactOptional(),
  missedTokens: z.number().exactOptional(),
  raw: json,
});

const wireShape = z.enum(WIRES);

const blockShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text, phase: text.exactOptional() }),
  z.strictObject({ type: z.literal('image'), mediaType: text, data: text }),
  z.strictObject({ type: z.literal('tool_use'), id: text, name: text, input: json, malformed: text.exactOptional() }),
  z.strictObject({ type: z.literal('tool_result'), toolUseId: text, text, isError: z.boolean() }),
  z.strictObject({ type: z.literal('thinking'), text, wire: wireShape, raw: json }),
  z.strictObject({ type: z.literal('opaque'), wire: wireShape, raw: json }),
]);

/** What may change while a session runs (D25). */
export const settingsShape = z.strictObject({
  provider: z.enum(PROVIDERS),
  model: text,
  cache: z.strictObject({
    mode: z.enum(BREAKPOINT_MODES),
    ttl: z.strictObject({ tools: z.enum(TTLS), system: z.enum(TTLS), messages: z.enum(TTLS) }),
  }),
  thinking: z
    .discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('off') }),
      z.strictObject({ mode: z.literal('adaptive') }),
      z.strictObject({ mode: z.literal('budget'), tokens: count }),
    ])
    .exactOptional(),
  effort: z.enum(EFFORTS).exactOptional(),
  max_output_tokens: count,
  /** Of the session, asks of metaskills included; null for none. */
  spending_limit_usd: z.number().min(0).nullable(),
  token_limit: count.nullable(),
  /** Of one run of a metaskill. */
  run_spending_limit_usd: z.number().min(0).nullable(),
  run_token_limit: count.nullable(),
});
export type SessionSettings = z.infer<typeof settingsShape>;

const segmentShape = z.strictObject({
  kind: z.enum([
    'tool',
    'persona',
    'instructions',
    'skill-index',
    'preloaded',
    'operating-context',
    'environment',
    'user',
    'memory',
    'message',
  ]),
  id: text,
  text,
});

const sideEffects = z.enum(SIDE_EFFECTS);
const rangeShape = z.strictObject({ line: count, column: count, endLine: count, endColumn: count }).nullable();

export const catalog = {
  'session.started': define('system', 'pseudonymous', () =>
    z.strictObject({
      /** The folder's name: a page never learns its path. */
      workspace_path: text,
      workspace_hash: text,
      initial_active_model: text.nullable(),
      routing_policy_version: text,
    }),
  ),
  /** Ours: everything that is fixed when a session starts (D25), so that a journal needs nothing beside it. */
  'session.configured': define('system', 'private', () =>
    z.strictObject({
      title: text,
      dialect: z.enum(['metis', 'agents']),
      /** Whose listing is in place of the index. */
      listing: z.enum(CLIENT_IDS).exactOptional(),
      /** Of the client; absent: the newest that was measured then. */
      listing_version: text.exactOptional(),
      padding: z.enum(['spec', 'model', 'off']),
      metaskill_policy: z.enum(['local', 'all', 'off']),
      settings: settingsShape,
      /** `run_seconds` is that of a metaskill; journals from before it could be set lack it. */
      limits: z.strictObject({ max_turns: count, wall_clock_seconds: count, run_seconds: count.optional() }),
      tools: z.array(z.strictObject({ name: text, description: text, inputSchema: json })),
      /** The stable system prompt. */
      segments: z.array(segmentShape),
      preloaded: z.array(text),
      skills: z.array(
        z.strictObject({
          name: text,
          version: text,
          layer: text,
          source: z.enum(['workspace', 'global']),
          tokens: count,
          metaskill: z.boolean(),
          /** Its SKILL.md below the opened folder, and where the description and the body start; journals of old lack them. */
          file: text.optional(),
          description_line: count.optional(),
          body_line: count.optional(),
        }),
      ),
      /** Of a fork: where it comes from. */
      forked_from: z.strictObject({ session_id: text, turn_id: text }).nullable(),
    }),
  ),
  'session.settings_changed': define('user', 'pseudonymous', () => z.strictObject({ settings: settingsShape })),
  'session.renamed': define('user', 'private', () => z.strictObject({ title: text })),
  'session.resumed': define('system', 'pseudonymous', () =>
    z.strictObject({ workspace_hash: text, last_event_id_at_resume: text.nullable() }),
  ),
  'session.ended': define('system', 'pseudonymous', () =>
    z.strictObject({
      disposition: z.enum(['completed', 'abandoned', 'error']),
      turn_count: count,
      total_cost_usd: z.number().nullable(),
      duration_seconds: z.number(),
    }),
  ),
  'turn.started': define('user', 'private', () =>
    z.strictObject({
      user_message_hash: text,
      estimated_input_tokens: count,
      has_images: z.boolean(),
      has_tool_calls_in_history: z.boolean(),
      user_message_text_redacted: text.nullable(),
      /** Ours: the tool call whose program asked; null for a person's turn. */
      nested_in: text.nullable(),
    }),
  ),
  'turn.completed': define('agent', 'pseudonymous', () =>
    z.strictObject({
      stop_reason: z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal', 'other']),
      llm_call_count: count,
      tool_call_count: count,
      total_input_tokens: count,
      total_output_tokens: count,
      total_cost_usd: z.number().nullable(),
      wall_time_seconds: z.number(),
    }),
  ),
  'turn.cancelled': define('system', 'pseudonymous', () =>
    z.strictObject({
      /** Ours beside the three of the source documents: `error`, `turn_limit`, `spending_limit`. */
      reason: z.enum(['user_cancel', 'client_disconnect', 'timeout', 'error', 'turn_limit', 'spending_limit']),
      partial_llm_calls: count,
      partial_tool_calls: count,
      message: text,
    }),
  ),
  'llm.call_started': define('agent', 'private', () =>
    z.strictObject({
      model: text,
      provider: text,
      estimated_input_tokens: count,
      request_id: text,
      is_worker: z.boolean(),
    }),
  ),
  /** Ours: the body, kept as its difference to an earlier one: `text` between the first and the last characters of it. */
  'request.sent': define('agent', 'private', () =>
    z.strictObject({
      request_id: text,
      attempt: count,
      wire: wireShape,
      url: text,
      base_event_id: text.nullable(),
      keep_start: count,
      keep_end: count,
      text,
    }),
  ),
  /** Ours: the response just as it came. */
  'response.received': define('agent', 'private', () =>
    z.strictObject({ request_id: text, status: count.nullable(), text, truncated: z.boolean() }),
  ),
  'llm.call_completed': define('agent', 'pseudonymous', () =>
    z.strictObject({
      request_id: text,
      model: text,
      provider: text,
      /** Null where the provider reported no usage: unknown is not zero. */
      input_tokens: count.nullable(),
      output_tokens: count.nullable(),
      cached_input_tokens: count.nullable(),
      cache_creation_input_tokens: count.nullable(),
      cost_usd: z.number().nullable(),
      pricing_version: text,
      latency_ms: z.number(),
      first_byte_ms: z.number().nullable(),
      stop_reason: text,
      produced_tool_calls: count,
      produced_thinking_blocks: count,
      response_id: text.nullable(),
      upstream: text.nullable(),
      attempts: count,
      usage: usageShape.nullable(),
      diagnosis: diagnosisShape.nullable(),
    }),
  ),
  'llm.call_failed': define('agent', 'pseudonymous', () =>
    z.strictObject({
      request_id: text,
      model: text,
      provider: text,
      error_class: z.enum(ERROR_CLASSES),
      error_code: text,
      error_message_redacted: text,
      next_step: text,
      retry_count: count,
      latency_ms: z.number(),
      /** False for an attempt behind which another one follows. */
      final: z.boolean(),
      usage: usageShape.nullable(),
      cost_usd: z.number().nullable(),
    }),
  ),
  /** Ours: what the conversation gained. */
  'message.appended': define('agent', 'private', () =>
    z.strictObject({
      role: z.enum(['user', 'assistant']),
      content: z.array(blockShape),
      /** The stream was cut: this is what came. */
      partial: z.boolean(),
    }),
  ),
  'tool.called': define('agent', 'private', () =>
    z.strictObject({
      tool_use_id: text,
      tool_name: text,
      input_hash: text,
      input_size_bytes: count,
      side_effects: sideEffects,
    }),
  ),
  'tool.completed': define('tool', 'private', () =>
    z.strictObject({
      tool_use_id: text,
      success: z.boolean(),
      output_size_bytes: count,
      latency_ms: z.number(),
      files_modified: z.array(text).nullable(),
      command_executed: text.nullable(),
      metadata: z.record(z.string(), json),
    }),
  ),
  'tool.failed': define('tool', 'private', () =>
    z.strictObject({
      tool_use_id: text,
      error_class: z.enum(TOOL_ERROR_CLASSES),
      error_message: text,
      latency_ms: z.number(),
    }),
  ),
  'tool.input_invalid': define('system', 'pseudonymous', () =>
    z.strictObject({ tool_use_id: text, tool_name: text, validation_errors: z.array(text) }),
  ),
  'tool.confirmation_requested': define('system', 'private', () =>
    z.strictObject({
      tool_use_id: text,
      tool_name: text,
      side_effects: sideEffects,
      confirmation_request_id: text,
      input_summary: text,
      expires_at: z.number(),
      projected_modifications: z.array(text).nullable(),
      command_summary: text.nullable(),
    }),
  ),
  'tool.confirmation_resolved': define('user', 'private', () =>
    z.strictObject({
      tool_use_id: text,
      confirmation_request_id: text,
      decision: z.enum(['allow', 'deny', 'timeout']),
      scope: z.enum(['once', 'session', 'always']).nullable(),
      reason: text.nullable(),
    }),
  ),
  'skill.loaded': define('system', 'pseudonymous', () =>
    z.strictObject({
      skill_id: text,
      skill_version: text,
      load_reason: z.enum(['always', 'on_demand', 'auto_suggested']),
      load_size_tokens: count,
      source: z.enum(['global', 'workspace']),
      triggered_by_tool_use_id: text.nullable(),
    }),
  ),
  /** Ours: a `$name` in a message that the budget does not allow. Refused calls of the model are failed tool calls. */
  'skill.refused': define('system', 'pseudonymous', () =>
    z.strictObject({ skill_id: text, cap: z.enum(['count', 'tokens']), message: text }),
  ),
  'memory.updated': define('tool', 'private', () =>
    z.strictObject({
      file: text,
      operation: z.enum(['add', 'replace']),
      before_hash: text.nullable(),
      after_hash: text,
      before_size: count,
      after_size: count,
    }),
  ),
  'metaskill.started': define('worker', 'pseudonymous', () =>
    z.strictObject({
      tool_use_id: text.nullable(),
      name: text,
      max_ask_calls: count,
      max_command_calls: count,
      notes: z.array(text),
    }),
  ),
  'metaskill.step': define('worker', 'private', () =>
    z.strictObject({
      tool_use_id: text.nullable(),
      name: text,
      kind: z.enum(['ask', 'command']),
      label: text,
      range: rangeShape,
      started_at: z.number(),
      duration_ms: z.number(),
      ok: z.boolean(),
      request: text,
      response: text,
      notes: z.array(text),
    }),
  ),
  'metaskill.trace': define('worker', 'private', () =>
    z.strictObject({ tool_use_id: text.nullable(), name: text, kind: text, data_json: text, range: rangeShape }),
  ),
  'metaskill.finished': define('worker', 'pseudonymous', () =>
    z.strictObject({
      tool_use_id: text.nullable(),
      name: text,
      status: text,
      ask_calls: count,
      command_calls: count,
      duration_ms: z.number(),
    }),
  ),
  'cache.predicted': define('system', 'pseudonymous', () =>
    z.strictObject({
      request_id: text,
      uncached: count,
      read: count,
      writes: usageShape.shape.writes,
      floor: count.nullable(),
      uncertain: z.boolean(),
      breakpoints: z.array(
        z.strictObject({ label: text, tokens: count, ttl: text, origin: text, outcome: text, reason: text }),
      ),
      faults: z.array(z.strictObject({ rule: text, message: text })),
    }),
  ),
  'cache.explained': define('system', 'private', () =>
    z.strictObject({
      request_id: text,
      previous_request_id: text.nullable(),
      /** Journals from before it was reported lack it. */
      kind: z.enum(['hit', 'start', 'miss', 'waste', 'unknown']).optional(),
      cause: text,
      /** Part of what could have been read was read. */
      partial: z.boolean(),
      /** Of the first difference, if there is one: block, place in it, and what was there before and now. */
      position: z
        .strictObject({
          label: text,
          path: text,
          offset: count,
          before: text,
          after: text,
          /** The part of the prompt that lies there, and the file that it comes from. */
          segment: z.strictObject({ kind: text, name: text, file: text.optional(), line: count.optional() }).optional(),
        })
        .nullable(),
      evidence: z.array(text),
      provider_said: text.nullable(),
      usage_says: text.nullable(),
      repair: text,
      certainty: z.enum(['sure', 'likely']),
      lost_tokens: count,
      lost_usd: z.number().nullable(),
    }),
  ),
} as const;
