import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliBundle } from './cli-bundle.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
const vite = join(scripts, '../node_modules/vite/bin/vite.js');
const execute = promisify(execFile);

/** A project with a terminal of one line, so that a build takes a moment and shows which sources it was made from. */
describe('cliBundle', () => {
  let root = '';
  const write = (text: string) => writeFileSync(join(root, 'src/cli/main.ts'), `console.log(${JSON.stringify(text)});`);
  const output = async () => (await execute(process.execPath, [cliBundle(root, vite) ?? ''])).stdout.trim();

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lathe-cli-'));
    mkdirSync(join(root, 'src/cli'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(root, 'vite.cli.config.ts'),
      `export default { build: { ssr: true, rolldownOptions: { input: { lathe: 'src/cli/main.ts' } } } };`,
    );
    write('first');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('builds once, and again only when a source has changed', async () => {
    expect(await output()).toBe('first');
    const bundle = cliBundle(root, vite) ?? '';
    const { mtimeMs } = statSync(bundle);
    expect(cliBundle(root, vite)).toBe(bundle);
    expect(statSync(bundle).mtimeMs).toBe(mtimeMs);

    writeFileSync(join(root, 'src/cli/main.test.ts'), 'a test is not a source');
    write('second');
    expect(await output()).toBe('second');
  });

  /** The same in a process of its own, as a command would do it. */
  const inProcess = () => {
    const script = `
      import { cliBundle } from ${JSON.stringify(pathToFileURL(join(scripts, 'cli-bundle.mjs')).href)};
      import { pathToFileURL } from 'node:url';
      const bundle = cliBundle(${JSON.stringify(root)}, ${JSON.stringify(vite)});
      if (bundle) await import(pathToFileURL(bundle).href);
      else console.log('no bundle');`;
    return execute(process.execPath, ['--input-type=module', '--eval', script]);
  };

  it('gives a whole bundle to each of several that start at the same time', async () => {
    const runs = await Promise.all([inProcess(), inProcess(), inProcess()]);
    expect(runs.map((run) => run.stdout)).toEqual(['first\n', 'first\n', 'first\n']);
    expect(readdirSync(join(root, 'dist-cli'))).toHaveLength(1);
  });

  it('says on stderr why the sources do not build, and leaves nothing behind', async () => {
    writeFileSync(join(root, 'src/cli/main.ts'), 'import "./missing.ts";');
    const { stdout, stderr } = await inProcess();
    expect(stdout).toBe('no bundle\n');
    expect(stderr).toContain('./missing.ts');
    expect(readdirSync(join(root, 'dist-cli'))).toEqual([]);
  });
});

describe('bin/lathe', () => {
  it('starts through a symlink and from any folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lathe-bin-'));
    symlinkSync(join(scripts, '../bin/lathe'), join(folder, 'lathe'));
    try {
      const { stdout } = await execute(join(folder, 'lathe'), ['--help'], { cwd: folder });
      expect(stdout).toContain('lathe');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
