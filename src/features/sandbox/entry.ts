import { panel } from '../panel/panel.ts';

export const sandbox = panel({
  id: 'sandbox',
  label: 'Terminal',
  help: 'sandbox',
  empty: {
    about: 'A terminal in the app. Its commands use a copy of the folder and have no network.',
    toCome: 'No commands yet.',
  },
});
