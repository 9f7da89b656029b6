import { panel } from '../panel/panel.ts';

export const sources = panel({
  id: 'sources',
  label: 'Sources',
  help: 'sources',
  empty: {
    about: 'Where requests come from: the current session, saved sessions, recordings, and watched folders.',
    toCome: 'Loading sessions…',
  },
});
