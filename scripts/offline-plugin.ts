import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { BuildFiles } from '../src/app/offline/cache-plan.ts';
import { listFiles } from './demo-plugin.ts';

const SCRIPT = 'service-worker.js';
const PLACEHOLDER = 'LATHE_FILES';

/** Above this a file is fetched when the page is idle, and does not hold up the installation. */
const LARGE = 300_000;

/** Not part of what a page asks for: the list itself and records of the build. */
const isLeftOut = (path: string): boolean => path === SCRIPT || path.startsWith('.');

/** Python and its wheels are many megabytes, and notices are for few. They are kept when they are first used. */
const isOnDemand = (path: string): boolean => /^pyodide\/|^third-party-notices|^assets\/pyodide\.asm|\.whl$/.test(path);

interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

type Manifest = Readonly<Record<string, ManifestEntry>>;

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest;

/** The files of modules and of all that they import, lazily imported ones left out. */
const loadedWith = (manifest: Manifest, modules: readonly string[]): ReadonlySet<string> => {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const entry = manifest[name];
    if (!entry || files.has(entry.file)) return;
    for (const file of [entry.file, ...(entry.css ?? []), ...(entry.assets ?? [])]) files.add(file);
    for (const next of entry.imports ?? []) visit(next);
  };
  for (const name of modules) visit(name);
  return files;
};

/** What the page loads before it does anything; however large, the page is nothing without it. */
export const firstLoad = (folder: string): ReadonlySet<string> =>
  new Set(['index.html', ...loadedWith(manifestOf(folder), ['index.html'])]);

/** What the page loads later, for a package that it imports lazily; empty when there is no such package. */
export const lazyLoad = (folder: string, packageName: string): readonly string[] => {
  const manifest = manifestOf(folder);
  const modules = Object.keys(manifest).filter((name) => name.startsWith(`node_modules/${packageName}/`));
  const first = firstLoad(folder);
  return [...loadedWith(manifest, modules)].filter((file) => !first.has(file));
};

/** The files of a build, with a version that changes when any of them does. */
export const buildFiles = (folder: string): BuildFiles => {
  const files = listFiles(folder).filter(({ path }) => !isLeftOut(path));
  const hash = createHash('sha256');
  for (const { path } of files)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0');
  const first = firstLoad(folder);
  const isCore = ({ path, size }: { readonly path: string; readonly size: number }): boolean =>
    size <= LARGE || first.has(path);
  const always = files.filter(({ path }) => !isOnDemand(path));
  return {
    version: hash.digest('hex').slice(0, 16),
    core: always.filter(isCore).map(({ path }) => path),
    rest: always.filter((file) => !isCore(file)).map(({ path }) => path),
    onDemand: files.filter(({ path }) => isOnDemand(path)).map(({ path }) => path),
  };
};

/** Builds the service worker beside the page, and writes the list of the build's files into it. */
export const offlinePlugin = (): Plugin => ({
  name: 'lathe-offline',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: 'src/app/offline/service-worker.worker.ts', fileName: SCRIPT });
  },
  writeBundle: {
    order: 'post',
    sequential: true,
    handler({ dir }) {
      if (dir === undefined) throw new Error('The build has no folder.');
      const script = join(dir, SCRIPT);
      const text = readFileSync(script, 'utf8');
      if (!text.includes(PLACEHOLDER)) throw new Error(`${SCRIPT} has no place for the list of files.`);
      // A function, because a file's name may hold what a replacement text would read as a pattern.
      writeFileSync(
        script,
        text.replace(PLACEHOLDER, () => JSON.stringify(buildFiles(dir))),
      );
    },
  },
});
