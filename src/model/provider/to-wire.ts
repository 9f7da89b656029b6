import type { CanonicalRequest, Wire, WireRequest } from './types.ts';
import { toAnthropic } from './wire-anthropic.ts';
import { toChat } from './wire-chat.ts';
import type { WireOptions } from './wire-parts.ts';
import { toResponses } from './wire-responses.ts';

/** The body that goes out, in the order in which it is written, and where in it the parts of the prompt lie. */
export const toWire = (request: CanonicalRequest, wire: Wire, options: WireOptions = {}): WireRequest => {
  switch (wire) {
    case 'anthropic-messages':
      return toAnthropic(request, options);
    case 'openai-responses':
      return toResponses(request, options);
    case 'openai-chat':
      return toChat(request, options);
  }
};
