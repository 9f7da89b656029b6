// Benches and the soak are built like the terminal: they measure what ships, and Node cannot run TypeScript.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const buildPage = () => build({ root, logLevel: 'warn' });

/**
 * @param {Readonly<Record<string, string>>} input Entries by the names that their files get.
 * @param {string} outDir
 */
export const buildForNode = (input, outDir) =>
  build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir,
      rolldownOptions: { input: { ...input }, output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
  });
