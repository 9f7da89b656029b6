/** The request that a session makes, whether it is sent or only imagined: one place decides what is in it. */
import { sha256 } from '../../base/hash.ts';
import type { SessionSettings } from '../event/catalog.ts';
import { defaultWire } from '../provider/capabilities.ts';
import { toWire } from '../provider/to-wire.ts';
import type { CanonicalRequest, Message, ToolSpec, Wire } from '../provider/types.ts';
import type { PlannedSession } from './start.ts';

export interface RequestParts {
  readonly settings: SessionSettings;
  readonly tools: readonly ToolSpec[];
  readonly stable: string;
  readonly volatile: string;
  readonly messages: readonly Message[];
  readonly cacheKey?: string;
  readonly sessionId?: string;
  /** Of the call that a diagnosis compares with; null: of none. Absent: no diagnosis is asked for. */
  readonly previousResponseId?: string | null;
}

/** Hash of tools and stable prompt (D32). */
export const cacheKeyOf = (tools: readonly ToolSpec[], stable: string): string =>
  sha256(JSON.stringify([tools, stable])).slice(0, 32);

export const sessionRequest = (parts: RequestParts): CanonicalRequest => {
  const { settings, tools, stable, volatile, messages, sessionId, previousResponseId } = parts;
  return {
    model: settings.model,
    tools,
    system: { stable, volatile },
    messages,
    maxOutputTokens: settings.max_output_tokens,
    stream: true,
    ...(settings.thinking && { thinking: settings.thinking }),
    ...(settings.effort && { effort: settings.effort }),
    cache: settings.cache,
    cacheKey: parts.cacheKey ?? cacheKeyOf(tools, stable),
    ...(previousResponseId !== undefined && { previousResponseId }),
    ...(sessionId !== undefined && { sessionId }),
  };
};

/** What a person says; nothing where nobody knows it yet. */
export const userMessages = (text: string | undefined): readonly Message[] =>
  text === undefined || text === '' ? [] : [{ role: 'user', content: [{ type: 'text', text }] }];

/** The first request of a session that starts like this. */
export const firstRequest = (
  {
    prompt,
    tools,
  }: { readonly prompt: Pick<PlannedSession['prompt'], 'text'>; readonly tools: PlannedSession['tools'] },
  settings: SessionSettings,
  volatile: string,
  message?: string,
): CanonicalRequest =>
  sessionRequest({ settings, tools, stable: prompt.text, volatile, messages: userMessages(message) });

/** The body as its provider's usual wire has it, where no client is at hand. */
export const usualBody = (
  request: CanonicalRequest,
  { provider, model }: Pick<SessionSettings, 'provider' | 'model'>,
): { readonly body: string; readonly wire: Wire } => {
  const wire = defaultWire(provider, model);
  return { wire, body: JSON.stringify(toWire(request, wire, { provider }).body) };
};
