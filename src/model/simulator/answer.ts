/** What the model says, made into blocks with ids and tokens, and cut where the request says so. */
import type { Json } from '../../base/json.ts';
import { parseJson } from '../../base/json.ts';
import { takeCodePoints, codePointLength } from '../../base/text.ts';
import type { StopReason, Tokenizer } from '../provider/types.ts';
import { signThinking } from './ids.ts';
import { exampleAnswer, exampleInput } from './behaviour/example-input.ts';
import { exampleServerInput, serverResult } from './server-tools.ts';
import type { SimConversation, SimReply, SimToolCall } from './types.ts';

export type AnswerBlock =
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Json;
      /** As it is streamed; broken if a fault asks for it. */
      readonly json: string;
    }
  | {
      readonly type: 'server_tool';
      readonly id: string;
      readonly name: string;
      readonly input: Json;
      readonly json: string;
    };

/** One pass of the model over the prompt: what it said, and what a tool of the provider then added to the prompt. */
export interface Round {
  readonly output: number;
  readonly added: number;
}

export interface Answer {
  readonly blocks: readonly AnswerBlock[];
  readonly stop: StopReason;
  readonly stopSequence?: string;
  readonly output: number;
  /** Part of `output`. */
  readonly reasoning: number;
  /** More than one where the provider ran tools of its own. */
  readonly rounds?: readonly Round[];
}

export interface AnswerLimits {
  readonly maxTokens: number | undefined;
  readonly stopSequences: readonly string[];
  readonly factor: number;
  readonly toolId: () => string;
  readonly serverToolId: () => string;
}

const blockText = (block: AnswerBlock): string =>
  block.type === 'tool_use' || block.type === 'server_tool' ? `${block.name} ${block.json}` : block.text;

/** The longest beginning of a string that has no more than `most` tokens. */
const cutText = async (text: string, most: number, count: (text: string) => Promise<number>): Promise<string> => {
  let low = 0;
  let high = codePointLength(text);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((await count(takeCodePoints(text, middle))) <= most) low = middle;
    else high = middle - 1;
  }
  return takeCodePoints(text, low);
};

/** Calls as the request's `tool_choice` allows them. */
const allowedCalls = (
  reply: SimReply,
  { toolChoice, tools, serverTools = [] }: SimConversation,
): readonly SimToolCall[] => {
  if (toolChoice === 'none' || tools.length + serverTools.length === 0) return [];
  if (toolChoice === 'auto') return reply.toolCalls;
  const allowed =
    toolChoice === 'any' ? reply.toolCalls : reply.toolCalls.filter(({ name }) => name === toolChoice.name);
  const own =
    toolChoice === 'any' && tools.length === 0
      ? serverTools[0]
      : serverTools.find(
          ({ name, kind }) => toolChoice !== 'any' && (name === toolChoice.name || kind === toolChoice.name),
        );
  if (own && allowed.length === 0) return [{ name: own.name, input: exampleServerInput(own.name) }];
  const wanted = toolChoice === 'any' ? tools[0] : tools.find(({ name }) => name === toolChoice.name);
  if (allowed.length > 0 || !wanted) return allowed;
  return [{ name: wanted.name, input: exampleInput(wanted.inputSchema, '') }];
};

const chooseCalls = (reply: SimReply, conversation: SimConversation): readonly SimToolCall[] =>
  allowedCalls(reply, conversation).slice(0, conversation.oneCall === true ? 1 : undefined);

/** A fault that breaks the input of a call needs one. */
const callsOf = (reply: SimReply, conversation: SimConversation): readonly SimToolCall[] => {
  const calls = chooseCalls(reply, conversation);
  const [tool] = conversation.tools;
  if (reply.fault?.kind !== 'malformed_tool_input' || calls.length > 0 || !tool) return calls;
  return [{ name: tool.name, input: exampleInput(tool.inputSchema, '') }];
};

/** No reader of JSON takes this, and it is what a model that was interrupted leaves. */
const broken = (json: string): string => `${json.slice(0, Math.max(2, Math.floor(json.length * 0.6)))}"`;

const lastSaid = ({ messages }: SimConversation): string =>
  (messages.findLast(({ role }) => role === 'user')?.content ?? [])
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join(' ');

/** What is said where the request wants JSON. A string that is JSON already, as of a scenario, stays; beside a call none is reported. */
const formatted = (reply: SimReply, conversation: SimConversation, hasCalls: boolean): string => {
  const { format } = conversation;
  if (!format || reply.stop === 'refusal' || parseJson(reply.text).ok) return reply.text;
  if (hasCalls) return '';
  return JSON.stringify(
    format.schema === undefined
      ? { answer: reply.text }
      : exampleAnswer(format.schema, lastSaid(conversation), reply.text),
  );
};

