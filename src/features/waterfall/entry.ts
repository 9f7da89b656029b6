import { panel } from '../panel/panel.ts';

export const cacheWaterfall = panel({
  id: 'cache-waterfall',
  label: 'Cache waterfall',
  help: 'cache-waterfall',
  empty: {
    about: 'One row per request, aligned at token 0: tokens read and written, and where the prefix stopped matching.',
    toCome: 'No requests to compare. Start a session to fill it.',
    legend: [
      { label: 'read', colour: 'read' },
      { label: 'written', colour: 'write' },
      { label: 'uncached', colour: 'uncached' },
      { label: 'output', colour: 'output' },
    ],
  },
});
