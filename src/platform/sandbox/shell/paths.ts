/** `.` and `..` are taken out by their spelling: there are no links. */
export const normalPath = (path: string): string => {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step === '..') steps.pop();
    else steps.push(step);
  }
  return `/${steps.join('/')}`;
};
