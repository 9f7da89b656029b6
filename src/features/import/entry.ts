import { panel } from '../panel/panel.ts';

export const imports = panel({
  id: 'import',
  label: 'Import',
  help: 'import',
  empty: {
    about: 'Third-party skills, with their capabilities and alarms, before you install them.',
    toCome: 'No import yet.',
  },
});
