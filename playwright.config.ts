import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findHeadless } from './scripts/chromium.mjs';

const executablePath = findHeadless();

/** The tests read the build in `dist/`; each worker serves it on a free port of its own (`e2e/fixtures/test.ts`). */
export default defineConfig({
  testDir: 'e2e',
  // A test waits about as long as it works: streamed answers, animations, workers that start.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  forbidOnly: true,
  // Generous: a slow machine is not a failure.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    // What is not there at all should not hold a test until its end.
    actionTimeout: 60_000,
    viewport: { width: 1600, height: 1000 },
    // A browser without a graphics card draws every frame of an animation on the cores that the tests need.
    reducedMotion: 'reduce',
    launchOptions: { ...(executablePath && { executablePath }) },
  },
});
