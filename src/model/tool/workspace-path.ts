/** A path as a model writes it, made a path of the tree. */
import { err, ok, type Result } from '../../base/result.ts';

const show = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);

/**
 * `./a`, `a//b`, `a/./b`, `a/` and `a/../b` are read as they are meant; `.` is the folder itself (the empty path). What leads
 * out of the folder is refused in words.
 */
export const workspacePath = (path: string): Result<string, string> => {
  if (path.includes('\0')) return err(`${show(path)} isn’t a path: it contains a NUL character`);
  if (path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:[\\/]/.test(path))
    return err(`${show(path)} is outside the workspace folder. Use a relative path, such as "src/main.ts" or "."`);
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined)
      return err(`${show(path)} is outside the workspace folder: ".." can’t lead above it`);
  }
  return ok(steps.join('/'));
};
