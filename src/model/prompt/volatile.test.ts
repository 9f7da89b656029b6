import { describe, expect, it } from 'vitest';
import { collectLog, silentLog } from '../../base/log.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { withFaults } from '../library/testing/libraries.ts';
import { findMemory, volatileSegments } from './volatile.ts';

const environment = { date: '2026-11-16', workspace: 'demo', platform: 'web' };

describe('the volatile prompt', () => {
  it('PR30, PR31: environment, then USER.md, then MEMORY.md', () => {
    const segments = volatileSegments({ environment, user: 'Likes tea.\n', memory: '\n- Uses pnpm.' });
    expect(segments.map(({ kind, id, stability }) => [kind, id, stability])).toEqual([
      ['environment', 'environment', 'volatile'],
      ['user', 'user', 'volatile'],
      ['memory', 'memory', 'volatile'],
    ]);
    expect(segments.map(({ text }) => text).join('')).toBe(
      '## Environment\nDate: 2026-11-16\nWorkspace: demo\nPlatform: web\n\n## User context (USER.md)\nLikes tea.\n\n## Workspace memory (MEMORY.md)\n- Uses pnpm.',
    );
  });

  it('PR31: nothing for a file that is missing or blank', () => {
    expect(volatileSegments({ environment, user: undefined, memory: ' \n' }).map(({ id }) => id)).toEqual([
      'environment',
    ]);
    expect(volatileSegments({ environment, user: undefined, memory: 'x' })[1]?.text).toBe(
      '\n\n## Workspace memory (MEMORY.md)\nx',
    );
  });

  it('PR30: no time, and one line each', () => {
    for (const date of ['2026-11-16T10:00', '16.11.2026', ''])
      expect(() => volatileSegments({ environment: { ...environment, date }, user: '', memory: '' })).toThrow(
        'YYYY-MM-DD',
      );
    const [segment] = volatileSegments({
      environment: { ...environment, workspace: 'a\n## b' },
      user: '',
      memory: '',
    });
    expect(segment?.text).toContain('\nWorkspace: a ## b\n');
  });
});

describe('memory files', () => {
  it('PR32: each by itself, the nearest place first', async () => {
    const tree = createMemoryTree({
      '.agents/USER.md': 'agents user',
      '.metis/USER.md': 'metis user',
      '.metis/MEMORY.md': 'metis memory',
      'MEMORY.md': 'root memory',
    });
    expect(await findMemory(tree, silentLog)).toEqual({
      user: { path: '.agents/USER.md', exists: true, text: 'agents user' },
      memory: { path: '.metis/MEMORY.md', exists: true, text: 'metis memory' },
    });
    const root = createMemoryTree({ 'MEMORY.md': 'a\r\nb', 'memory.md': 'no' });
    expect((await findMemory(root, silentLog)).memory).toEqual({ path: 'MEMORY.md', exists: true, text: 'a\nb' });
  });

  it('PR33: a new one goes to .agents', async () => {
    expect(await findMemory(createMemoryTree({}), silentLog)).toEqual({
      user: { path: '.agents/USER.md', exists: false, text: undefined },
      memory: { path: '.agents/MEMORY.md', exists: false, text: undefined },
    });
  });

  it('PR34: one that cannot be used is left out with a warning, and no other steps in', async () => {
    const { log, lines } = collectLog();
    const tree = withFaults(
      createMemoryTree({
        '.agents/USER.md': new Uint8Array([0xff, 0xfe]),
        'USER.md': 'other',
        '.metis/MEMORY.md': 'x',
        'MEMORY.md': 'other',
      }),
      new Set(['.metis/MEMORY.md']),
    );
    expect(await findMemory(tree, log)).toEqual({
      user: { path: '.agents/USER.md', exists: true, text: undefined },
      memory: { path: '.metis/MEMORY.md', exists: true, text: undefined },
    });
    expect(lines.map(({ level, text }) => `${level}: ${text}`)).toEqual([
      'warning: .agents/USER.md is not UTF-8 and is left out of the prompt',
      'warning: .metis/MEMORY.md cannot be read (permission denied) and is left out of the prompt',
    ]);
  });

  it('PR35: only the head of a very long one', async () => {
    const { log, lines } = collectLog();
    const tree = createMemoryTree({ 'MEMORY.md': '🙂'.repeat(32_001), 'USER.md': '🙂'.repeat(32_000) });
    const { memory, user } = await findMemory(tree, log);
    expect(memory.text).toBe(`${'🙂'.repeat(32_000)}\n[cut here: the file is longer than 32,000 characters]`);
    expect(user.text).toBe('🙂'.repeat(32_000));
    expect(lines).toMatchObject([{ level: 'warning', code: 'memory.cut' }]);
  });
});
