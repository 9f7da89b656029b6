import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { planDemoRepository } from './demo-history.ts';

const HISTORY = JSON.stringify({
  version: 1,
  branch: 'main',
  author: { name: 'Mira', email: 'm@x' },
  commits: [
    { message: 'One', date: '2026-02-03T09:00:00+01:00', files: { 'a.py': 'old\n' }, shipped: [] },
    { message: 'Two', date: '2026-02-04T09:00:00-02:30', files: {}, shipped: ['a.py'] },
    { message: 'Rest', date: '2026-02-05T09:00:00Z', files: {}, shipped: [], rest: true },
  ],
  untracked: ['todo.md'],
});
const shipped = createMemoryTree({ 'a.py': 'new\n', 'b/c.md': 'c\n', 'todo.md': 't\n' });

describe('the past of the demo', () => {
  it('DH1: files as they were, as they are, and the rest', async () => {
    const { branch, commits } = await planDemoRepository(HISTORY, shipped);
    expect(branch).toBe('main');
    expect(
      commits.map(({ files }) => files.map(([path, content]) => [path, new TextDecoder().decode(content)])),
    ).toEqual([[['a.py', 'old\n']], [['a.py', 'new\n']], [['b/c.md', 'c\n']]]);
    expect(commits.map(({ author }) => [author.timestamp, author.timezoneOffset])).toEqual([
      [Date.parse('2026-02-03T08:00:00Z') / 1000, -60],
      [Date.parse('2026-02-04T11:30:00Z') / 1000, 150],
      [Date.parse('2026-02-05T09:00:00Z') / 1000, 0],
    ]);
  });

  it('DH1: a file that the demo does not have is a mistake of the build', async () => {
    const wrong = HISTORY.replace('"shipped":["a.py"]', '"shipped":["gone.py"]');
    await expect(planDemoRepository(wrong, shipped)).rejects.toThrow('the demo has no gone.py');
  });
});
