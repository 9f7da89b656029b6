import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withoutOwnEngine } from './sandbox-plugin.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('no package runs a script when it is installed', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean; os?: string[] }>;
  };
  // What is for macOS alone is not installed where the tests run.
  const running = Object.entries(packages).filter(([, { hasInstallScript, os }]) => hasInstallScript && !os);
  expect(running.map(([name]) => name)).toEqual([]);
});

it('the package needs no other package', () => {
  const { dependencies, files } = JSON.parse(read('package.json')) as { dependencies?: object; files: string[] };
  expect(dependencies).toBeUndefined();
  expect(files).toContain('release');
});

it('the build has one copy of Python', () => {
  expect(withoutOwnEngine(read('node_modules/pyodide/pyodide.asm.mjs'))).not.toMatch(/new URL\("[^"]*\.wasm"/);
});
