/** A tool call while its events come in. */
import { type Json, isObject } from '../../base/json.ts';
import type { EventOf, Payload } from '../event/types.ts';
import type { ToolResultBlock } from '../provider/types.ts';
import type { ApprovalView, RunEntry, RunView, SkillLoadView, ToolView, TurnView } from './types.ts';

/** The turn that it belongs to. */
interface Parent {
  touch(): void;
}

interface Nested {
  view(): TurnView;
}

type News =
  | 'tool.called'
  | 'tool.completed'
  | 'tool.failed'
  | 'tool.input_invalid'
  | 'tool.confirmation_requested'
  | 'tool.confirmation_resolved'
  | 'metaskill.started'
  | 'metaskill.step'
  | 'metaskill.trace'
  | 'metaskill.finished';

type ToolEvent = { [T in News]: EventOf<T> }[News];

const LOADERS: ReadonlySet<string> = new Set(['skill_load', 'skill']);

const nameIn = (input: Json): string => {
  const name = isObject(input) ? input['name'] : undefined;
  return typeof name === 'string' ? name : '';
};

const lineOf = (range: { readonly line: number } | null): { readonly line?: number } =>
  range ? { line: range.line } : {};

type Status = ToolView['status'];

export class ToolBuilder {
  readonly id: string;
  readonly #turn: Parent;
  readonly #by: ToolView['by'];
  readonly #name: string;
  readonly #input: Json;
  readonly #malformed: string | undefined;
  #status: Status = 'waiting';
  #latencyMs: number | undefined;
  #result: ToolView['result'];
  #error: string | undefined;
  #metadata: ToolView['metadata'];
  #files: readonly string[] | undefined;
  readonly #approvals = new Map<string, ApprovalView>();
  #load: SkillLoadView | undefined;
  #run: RunView | undefined;
  #nested: Nested[] = [];
  #view: ToolView | undefined;

  constructor(id: string, name: string, input: Json, by: ToolView['by'], turn: Parent, malformed?: string) {
    this.id = id;
    this.#name = name;
    this.#input = input;
    this.#by = by;
    this.#turn = turn;
    this.#malformed = malformed;
  }

  /** Something in it or below it has changed. */
  touch(): void {
    this.#view = undefined;
    this.#turn.touch();
  }

  nest(turn: Nested): void {
    this.#nested.push(turn);
    this.touch();
  }

  begin(): void {
    this.#status = 'running';
    this.touch();
  }

  answer({ text, isError }: ToolResultBlock): void {
    this.#result = { text, isError };
    // Nothing was told of it before: the turn ended first.
    if (this.#status === 'waiting' || this.#status === 'asking') this.#status = 'cancelled';
    else if (this.#status === 'running') this.#status = isError ? 'cancelled' : 'completed';
    this.touch();
  }

  loaded({ skill_id: name, load_size_tokens: tokens }: Payload<'skill.loaded'>): void {
    this.#load = { name, kind: 'loaded', tokens };
    this.touch();
  }

  /** The turn has ended; whatever still ran no longer runs. */
  close(): void {
    if (this.#status !== 'running' && this.#status !== 'asking' && this.#status !== 'waiting') return;
    this.#status = this.#run?.finished ? 'completed' : 'cancelled';
    this.touch();
  }

  news(event: ToolEvent): void {
    switch (event.type) {
      case 'tool.called':
        this.#status = 'running';
        break;
      case 'tool.completed':
        this.#completed(event.payload);
        break;
      case 'tool.failed':
        this.#status = event.payload.error_class === 'cancelled' ? 'cancelled' : 'failed';
        this.#latencyMs = event.payload.latency_ms;
        this.#error = event.payload.error_message;
        if (LOADERS.has(this.#name)) this.#load = { name: nameIn(this.#input), kind: 'refused' };
        break;
      case 'tool.input_invalid':
        this.#status = 'failed';
        this.#error = event.payload.validation_errors.join('\n');
        break;
      case 'tool.confirmation_requested':
        this.#asked(event.payload);
        break;
      case 'tool.confirmation_resolved':
        this.#decided(event.payload);
        break;
      default:
        this.#runNews(event);
    }
    this.touch();
  }

  #completed(payload: Payload<'tool.completed'>): void {
    const { success, latency_ms: latencyMs, metadata, files_modified: files } = payload;
    this.#status = success ? 'completed' : 'failed';
    this.#latencyMs = latencyMs;
    this.#metadata = metadata;
    if (files && files.length > 0) this.#files = files;
    const isPointer = metadata['already_loaded'] === true || metadata['already_preloaded'] === true;
    if (isPointer) this.#load = { name: nameIn(this.#input), kind: 'pointer' };
  }

  #asked(payload: Payload<'tool.confirmation_requested'>): void {
    const { confirmation_request_id: id, command_summary: command, input_summary: summary } = payload;
    this.#approvals.set(id, { status: 'open', summary: command ?? summary });
    this.#status = 'asking';
  }

  #decided(payload: Payload<'tool.confirmation_resolved'>): void {
    const { confirmation_request_id: id, decision, scope, reason } = payload;
    const status = ({ allow: 'allowed', deny: 'denied', timeout: 'timeout' } as const)[decision];
    const asked = this.#approvals.get(id);
    if (asked)
      this.#approvals.set(id, {
        ...asked,
        status,
        ...(scope !== null && { scope }),
        ...(reason !== null && { reason }),
      });
    this.#status = 'running';
  }

  #runNews(
    event:
      | EventOf<'metaskill.started'>
      | EventOf<'metaskill.step'>
      | EventOf<'metaskill.trace'>
      | EventOf<'metaskill.finished'>,
  ): void {
    switch (event.type) {
      case 'metaskill.started': {
        const { name, max_ask_calls: maxAsks, max_command_calls: maxCommands, notes } = event.payload;
        this.#run = { name, maxAsks, maxCommands, notes, entries: [] };
        return;
      }
      case 'metaskill.step': {
        const { kind, label, duration_ms: durationMs, ok, request, response, range } = event.payload;
        this.#entry({ kind, label, durationMs, ok, request, response, ...lineOf(range) });
        return;
      }
      case 'metaskill.trace': {
        const { kind: label, data_json: data, range } = event.payload;
        this.#entry({ kind: 'trace', label, data, ...lineOf(range) });
        return;
      }
      case 'metaskill.finished': {
        const { status, ask_calls: asks, command_calls: commands, duration_ms: durationMs } = event.payload;
        if (this.#run) this.#run = { ...this.#run, finished: { status, asks, commands, durationMs } };
        if (this.#by === 'user') {
          this.#status = status === 'error' ? 'failed' : 'completed';
          this.#latencyMs = durationMs;
        }
      }
    }
  }

  #entry(entry: RunEntry): void {
    if (this.#run) this.#run = { ...this.#run, entries: [...this.#run.entries, entry] };
  }

  view(): ToolView {
    this.#view ??= {
      toolUseId: this.id,
      name: this.#name,
      input: this.#input,
      status: this.#status,
      approvals: [...this.#approvals.values()],
      nested: this.#nested.map((turn) => turn.view()),
      by: this.#by,
      ...(this.#malformed !== undefined && { malformed: this.#malformed }),
      ...(this.#latencyMs !== undefined && { latencyMs: this.#latencyMs }),
      ...(this.#result && { result: this.#result }),
      ...(this.#error !== undefined && { error: this.#error }),
      ...(this.#metadata && { metadata: this.#metadata }),
      ...(this.#files && { files: this.#files }),
      ...(this.#load && { skill: this.#load }),
      ...(this.#run && { run: this.#run }),
    };
    return this.#view;
  }
}
