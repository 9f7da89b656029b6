import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from './demo-plugin.ts';

describe('listFiles', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lathe-demo-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lists every file with its size in bytes, also below dot-folders', () => {
    mkdirSync(join(folder, '.agents/skills/a'), { recursive: true });
    writeFileSync(join(folder, '.agents/skills/a/SKILL.md'), 'é');
    writeFileSync(join(folder, 'AGENTS.md'), '');
    expect(listFiles(folder)).toEqual([
      { path: '.agents/skills/a/SKILL.md', size: 2 },
      { path: 'AGENTS.md', size: 0 },
    ]);
  });

  it('sorts by code point, not by locale and not by UTF-16 unit', () => {
    for (const name of ['b', 'a', 'B', '\u{1f600}', '\u{ff5e}']) writeFileSync(join(folder, name), '');
    expect(listFiles(folder).map((file) => file.path)).toEqual(['B', 'a', 'b', '\u{ff5e}', '\u{1f600}']);
  });
});
