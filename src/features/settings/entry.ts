import { panel } from '../panel/panel.ts';

export const settings = panel({
  id: 'settings',
  label: 'Settings',
  help: 'settings',
  shortcut: 'Mod+,',
  empty: {
    about: 'Appearance, defaults for new sessions, and your data in this browser.',
    toCome: 'Loading settings…',
  },
});
