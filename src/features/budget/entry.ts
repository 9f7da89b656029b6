import { panel } from '../panel/panel.ts';

export const activationBudget = panel({
  id: 'activation-budget',
  label: 'Activation budget',
  help: 'activation-budget',
  empty: {
    about: 'The skills that the model loaded, and their tokens against the limits.',
    toCome: 'No skill was activated. A session fills it.',
  },
});
