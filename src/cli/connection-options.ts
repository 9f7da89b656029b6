/** Options for what the page asks in its connection settings: provider, model, base URL, and wire (D42). */
import { err, ok, type Result } from '../base/result.ts';
import { PROVIDERS, WIRES, type ProviderId } from '../model/provider/types.ts';
import { oneOf, textOf, type Values } from './arguments.ts';
import type { TerminalConnection } from './session-runner.ts';

export const CONNECTION_OPTIONS = {
  provider: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  wire: { type: 'string' },
} as const;

export interface ChosenConnection {
  readonly provider: ProviderId;
  readonly model: string | undefined;
  readonly connection: TerminalConnection;
}

const isAddress = (text: string): boolean => {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
};

/** A base URL comes from the call alone, never from a file: a key goes there. */
export const readConnection = (values: Values, fallback: ProviderId): Result<ChosenConnection, string> => {
  const provider = oneOf('provider', values['provider'], PROVIDERS, fallback);
  if (!provider.ok) return provider;
  const model = textOf(values, 'model');
  if (model?.trim() === '') return err('invalid --model; expected the name of a model');
  const baseUrl = textOf(values, 'base-url')?.trim();
  if (baseUrl !== undefined && !isAddress(baseUrl))
    return err(`invalid --base-url '${baseUrl}'; expected a URL such as http://localhost:11434/v1`);
  if (baseUrl !== undefined && provider.value === 'simulator')
    return err('--base-url needs --provider, because the simulator contacts no server');
  const wire = values['wire'] === undefined ? undefined : oneOf('wire', values['wire'], WIRES, 'openai-chat');
  if (wire && !wire.ok) return wire;
  // As in the page: the other providers have a wire of their own.
  if (wire && provider.value !== 'compatible') return err('--wire needs --provider compatible');
  return ok({
    provider: provider.value,
    model,
    connection: {
      provider: provider.value,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(wire?.ok && { wire: wire.value }),
    },
  });
};
