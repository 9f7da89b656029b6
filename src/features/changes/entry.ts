import { panel } from '../panel/panel.ts';

export const changes = panel({
  id: 'changes',
  label: 'Changes',
  help: 'changes',
  empty: {
    about: 'What an agent has written, as differences, each to be applied to the folder or discarded.',
    toCome: 'No changes wait. An agent that writes a file fills it.',
  },
});
