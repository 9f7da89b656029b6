import type { ExplainedItem } from '../../ui/explained-legend.tsx';

export const WATERFALL_LEGEND: readonly ExplainedItem[] = [
  {
    label: 'read',
    colour: 'read',
    about: 'The start of the request was in the provider’s cache: about a tenth of the price.',
  },
  {
    label: 'written',
    colour: 'write',
    about: 'Put into the cache, to be read next time. Costs a quarter more than usual, twice as much for an hour.',
  },
  {
    label: 'wasted write',
    colour: 'write',
    shape: 'wasted',
    about: 'Written again although the cache had it. A repair saves this money.',
  },
  {
    label: 'uncached',
    colour: 'uncached',
    about: 'After the last cache breakpoint. Billed at the full input price.',
  },
  { label: 'output', colour: 'output', about: 'What the model answered.' },
  {
    label: 'predicted',
    colour: 'text-3',
    shape: 'line',
    about: 'The thin line: what Lathe expected before the answer.',
  },
  {
    label: 'first difference',
    colour: 'error',
    shape: 'notch',
    about: 'The request stopped matching the previous one here, so nothing after it could be read.',
  },
];
