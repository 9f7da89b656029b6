import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openedFolder } from './project-folder.ts';

it('--cwd opens the folder as it is and works below its top; without it the project around the folder is opened', () => {
  const top = mkdtempSync(join(tmpdir(), 'lathe-cwd-'));
  try {
    mkdirSync(join(top, '.git'));
    mkdirSync(join(top, 'apps/web'), { recursive: true });
    expect(openedFolder(join(top, 'apps/web'), undefined)).toEqual({ top, workingFolder: 'apps/web' });
    expect(openedFolder(join(top, 'apps'), 'web')).toEqual({ top: join(top, 'apps'), workingFolder: 'web' });
    expect(openedFolder(join(top, 'apps'), '.')).toEqual({ top: join(top, 'apps'), workingFolder: '' });
    expect(openedFolder(join(top, 'apps'), '..')).toMatch(/^invalid --cwd '\.\.'; expected a folder inside /);
    expect(openedFolder(top, 'none')).toBe(`folder not found: none in ${top}`);
  } finally {
    rmSync(top, { recursive: true });
  }
});
