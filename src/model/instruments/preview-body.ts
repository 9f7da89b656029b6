/** The first request of a session that would start now, before anybody has said anything. */
import { defaultWire } from '../provider/capabilities.ts';
import { toWire } from '../provider/to-wire.ts';
import type { ToolSpec, Wire } from '../provider/types.ts';
import type { SessionSettings } from '../event/catalog.ts';

export interface PreviewInput {
  readonly settings: SessionSettings;
  readonly tools: readonly ToolSpec[];
  readonly stable: string;
  readonly volatile: string;
}

export const previewBody = ({
  settings,
  tools,
  stable,
  volatile,
}: PreviewInput): { readonly body: string; readonly wire: Wire } => {
  const wire = defaultWire(settings.provider, settings.model);
  const { body } = toWire(
    {
      model: settings.model,
      tools,
      system: { stable, volatile },
      messages: [],
      maxOutputTokens: settings.max_output_tokens,
      stream: true,
      ...(settings.thinking && { thinking: settings.thinking }),
      ...(settings.effort && { effort: settings.effort }),
      cache: settings.cache,
      cacheKey: '',
    },
    wire,
  );
  return { body: JSON.stringify(body), wire };
};
