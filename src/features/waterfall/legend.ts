import type { ExplainedItem } from '../../ui/explained-legend.tsx';

export const WATERFALL_LEGEND: readonly ExplainedItem[] = [
  {
    label: 'read',
    colour: 'read',
    about: 'Read from the provider’s cache, at about a tenth of the price.',
  },
  {
    label: 'written',
    colour: 'write',
    about: 'Written to the cache for the next request. Costs 25% more, or twice as much for 1 hour.',
  },
  {
    label: 'wasted write',
    colour: 'write',
    shape: 'wasted',
    about: 'Rewritten although it was cached. A repair saves this money.',
  },
  {
    label: 'uncached',
    colour: 'uncached',
    about: 'After the last cache breakpoint. Billed at the full input price.',
  },
  { label: 'output', colour: 'output', about: 'The model’s response.' },
  {
    label: 'predicted',
    colour: 'text-3',
    shape: 'line',
    about: 'The thin line. What Lathe expected before the response.',
  },
  {
    label: 'first difference',
    colour: 'error',
    shape: 'notch',
    about: 'The request stops matching the previous one here, so the cache can’t serve anything after it.',
  },
];
