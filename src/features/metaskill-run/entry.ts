import { panel } from '../panel/panel.ts';

export const metaskills = panel({
  id: 'metaskills',
  label: 'Metaskills',
  help: 'metaskills',
  empty: {
    about: 'The metaskills of the folder with their runs, and the input of the next run.',
    toCome: 'Reading metaskills…',
  },
});

export const runSteps = panel({
  id: 'run-steps',
  label: 'Run steps',
  help: 'run-steps',
  empty: {
    about: 'A run on its time axis. Each recorded step can be gone back to.',
    toCome: 'No runs yet. Run metaskill starts one.',
  },
});

export const metaskillRun = panel({
  id: 'metaskill-run',
  label: 'Metaskill run',
  help: 'metaskill-run',
  empty: {
    about: 'The drafts, budgets, steps, and result of a metaskill run, beside the line that runs.',
    toCome: 'No runs yet. Run metaskill starts one.',
  },
});
