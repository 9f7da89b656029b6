import { panel } from '../panel/panel.ts';

export const editCost = panel({
  id: 'edit-cost',
  label: 'Edit cost',
  help: 'edit-cost',
  empty: {
    about: 'What the edit of a skill costs the next session, and what the skill costs every one.',
    toCome: 'Open the SKILL.md of a skill to see it.',
  },
});

export const triggerTest = panel({
  id: 'trigger-test',
  label: 'Trigger test',
  help: 'trigger-test',
  empty: {
    about: 'Which skill a prompt picks, and by which words.',
    toCome: 'Open the SKILL.md of a skill to test it.',
  },
});

export const agentListings = panel({
  id: 'agent-listings',
  label: 'Agent listings',
  help: 'agent-listings',
  empty: {
    about: 'What each agent puts before its model: which descriptions are whole, which are cut, and what to trim.',
    toCome: 'Open a folder with skills to see it.',
  },
});
