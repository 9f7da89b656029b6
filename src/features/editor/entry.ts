import { panel } from '../panel/panel.ts';

export const editor = panel({
  id: 'editor',
  label: 'Editor',
  help: 'editor',
  empty: {
    about: 'A skill’s files, with problems and a preview.',
    toCome: 'No open file. Select one in the Library.',
  },
});
