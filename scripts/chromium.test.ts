import { describe, expect, it } from 'vitest';
import { findChromium, findHeadless } from './chromium.mjs';

const look = (files: readonly string[], env: Record<string, string> = {}) =>
  findChromium({ env, exists: (path) => files.includes(path), own: () => '/cache/playwright/chrome' });

describe('findChromium', () => {
  it('takes LATHE_CHROMIUM before anything else', () => {
    const files = ['/my/chromium', '/cache/playwright/chrome', '/usr/bin/chromium'];
    expect(look(files, { LATHE_CHROMIUM: '/my/chromium' })).toBe('/my/chromium');
  });

  it('refuses a LATHE_CHROMIUM that is not there, instead of taking another', () => {
    expect(() => look(['/usr/bin/chromium'], { LATHE_CHROMIUM: '/my/chromium' })).toThrow('/my/chromium');
  });

  it('then the one of Playwright, then the system, then the search path', () => {
    expect(look(['/usr/bin/chromium', '/cache/playwright/chrome'])).toBe('/cache/playwright/chrome');
    expect(look(['/usr/bin/google-chrome', '/usr/bin/chromium'])).toBe('/usr/bin/chromium');
    expect(look(['/opt/bin/chromium'], { PATH: '/bin:/opt/bin' })).toBe('/opt/bin/chromium');
  });

  it('finds nothing where there is nothing', () => {
    expect(look([], { PATH: '/bin' })).toBeUndefined();
  });
});

describe('findHeadless', () => {
  const files = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
  const headless = (there: readonly string[], env: Record<string, string> = {}) =>
    findHeadless({ env: { PATH: '/usr/bin', ...env }, exists: (path) => there.includes(path), own: () => '' });

  it('takes the shell without windows, and Chromium where none exists', () => {
    expect(headless(files)).toBe('/usr/bin/chromium-headless-shell');
    expect(headless(['/usr/bin/chromium'])).toBe('/usr/bin/chromium');
  });

  it('takes LATHE_CHROMIUM before anything else', () => {
    expect(headless(['/my/chromium', ...files], { LATHE_CHROMIUM: '/my/chromium' })).toBe('/my/chromium');
  });
});
