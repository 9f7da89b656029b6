/** The licenses of everything that the page and the terminal are built from: `third-party-notices.txt`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { listFiles } from './demo-plugin.ts';

const NOTICES_FILE = 'third-party-notices.txt';

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
}

type Lock = Readonly<Record<string, LockEntry>>;

export interface Notice {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Nothing where the package has no file of its own; its license is then one that is known by name. */
  readonly text: string | undefined;
}

/** What a source file imports from other packages. */
const importsOf = (source: string): readonly string[] =>
  [...source.matchAll(/(?:from|import|url)\s*\(?\s*['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^'"]*)?['"]/g)].map(
    ([, name = '']) => name,
  );

const sourcesBelow = (root: string): readonly string[] =>
  ['src', 'scripts']
    .flatMap((folder) => listFiles(join(root, folder)).map(({ path }) => `${folder}/${path}`))
    .filter((path) => /^src\/.*\.(?:tsx?|css)$/.test(path) && !/\.test\.|\/testing\//.test(path));

/** Where npm put what a package depends on: inside it, or in one of the folders around it. */
const placeOf = (lock: Lock, from: string, name: string): string | undefined => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock[place]) return place;
    if (!at.includes('/node_modules/') && at !== '') {
      const top = `node_modules/${name}`;
      return lock[top] ? top : undefined;
    }
    if (at === '') return undefined;
  }
};

/** Direct imports of the sources, and all that those depend on: more than what a bundler leaves in, and nothing less. */
export const noticesOf = (root: string): readonly Notice[] => {
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock };
  const direct = new Set(sourcesBelow(root).flatMap((path) => importsOf(readFileSync(join(root, path), 'utf8'))));
  // Its files are copied, not imported.
  direct.add('pyodide');
  const places = new Set<string>();
  const visit = (from: string, name: string): void => {
    const place = placeOf(lock, from, name);
    if (place === undefined || places.has(place) || !existsSync(join(root, place))) return;
    places.add(place);
    for (const next of Object.keys(lock[place]?.dependencies ?? {})) visit(place, next);
  };
  for (const name of direct) visit('', name);
  return [...places].toSorted().flatMap((place): readonly Notice[] => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    // Types are erased.
    if (name.startsWith('@types/')) return [];
    const folder = join(root, place);
    const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(entry));
    const { version = '', license = '' } = lock[place] ?? {};
    const text =
      file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
    return [{ name, version, license, text }];
  });
};

const HEAD = `Lathe is built from these packages. Each is listed with its license; packages with the same text share it.
Starlark in Go has its own file, starlark.licenses.txt. Pyodide brings CPython, whose license is at
https://docs.python.org/3/license.html.
`;
const LINE = '-'.repeat(80);

export const noticesText = (notices: readonly Notice[]): string => {
  const groups = new Map<string, Notice[]>();
  for (const notice of notices) {
    const key = notice.text ?? `License: ${notice.license}. The package has no license file of its own.`;
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  const blocks = [...groups].map(
    ([text, list]) =>
      `${LINE}\n${list.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n')}\n\n${text}\n`,
  );
  return [HEAD, ...blocks].join('\n');
};

export const noticesPlugin = (): Plugin => {
  let root = '';
  return {
    name: 'lathe-notices',
    apply: 'build',
    configResolved(config) {
      ({ root } = config);
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: NOTICES_FILE, source: noticesText(noticesOf(root)) });
    },
  };
};
