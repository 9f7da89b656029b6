import { panel } from '../panel/panel.ts';

export const imports = panel({
  id: 'import',
  label: 'Import',
  help: 'import',
  empty: {
    about: 'Skills from elsewhere, with what they can do and what is alarming about them, before they are installed.',
    toCome: 'Nothing to import.',
  },
});
