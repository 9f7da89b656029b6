import { panel } from '../panel/panel.ts';

export const request = panel({
  id: 'request',
  label: 'Request',
  help: 'request',
  empty: {
    about: 'One request: what the cache did with it, why, what it cost, and what to do.',
    toCome: 'No request yet. The first message of a session sends one.',
  },
});
