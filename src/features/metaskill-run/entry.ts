import { panel } from '../panel/panel.ts';

export const metaskillRun = panel({
  id: 'metaskill-run',
  label: 'Metaskill run',
  help: 'metaskill-run',
  empty: {
    about: 'The steps, budgets and result of a metaskill, beside the line that is being executed.',
    toCome: 'Nothing has run. A run of a metaskill fills it.',
  },
});
