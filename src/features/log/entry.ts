import { panel } from '../panel/panel.ts';

export const log = panel({
  id: 'log',
  label: 'Log',
  help: 'log',
  empty: {
    about: 'What Lathe did in the background, such as skipped or hidden skills.',
    toCome: 'No lines yet.',
  },
});
