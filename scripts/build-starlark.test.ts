// No Go is needed here: it proves that the committed module, its sources and their checksums belong together.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { capMemory, engineSources, sourcesChecksum } from './build-starlark.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path));
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const checksum = JSON.parse(read('starlark/checksum.json').toString()) as Record<string, string>;
const repair = 'run `npm run build:starlark` and commit what it writes';

describe('public/starlark.wasm', () => {
  it('is the module that was built last', () => {
    expect(sha256(read('public/starlark.wasm')), repair).toBe(checksum['module']);
  });

  it('was built from the sources as they are', () => {
    expect(sourcesChecksum(root), repair).toBe(checksum['sources']);
    expect(engineSources(root)).toContain('starlark/engine/run.go');
    expect(engineSources(root)).toContain('starlark/go.sum');
    expect(engineSources(root).some((path) => path.endsWith('_test.go'))).toBe(false);
  });

  it('has the glue of the same Go', () => {
    expect(sha256(read('src/platform/worker/go/wasm_exec.js')), repair).toBe(checksum['glue']);
    expect(read('starlark/go.mod').toString()).toContain(`toolchain ${checksum['go']}`);
  });

  it('costs at most 1.75 MB on the wire', () => {
    expect(gzipSync(read('public/starlark.wasm'), { level: 9 }).length).toBeLessThan(1_750_000);
  });

  it('declares a maximum of 256 MiB', () => {
    const module = read('public/starlark.wasm');
    // Compared by digest: a comparison byte by byte takes a minute.
    expect(sha256(capMemory(module, 256 * 1024 * 1024))).toBe(sha256(module));
  });
});

describe('capMemory', () => {
  /** A module with a type section and a memory of two pages. */
  const tiny = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 1, 0, 5, 3, 1, 0, 2]);

  it('adds a maximum that the runtime keeps to', async () => {
    const capped = capMemory(tiny, 4 * 65_536);
    expect([...capped.subarray(8)]).toEqual([1, 1, 0, 5, 4, 1, 1, 2, 4]);
    await expect(WebAssembly.compile(Uint8Array.from(capped))).resolves.toBeDefined();
  });

  it('refuses a module without memory', () => {
    expect(() => capMemory(tiny.subarray(0, 11), 65_536)).toThrow('no memory section');
  });
});
