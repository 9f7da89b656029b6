import { request } from '../../../model/provider/testing/requests.ts';
import type { CallEvent, CanonicalRequest, ProviderClient } from '../../../model/provider/types.ts';
import { createAnthropicClient } from '../anthropic.ts';
import type { ClientSettings } from '../run-call.ts';
import { fakeFetch, settings, type Answer } from './fake-fetch.ts';

/** A call with everything that it tells. */
export const recorded = async (client: ProviderClient, more: Partial<CanonicalRequest> = {}, signal?: AbortSignal) => {
  const events: CallEvent[] = [];
  const result = await client.call(request(more), {
    onEvent: (event) => events.push(event),
    ...(signal && { signal }),
  });
  const of = <Type extends CallEvent['type']>(type: Type) =>
    events.filter((event): event is CallEvent & { type: Type } => event.type === type);
  return { result, events, of };
};

export const anthropic = (answers: readonly Answer[], more: Partial<ClientSettings> = {}) => {
  const fake = fakeFetch(...answers);
  return { ...fake, client: createAnthropicClient(settings(fake.fetch, more)) };
};
