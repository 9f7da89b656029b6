import { panel } from '../panel/panel.ts';

export const activationBudget = panel({
  id: 'activation-budget',
  label: 'Activation budget',
  help: 'activation-budget',
  empty: {
    about: 'The skills loaded by the model, and their tokens against the limits.',
    toCome: 'No skills loaded yet. Start a session to fill it.',
  },
});
