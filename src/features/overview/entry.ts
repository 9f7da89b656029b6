import { panel } from '../panel/panel.ts';

export const overview = panel({
  id: 'overview',
  label: 'Overview',
  help: 'overview',
  empty: {
    columns: [
      [{ panel: 'prefix' }],
      [{ panel: 'cache-waterfall' }],
      [{ panel: 'activation-budget' }, { panel: 'event-stream', label: 'Latest events' }],
    ],
  },
});
