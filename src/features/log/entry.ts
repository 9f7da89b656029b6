import { panel } from '../panel/panel.ts';

export const log = panel({
  id: 'log',
  label: 'Log',
  help: 'log',
  empty: {
    about: 'What happened behind the panels: skills that were skipped or hidden, files that were found again.',
    toCome: 'No lines yet.',
  },
});
