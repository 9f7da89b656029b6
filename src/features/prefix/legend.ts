import type { ExplainedItem } from '../../ui/explained-legend.tsx';

/** In wire order, then the signs. */
export const PREFIX_LEGEND: readonly ExplainedItem[] = [
  {
    label: 'hidden tool prompt',
    colour: 'origin-hidden',
    about: 'Added by the provider when a request has tools. It is billed, but isn’t in the body.',
  },
  { label: 'tools', colour: 'origin-tools', about: 'What the model can call. Tools come first in every body.' },
  { label: 'persona', colour: 'origin-persona', about: 'The role Lathe gives the model.' },
  { label: 'instructions', colour: 'origin-instructions', about: 'AGENTS.md and similar files from the folder.' },
  { label: 'skill index', colour: 'origin-index', about: 'One line per skill, so the model can choose.' },
  {
    label: 'padding: preloaded skill',
    colour: 'origin-preloaded',
    shape: 'hatched',
    about: 'A whole skill that lifts the prefix over the cache floor.',
  },
  {
    label: 'padding: context',
    colour: 'origin-context',
    shape: 'hatched',
    about: 'Lathe’s own text, which fills the rest.',
  },
  { label: 'volatile', colour: 'volatile', about: 'Date, USER.md, and MEMORY.md. They can change, so they come last.' },
  { label: 'messages', colour: 'origin-message', about: 'The conversation. It grows with every turn.' },
];

export const LANE_LEGEND: readonly ExplainedItem[] = [
  { label: 'read', colour: 'read', shape: 'line', about: 'Read from the cache, at about a tenth of the price.' },
  {
    label: 'written',
    colour: 'write',
    shape: 'line',
    about: 'Written to the cache. Costs 25% more, or twice as much for 1 hour.',
  },
  { label: 'uncached', colour: 'uncached', shape: 'line', about: 'Billed at the full input price.' },
];

/** The signs on the strip itself. */
export const SIGN_LEGEND: readonly ExplainedItem[] = [
  {
    label: 'breakpoint',
    colour: 'text-1',
    shape: 'notch',
    about: 'Asks the provider to cache everything before it, for 5 minutes (5m) or 1 hour (1h).',
  },
  {
    label: 'floor',
    colour: 'text-1',
    shape: 'dashed',
    about: 'The model doesn’t cache shorter prefixes.',
  },
  {
    label: 'MIN, MAX',
    colour: 'warning',
    shape: 'dashed',
    about:
      'Lathe pads a short prefix up to MIN, never beyond MAX: about 4,500 and 5,500 tokens for policy spec. The axis shows the numbers.',
  },
];
