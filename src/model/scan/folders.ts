/** Folders that a skill fills from outside, with archives and cloned repositories, and the folder in which its commands run. */
import { hostOf } from './places.ts';
import type { Place } from './types.ts';
import { HOLE, NOTHING, type Mark, type Value } from './value.ts';

export interface Folders {
  /** A repository is copied here. Without a folder it goes into one with its own name. */
  readonly clone: (place: Place, url: Value, into: Value | undefined, what: string) => void;
  /** What is started next starts in this folder. */
  readonly enter: (folder: Value) => void;
  /** Whether the commands now run in a folder that was filled from outside. */
  readonly inClone: () => readonly Mark[];
  readonly fill: (into: Value, marks: readonly Mark[]) => void;
  /** Where a file came from; `isOwn`: the skill has one with this path. */
  readonly marksOf: (path: Value, isOwn: (text: string) => boolean) => readonly Mark[];
}

const MAX_FOLDERS = 40;
/** A path that does not begin where the commands run. */
const ELSEWHERE = /^[/~$\uFFFC]/;

const cleanPath = (text: string): string => text.replace(/^(?:\.\/)+/, '').replace(/(?<!\/)\/+$/, '');

/** A relative path below a folder, with its way up. */
const below = (folder: string, path: string): string => {
  if (ELSEWHERE.test(path)) return path;
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.slice(0, MAX_FOLDERS).join('/');
};

/** The name that a repository gives its folder. */
const ownName = (address: string): string =>
  address
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1) ?? '';

export const createFolders = (): Folders => {
  const filled = new Map<string, readonly Mark[]>();
  let here = '';
  return {
    clone: (place, url, into, what) => {
      const [address = ''] = url.texts;
      const name = /^[\w.-]+\/[\w.-]+$/.test(address) ? `https://github.com/${address}` : address;
      const folder = into ? cleanPath(into.texts[0] ?? HOLE) : ownName(address);
      if (folder === '') return;
      filled.set(below(here, folder), [
        { ...place, label: 'network', what: `${what} ${hostOf(name) ?? ''}`.trim(), name },
      ]);
    },
    enter: (folder) => {
      const [text] = folder.texts;
      here = text === undefined || text === '-' ? '' : below(here, cleanPath(text));
    },
    inClone: () =>
      here === ''
        ? []
        : [...filled].flatMap(([folder, marks]) =>
            folder !== '' && (here === folder || here.startsWith(`${folder}/`)) ? marks : [],
          ),
    fill: (into, marks) =>
      void filled.set(below(here, cleanPath(into.texts[0] ?? (into === NOTHING ? '' : HOLE))), marks),
    marksOf: (path, isOwn) =>
      path.texts.flatMap((text) => {
        // The skill's own script, from a copy of its repository.
        if (isOwn(text) && (here === '' || !ELSEWHERE.test(text))) return [];
        const full = below(here, cleanPath(text));
        return [...filled].flatMap(([folder, marks]) =>
          (folder === '' ? !ELSEWHERE.test(full) : full.startsWith(`${folder}/`)) ? marks : [],
        );
      }),
  };
};
