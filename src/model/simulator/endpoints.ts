/** The endpoints of the wires, and what each of them calls the same things. */
import type { Json, JsonObject } from '../../base/json.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import type { Wire } from '../provider/types.ts';
import type { Answer } from './answer.ts';
import { checkAnthropic, type AskedOf } from './check-anthropic.ts';
import { checkChat } from './check-chat.ts';
import { checkResponses, sealReasoning } from './check-responses.ts';
import { signThinking } from './ids.ts';
import { contentText, fieldsOf, listOf, textOf } from './json-read.ts';
import { readAnthropicConversation } from './read-anthropic.ts';
import { readChatConversation, readResponsesConversation } from './read-openai.ts';
import { invalid, type SimError } from './sim-error.ts';
import type { SimConversation } from './types.ts';

export const ENDPOINTS: ReadonlyMap<string, { readonly wire: Wire; readonly counting: boolean }> = new Map([
  ['/v1/messages', { wire: 'anthropic-messages', counting: false }],
  ['/v1/messages/count_tokens', { wire: 'anthropic-messages', counting: true }],
  ['/v1/responses', { wire: 'openai-responses', counting: false }],
  ['/v1/responses/input_tokens', { wire: 'openai-responses', counting: true }],
  ['/v1/chat/completions', { wire: 'openai-chat', counting: false }],
]);

export const CONVERSATIONS = {
  'anthropic-messages': readAnthropicConversation,
  'openai-responses': readResponsesConversation,
  'openai-chat': readChatConversation,
} as const satisfies Record<Wire, (body: JsonObject, facts: ModelFacts) => SimConversation>;

export const checkBody = (wire: Wire, body: JsonObject, facts: ModelFacts, asked: AskedOf): SimError | undefined => {
  switch (wire) {
    case 'anthropic-messages':
      return checkAnthropic(body, facts, asked);
    case 'openai-responses':
      return checkResponses(body, facts);
    case 'openai-chat':
      return checkChat(body, facts);
  }
};

const withList = (body: JsonObject, key: string, change: (item: JsonObject) => Json): JsonObject =>
  Array.isArray(body[key]) ? { ...body, [key]: listOf(body[key]).map((item) => change(fieldsOf(item))) } : body;

/** The body as if this server had made every thought in it. Only for checking: what is read and counted is what was sent. */
export const signedAgain = (body: JsonObject): JsonObject => {
  const messages = withList(body, 'messages', (message) =>
    withList(message, 'content', (block) =>
      block['type'] === 'thinking' ? { ...block, signature: signThinking(textOf(block['thinking'])) } : block,
    ),
  );
  return withList(messages, 'input', (item) =>
    item['type'] === 'reasoning' && typeof item['encrypted_content'] === 'string'
      ? { ...item, encrypted_content: sealReasoning(textOf(item['id']), contentText(item['summary'])) }
      : item,
  );
};

/** Routers put their API below a path of their own. */
export const plainPath = (path: string): string =>
  (path.split('?')[0] ?? path).replace(/^\/api(?=\/v1\/)/, '').replace(/(?<!\/)\/+$/, '');

const numberOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

export const maxTokensOf = (wire: Wire, body: JsonObject): number | undefined => {
  switch (wire) {
    case 'anthropic-messages':
      return numberOf(body['max_tokens']);
    case 'openai-responses':
      return numberOf(body['max_output_tokens']);
    case 'openai-chat':
      return numberOf(body['max_completion_tokens']) ?? numberOf(body['max_tokens']);
  }
};

export const stopSequencesOf = (body: JsonObject): readonly string[] => {
  const { stop } = body;
  return typeof stop === 'string' ? [stop] : listOf(body['stop_sequences'] ?? stop).map(textOf);
};

export const tooLong = (wire: Wire, tokens: number, most: number): SimError =>
  wire === 'anthropic-messages'
    ? invalid(`prompt is too long: ${tokens} tokens > ${most} maximum`)
    : invalid(
        `Your input exceeds the context window of this model. Its maximum is ${most} tokens; your input has ${tokens} tokens.`,
        { code: 'context_length_exceeded', param: wire === 'openai-chat' ? 'messages' : 'input' },
      );

/** For a request that wants no thinking to be shown. */
export const hideThinking = (answer: Answer): Answer => ({
  ...answer,
  blocks: answer.blocks.map((block) =>
    block.type === 'thinking' ? { ...block, text: '', signature: signThinking('') } : block,
  ),
});
