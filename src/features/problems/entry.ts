import { panel } from '../panel/panel.ts';

export const problems = panel({
  id: 'problems',
  label: 'Problems',
  help: 'problems',
  shortcut: 'Mod+Shift+M',
  empty: {
    about: 'The workspace’s problems, with fixes.',
    toCome: 'Nothing checked yet. Open a folder to fill it.',
  },
});
