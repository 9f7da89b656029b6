import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { gitIgnored } from './git-ignored.ts';

const tree = createMemoryTree({
  '.gitignore': 'drafts/\n/build\n*.tmp\n',
  'skills/.gitignore': 'old-*\n!old-but-good\n',
});
const ignored = async (inside: string, ...skills: string[]): Promise<readonly string[]> => [
  ...(await gitIgnored(tree, inside, skills)),
];

describe('skills that git leaves alone', () => {
  it('GI1: every .gitignore on the way counts, and a later one wins', async () => {
    const skills = [
      'a',
      'drafts/b',
      'build/c',
      'skills/build',
      'skills/old-d',
      'skills/old-but-good',
      'old-e',
      'x.tmp',
    ];
    expect(await ignored('', ...skills)).toEqual(['drafts/b', 'build/c', 'skills/old-d', 'x.tmp']);
  });

  it('GI1: what was named itself is not left out, what is below it is', async () => {
    expect(await ignored('drafts', '', 'b')).toEqual([]);
    expect(await ignored('skills', 'old-d', 'fine')).toEqual(['old-d']);
    expect(await ignored('skills/old-d', '')).toEqual([]);
  });
});
