import { relative, resolve, sep } from 'node:path';

/** How a person would write the path from where they stand. */
export const shownPath = (folder: string): string => {
  const path = relative(process.cwd(), resolve(folder)).split(sep).join('/');
  return path.startsWith('..') ? resolve(folder).split(sep).join('/') : path;
};
