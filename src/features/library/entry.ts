import { panel } from '../panel/panel.ts';

export const library = panel({
  id: 'library',
  label: 'Library',
  help: 'library',
  empty: {
    about: 'The skills in the open folder, with their problems.',
    toCome: 'No open folder.',
  },
});
