import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { anthropicEvents, readAnthropicStream } from './read-anthropic.ts';
import { isBareError, readChatStream } from './read-chat.ts';
import { readResponsesStream, responsesEvents } from './read-responses.ts';
import type { ReadResult, StreamReader } from './stream-parts.ts';
import type { Wire } from './types.ts';

export const readerFor = (wire: Wire): StreamReader => {
  switch (wire) {
    case 'anthropic-messages':
      return readAnthropicStream();
    case 'openai-responses':
      return readResponsesStream();
    case 'openai-chat':
      return readChatStream();
  }
};

/** A response of each wire says what it is; anything else under status 200 is not one. */
const isResponse = (wire: Wire, json: JsonObject): boolean => {
  if (wire === 'anthropic-messages') return Array.isArray(json['content']);
  return Array.isArray(json[wire === 'openai-responses' ? 'output' : 'choices']);
};

/** The events as which a whole response can be reported. */
export const eventsOf = (wire: Wire, json: unknown): readonly Json[] => {
  if (!isObject(json)) return [null];
  if (wire === 'openai-chat' && isBareError(json)) return [json];
  if (!isResponse(wire, json)) return [json['error'] === undefined ? null : { type: 'error', error: json['error'] }];
  if (wire === 'anthropic-messages') return anthropicEvents(json);
  return wire === 'openai-responses' ? responsesEvents(json) : [json];
};

/** A response that came in one piece. */
export const fromMessage = (wire: Wire, json: unknown): ReadResult => {
  const reader = readerFor(wire);
  for (const event of eventsOf(wire, json)) reader.push(event);
  return reader.finish();
};
