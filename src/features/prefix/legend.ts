import type { ExplainedItem } from '../../ui/explained-legend.tsx';

/** In wire order, then the signs. */
export const PREFIX_LEGEND: readonly ExplainedItem[] = [
  {
    label: 'hidden tool prompt',
    colour: 'origin-hidden',
    about: 'What the provider adds by itself when there are tools. It is billed, and in no body.',
  },
  { label: 'tools', colour: 'origin-tools', about: 'What the model may call. They come first in every body.' },
  { label: 'persona', colour: 'origin-persona', about: 'Who the model is asked to be.' },
  { label: 'instructions', colour: 'origin-instructions', about: 'AGENTS.md and similar files from the folder.' },
  { label: 'skill index', colour: 'origin-index', about: 'One line per skill, so that the model can choose.' },
  {
    label: 'padding: preloaded skill',
    colour: 'origin-preloaded',
    shape: 'hatched',
    about: 'A whole skill, put in so that the prefix is long enough to be cached.',
  },
  {
    label: 'padding: context',
    colour: 'origin-context',
    shape: 'hatched',
    about: 'Text of ours that fills the rest.',
  },
  { label: 'volatile', colour: 'volatile', about: 'Date, USER.md, and MEMORY.md. They can change, so they come last.' },
  { label: 'messages', colour: 'origin-message', about: 'The conversation. It grows with every turn.' },
];

export const LANE_LEGEND: readonly ExplainedItem[] = [
  { label: 'read', colour: 'read', shape: 'line', about: 'Taken from the cache: about a tenth of the price.' },
  {
    label: 'written',
    colour: 'write',
    shape: 'line',
    about: 'Put into the cache for next time: a quarter more, twice for an hour.',
  },
  { label: 'uncached', colour: 'uncached', shape: 'line', about: 'Read and paid in full.' },
];

/** The signs on the strip itself. */
export const SIGN_LEGEND: readonly ExplainedItem[] = [
  {
    label: 'breakpoint',
    colour: 'text-1',
    shape: 'notch',
    about: 'The provider is asked to keep everything before it, for 5 minutes (5m) or an hour (1h).',
  },
  {
    label: 'floor',
    colour: 'text-1',
    shape: 'dashed',
    about: 'The model caches no prefix that is shorter than this.',
  },
  {
    label: 'MIN, MAX',
    colour: 'warning',
    shape: 'dashed',
    about:
      'A short prefix is padded up to MIN, never beyond MAX: 4,500 and 5,500 by the estimate for policy spec. The numbers are those of the axis.',
  },
];
