/**
 * Events become a transcript. The reader continues where it stopped, and gives the same object for whatever has not changed
 * since, so that a view draws only what is new.
 */
import type { SessionSettings } from '../event/catalog.ts';
import type { EventOf, LatheEvent, Payload } from '../event/types.ts';
import { settingsChanges } from './settings-words.ts';
import { ToolBuilder } from './tool-builder.ts';
import { TurnBuilder } from './turn-builder.ts';
import type { MarkView, TranscriptItem } from './types.ts';
import { listed } from './words.ts';

export interface TranscriptReader {
  /** Always the array of one journal, which grows; another array starts again. */
  readonly read: (events: readonly LatheEvent[]) => readonly TranscriptItem[];
}

const paddingWords = { spec: 'padding: spec', model: 'padding: model', off: 'no padding' } as const;

const startLines = ({ dialect, padding, preloaded, forked_from: fork }: Payload<'session.configured'>): string[] => [
  `Dialect ${dialect}, ${paddingWords[padding]}${preloaded.length === 0 ? '' : `, preloaded: ${listed(preloaded, 4)}`}.`,
  ...(fork ? ['Forked. Everything up to here comes from another session.'] : []),
];

class Reader implements TranscriptReader {
  #events: readonly LatheEvent[] | undefined;
  #next = 0;
  #items: (MarkView | TurnBuilder)[] = [];
  #turns = new Map<string, TurnBuilder>();
  #tools = new Map<string, ToolBuilder>();
  #settings: SessionSettings | undefined;
  #people = 0;
  #shown: readonly TranscriptItem[] = [];

  #reset(events: readonly LatheEvent[]): void {
    this.#events = events;
    this.#next = 0;
    this.#items = [];
    this.#turns = new Map();
    this.#tools = new Map();
    this.#settings = undefined;
    this.#people = 0;
    this.#shown = [];
  }

  read(events: readonly LatheEvent[]): readonly TranscriptItem[] {
    if (events !== this.#events || events.length < this.#next) this.#reset(events);
    if (this.#next === events.length) return this.#shown;
    for (; this.#next < events.length; this.#next++) {
      const event = events[this.#next];
      if (event) this.#apply(event);
    }
    this.#shown = this.#items.map((item) => (item instanceof TurnBuilder ? item.view() : item));
    return this.#shown;
  }

  #mark(event: LatheEvent, lines: readonly string[]): void {
    if (lines.length > 0) this.#items.push({ kind: 'mark', id: event.id, lines });
  }

  #turnOf(event: LatheEvent): TurnBuilder | undefined {
    return event.turn_id === null ? undefined : this.#turns.get(event.turn_id);
  }

  #startTurn(event: EventOf<'turn.started'>): void {
    const id = event.turn_id ?? event.id;
    const { nested_in: nestedIn } = event.payload;
    const asker = nestedIn === null ? undefined : this.#tool(nestedIn);
    const turn = new TurnBuilder(id, asker ? 0 : ++this.#people, asker);
    this.#turns.set(id, turn);
    if (asker) asker.nest(turn);
    else this.#items.push(turn);
  }

  #tool(toolUseId: string): ToolBuilder | undefined {
    return this.#tools.get(toolUseId);
  }

  /** A program that a person runs has a call that no message speaks of. */
  #ownRun(event: EventOf<'metaskill.started'>): ToolBuilder | undefined {
    const id = event.payload.tool_use_id;
    const turn = this.#turnOf(event);
    if (id === null || !turn) return undefined;
    const tool = new ToolBuilder(id, 'run_metaskill', { name: event.payload.name }, 'user', turn);
    tool.begin();
    this.#tools.set(id, tool);
    turn.addOwnTool(event.id, tool);
    return tool;
  }

  #message(event: EventOf<'message.appended'>): void {
    const turn = this.#turnOf(event);
    if (!turn) return;
    for (const tool of turn.addMessage(event)) this.#tools.set(tool.id, tool);
    for (const block of event.payload.content)
      if (block.type === 'tool_result') this.#tool(block.toolUseId)?.answer(block);
  }

  #apply(event: LatheEvent): void {
    switch (event.type) {
      case 'session.configured':
        this.#settings = event.payload.settings;
        this.#mark(event, startLines(event.payload));
        return;
      case 'session.settings_changed':
        if (this.#settings) this.#mark(event, settingsChanges(this.#settings, event.payload.settings));
        this.#settings = event.payload.settings;
        return;
      case 'session.resumed':
        for (const turn of this.#turns.values()) turn.interrupt();
        this.#mark(event, ['Opened again.']);
        return;
      case 'session.ended':
        this.#mark(event, ['The session has ended.']);
        return;
      case 'turn.started':
        this.#startTurn(event);
        return;
      case 'turn.completed':
        this.#turnOf(event)?.end('completed', event.payload.stop_reason);
        return;
      case 'turn.cancelled':
        this.#turnOf(event)?.end('cancelled', event.payload.reason, event.payload.message);
        return;
      case 'message.appended':
        this.#message(event);
        return;
      case 'llm.call_started':
      case 'llm.call_completed':
      case 'llm.call_failed':
      case 'cache.explained':
        this.#turnOf(event)?.callNews(event);
        return;
      case 'metaskill.started':
        (this.#tool(event.payload.tool_use_id ?? '') ?? this.#ownRun(event))?.news(event);
        return;
      case 'tool.called':
      case 'tool.completed':
      case 'tool.failed':
      case 'tool.input_invalid':
      case 'tool.confirmation_requested':
      case 'tool.confirmation_resolved':
      case 'metaskill.step':
      case 'metaskill.trace':
      case 'metaskill.finished':
        this.#tool(event.payload.tool_use_id ?? '')?.news(event);
        return;
      case 'skill.loaded':
        this.#tool(event.payload.triggered_by_tool_use_id ?? '')?.loaded(event.payload);
        return;
      default:
    }
  }
}

export const createTranscriptReader = (): TranscriptReader => new Reader();
