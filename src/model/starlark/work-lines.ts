/** Where a run can be recorded: the lines of the top-level function `run`, whose locals say how far the work is. */

const HEAD = /^def\s+run\s*\(/;
const EMPTY = /^\s*(?:#.*)?$/;

/** Lines from 1. Nothing where there is no such function; helpers are left out, because a loop may call them thousands of times. */
export const workLines = (text: string): readonly number[] => {
  const lines = text.split(/\r\n|[\r\n]/);
  const start = lines.findIndex((line) => HEAD.test(line));
  if (start === -1) return [];
  const found: number[] = [];
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (EMPTY.test(line)) continue;
    if (!/^\s/.test(line)) {
      // A head over several lines, or a string in three quotes, may come back to the margin.
      if (/^[)\]}]/.test(line)) continue;
      break;
    }
    found.push(index + 1);
  }
  return found;
};
