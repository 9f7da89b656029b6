/** One small question to a provider, outside of any session. */
import { sha256 } from '../../base/hash.ts';
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { CanonicalRequest, ProviderClient, ToolSpec } from '../provider/types.ts';

export interface ProviderModelDeps {
  readonly client: ProviderClient;
  readonly model: string;
  readonly signal: AbortSignal;
}

const MAX_OUTPUT = 1024;

export const requestOf = (
  model: string,
  stable: string,
  text: string,
  tools: readonly ToolSpec[],
): CanonicalRequest => ({
  model,
  tools,
  system: { stable, volatile: '' },
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  maxOutputTokens: MAX_OUTPUT,
  stream: true,
  cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
  cacheKey: sha256(JSON.stringify([tools, stable])).slice(0, 32),
});

/** The first JSON object in an answer. */
const jsonIn = (text: string): unknown => {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from === -1 || to < from) return undefined;
  return valueOr(parseJson(text.slice(from, to + 1)), undefined);
};

/** Nothing if there is no answer, or no object in it: anyone who asks has another way. */
export const askForJson = async (
  { client, model, signal }: ProviderModelDeps,
  stable: string,
  text: string,
): Promise<unknown> => {
  const result = await client.call(requestOf(model, stable, text, []), { signal });
  if (!result.ok) return undefined;
  return jsonIn(result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''));
};
