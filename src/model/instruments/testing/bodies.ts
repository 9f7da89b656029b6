/** Small bodies whose bytes can be counted by hand. */
import { segmentsOfBody, type BodySegments, type KnownPrompt } from '../body-segments.ts';

export const KNOWN: KnownPrompt = {
  tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
  stable: [
    { kind: 'persona', id: 'persona', text: 'You are a pilot.' },
    { kind: 'skill-index', id: 'skill-index', text: '\n\n## Skills\n- tide' },
    { kind: 'preloaded', id: 'preloaded:tide', text: '\n\n# Skill: tide\n\nSay “hüh”.' },
  ],
};

const STABLE = KNOWN.stable.map(({ text }) => text).join('');
export const VOLATILE =
  '## Environment\nDate: 2026-11-16\n\n## User context (USER.md)\nAda\n\n## Workspace memory (MEMORY.md)\n- one';

export interface BodyOptions {
  readonly tools?: readonly object[];
  readonly stable?: string;
  readonly volatile?: string;
  readonly messages?: readonly object[];
  readonly model?: string;
}

const marked = { type: 'ephemeral' };
const TOOL = { name: 'read', description: 'Reads.', input_schema: { type: 'object' } };

export const makeBody = (options: BodyOptions = {}): string =>
  JSON.stringify({
    model: options.model ?? 'claude-haiku-4-5',
    max_tokens: 100,
    // Before the tools, as no writer of ours does: order on the wire is not the order of the cache.
    messages: options.messages ?? [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    system: [
      { type: 'text', text: options.stable ?? STABLE, cache_control: marked },
      { type: 'text', text: options.volatile ?? VOLATILE },
    ],
    tools: options.tools ?? [{ ...TOOL, cache_control: { ...marked, ttl: '1h' } }],
  });

export const readBody = (body: string, known: KnownPrompt = KNOWN): BodySegments => {
  const read = segmentsOfBody(body, 'anthropic-messages', known);
  if (!read.ok) throw new Error(read.error);
  return read.value;
};
