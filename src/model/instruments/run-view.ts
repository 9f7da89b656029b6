/** Runs of metaskills as a timeline: what the program asked, commanded and traced, when, and within which budgets. */
import { isObject, type Json, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { LatheEvent, Payload } from '../event/types.ts';
import type { SessionState } from '../session/state.ts';

export interface RunItem {
  /** Of its event. */
  readonly id: string;
  readonly kind: 'ask' | 'command' | 'trace';
  readonly label: string;
  readonly line: number | undefined;
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly durationMs: number | undefined;
  readonly ok: boolean;
  readonly request: string;
  readonly response: string;
  readonly notes: readonly string[];
}

export interface RunView {
  /** Of its tool call. */
  readonly id: string;
  readonly name: string;
  /** From 1, in the order of the journal. */
  readonly number: number;
  readonly turnId: string | undefined;
  /** Started by a person, not by the model. */
  readonly isDirect: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number | undefined;
  /** As the program gave it; nothing while it runs. */
  readonly status: string | undefined;
  readonly items: readonly RunItem[];
  readonly asks: { readonly used: number; readonly most: number };
  readonly commands: { readonly used: number; readonly most: number };
  /** Clamps, in words. */
  readonly notes: readonly string[];
  /** What the model gave; nothing for a person's run, of which the page knows more. */
  readonly args: Json | undefined;
  /** Traces for which there was no room, as far as the result tells. */
  readonly dropped: number | undefined;
  /** At the tool boundary, as far as the conversation holds it. */
  readonly result: string | undefined;
}

interface Draft {
  readonly started: LatheEvent & { readonly type: 'metaskill.started' };
  readonly items: RunItem[];
  finished?: Payload<'metaskill.finished'>;
}

const traceText = (json: string): string => (json === '{}' || json === 'null' ? '' : json);

const itemOf = (event: LatheEvent, startedAt: number): RunItem | undefined => {
  if (event.type === 'metaskill.step') {
    const { payload } = event;
    return {
      id: event.id,
      kind: payload.kind,
      label: payload.label,
      line: payload.range?.line,
      at: Math.max(0, payload.started_at - startedAt),
      durationMs: payload.duration_ms,
      ok: payload.ok,
      request: payload.request,
      response: payload.response,
      notes: payload.notes,
    };
  }
  if (event.type !== 'metaskill.trace') return undefined;
  return {
    id: event.id,
    kind: 'trace',
    label: event.payload.kind,
    line: event.payload.range?.line,
    at: Math.max(0, event.timestamp / 1000 - startedAt),
    durationMs: undefined,
    ok: true,
    request: traceText(event.payload.data_json),
    response: '',
    notes: [],
  };
};

/** The marker that the host puts into the trace of a result. */
export const droppedIn = (result: string | undefined): number | undefined => {
  const [, count] = /"kind":\s*"dropped",\s*"data":\s*\{"entries":\s*(\d+)\}/.exec(result ?? '') ?? [];
  return count === undefined ? undefined : Number(count);
};

/** Calls and results of the conversation, by the id of the call. */
const exchanges = (state: SessionState) => {
  const inputs = new Map<string, Json>();
  const results = new Map<string, string>();
  for (const { messages } of state.threads.values())
    for (const { content } of messages)
      for (const block of content) {
        if (block.type === 'tool_use') inputs.set(block.id, block.input);
        if (block.type === 'tool_result') results.set(block.toolUseId, block.text);
      }
  return { inputs, results };
};

/** The run that a selection is about: by one of its events, by an ask of it, or by the turn that it belongs to. */
export const runOfSelection = (
  state: SessionState,
  views: readonly RunView[],
  { turnId, eventId }: { readonly turnId?: string; readonly eventId?: string },
): RunView | undefined => {
  const byEvent = views.find(({ items }) => items.some(({ id }) => id === eventId));
  if (byEvent || turnId === undefined) return byEvent;
  const nestedIn = state.turnsById.get(turnId)?.nestedIn;
  return views.find(({ id }) => id === nestedIn) ?? views.findLast((view) => view.turnId === turnId);
};

/** Oldest first. */
export const runViews = (state: SessionState, events: readonly LatheEvent[]): readonly RunView[] => {
  const drafts = new Map<string, Draft>();
  for (const event of events) {
    if (event.type === 'metaskill.started') {
      drafts.set(event.payload.tool_use_id ?? event.id, { started: event, items: [] });
      continue;
    }
    if (event.type !== 'metaskill.step' && event.type !== 'metaskill.trace' && event.type !== 'metaskill.finished')
      continue;
    const draft = drafts.get(event.payload.tool_use_id ?? '');
    if (!draft) continue;
    if (event.type === 'metaskill.finished') draft.finished = event.payload;
    else {
      const item = itemOf(event, draft.started.timestamp / 1000);
      if (item) draft.items.push(item);
    }
  }
  if (drafts.size === 0) return [];
  const { inputs, results } = exchanges(state);
  return [...drafts].map(([id, { started, items, finished }], index) => {
    const count = (kind: RunItem['kind']): number => items.filter((item) => item.kind === kind).length;
    return {
      id,
      name: started.payload.name,
      number: index + 1,
      turnId: started.turn_id ?? undefined,
      isDirect: id.startsWith('run_'),
      startedAt: started.timestamp / 1000,
      durationMs: finished?.duration_ms,
      status: finished?.status,
      // A step is told when it ends; a list in the order of beginnings is what a program reads like.
      items: items.toSorted((a, b) => a.at - b.at),
      asks: { used: finished?.ask_calls ?? count('ask'), most: started.payload.max_ask_calls },
      commands: { used: finished?.command_calls ?? count('command'), most: started.payload.max_command_calls },
      notes: started.payload.notes,
      args: inputs.get(id),
      dropped: droppedIn(results.get(id)),
      result: results.get(id),
    };
  });
};

/** The input that a call of `run_metaskill` gave. */
export const inputOfArgs = (args: Json | undefined): Json | undefined =>
  isObject(args) ? (args['input'] ?? {}) : undefined;

export interface Envelope {
  /** `ok`, `accepted`, `error` … */
  readonly status: string;
  readonly isError: boolean;
  /** After the first line; nothing where the result is an error or no JSON. */
  readonly fields: readonly (readonly [key: string, value: Json])[];
  readonly message: string;
}

/** The result string of a run, read for people. */
export const readEnvelope = (result: string): Envelope => {
  if (result.startsWith('error:'))
    return { status: 'error', isError: true, fields: [], message: result.slice('error:'.length).trim() };
  const newline = result.indexOf('\n');
  const value = valueOr(parseJson(result.slice(newline + 1)), undefined);
  if (!isObject(value)) return { status: 'ok', isError: false, fields: [], message: result };
  const { status } = value;
  return {
    status: typeof status === 'string' ? status : JSON.stringify(status ?? 'ok'),
    isError: false,
    fields: Object.entries(value),
    message: result.slice(0, Math.max(0, newline)),
  };
};

export interface ComparedValue {
  readonly name: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly isSame: boolean;
}

const written = (value: Json | undefined): string | undefined => {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Field by field, in the order of A, then what only B has. */
export const compareValues = (a: Json | undefined, b: Json | undefined): readonly ComparedValue[] => {
  const [left, right] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.map((name) => {
    const [one, other] = [written(left[name]), written(right[name])];
    return { name, a: one, b: other, isSame: one === other };
  });
};

export interface ComparedStep {
  readonly a: RunItem | undefined;
  readonly b: RunItem | undefined;
  /** Kind, label and what went in are alike; answers may differ. */
  readonly isSame: boolean;
}

/** Steps side by side, in their order. */
export const compareSteps = (a: RunView, b: RunView): readonly ComparedStep[] =>
  Array.from({ length: Math.max(a.items.length, b.items.length) }, (_, index) => {
    const [one, other] = [a.items[index], b.items[index]];
    return {
      a: one,
      b: other,
      isSame: one?.kind === other?.kind && one?.label === other?.label && one?.request === other?.request,
    };
  });
