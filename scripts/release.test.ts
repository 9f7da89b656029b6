import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOMEPAGE, VERSION } from '../src/cli/version.ts';
import { releasedChangelog, withVersion } from './release.mjs';
import { sumsOf } from './sums.mjs';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('a release', () => {
  it('moves what is unreleased below the version, and refuses to release nothing', () => {
    const text = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\nOld.\n';
    expect(releasedChangelog(text, '0.2.0', '2026-12-24')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-24)\n\n- New.\n\n## 0.1.0\n\nOld.\n',
    );
    expect(releasedChangelog('# Changelog\n\n## Unreleased\n\n## 0.1.0\n', '0.2.0', '')).toBeUndefined();
    expect(releasedChangelog(read('CHANGELOG.md'), '9.9.9', '2026-12-24')).toContain('## 9.9.9 (2026-12-24)');
  });

  it('changes the version of the project alone', () => {
    const changed = JSON.parse(withVersion(read('package.json'), '9.9.9')) as Record<string, unknown>;
    expect(changed).toEqual({ ...(JSON.parse(read('package.json')) as object), version: '9.9.9' });
  });

  it('finds one version and one home page everywhere', () => {
    const { version, homepage } = JSON.parse(read('package.json')) as { version: string; homepage?: string };
    expect({ version: VERSION, homepage: HOMEPAGE }).toEqual({ version, homepage });
  });

  it('writes sums as sha256sum reads them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lathe-sums-'));
    try {
      writeFileSync(join(folder, 'a.txt'), 'abc');
      writeFileSync(join(folder, '.stamp'), 'left out');
      // FIPS 180-2, the example for “abc”.
      expect(sumsOf(folder)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
