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
    about: 'Put into the cache, to be read next time: a quarter more than usual, twice as much for an hour.',
  },
  { label: 'uncached', colour: 'uncached', about: 'Behind the last breakpoint: read and paid in full.' },
  { label: 'output', colour: 'output', about: 'What the model answered.' },
  {
    label: 'predicted',
    colour: 'text-3',
    shape: 'line',
    about: 'The thin line: what our model of the cache expected.',
  },
  {
    label: 'notch',
    colour: 'error',
    shape: 'notch',
    about: 'Here the request stopped being the same as before, so nothing behind it could be read.',
  },
];
