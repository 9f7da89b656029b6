/** Node cannot run TypeScript in a thread: the threads' files are bundled into a temporary folder first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

export interface BundledThreads extends Disposable {
  readonly folder: string;
  /** The same as an address, with a slash at its end. */
  readonly address: URL;
}

/** `entries`: the path of each thread's file by the name of its bundle. `withPackages` puts packages of npm into it too. */
export const bundleThreads = async (
  entries: Readonly<Record<string, string>>,
  extension: 'js' | 'mjs',
  withPackages = false,
): Promise<BundledThreads> => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-threads-'));
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: { ...entries },
        output: { entryFileNames: `[name].${extension}`, chunkFileNames: `[name].${extension}` },
      },
    },
    ...(withPackages && { ssr: { noExternal: true as const } }),
  });
  return {
    folder,
    address: pathToFileURL(`${folder}/`),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};
