import { panel } from '../panel/panel.ts';

export const log = panel({
  id: 'log',
  label: 'Log',
  help: 'log',
  empty: {
    about: 'Lathe’s background work, such as skipped or hidden skills.',
    toCome: 'No lines yet.',
  },
});
