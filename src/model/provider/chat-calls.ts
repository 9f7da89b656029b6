/** Tool calls of a chat stream, put together from pieces that servers cut in many ways. */
import { scanJson } from '../../base/json-scan.ts';
import { type Json, isObject } from '../../base/json.ts';
import { number, object, text, type BlockList } from './stream-parts.ts';
import type { CallEvent } from './types.ts';

interface ChatCall {
  /** Where its block is; none before its name came. */
  at: number | undefined;
  id: string;
  name: string;
  /** Arguments that came before the name. */
  held: string;
}

/** The part of a response's id that goes into made-up ids: other providers take only these characters, and 64 of them. */
const MOST_OF_RESPONSE = 40;
const madeUpId = (responseId: string | undefined, at: number): string => {
  const response = responseId?.replaceAll(/[^\w-]/g, '_').slice(-MOST_OF_RESPONSE) ?? '';
  return response === '' ? `call_${at}` : `call_${response}_${at}`;
};

export class ChatCalls {
  readonly #blocks: BlockList;
  /** Ends what is open before a call starts. */
  readonly #endOthers: () => CallEvent[];
  /** By the wire's own index. */
  readonly #calls = new Map<number, ChatCall>();
  #isNameless = false;

  constructor(blocks: BlockList, endOthers: () => CallEvent[]) {
    this.#blocks = blocks;
    this.#endOthers = endOthers;
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** At the end of the response: a name never came. */
  get isNameless(): boolean {
    return this.#isNameless || [...this.#calls.values()].some(({ at }) => at === undefined);
  }

  grow(raw: Json, position: number, responseId: string | undefined): CallEvent[] {
    const piece = object(raw);
    const body = object(piece['function']);
    const slot = number(piece['index']) ?? position;
    const id = text(piece['id']) ?? '';
    const name = text(body['name']) ?? '';
    const given = body['arguments'];
    // Some servers send an object where a string should be.
    const json = text(given) ?? (isObject(given) ? JSON.stringify(given) : '');
    const known = this.#calls.get(slot);
    const isNew = !known || this.#isAnother(known, id, name, json);
    const call: ChatCall = isNew ? { at: undefined, id: '', name: '', held: '' } : known;
    const events = isNew ? this.#replace(slot, known, call) : [];
    if (call.id === '') this.#identify(call, id);
    call.held += json;
    if (call.at === undefined) {
      if (name === '') return events;
      events.push(...this.#start(call, name, responseId));
    }
    if (call.at !== undefined) events.push(...this.#blocks.grow(call.at, 'tool_input', call.held));
    call.held = '';
    return events;
  }

  /** Whether a piece for the index of a call belongs to the next one. Some servers repeat the name in every piece. */
  #isAnother(known: ChatCall, id: string, name: string, json: string): boolean {
    if (known.id !== '') return id !== '' && id !== known.id;
    const before = known.at === undefined ? '' : this.#blocks.json(known.at);
    if (name === '' || before === '') return false;
    return name !== known.name || (json !== '' && before.endsWith('}') && scanJson(before).ok);
  }

  #replace(slot: number, known: ChatCall | undefined, call: ChatCall): CallEvent[] {
    this.#calls.set(slot, call);
    if (!known) return [];
    if (known.at !== undefined) return this.#blocks.stop(known.at);
    this.#isNameless = true;
    return [];
  }

  #identify(call: ChatCall, id: string): void {
    call.id = id;
    const block = call.at === undefined ? undefined : this.#blocks.at(call.at);
    if (id !== '' && call.at !== undefined && block?.type === 'tool_use')
      this.#blocks.replace(call.at, { ...block, id });
  }

  #start(call: ChatCall, name: string, responseId: string | undefined): CallEvent[] {
    const ended = this.#endOthers();
    const at = this.#blocks.length;
    call.at = at;
    call.name = name;
    // Some local servers give no id, and the answer has to name one.
    const id = call.id === '' ? madeUpId(responseId, at) : call.id;
    return [...ended, this.#blocks.start({ type: 'tool_use', id, name, input: {} })];
  }
}
