import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findChromium } from './scripts/chromium.mjs';

const executablePath = findChromium();

export default defineConfig({
  test: {
    // Generous: a slow machine is not a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.browser.test.*', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        worker: { format: 'es' },
        // Found late, a package would reload the page under the tests.
        optimizeDeps: { include: ['zod', 'yaml'] },
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
