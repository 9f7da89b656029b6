/** What the three readers of responses share. */
import { scanJson } from '../../base/json-scan.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { Block, CallEvent, ProviderDiagnosis, StopReason, ToolUseBlock, Usage } from './types.ts';

export interface StreamError {
  readonly type?: string;
  readonly message: string;
  /** Routers send one, as if it were the status of the response. */
  readonly status?: number;
}

export interface ReadResult {
  readonly content: readonly Block[];
  readonly usage?: Usage;
  readonly stopReason?: StopReason;
  readonly responseId?: string;
  readonly model?: string;
  readonly upstream?: string;
  readonly diagnosis?: ProviderDiagnosis;
  /** The provider said so inside the stream. */
  readonly error?: StreamError;
  /** The first thing in the stream that no provider should send. */
  readonly fault?: string;
  /** The response said that it is over. */
  readonly isComplete: boolean;
}

/** Fed with the wire's events as JSON, one by one. It never throws: what it cannot use is a `fault` or an opaque block. */
export interface StreamReader {
  readonly push: (event: unknown) => readonly CallEvent[];
  /** What came so far; may be asked at any time. */
  readonly finish: () => ReadResult;
}

/** The result with only those facts that are known. Usage that came before the end is not all of it. */
export const readResult = (
  known: Omit<ReadResult, 'usage' | 'stopReason' | 'error' | 'fault'>,
  {
    usage,
    stopReason,
    error,
    fault,
  }: { readonly [K in 'usage' | 'stopReason' | 'error' | 'fault']: ReadResult[K] | undefined },
): ReadResult => ({
  ...known,
  ...(usage && { usage: { ...usage, partial: !known.isComplete } }),
  ...(stopReason && { stopReason }),
  ...(error && { error }),
  ...(fault !== undefined && { fault }),
});

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const object = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const CUT_OFF = 'the response ended inside the input';

/** A model that gives no arguments at all sends no text. */
export const toolInput = (json: string): Pick<ToolUseBlock, 'input' | 'malformed'> => {
  if (json.trim() === '') return { input: {} };
  const scanned = scanJson(json);
  if (scanned.ok) return { input: JSON.parse(json) as Json };
  return { input: json, malformed: `character ${scanned.error.offset + 1}: ${scanned.error.message}` };
};

/** Blocks while they grow, in the order in which they started. */
export class BlockList {
  readonly #blocks: { block: Block; isOpen: boolean; json: string }[] = [];

  get length(): number {
    return this.#blocks.length;
  }

  start(block: Block): CallEvent {
    this.#blocks.push({ block, isOpen: true, json: '' });
    return { type: 'block_start', index: this.#blocks.length - 1, block };
  }

  isOpen(index: number): boolean {
    return this.#blocks[index]?.isOpen === true;
  }

  grow(index: number, kind: 'text' | 'thinking' | 'tool_input', piece: string): CallEvent[] {
    const entry = this.#blocks[index];
    if (!entry || piece === '') return [];
    if (entry.block.type === 'tool_use') entry.json += piece;
    else if (entry.block.type === 'text' || entry.block.type === 'thinking') {
      entry.block = { ...entry.block, text: entry.block.text + piece };
    }
    return [{ type: 'delta', index, kind, text: piece }];
  }

  /** Without a final block, it is what has grown. */
  stop(index: number, final?: Block): CallEvent[] {
    const entry = this.#blocks[index];
    if (!entry?.isOpen) return [];
    entry.isOpen = false;
    if (final) entry.block = final;
    else if (entry.block.type === 'tool_use') entry.block = { ...entry.block, ...toolInput(entry.json) };
    return [{ type: 'block_stop', index, block: entry.block }];
  }

  stopAll(): CallEvent[] {
    return this.#blocks.flatMap((_, index) => this.stop(index));
  }

  replace(index: number, block: Block): void {
    const entry = this.#blocks[index];
    if (entry) entry.block = block;
  }

  at(index: number): Block | undefined {
    return this.#blocks[index]?.block;
  }

  json(index: number): string {
    return this.#blocks[index]?.json ?? '';
  }

  /** What is still open is shown as far as it came; of an unknown block only the whole is of use. */
  blocks(): Block[] {
    return this.#blocks.flatMap(({ block, isOpen, json }) => {
      if (!isOpen) return [block];
      if (block.type === 'tool_use') return [{ ...block, input: json, malformed: CUT_OFF }];
      if (block.type === 'opaque' || (block.type === 'text' && block.text === '')) return [];
      return [block];
    });
  }
}

/** A reason may be a whole page. */
const MAX_REASON = 2000;

/** What the host behind a router said, which may be JSON in a string. */
const reasonIn = (raw: unknown): string | undefined => {
  if (isObject(raw)) return reasonIn(raw['error']) ?? text(raw['message']) ?? text(raw['detail']);
  const words = text(raw)?.trim();
  if (words === undefined || words === '') return undefined;
  if (!words.startsWith('{')) return words.slice(0, MAX_REASON);
  return reasonIn(valueOr(parseJson(words), undefined)) ?? words.slice(0, MAX_REASON);
};

/** The message of an error's body. A router's own says little; it hands on what it got in `metadata.raw`. */
export const messageOf = (body: unknown): string | undefined => {
  const inside = object(body);
  const own = text(inside['message']) ?? text(inside['detail']);
  const reason = reasonIn(object(inside['metadata'])['raw']);
  return own === undefined || own === '' || reason === undefined ? (reason ?? own) : `${own}: ${reason}`;
};

export const errorOf = (raw: unknown): StreamError => {
  if (typeof raw === 'string') return { message: raw };
  const body = object(raw);
  const type = text(body['code']) ?? text(body['type']);
  const status = number(body['code']);
  return {
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    message: messageOf(body) ?? 'The provider gave no reason.',
  };
};
