import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

/** The path below `demo/`, with `/` on every system, and the size in bytes. */
export type DemoFile = { readonly path: string; readonly size: number };
/** One entry of `demo/index.json`. */
export type DemoEntry = DemoFile & { readonly text?: string };

/** All files below a folder, sorted by code point. UTF-8 bytes sort like code points; UTF-16 strings do not. */
export const listFiles = (folder: string): DemoFile[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file).split(sep).join('/'), size: statSync(file).size }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));

/** With what is in them, where that is text: one request for the whole demo instead of one for each file. */
export const withTexts = (folder: string): DemoEntry[] =>
  listFiles(folder).map(({ path, size }) => {
    const bytes = readFileSync(join(folder, path));
    const text = bytes.toString('utf8');
    return Buffer.from(text, 'utf8').equals(bytes) ? { path, size, text } : { path, size };
  });

/**
 * A static server cannot list a folder. `demo/index.json` lists `public/demo`, so that the page can read the demo
 * workspace from any of them. The dev server lists at every request, the build once.
 */
export const demoPlugin = (): Plugin => {
  let folder = '';
  const index = (): string => `${JSON.stringify(withTexts(folder))}\n`;
  return {
    name: 'lathe-demo-index',
    configResolved(config) {
      folder = join(config.publicDir, 'demo');
    },
    configureServer(server) {
      server.middlewares.use('/demo/index.json', (_request, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.setHeader('Cache-Control', 'no-cache');
        response.end(index());
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'demo/index.json', source: index() });
    },
  };
};
