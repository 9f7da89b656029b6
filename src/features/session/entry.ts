import { panel } from '../panel/panel.ts';

export const session = panel({
  id: 'session',
  label: 'Session',
  help: 'session',
  empty: {
    about: 'A conversation with a model, or with the built-in simulator.',
    toCome: 'Loading session…',
  },
});
