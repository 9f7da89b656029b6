import type { Json } from '../../../base/json.ts';
import type { Block, CanonicalRequest, WirePlace, WireRequest } from '../types.ts';

export const text = (value: string): Block => ({ type: 'text', text: value });
export const use = (id: string, name: string, input: Json): Block => ({ type: 'tool_use', id, name, input });
export const result = (toolUseId: string, value: string, isError = false): Block => ({
  type: 'tool_result',
  toolUseId,
  text: value,
  isError,
});

export const TOOLS = [
  {
    name: 'read_file',
    description: 'Reads.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  { name: 'grep_files', description: 'Finds.', inputSchema: { type: 'object' } },
] as const;

export const FIVE = { tools: '5m', system: '5m', messages: '5m' } as const;

export const request = (more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  model: 'claude-haiku-4-5',
  tools: TOOLS,
  system: { stable: 'You are useful.', volatile: 'Today is Friday.' },
  messages: [{ role: 'user', content: [text('Hello')] }],
  maxOutputTokens: 4096,
  stream: true,
  cache: { mode: 'static', ttl: FIVE },
  cacheKey: 'key-1',
  ...more,
});

/** The value at a place of a body; a part of a string if the place names one. */
export const at = ({ body }: WireRequest, place: WirePlace | undefined): unknown => {
  if (!place) return undefined;
  let value: unknown = body;
  for (const step of place.path) value = (value as Record<string | number, unknown>)[step];
  return place.from === undefined ? value : (value as string).slice(place.from, place.to);
};

/** Paths of everything in a body that carries `key`. */
export const holders = (value: unknown, key: string, path = ''): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.hasOwn(value, key) ? [path] : [];
  return [...own, ...Object.entries(value).flatMap(([name, child]) => holders(child, key, `${path}/${name}`))];
};
