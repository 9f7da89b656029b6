/** Responses of Chat Completions, whole and in chunks. */
import type { Answer, AnswerBlock } from './answer.ts';
import { streamed, textDeltas, whole, type StreamEvent, type Streamed } from './stream.ts';
import type { FaultKind } from './types.ts';
import { chatUsage, type SimUsage } from './usage.ts';

export interface ChatParts {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly answer: Answer;
  /** Of all choices. */
  readonly usage: SimUsage;
  /** How often the answer is given: a deterministic model says the same each time. */
  readonly choices: number;
  readonly includeUsage: boolean;
  readonly fault: FaultKind | undefined;
}

const finishReason = ({ stop }: Answer): string => {
  switch (stop) {
    case 'max_tokens':
      return 'length';
    case 'tool_use':
      return 'tool_calls';
    case 'refusal':
      return 'content_filter';
    default:
      return 'stop';
  }
};

const textOf = (blocks: readonly AnswerBlock[]): string =>
  blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');

const callsOf = (blocks: readonly AnswerBlock[]) => blocks.filter((block) => block.type === 'tool_use');

const places = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

export const chatMessage = ({ id, model, created, answer, usage, choices, fault }: ChatParts): Streamed => {
  const text = textOf(answer.blocks);
  const calls = callsOf(answer.blocks).map((block) => ({
    id: block.id,
    type: 'function',
    function: { name: block.name, arguments: block.json },
  }));
  const isRefusal = answer.stop === 'refusal';
  const body = {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: places(choices).map((index) => ({
      index,
      message: {
        role: 'assistant',
        content: isRefusal || text === '' ? null : text,
        refusal: isRefusal ? text : null,
        annotations: [],
        ...(calls.length > 0 && { tool_calls: calls }),
        ...(fault === 'unknown_block' && { hologram: { shape: 'sphere' } }),
      },
      logprobs: null,
      finish_reason: finishReason(answer),
    })),
    usage: chatUsage(usage),
    service_tier: 'default',
    system_fingerprint: 'fp_lathe_sim',
  };
  return whole(body, textDeltas(text).length, fault);
};

export const chatStream = ({
  id,
  model,
  created,
  answer,
  usage,
  choices,
  includeUsage,
  fault,
}: ChatParts): Streamed => {
  const chunk = (given: readonly object[], counted: object | null = null): StreamEvent => ({
    data: {
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      service_tier: 'default',
      system_fingerprint: 'fp_lathe_sim',
      choices: given,
      ...(includeUsage && { usage: counted }),
    },
  });
  const delta = (value: object, finish: string | null = null): readonly StreamEvent[] =>
    places(choices).map((index) => chunk([{ index, delta: value, logprobs: null, finish_reason: finish }]));
  const isRefusal = answer.stop === 'refusal';
  const events: StreamEvent[] = [...delta({ role: 'assistant', content: '', refusal: null })];
  if (fault === 'unknown_block') events.push(...delta({ hologram: { shape: 'sphere' } }));
  for (const text of textDeltas(textOf(answer.blocks)))
    events.push(...delta(isRefusal ? { refusal: text } : { content: text }));
  for (const [index, block] of callsOf(answer.blocks).entries()) {
    const { id: callId, name, json } = block;
    events.push(...delta({ tool_calls: [{ index, id: callId, type: 'function', function: { name, arguments: '' } }] }));
    for (const part of textDeltas(json))
      events.push(...delta({ tool_calls: [{ index, function: { arguments: part } }] }));
  }
  events.push(...delta({}, finishReason(answer)));
  if (includeUsage) events.push(chunk([], chatUsage(usage)));
  events.push({ data: '[DONE]' });
  return streamed(events, fault, {
    data: {
      error: {
        message: 'The server had an error while processing your request.',
        type: 'server_error',
        param: null,
        code: null,
      },
    },
  });
};
