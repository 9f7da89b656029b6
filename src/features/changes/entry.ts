import { panel } from '../panel/panel.ts';

export const changes = panel({
  id: 'changes',
  label: 'Changes',
  help: 'changes',
  empty: {
    about: 'Changes from agents and commands. Apply or discard each one.',
    toCome: 'No pending changes. They appear when an agent writes a file.',
  },
});
