import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { readClientSettings, readUsage } from './settings.ts';

describe('settings and use', () => {
  it('CLS1: merges the user’s settings and the folder’s, and leaves out what is no settings file', async () => {
    const user = createMemoryTree({
      '.claude/settings.json': '{"skillOverrides":{"a":"off","b":"on"},"permissions":{"deny":["X"]},"n":1}',
      '.codex/config.toml': '[skills]\nmax_context_tokens = 5\n',
    });
    const project = createMemoryTree({
      'sub/.claude/settings.json': '{"skillOverrides":{"b":"off"},"permissions":{"deny":["Skill"]},"n":2}',
      'sub/.claude/settings.local.json': 'no JSON',
    });
    const trees = { project, user, workingFolder: 'sub' };
    const settings = await readClientSettings('claude-code', trees);
    expect(settings.values).toEqual({
      skillOverrides: { a: 'off', b: 'off' },
      permissions: { deny: ['X', 'Skill'] },
      n: 2,
    });
    expect(settings.files).toEqual([
      '~/.claude/settings.json',
      'sub/.claude/settings.json',
      'sub/.claude/settings.local.json',
    ]);
    expect((await readClientSettings('codex', trees)).values).toEqual({ skills: { max_context_tokens: 5 } });
    expect((await readClientSettings('kiro', trees)).values).toEqual({});
  });

  it('CLS2: reads use entry by entry', () => {
    const text = '{"skillUsage":{"a":{"usageCount":2,"lastUsedAt":5},"b":{"usageCount":"2"},"c":7}}';
    expect([...(readUsage(text) ?? [])]).toEqual([['a', { count: 2, lastUsedAt: 5 }]]);
    for (const none of ['{}', 'no JSON', '[]', '{"skillUsage":3}']) expect(readUsage(none)).toBeUndefined();
  });
});
