import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from '../testing/run-lathe.ts';
import { writeFile } from './write-file.ts';

const LATHE = join(PROJECT, 'bin', 'lathe');

describe('CLI9: files that a command writes', () => {
  it('replaces a file in one go, keeps its mode, and leaves nothing beside it', () => {
    using folder = createFolder({ 'report.html': 'old' });
    const file = join(folder.path, 'report.html');
    chmodSync(file, 0o640);
    writeFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder.path)).toEqual(['report.html']);
  });

  it.skipIf(process.platform === 'win32')('a file that has no room stays as it was, and the error names it', () => {
    using folder = createFolder({ 'a/SKILL.md': '---\nname: b\n---\n', 'out.json': 'old' });
    // The terminal is built where it is old, and that writes larger files.
    runLathe(['--version'], folder.path);
    // A limit on the size of files, in place of a full disk.
    const limited = `trap '' XFSZ; ulimit -f 1; exec "$LATHE" check --format sarif --output-file out.json a`;
    const { status, stderr } = spawnSync('bash', ['-c', limited], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, LATHE },
    });
    expect(stderr).toMatch(/^lathe: can't write out\.json: EFBIG/);
    expect(status).toBe(2);
    expect(readFileSync(join(folder.path, 'out.json'), 'utf8')).toBe('old');
    expect(readdirSync(folder.path).toSorted()).toEqual(['a', 'out.json']);
  });

  it('goes through a link, and a device stays a device', () => {
    using folder = createFolder({ 'real.txt': 'old' });
    const link = join(folder.path, 'link.txt');
    symlinkSync('real.txt', link);
    writeFile(link, 'new');
    expect(readFileSync(join(folder.path, 'real.txt'), 'utf8')).toBe('new');
    writeFile('/dev/null', 'x');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('a folder in place of the file is an error that names it', () => {
    using folder = createFolder({});
    mkdirSync(join(folder.path, 'out'));
    expect(() => writeFile(join(folder.path, 'out'), 'x')).toThrow(/can't write .*out: EISDIR/);
    expect(() => writeFile(join(folder.path, 'no/out'), 'x')).toThrow(/can't write .*out: ENOENT/);
    expect(readdirSync(folder.path)).toEqual(['out']);
  });
});
