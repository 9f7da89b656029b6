import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { noticesOf, noticesText } from './notices.ts';

describe('the notices of third parties', () => {
  const notices = noticesOf(fileURLToPath(new URL('..', import.meta.url)));
  const names = notices.map(({ name }) => name);

  it('name what the page and the terminal import, and what that depends on', () => {
    // Directly, by a worker, by CSS, as a copied file; and scheduler by react-dom.
    for (const name of ['react', 'just-bash', '@fontsource-variable/inter', 'pyodide', 'scheduler', 'fflate', 'zod'])
      expect(names).toContain(name);
    for (const name of ['vitest', 'playwright', 'oxlint', 'typescript', 'vite']) expect(names).not.toContain(name);
  });

  it('have a text or the name of a license for each', () => {
    expect(notices.filter(({ text, license }) => text === undefined && license === '')).toEqual([]);
    const without = notices.filter(({ text }) => text === undefined).length;
    expect(without).toBeLessThan(notices.length / 10);
    expect(noticesText(notices)).toContain('Permission is hereby granted');
  });
});
