/** One line for every event, and whether it is good news. */
import { money } from '../../base/figures.ts';
import { codePointLength, durationText, groupDigits, plural, takeCodePoints } from '../../base/text.ts';
import { writtenTokens, type Block } from '../provider/types.ts';
import type { EventIndex } from './event-index.ts';
import type { EventOf, EventType, LatheEvent, Payload } from './types.ts';
import { verdictWords } from './verdict-words.ts';
import { verdictKind, type VerdictKind } from './verdict-kind.ts';

export const STATUSES = ['ok', 'error', 'warning', 'info'] as const;
export type Status = (typeof STATUSES)[number];

const VERDICT_STATUS: Readonly<Record<VerdictKind, Status>> = {
  hit: 'ok',
  start: 'ok',
  miss: 'warning',
  waste: 'warning',
  unknown: 'info',
};

export const statusOf = (event: LatheEvent): Status => {
  const { type, payload } = event;
  switch (type) {
    case 'tool.failed':
    case 'tool.input_invalid':
      return 'error';
    case 'llm.call_failed':
      return payload.final ? 'error' : 'warning';
    case 'tool.completed':
      return payload.success ? 'ok' : 'error';
    case 'metaskill.step':
      return payload.ok ? 'ok' : 'error';
    case 'metaskill.finished':
      return payload.status === 'error' ? 'error' : 'ok';
    case 'turn.cancelled':
      return payload.reason === 'user_cancel' ? 'warning' : 'error';
    case 'turn.completed':
      return payload.stop_reason === 'end_turn' || payload.stop_reason === 'stop_sequence' ? 'ok' : 'warning';
    case 'session.ended':
      return payload.disposition === 'error' ? 'error' : 'ok';
    case 'tool.confirmation_resolved':
      return payload.decision === 'allow' ? 'ok' : 'warning';
    case 'tool.confirmation_requested':
    case 'skill.refused':
      return 'warning';
    case 'response.received':
      return payload.status !== null && payload.status >= 400 ? 'error' : 'info';
    case 'message.appended':
      return payload.partial ? 'warning' : 'info';
    case 'cache.predicted':
      return payload.faults.length > 0 ? 'warning' : 'info';
    case 'cache.explained':
      return VERDICT_STATUS[verdictKind(payload)];
    case 'llm.call_completed':
    case 'skill.loaded':
    case 'memory.updated':
      return 'ok';
    case 'session.started':
    case 'session.configured':
    case 'session.settings_changed':
    case 'session.renamed':
    case 'session.resumed':
    case 'turn.started':
    case 'llm.call_started':
    case 'request.sent':
    case 'tool.called':
    case 'metaskill.started':
    case 'metaskill.trace':
      return 'info';
  }
};

const SHOWN = 160;

const oneLine = (text: string): string => {
  const flat = text
    .slice(0, 4 * SHOWN)
    .replace(/\s+/g, ' ')
    .trim();
  return codePointLength(flat) <= SHOWN ? flat : `${takeCodePoints(flat, SHOWN - 1)}…`;
};

const number = (value: number): string => groupDigits(Math.round(value * 1000) / 1000);
const price = (usd: number | null): string => (usd === null ? 'price unknown' : money(usd));

const blockText = (block: Block): string => {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_use':
      return `→ ${block.name}`;
    case 'tool_result':
      return `${block.isError ? '← error: ' : '← '}${block.text}`;
    case 'image':
      return `[${block.mediaType}]`;
    case 'thinking':
      return '[thinking]';
    case 'opaque':
      return '[block of the provider]';
  }
};

/** What may be said without private text, and what is added with it. */
type Line = string | readonly [bare: string, full: string];
type Describe = { readonly [T in EventType]: (payload: Payload<T>, tool: string) => Line };

