import { panel } from '../panel/panel.ts';

export const editCost = panel({
  id: 'edit-cost',
  label: 'Edit cost',
  help: 'edit-cost',
  empty: {
    about: 'What an edit costs the next session, and what the skill costs every session.',
    toCome: 'Open a skill’s SKILL.md to see it.',
  },
});

export const triggerTest = panel({
  id: 'trigger-test',
  label: 'Trigger test',
  help: 'trigger-test',
  empty: {
    about: 'Which skill a prompt picks, and which words match.',
    toCome: 'Open a skill’s SKILL.md to test it.',
  },
});

export const agentListings = panel({
  id: 'agent-listings',
  label: 'Agent listings',
  help: 'agent-listings',
  empty: {
    about: 'What each agent shows its model: whole descriptions, cut ones, and what to trim.',
    toCome: 'Open a folder with skills to see it.',
  },
});
