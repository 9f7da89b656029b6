import { describe, expect, it } from 'vitest';
import { isKnown } from './quiet-build.ts';

const externalized = (importer: string): string =>
  `Module "node:fs" has been externalized for browser compatibility, imported by "/any/${importer}".`;

describe('isKnown', () => {
  it('keeps what is known of the two programs that also run in Node', () => {
    expect(isKnown(externalized('node_modules/pyodide/pyodide.mjs'))).toBe(true);
    expect(isKnown(externalized('node_modules/just-bash/dist/bundle/browser.js'))).toBe(true);
    expect(isKnown('Use of direct `eval` here. in node_modules/pyodide/pyodide.asm.mjs at 1..5')).toBe(true);
  });

  it('tells the same of any other file, and anything new of these two', () => {
    expect(isKnown(externalized('src/main.tsx'))).toBe(false);
    expect(isKnown('Use of direct `eval` here. in src/base/hash.ts at 1..5')).toBe(false);
    expect(isKnown('Could not resolve "./gone.js" in node_modules/pyodide/pyodide.mjs')).toBe(false);
  });
});