const LINES: Describe = {
  'session.started': (p) =>
    `${p.workspace_path}${p.initial_active_model === null ? '' : ` · ${p.initial_active_model}`}`,
  'session.configured': (p) => {
    const bare = `${plural(p.skills.length, 'skill')}, ${plural(p.tools.length, 'tool')}, ${p.dialect}, padding ${p.padding}`;
    return [bare, `${p.title}: ${bare}`];
  },
  'session.settings_changed': (p) => `${p.settings.provider} · ${p.settings.model}`,
  'session.renamed': (p) => ['renamed', p.title],
  'session.resumed': () => 'opened again',
  'session.ended': (p) =>
    `${p.disposition} after ${plural(p.turn_count, 'turn')}, ${durationText(p.duration_seconds * 1000)}, ${price(p.total_cost_usd)}`,
  'turn.started': (p) => {
    const bare = `${p.nested_in === null ? '' : 'ask: '}about ${plural(p.estimated_input_tokens, 'token')}`;
    return p.user_message_text_redacted === null ? bare : [bare, p.user_message_text_redacted];
  },
  'turn.completed': (p) =>
    `${p.stop_reason}: ${plural(p.llm_call_count, 'call')}, ${plural(p.tool_call_count, 'tool call')}, ${price(p.total_cost_usd)}`,
  'turn.cancelled': (p) => (p.message === '' ? p.reason : `${p.reason}: ${p.message}`),
  'llm.call_started': (p) => `${p.model} (${p.provider}), about ${plural(p.estimated_input_tokens, 'token')}`,
  'request.sent': (p) => {
    const bare = `${p.wire}${p.attempt > 1 ? `, attempt ${p.attempt}` : ''}`;
    return [bare, `${bare} → ${p.url}`];
  },
  'response.received': (p) => `${p.status === null ? 'no answer' : `HTTP ${p.status}`}${p.truncated ? ', cut' : ''}`,
  'llm.call_completed': ({ model, usage, cost_usd: cost }) =>
    usage
      ? `${model}: ${number(usage.read)} read, ${number(writtenTokens(usage))} written, ${number(usage.uncached)} uncached, ${number(usage.output)} out, ${price(cost)}`
      : `${model}: usage not reported`,
  'llm.call_failed': (p) =>
    `${p.error_class} (${p.error_code}): ${p.error_message_redacted}${p.final ? '' : ' – trying again'}`,
  'message.appended': (p) => {
    const bare = `${p.role}: ${plural(p.content.length, 'block')}${p.partial ? ', partial' : ''}`;
    return [bare, `${p.role}: ${p.content.map(blockText).join(' · ')}${p.partial ? ' (partial)' : ''}`];
  },
  'tool.called': (p) => `${p.tool_name} (${p.side_effects}, ${plural(p.input_size_bytes, 'byte')})`,
  'tool.completed': (p, tool) => {
    const bare = `${tool}: ${p.success ? 'done' : 'failed'}, ${plural(p.output_size_bytes, 'byte')}`;
    const more = p.command_executed ?? p.files_modified?.join(', ');
    return more === undefined ? bare : [bare, `${bare}, ${more}`];
  },
  'tool.failed': (p, tool) => [`${tool}: ${p.error_class}`, `${tool}: ${p.error_class}: ${p.error_message}`],
  'tool.input_invalid': (p) => `${p.tool_name}: ${p.validation_errors.join('; ')}`,
  'tool.confirmation_requested': (p) => [`may ${p.tool_name} run?`, `may ${p.command_summary ?? p.tool_name} run?`],
  'tool.confirmation_resolved': (p, tool) => `${tool}: ${p.decision}${p.scope === null ? '' : ` (${p.scope})`}`,
  'skill.refused': (p) => `${p.skill_id}: ${p.message}`,
  'skill.loaded': (p) => `${p.skill_id} (${p.load_reason}, ${p.source}), ${plural(p.load_size_tokens, 'token')}`,
  'memory.updated': (p) => {
    const bare = `${p.operation}: ${number(p.before_size)} → ${plural(p.after_size, 'byte')}`;
    return [bare, `${p.file}: ${bare}`];
  },
  'metaskill.started': (p) =>
    `${p.name}: at most ${plural(p.max_ask_calls, 'ask')}, ${plural(p.max_command_calls, 'command')}`,
  'metaskill.step': (p) => {
    const bare = `${p.name}: ${p.kind} ${p.ok ? 'done' : 'failed'}`;
    return [bare, `${bare}: ${p.label}`];
  },
  'metaskill.trace': (p) => [`${p.name}: trace`, `${p.name}: ${p.kind} ${p.data_json}`],
  'metaskill.finished': (p) =>
    `${p.name}: ${p.status}, ${plural(p.ask_calls, 'ask')}, ${plural(p.command_calls, 'command')}, ${durationText(p.duration_ms)}`,
  'cache.predicted': (p) => {
    const written = Object.values(p.writes).reduce((sum: number, tokens) => sum + (tokens ?? 0), 0);
    const faults = p.faults.length === 0 ? '' : `, ${plural(p.faults.length, 'fault')}`;
    return `${number(p.read)} read, ${number(written)} written, ${number(p.uncached)} uncached${faults}`;
  },
  'cache.explained': (p) => {
    const bare = `${verdictWords(p.cause, p.position?.label).title}${p.lost_tokens === 0 ? '' : `: ${plural(p.lost_tokens, 'token')} lost`}`;
    return p.evidence.length === 0 ? bare : [bare, `${bare}. ${p.evidence[0]}`];
  },
};

export interface DescribeOptions {
  /** Knows which tool a result is of. */
  readonly index?: EventIndex;
  /** `catalog`: nothing that a private event says beyond counts, names and classes. */
  readonly content?: 'all' | 'catalog';
}

/** For a row of a table: one line, short. */
export const describeEvent = (event: LatheEvent, { index, content = 'all' }: DescribeOptions = {}): string => {
  const describe = LINES[event.type] as (payload: EventOf<EventType>['payload'], tool: string) => Line;
  const line = describe(event.payload, index?.toolOf(event) ?? 'tool');
  const [bare, full] = typeof line === 'string' ? [line, line] : line;
  return oneLine(content === 'all' ? full : bare);
};
