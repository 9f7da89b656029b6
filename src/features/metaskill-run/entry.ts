import { panel } from '../panel/panel.ts';

export const metaskills = panel({
  id: 'metaskills',
  label: 'Metaskills',
  help: 'metaskills',
  empty: {
    about: 'The folder’s metaskills, their runs, and the input of the next run.',
    toCome: 'Reading metaskills…',
  },
});

export const runSteps = panel({
  id: 'run-steps',
  label: 'Run steps',
  help: 'run-steps',
  empty: {
    about: 'A run on its time axis. Select any recorded step.',
    toCome: 'No runs yet. Run metaskill starts one.',
  },
});

export const metaskillRun = panel({
  id: 'metaskill-run',
  label: 'Metaskill run',
  help: 'metaskill-run',
  empty: {
    about: 'A run’s drafts, budgets, steps, and result, next to the running line.',
    toCome: 'No runs yet. Run metaskill starts one.',
  },
});
