import { panel } from '../panel/panel.ts';

export const settings = panel({
  id: 'settings',
  label: 'Settings',
  help: 'settings',
  shortcut: 'Mod+,',
  empty: {
    about: 'Appearance, what new sessions start with, and what this browser stores for you.',
    toCome: 'Loading settings…',
  },
});
