/** Paths inside a skill's folder, always with `/`. */
import { baseName } from '../../base/paths.ts';

/** `a/./b/../c` becomes `a/c`; nothing if the path leaves the folder. */
export const normalPath = (path: string): string | undefined => {
  const parts: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else parts.push(part);
  }
  return parts.join('/');
};

export const isAbsolutePath = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(baseName(path))?.[1]?.toLowerCase() ?? '';
