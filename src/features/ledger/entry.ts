import { panel } from '../panel/panel.ts';

export const ledger = panel({
  id: 'ledger',
  label: 'Ledger',
  help: 'ledger',
  empty: {
    about: 'What the requests cost, and how much was avoidable.',
    toCome: 'No requests yet. Start a session or open a recording.',
  },
});
