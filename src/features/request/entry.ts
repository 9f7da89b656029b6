import { panel } from '../panel/panel.ts';

export const request = panel({
  id: 'request',
  label: 'Request',
  help: 'request',
  empty: {
    about: 'One request: its cache result, the cause, the price, and what to do.',
    toCome: 'No requests yet. Send a message to start.',
  },
});
