/** A turn while its events come in. */
import type { EventOf, Payload } from '../event/types.ts';
import { verdictKind } from '../event/verdict-kind.ts';
import { ToolBuilder } from './tool-builder.ts';
import type { AnswerBlock, CallView, TurnPart, TurnView } from './types.ts';

type CallEvent =
  | EventOf<'llm.call_started'>
  | EventOf<'llm.call_completed'>
  | EventOf<'llm.call_failed'>
  | EventOf<'cache.explained'>;

type BlockBuilder = Exclude<AnswerBlock, { readonly kind: 'tool' }> | ToolBuilder;

interface AnswerBuilder {
  readonly kind: 'answer';
  readonly key: string;
  call: CallView | undefined;
  blocks: BlockBuilder[];
  partial: boolean;
  hasMessage: boolean;
}

type PartBuilder = AnswerBuilder | (TurnPart & { readonly kind: 'user' });

const completedCall = (call: CallView, payload: Payload<'llm.call_completed'>): CallView => ({
  ...call,
  status: 'completed',
  latencyMs: payload.latency_ms,
  ...(payload.usage && { usage: payload.usage }),
  stopReason: payload.stop_reason,
  ...(payload.cost_usd !== null && { costUsd: payload.cost_usd }),
});

const failedCall = (call: CallView, payload: Payload<'llm.call_failed'>): CallView => {
  const { error_code: code, error_message_redacted: message, next_step: nextStep } = payload;
  if (!payload.final) return { ...call, retries: [...call.retries, { code, message }] };
  return {
    ...call,
    status: 'failed',
    latencyMs: payload.latency_ms,
    failure: { code, message, nextStep },
    ...(payload.usage && { usage: payload.usage }),
    ...(payload.cost_usd !== null && { costUsd: payload.cost_usd }),
  };
};

export class TurnBuilder {
  readonly #id: string;
  readonly #number: number;
  readonly #asker: ToolBuilder | undefined;
  readonly #parts: PartBuilder[] = [];
  readonly #tools: ToolBuilder[] = [];
  #status: TurnView['status'] = 'running';
  #stopReason: string | undefined;
  #message: string | undefined;
  #view: TurnView | undefined;

  constructor(id: string, number: number, asker: ToolBuilder | undefined) {
    this.#id = id;
    this.#number = number;
    this.#asker = asker;
  }

  touch(): void {
    this.#view = undefined;
    this.#asker?.touch();
  }

  end(status: 'completed' | 'cancelled', stopReason: string, message?: string): void {
    this.#status = status;
    this.#stopReason = stopReason;
    this.#message = message;
    for (const tool of this.#tools) tool.close();
    this.touch();
  }

  /** The page was closed while it ran. */
  interrupt(): void {
    if (this.#status !== 'running') return;
    this.#status = 'interrupted';
    for (const part of this.#parts)
      if (part.kind === 'answer' && part.call?.status === 'running') part.call = { ...part.call, status: 'failed' };
    for (const tool of this.#tools) tool.close();
    this.touch();
  }

  #answer(key: string, call?: CallView): AnswerBuilder {
    const part: AnswerBuilder = { kind: 'answer', key, call, blocks: [], partial: false, hasMessage: false };
    this.#parts.push(part);
    return part;
  }

  addOwnTool(key: string, tool: ToolBuilder): void {
    const part = this.#answer(key);
    part.blocks.push(tool);
    part.hasMessage = true;
    this.#tools.push(tool);
    this.touch();
  }

  /** Gives the tool calls that it found. */
  addMessage(event: EventOf<'message.appended'>): readonly ToolBuilder[] {
    this.touch();
    const { role, content, partial } = event.payload;
    if (role === 'user') {
      const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      const images = content.filter(({ type }) => type === 'image').length;
      const [text, ...attached] = texts;
      if (text !== undefined || images > 0)
        this.#parts.push({ kind: 'user', eventId: event.id, text: text ?? '', images, attached });
      return [];
    }
    const last = this.#parts.at(-1);
    const part = last?.kind === 'answer' && !last.hasMessage ? last : this.#answer(event.id);
    part.hasMessage = true;
    part.partial = partial;
    const by = part.call ? 'model' : 'user';
    const found: ToolBuilder[] = [];
    for (const block of content) {
      switch (block.type) {
        case 'text':
        case 'thinking':
          part.blocks.push({ kind: block.type, text: block.text });
          break;
        case 'tool_use': {
          const tool = new ToolBuilder(block.id, block.name, block.input, by, this, block.malformed);
          found.push(tool);
          part.blocks.push(tool);
          break;
        }
        case 'opaque':
          part.blocks.push({
            kind: 'other',
            label: 'Lathe doesn’t know this block type. It sends the block back unchanged.',
          });
          break;
        case 'image':
          part.blocks.push({ kind: 'other', label: 'An image.' });
          break;
        case 'tool_result':
          break;
      }
    }
    this.#tools.push(...found);
    return found;
  }

  callNews(event: CallEvent): void {
    this.touch();
    if (event.type === 'llm.call_started') {
      const { request_id: requestId, model, provider } = event.payload;
      this.#answer(requestId, { requestId, eventId: event.id, model, provider, status: 'running', retries: [] });
      return;
    }
    const part = this.#parts.findLast(
      (item): item is AnswerBuilder => item.kind === 'answer' && item.key === event.payload.request_id,
    );
    if (!part?.call) return;
    if (event.type === 'llm.call_completed') part.call = completedCall(part.call, event.payload);
    else if (event.type === 'llm.call_failed') part.call = failedCall(part.call, event.payload);
    else {
      const { cause, lost_tokens: lostTokens, repair } = event.payload;
      const at = event.payload.position?.label;
      part.call = {
        ...part.call,
        kind: verdictKind(event.payload),
        cause,
        lostTokens,
        repair,
        ...(at !== undefined && { at }),
      };
    }
  }

  view(): TurnView {
    this.#view ??= {
      kind: 'turn',
      id: this.#id,
      number: this.#number,
      status: this.#status,
      ...(this.#stopReason !== undefined && { stopReason: this.#stopReason }),
      ...(this.#message !== undefined && { message: this.#message }),
      parts: this.#parts.map((part): TurnPart => {
        if (part.kind === 'user') return part;
        return {
          kind: 'answer',
          key: part.key,
          ...(part.call && { call: part.call }),
          blocks: part.blocks.map((block): AnswerBlock =>
            block instanceof ToolBuilder ? { kind: 'tool', tool: block.view() } : block,
          ),
          partial: part.partial,
        };
      }),
    };
    return this.#view;
  }
}
