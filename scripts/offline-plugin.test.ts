import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { buildFiles, firstLoad, lazyLoad } from './offline-plugin.ts';

const folders: string[] = [];

const build = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-offline-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const manifest = JSON.stringify({
  'index.html': {
    file: 'assets/main.js',
    imports: ['_shared.js'],
    css: ['assets/main.css'],
    assets: ['assets/a.woff2'],
  },
  '_shared.js': { file: 'assets/shared.js', imports: ['index.html'] },
  '_later.js': { file: 'assets/later.js' },
  'node_modules/sdk/index.mjs': { file: 'assets/sdk.js', isDynamicEntry: true, imports: ['index.html', '_later.js'] },
  'node_modules/sdk/part.mjs': { file: 'assets/part.js', isDynamicEntry: true },
  'lazy.ts': { file: 'assets/lazy.js', isDynamicEntry: true, imports: ['index.html'] },
});

const files = {
  'index.html': '<!doctype html>',
  '.vite/manifest.json': manifest,
  '.stamp': 'x',
  'service-worker.js': '…',
  'assets/main.js': 'm'.repeat(400_000),
  'assets/lazy.js': 'l',
  'assets/shared.js': 's',
  'starlark.wasm': 'w'.repeat(400_000),
  'pyodide/python_stdlib.zip': 'p',
};

describe('the files of a build', () => {
  it('tell the first load apart', () => {
    expect([...firstLoad(build(files))].toSorted()).toEqual([
      'assets/a.woff2',
      'assets/main.css',
      'assets/main.js',
      'assets/shared.js',
      'index.html',
    ]);
  });

  it('tell what a lazy package adds to it, with all of its own parts', () => {
    const folder = build(files);
    expect([...lazyLoad(folder, 'sdk')].toSorted()).toEqual(['assets/later.js', 'assets/part.js', 'assets/sdk.js']);
    expect(lazyLoad(folder, 'sd')).toEqual([]);
  });

  it('OF6: are kept immediately, later when large, and Python when it is used', () => {
    const { core, rest, onDemand } = buildFiles(build(files));
    expect(onDemand).toEqual(['pyodide/python_stdlib.zip']);
    expect(core).toEqual(['assets/lazy.js', 'assets/main.js', 'assets/shared.js', 'index.html']);
    expect(rest).toEqual(['starlark.wasm']);
  });

  it('OF5: the version changes with any file, its content or its name', () => {
    const { version } = buildFiles(build(files));
    expect(buildFiles(build(files)).version).toBe(version);
    expect(buildFiles(build({ ...files, 'assets/lazy.js': 'k' })).version).not.toBe(version);
    const { 'assets/lazy.js': lazy, ...others } = files;
    expect(buildFiles(build({ ...others, 'assets/later.js': lazy })).version).not.toBe(version);
    expect(buildFiles(build({ ...files, '.stamp': 'y' })).version).toBe(version);
  });
});
