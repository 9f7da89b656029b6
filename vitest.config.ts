import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findHeadless } from './scripts/chromium.mjs';
import { workerAlias } from './scripts/worker-alias.ts';

const executablePath = findHeadless();

/** The parts of a package that the sources name. */
const partsOf = (name: string, files: readonly string[]): readonly string[] => [
  ...new Set(
    files.flatMap((file) =>
      [...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(new RegExp(`'(${name}/[^'?]+)'`, 'g'))].map(
        ([, part = '']) => part,
      ),
    ),
  ),
];
const monacoParts = partsOf('monaco-editor', ['src/features/editor/monaco/setup.ts']);
const ariaParts = partsOf(
  'react-aria-components',
  readdirSync(new URL('src/ui', import.meta.url))
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => `src/ui/${file}`),
);

export default defineConfig({
  test: {
    // Generous: a slow machine is not a failure.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // By default one core is kept free, which on two would leave one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.browser.test.*', '**/node_modules/**'],
          setupFiles: ['scripts/property-seed.ts'],
          // A worker keeps the modules that it has loaded, which halves the work. No module keeps a state that a test could see;
          // what a test replaces for itself goes back before the next one.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        worker: { format: 'es' },
        // Under NODE_ENV=test react-stately shows all rows of a virtual list, unless it is told not to.
        define: { 'process.env.VIRT_ON': '"on"' },
        // Found late, a package would reload the page under the tests.
        optimizeDeps: {
          include: [
            '@lezer/javascript',
            '@lezer/python',
            '@noble/ed25519',
            'smol-toml',
            'unbash',
            'zod',
            'yaml',
            'fflate',
            'gpt-tokenizer/encoding/o200k_base',
            'idb',
            'react',
            'react-dom/client',
            'react-markdown',
            'remark-gfm',
            'vitest-browser-react',
            'zustand',
            'zustand/vanilla',
            '@anthropic-ai/sdk',
            '@tanstack/react-virtual',
            ...ariaParts,
            ...monacoParts,
          ],
        },
        resolve: { alias: workerAlias },
        test: {
          name: 'browser',
          include: ['src/**/*.browser.test.{ts,tsx}'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({ launchOptions: { ...(executablePath && { executablePath }) } }),
          },
        },
      },
    ],
  },
});
