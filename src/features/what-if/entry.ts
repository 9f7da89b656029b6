import { panel } from '../panel/panel.ts';

export const whatIf = panel({
  id: 'what-if',
  label: 'What if',
  help: 'what-if',
  empty: {
    about: 'A forecast of the same requests with other settings.',
    toCome: 'No forecasts yet.',
  },
});
