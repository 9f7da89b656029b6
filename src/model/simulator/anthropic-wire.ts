/** Responses of the Messages API, whole and streamed: fields and order as its SDK knows them. */
import type { Json } from '../../base/json.ts';
import { STRANGE_TYPE } from './faults.ts';
import type { Answer, AnswerBlock } from './answer.ts';
import { serverResult } from './server-tools.ts';
import { streamed, textDeltas, whole, type StreamEvent, type Streamed } from './stream.ts';
import type { FaultKind } from './types.ts';
import { anthropicDeltaUsage, anthropicUsage, serverUsage, type SimUsage } from './usage.ts';

export interface AnthropicParts {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  readonly usage: SimUsage;
  readonly speed: 'standard' | 'fast';
  readonly diagnostics: Json;
  readonly fault: FaultKind | undefined;
}

const STRANGE = { type: STRANGE_TYPE, shape: 'sphere' };

/** A block of the answer is one block on the wire, or two: what a tool of the provider was asked, and what it said. */
const wireBlocks = (block: AnswerBlock): readonly object[] =>
  block.type === 'server_tool'
    ? [
        blockBody(block),
        { tool_use_id: block.id, ...serverResult(block.name, block.input), caller: { type: 'direct' } },
      ]
    : [blockBody(block)];

const blockBody = (block: AnswerBlock): object => {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: block.signature };
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input, caller: { type: 'direct' } };
    case 'server_tool':
      return {
        type: 'server_tool_use',
        id: block.id,
        name: block.name,
        input: block.input,
        caller: { type: 'direct' },
      };
  }
};

const emptyBlock = (block: AnswerBlock): object => {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'text':
      return { type: 'text', text: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {}, caller: { type: 'direct' } };
    case 'server_tool':
      return { type: 'server_tool_use', id: block.id, name: block.name, input: {}, caller: { type: 'direct' } };
  }
};

const deltasOf = (block: AnswerBlock): readonly object[] => {
  switch (block.type) {
    case 'thinking':
      return [
        ...textDeltas(block.text).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'text':
      return textDeltas(block.text).map((text) => ({ type: 'text_delta', text }));
    case 'tool_use':
    case 'server_tool':
      return ['', ...textDeltas(block.json)].map((json) => ({ type: 'input_json_delta', partial_json: json }));
  }
};

const stopDetails = (answer: Answer): Json =>
  answer.stop === 'refusal'
    ? { type: 'refusal', category: null, explanation: 'The simulator was asked to refuse.' }
    : null;

const named = (data: { readonly type: string; readonly [key: string]: unknown }): StreamEvent => ({
  event: data.type,
  data,
});

const message = ({ id, model, diagnostics }: AnthropicParts, content: readonly object[], rest: object): object => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content,
  // AI SDK 6 fails on some fields that are null; the real API leaves them out.
  ...(diagnostics !== null && { diagnostics }),
  ...rest,
});

export const anthropicMessage = (parts: AnthropicParts): Streamed => {
  const { answer, usage, speed, fault } = parts;
  const content = answer.blocks.flatMap(wireBlocks);
  const body = message(parts, fault === 'unknown_block' ? [STRANGE, ...content] : content, {
    stop_reason: answer.stop,
    stop_sequence: answer.stopSequence ?? null,
    stop_details: stopDetails(answer),
    usage: { ...anthropicUsage(usage, usage.output, usage.reasoning), ...serverUsage(usage), speed },
  });
  return whole(body, answer.blocks.flatMap(deltasOf).length, fault);
};

export const anthropicStream = (parts: AnthropicParts): Streamed => {
  const { answer, usage, speed, fault } = parts;
  const start = message(parts, [], {
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    // One token of the answer has been made when its message starts.
    usage: { ...anthropicUsage(usage, Math.min(1, usage.output), undefined), speed },
  });
  const events: StreamEvent[] = [named({ type: 'message_start', message: start })];
  let index = 0;
  const block = (first: object, deltas: readonly object[]): void => {
    events.push(named({ type: 'content_block_start', index, content_block: first }));
    if (index === 0) events.push(named({ type: 'ping' }));
    for (const delta of deltas) events.push(named({ type: 'content_block_delta', index, delta }));
    events.push(named({ type: 'content_block_stop', index }));
    index++;
  };
  if (fault === 'unknown_block') block(STRANGE, [{ type: 'hologram_delta', shape: 'cube' }]);
  for (const one of answer.blocks) {
    block(emptyBlock(one), deltasOf(one));
    for (const result of wireBlocks(one).slice(1)) block(result, []);
  }
  events.push(
    named({
      type: 'message_delta',
      delta: {
        stop_reason: answer.stop,
        stop_sequence: answer.stopSequence ?? null,
        stop_details: stopDetails(answer),
      },
      usage: { ...anthropicDeltaUsage(usage), ...serverUsage(usage) },
    }),
    named({ type: 'message_stop' }),
  );
  return streamed(events, fault, named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
};
