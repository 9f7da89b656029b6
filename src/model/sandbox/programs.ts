/** Which worker runs a program, and what is said of one that does not exist. */

export type Runner = 'shell' | 'git' | 'python';

const RUNNERS: Readonly<Record<string, Runner>> = { git: 'git', python3: 'python', python: 'python', pytest: 'python' };

export const runnerOf = (program: string): Runner =>
  Object.hasOwn(RUNNERS, program) ? (RUNNERS[program] ?? 'shell') : 'shell';

const INSTEAD: Readonly<Record<string, string>> = {
  node: 'JavaScript is not run here',
  npm: 'packages cannot be installed',
  npx: 'packages cannot be installed',
  pip: 'packages cannot be installed; Python has its standard library and pytest',
  pip3: 'packages cannot be installed; Python has its standard library and pytest',
  curl: 'the sandbox has no network',
  wget: 'the sandbox has no network',
};

/** Without `error:` in front. */
export const notAvailable = (program: string, available: readonly string[]): string => {
  const why = Object.hasOwn(INSTEAD, program) ? ` (${INSTEAD[program]})` : '';
  const shown = program.length > 60 ? `${program.slice(0, 60)}…` : program;
  return `${shown === '' ? 'an empty name' : shown} is not available in the browser sandbox${why}. Available: ${available.join(' ')}`;
};
