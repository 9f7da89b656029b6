import { panel } from '../panel/panel.ts';

export const whatIf = panel({
  id: 'what-if',
  label: 'What if',
  help: 'what-if',
  empty: {
    about: 'The same requests under another policy, with a forecast of the price.',
    toCome: 'Forecasts are not in this window yet.',
  },
});
