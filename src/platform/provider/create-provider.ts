import { capabilitiesOf, defaultWire } from '../../model/provider/capabilities.ts';
import type { ProviderClient, ProviderId, Wire } from '../../model/provider/types.ts';
import { createAnthropicClient, withoutVersion } from './anthropic.ts';
import { createChatClient } from './chat.ts';
import { createOpenAiClient } from './openai.ts';
import type { ClientSettings } from './run-call.ts';

export interface ProviderSettings extends ClientSettings {
  readonly provider: ProviderId;
  /** Default: the one that the provider speaks; the simulator speaks that of the model. */
  readonly wire?: Wire;
}

/** Resolves nowhere, so that a call that misses the simulator cannot reach a provider. */
const SIMULATOR_URL = 'https://simulator.invalid';

/** Keys are taken out of everything that is reported, so this must be no word that a text could have. */
const SIMULATOR_KEY = 'no-key-is-needed-here-0000';

const simulator = ({ wire, ...given }: ProviderSettings): ProviderClient => {
  // No host is talked to, and no key is needed.
  const { hosts: _, baseUrl = SIMULATOR_URL, ...rest } = given;
  const settings = { ...rest, id: 'simulator', apiKey: SIMULATOR_KEY, isBrowser: false } as const;
  const root = withoutVersion(baseUrl);
  const clients: Record<Wire, ProviderClient> = {
    'anthropic-messages': createAnthropicClient({ ...settings, baseUrl: root }),
    'openai-responses': createOpenAiClient({ ...settings, baseUrl: `${root}/v1` }),
    'openai-chat': createChatClient({ ...settings, baseUrl: `${root}/v1` }),
  };
  const clientFor = (model: string): ProviderClient => clients[wire ?? defaultWire('simulator', model)];
  return {
    id: 'simulator',
    capabilities: (model) => capabilitiesOf('simulator', model, wire ?? defaultWire('simulator', model)),
    preview: (request) => clientFor(request.model).preview(request),
    call: (request, options) => clientFor(request.model).call(request, options),
    sendBody: async (body, options) => {
      const client = clientFor(typeof body['model'] === 'string' ? body['model'] : '');
      if (!client.sendBody) throw new Error('a client that cannot send a body');
      return client.sendBody(body, options);
    },
    models: (signal) => clients[wire ?? 'anthropic-messages'].models(signal),
  };
};

/** A client for any provider. For the simulator, `fetch` is the simulated one. */
export const createProvider = (given: ProviderSettings): ProviderClient => {
  // What a shell or a file gives may end with a line end.
  const settings = { ...given, apiKey: given.apiKey.trim() };
  const { provider } = settings;
  if (provider === 'simulator') return simulator(settings);
  const wire = settings.wire ?? defaultWire(provider, '');
  if (wire === 'anthropic-messages') {
    return createAnthropicClient({ ...settings, id: provider === 'anthropic' ? 'anthropic' : 'compatible' });
  }
  if (wire === 'openai-responses') {
    return createOpenAiClient({ ...settings, id: provider === 'openai' ? 'openai' : 'compatible' });
  }
  return createChatClient({ ...settings, id: provider === 'anthropic' ? 'compatible' : provider });
};
