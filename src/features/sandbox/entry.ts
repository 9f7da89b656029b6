import { panel } from '../panel/panel.ts';

export const sandbox = panel({
  id: 'sandbox',
  label: 'Terminal',
  help: 'sandbox',
  empty: {
    about: 'A terminal inside the page. Its commands see a copy of the folder and no network.',
    toCome: 'No command has run.',
  },
});
