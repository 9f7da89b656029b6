import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles, withTexts } from './demo-plugin.ts';

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

  it('gives the text of what is text, and only the size of the rest', () => {
    writeFileSync(join(folder, 'a.md'), 'é\r\n');
    writeFileSync(join(folder, 'b.bin'), new Uint8Array([0xff, 0xfe, 0]));
    writeFileSync(join(folder, 'c.md'), '\u{feff}marked');
    expect(withTexts(folder)).toEqual([
      { path: 'a.md', size: 4, text: 'é\r\n' },
      { path: 'b.bin', size: 3 },
      { path: 'c.md', size: 9, text: '\u{feff}marked' },
    ]);
  });
});
