/** Names in a path that is written with `/`, whatever it leads into. */

/** `SKILL.md` of `skills/tables/SKILL.md`; the path itself where it has no folder. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `skills/tables` of `skills/tables/SKILL.md`; empty where it has no folder, and for what is at `/`. */
export const dirName = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Empty parts add nothing: the root of a tree is the empty path. */
export const joinPath = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/');
