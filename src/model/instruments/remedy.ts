/** What to do about a verdict: in a few words for its row, and as one press where Lathe can do it. */
import type { SessionSettings } from '../event/catalog.ts';
import type { Verdict } from './waterfall-view.ts';

/** In the order of the help page; what is not here has nothing to be done about. */
const TITLES: Readonly<Record<string, string>> = {
  'conversation-not-cached': 'Cache the conversation',
  'shared-prefix-differs': 'Make the starts the same',
  'not-recorded': 'Record whole requests',
  'date-line': 'Start a new session each day',
  'late-tool-list': 'Wait for every tool',
  'billing-header': 'Turn off the billing header',
  'volatile-value-in-system': 'Move the changing value to the end',
  'tool-order': 'Sort the tools by name',
  'tools-changed': 'Keep one set of tools',
  'json-reserialised': 'Send the same bytes again',
  'history-edited': 'Append to the history only',
  'breakpoint-on-unique-block': 'Move the breakpoint up',
  'below-floor': 'Lengthen the prefix',
  'ttl-expired': 'Write 1-hour entries',
  'lookback-overflow': 'Add a breakpoint in between',
  'parallel-requests': 'Wait for the first response',
  'model-or-key-switch': 'Keep one model and key per session',
  'tier-parameter': 'Keep the parameter as it is',
  'thinking-or-effort-changed': 'Set thinking once per session',
  'thinking-blocks-changed': 'Send thinking blocks back unchanged',
  'gateway-effect': 'Check the gateway',
  'marker-fault': 'Fix the cache markers',
  'per-user-data-first': 'Put shared text first',
  'whitespace-drift': 'Write the text one way',
  'openai-cache-key': 'Use one cache key',
  'usage-misread': 'Add up all three counters',
};

const PARAMETERS: Readonly<Record<string, string>> = {
  model: 'Keep one model per session',
  speed: 'Keep one speed per session',
  service_tier: 'Keep one service tier per session',
};

/** A cause, and the name of its place where it has one. */
interface Caused {
  readonly cause: string;
  readonly position: { readonly label: string } | null;
}

/** A line for the verdict’s row; nothing where nothing helps. */
export const remedyTitle = ({ cause, position }: Caused): string | undefined => {
  const own = cause === 'model-or-key-switch' && position ? PARAMETERS[position.label] : undefined;
  return own ?? (Object.hasOwn(TITLES, cause) ? TITLES[cause] : undefined);
};

/** A change of the session’s settings that keeps this from happening again. */
export interface SettingRemedy {
  /** On the button. */
  readonly label: string;
  readonly change: Partial<SessionSettings>;
  /** The settings have it already. */
  readonly isSet: boolean;
}

/** What one press changes, for the settings as they are now. */
export const settingRemedy = (
  { cause, position }: Pick<Verdict, 'cause' | 'position'>,
  settings: SessionSettings,
): SettingRemedy | undefined => {
  const { cache, model } = settings;
  switch (cause) {
    case 'ttl-expired': {
      // What has no breakpoint in the conversation pays nothing for a longer life there.
      const ttl = { tools: '1h', system: '1h', messages: cache.mode === 'static' ? cache.ttl.messages : '1h' } as const;
      const isSet = Object.entries(ttl).every(([part, value]) => cache.ttl[part as keyof typeof ttl] === value);
      return { label: 'Set TTL to 1 hour', change: { cache: { ...cache, ttl } }, isSet };
    }
    case 'conversation-not-cached':
      return {
        label: 'Use rolling breakpoints',
        change: { cache: { ...cache, mode: 'rolling' } },
        isSet: cache.mode === 'rolling' || cache.mode === 'automatic',
      };
    case 'model-or-key-switch':
      if (position?.label !== 'model' || position.before === '') return undefined;
      return {
        label: `Switch back to ${position.before}`,
        change: { model: position.before },
        isSet: model === position.before,
      };
    default:
      return undefined;
  }
};

/** For whoever’s agent it is: the setting to paste. */
export const remedyToPaste = ({ cause }: Pick<Verdict, 'cause'>): string | undefined => {
  switch (cause) {
    case 'ttl-expired':
      return '"cache_control": { "type": "ephemeral", "ttl": "1h" }';
    case 'conversation-not-cached':
    case 'lookback-overflow':
      return '"cache_control": { "type": "ephemeral" }';
    case 'billing-header':
      return 'CLAUDE_CODE_ATTRIBUTION_HEADER=0';
    default:
      return undefined;
  }
};