/** What a tool of the provider found is reported in the same answer. */
const afterServer = (reply: SimReply): SimReply =>
  reply.text === '' ? { ...reply, text: 'Here is what I found.' } : reply;

const cutAtSequence = (text: string, sequences: readonly string[]): { text: string; found?: string } => {
  const hits = sequences
    .map((sequence) => ({ sequence, at: sequence === '' ? -1 : text.indexOf(sequence) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  const [first] = hits;
  return first ? { text: text.slice(0, first.at), found: first.sequence } : { text };
};

/** Where a scenario says nothing of it. */
const UNSAID = 'I know what to do.';

export const makeAnswer = async (
  reply: SimReply,
  conversation: SimConversation,
  tokenizer: Tokenizer,
  { maxTokens = Number.POSITIVE_INFINITY, stopSequences, factor, toolId, serverToolId }: AnswerLimits,
): Promise<Answer> => {
  if (maxTokens === 0) return { blocks: [], stop: 'max_tokens', output: 0, reasoning: 0 };
  const count = async (text: string): Promise<number> => Math.ceil(((await tokenizer.count([text]))[0] ?? 0) * factor);
  const isRefusal = reply.stop === 'refusal';
  const allCalls = isRefusal ? [] : callsOf(reply, conversation);
  const isServers = ({ name }: SimToolCall): boolean =>
    (conversation.serverTools ?? []).some((tool) => tool.name === name || tool.kind === name);
  const served = allCalls.filter(isServers);
  const wantedCalls = allCalls.filter((one) => !isServers(one));
  const { text, found } = cutAtSequence(
    formatted(served.length > 0 ? afterServer(reply) : reply, conversation, wantedCalls.length > 0),
    stopSequences,
  );
  const calls = found === undefined ? wantedCalls : [];
  // A model that is made to call a tool says nothing before it.
  const isForced = conversation.toolChoice !== 'auto' && conversation.toolChoice !== 'none' && calls.length > 0;
  const thought = reply.thinking ?? (conversation.mustThink === true ? UNSAID : '');
  const wanted: AnswerBlock[] = [
    ...(conversation.thinking && thought !== ''
      ? [{ type: 'thinking', text: thought, signature: signThinking(thought) } as const]
      : []),
    ...served.map(({ name, input }): AnswerBlock => ({
      type: 'server_tool',
      id: serverToolId(),
      name,
      input,
      json: JSON.stringify(input),
    })),
    ...(text === '' || isForced ? [] : [{ type: 'text', text } as const]),
    ...calls.map(({ name, input }): AnswerBlock => {
      const json = JSON.stringify(input);
      const isBroken = reply.fault?.kind === 'malformed_tool_input';
      return {
        type: 'tool_use',
        id: toolId(),
        name,
        input: isBroken ? broken(json) : input,
        json: isBroken ? broken(json) : json,
      };
    }),
  ];
  const blocks: AnswerBlock[] = [];
  let output = 0;
  let reasoning = 0;
  let isCut = false;
  const rounds: Round[] = [];
  let told = 0;
  for (const block of wanted) {
    const tokens = await count(blockText(block));
    const fits = output + tokens <= maxTokens;
    isCut = !fits;
    if (fits) {
      blocks.push(block);
      output += tokens;
      if (block.type === 'thinking') reasoning += tokens;
      if (block.type === 'server_tool') {
        const result = JSON.stringify(serverResult(block.name, block.input));
        rounds.push({ output: output - told, added: output - told + (await count(result)) });
        told = output;
      }
      continue;
    }
    // A call in pieces is not a call: the real ones end within it, and no client can use it.
    if (block.type === 'tool_use' || block.type === 'server_tool') break;
    const part = await cutText(block.text, maxTokens - output, count);
    output = maxTokens;
    if (block.type === 'thinking') {
      reasoning = maxTokens;
      blocks.push({ type: 'thinking', text: part, signature: signThinking(part) });
    } else if (part !== '') blocks.push({ type: 'text', text: part });
    break;
  }
  const stop = ((): StopReason => {
    if (isCut || reply.stop === 'max_tokens') return 'max_tokens';
    if (isRefusal) return 'refusal';
    if (reply.stop === 'pause_turn') return 'pause_turn';
    if (found !== undefined) return 'stop_sequence';
    return blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  })();
  return {
    blocks,
    stop,
    ...(stop === 'stop_sequence' && found !== undefined && { stopSequence: found }),
    output,
    reasoning,
    ...(rounds.length > 0 && { rounds: [...rounds, { output: output - told, added: 0 }] }),
  };
};
