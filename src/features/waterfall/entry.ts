import { panel } from '../panel/panel.ts';

export const cacheWaterfall = panel({
  id: 'cache-waterfall',
  label: 'Cache waterfall',
  help: 'cache-waterfall',
  empty: {
    about:
      'One row per request, aligned at token 0: what the cache gave and took, and where the prefix stopped matching.',
    toCome: 'No requests to compare. It starts with the first request of a session.',
    legend: [
      { label: 'read', colour: 'read' },
      { label: 'written', colour: 'write' },
      { label: 'uncached', colour: 'uncached' },
      { label: 'output', colour: 'output' },
    ],
  },
});
