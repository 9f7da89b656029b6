import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, PROJECT, runLathe } from './testing/run-lathe.ts';

const LATHE = join(PROJECT, 'bin', 'lathe');
const BAD = { 'bad/SKILL.md': '---\nname: Bad Name\n---\n' };
const inShell = (line: string, folder: string): { code: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, LATHE },
  });
  return { code: status, stdout, stderr };
};

describe('where the output cannot go', () => {
  it('CLI7: a closed pipe keeps the exit code', () => {
    using folder = createFolder(BAD);
    const many = Array.from({ length: 40 }, () => 'bad/../bad/../bad').join(' ');
    const { code, stderr } = inShell(
      `"$LATHE" check --json ${many} | head -c 1 >/dev/null; exit \${PIPESTATUS[0]}`,
      folder.path,
    );
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  it.skipIf(!existsSync('/dev/full'))('a full disk is one line, without a stack', () => {
    using folder = createFolder(BAD);
    const { code, stderr } = inShell('"$LATHE" check --json bad > /dev/full', folder.path);
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain("can't write the output");
  });
});

describe('where files cannot be written', () => {
  // Root writes everywhere; a folder in place of the draft's folder cannot be made unwritable for it.
  it.skipIf(process.getuid?.() === 0)('what could not be fixed is not called fixed', () => {
    using folder = createFolder({
      'a/SKILL.md': '---\nname: b\ndescription: Does things. Use when things are wanted.\n---\n',
    });
    chmodSync(join(folder.path, 'a'), 0o500);
    const { stdout } = runLathe(['check', '--fix', '--unsafe', 'a'], folder.path);
    chmodSync(join(folder.path, 'a'), 0o700);
    expect(stdout).toContain('not fixed');
    expect(stdout.replaceAll('not fixed', '')).not.toContain('fixed a');
  });

  it('FS39: what a killed process left is removed at the next write', () => {
    using folder = createFolder({
      'good/SKILL.md': '---\nname: bad\ndescription: Does things. Use when things are wanted.\n---\n',
    });
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const draft = `.SKILL.md.${gone.toString(16).padStart(8, '0')}abcd.lathe-tmp`;
    const alive = `.SKILL.md.${process.pid.toString(16).padStart(8, '0')}abcd.lathe-tmp`;
    for (const name of [draft, alive]) writeFileSync(join(folder.path, 'good', name), 'half');
    runLathe(['check', '--fix', '--unsafe', 'good'], folder.path);
    expect(readFileSync(join(folder.path, 'good/SKILL.md'), 'utf8')).toContain('name: good');
    expect(readdirSync(join(folder.path, 'good')).toSorted()).toEqual([alive, 'SKILL.md'].toSorted());
  });
});
