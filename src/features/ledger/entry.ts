import { panel } from '../panel/panel.ts';

export const ledger = panel({
  id: 'ledger',
  label: 'Ledger',
  help: 'ledger',
  empty: {
    about: 'What the requests cost, and how much of it could have been avoided.',
    toCome: 'No request yet. A session or a recording fills it.',
  },
});
