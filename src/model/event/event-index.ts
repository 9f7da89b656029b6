/** What events say about each other: which tool a result is of, how long what began took, which turn is the third. */
import type { EventOf, LatheEvent } from './types.ts';

export interface EventIndex {
  /** In the order of the journal, each event once. */
  readonly add: (event: LatheEvent) => void;
  readonly toolOf: (event: LatheEvent) => string | undefined;
  readonly skillOf: (event: LatheEvent) => string | undefined;
  readonly modelOf: (event: LatheEvent) => string | undefined;
  /** Milliseconds; of an event that begins something, once that has ended. */
  readonly durationOf: (event: LatheEvent) => number | undefined;
  /** The person's turn an event belongs to, from 1; turns of an `ask` count as the one that they are part of. */
  readonly turnOf: (event: LatheEvent) => number | undefined;
  /** For completions. */
  readonly known: {
    readonly tools: ReadonlySet<string>;
    readonly skills: ReadonlySet<string>;
    readonly models: ReadonlySet<string>;
  };
}

/** What the event itself says of its duration, in milliseconds. */
const ownDuration = ({ type, payload }: LatheEvent): number | undefined => {
  switch (type) {
    case 'tool.completed':
    case 'tool.failed':
    case 'llm.call_completed':
    case 'llm.call_failed':
      return payload.latency_ms;
    case 'metaskill.step':
    case 'metaskill.finished':
      return payload.duration_ms;
    case 'turn.completed':
      return payload.wall_time_seconds * 1000;
    case 'session.ended':
      return payload.duration_seconds * 1000;
    default:
      return undefined;
  }
};

type Ender = EventOf<'tool.completed'> | EventOf<'tool.failed'>;
const isToolEnd = (event: LatheEvent): event is Ender =>
  event.type === 'tool.completed' || event.type === 'tool.failed';

const textOf = (payload: object, key: string): string | undefined => {
  const value = (payload as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : undefined;
};

/** What pairs the two ends of something. */
const pairKey = (event: LatheEvent): string | undefined => {
  const { type, payload } = event;
  switch (type) {
    case 'tool.called':
    case 'tool.completed':
    case 'tool.failed':
      return `tool ${payload.tool_use_id}`;
    case 'llm.call_started':
    case 'llm.call_completed':
      return `call ${payload.request_id}`;
    case 'llm.call_failed':
      return payload.final ? `call ${payload.request_id}` : undefined;
    case 'turn.started':
    case 'turn.completed':
    case 'turn.cancelled':
      return `turn ${event.turn_id}`;
    case 'tool.confirmation_requested':
    case 'tool.confirmation_resolved':
      return `question ${payload.confirmation_request_id}`;
    case 'metaskill.started':
    case 'metaskill.finished':
      return `run ${payload.tool_use_id} ${payload.name}`;
    default:
      return undefined;
  }
};

const BEGINS: ReadonlySet<string> = new Set([
  'tool.called',
  'llm.call_started',
  'turn.started',
  'tool.confirmation_requested',
  'metaskill.started',
]);

export const createEventIndex = (): EventIndex => {
  const tools = new Map<string, string>();
  const skills = new Map<string, string>();
  const models = new Map<string, string>();
  const began = new Map<string, LatheEvent>();
  /** By the id of the event that began or ended it. */
  const durations = new Map<string, number>();
  const turns = new Map<string, number>();
  const turnOfUse = new Map<string, number>();
  let turnCount = 0;
  const known = { tools: new Set<string>(), skills: new Set<string>(), models: new Set<string>() };

  const pair = (event: LatheEvent): void => {
    const key = pairKey(event);
    if (key === undefined) return;
    if (BEGINS.has(event.type)) {
      began.set(key, event);
      return;
    }
    const start = began.get(key);
    if (!start) return;
    const duration = ownDuration(event) ?? (event.timestamp - start.timestamp) / 1000;
    durations.set(start.id, duration);
    durations.set(event.id, duration);
    began.delete(key);
  };

  const learn = (event: LatheEvent): void => {
    const { payload } = event;
    const use = textOf(payload, 'tool_use_id');
    const tool = textOf(payload, 'tool_name');
    if (tool !== undefined) known.tools.add(tool);
    if (use !== undefined && tool !== undefined) tools.set(use, tool);
    const request = textOf(payload, 'request_id');
    const model = textOf(payload, 'model');
    if (model !== undefined) known.models.add(model);
    if (request !== undefined && model !== undefined) models.set(request, model);
    if (event.type === 'skill.refused') known.skills.add(event.payload.skill_id);
    if (event.type === 'skill.loaded') {
      known.skills.add(event.payload.skill_id);
      const by = event.payload.triggered_by_tool_use_id;
      if (by !== null) skills.set(by, event.payload.skill_id);
    }
    if (event.type === 'metaskill.started') {
      known.skills.add(event.payload.name);
      if (event.payload.tool_use_id !== null) skills.set(event.payload.tool_use_id, event.payload.name);
    }
    if (event.type === 'turn.started' && event.turn_id !== null) {
      const { nested_in: nested } = event.payload;
      const outer = nested === null ? undefined : turnOfUse.get(nested);
      turns.set(event.turn_id, nested === null ? ++turnCount : (outer ?? turnCount));
    }
    if (event.type === 'tool.called' && event.turn_id !== null)
      turnOfUse.set(event.payload.tool_use_id, turns.get(event.turn_id) ?? 0);
  };

  return {
    known,
    add: (event) => {
      learn(event);
      pair(event);
    },
    toolOf: ({ payload }) => textOf(payload, 'tool_name') ?? tools.get(textOf(payload, 'tool_use_id') ?? ''),
    skillOf: (event) => {
      const { type, payload } = event;
      if (type === 'skill.loaded' || type === 'skill.refused') return payload.skill_id;
      if (type.startsWith('metaskill.')) return textOf(payload, 'name');
      const own = isToolEnd(event) && event.type === 'tool.completed' ? event.payload.metadata['skill_id'] : undefined;
      return typeof own === 'string' ? own : skills.get(textOf(payload, 'tool_use_id') ?? '');
    },
    modelOf: ({ payload }) =>
      textOf(payload, 'model') ??
      textOf(payload, 'initial_active_model') ??
      models.get(textOf(payload, 'request_id') ?? ''),
    durationOf: (event) => ownDuration(event) ?? durations.get(event.id),
    turnOf: ({ turn_id: id }) => (id === null ? undefined : turns.get(id)),
  };
};
