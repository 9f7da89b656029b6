import { panel } from '../panel/panel.ts';

export const problems = panel({
  id: 'problems',
  label: 'Problems',
  help: 'problems',
  shortcut: 'Mod+Shift+M',
  empty: {
    about: 'All problems of the workspace, with their fixes.',
    toCome: 'Nothing was checked. Opening a folder fills it.',
  },
});
