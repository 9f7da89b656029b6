import { panel } from '../panel/panel.ts';

export const editor = panel({
  id: 'editor',
  label: 'Editor',
  help: 'editor',
  empty: {
    about: 'The files of a skill, with their problems and a preview.',
    toCome: 'No file is open. Choose one in the Library.',
  },
});
