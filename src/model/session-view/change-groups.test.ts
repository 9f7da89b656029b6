import { describe, expect, it } from 'vitest';
import { groupChanges } from './change-groups.ts';

const change = (path: string) => ({ path, before: undefined, after: new Uint8Array() });

describe('pending writes in groups', () => {
  it('SV63: a repository is one, wherever it lies; what only looks like one is a file', () => {
    const paths = ['.git/HEAD', '.git/objects/ab/cd', '.gitignore', 'a.git/x', 'a/.git/index', 'a/b.py', 'git/y'];
    const { files, repositories } = groupChanges(paths.map(change));
    expect(files.map(({ path }) => path)).toEqual(['.gitignore', 'a.git/x', 'a/b.py', 'git/y']);
    expect(repositories).toEqual([
      { folder: '.git', paths: ['.git/HEAD', '.git/objects/ab/cd'] },
      { folder: 'a/.git', paths: ['a/.git/index'] },
    ]);
  });
});
