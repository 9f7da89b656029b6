import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { readClientSettings, readUsage } from './settings.ts';

describe('settings and use', () => {
  it.each([
    ['skillOverrides', { a: 'off', b: 'OFF' }],
    ['skillOverrides', { a: 7 }],
    ['skillOverrides', ['a']],
    ['skillListingMaxDescChars', '12'],
    ['skillListingMaxDescChars', 50.5],
    ['skillListingBudgetFraction', 2],
    ['skillListingBudgetFraction', 0],
    ['disableBundledSkills', 'yes'],
  ])('CLS1: sets nothing from a file of Claude Code whose %s is %j', async (key, value) => {
    const project = createMemoryTree({
      '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Skill'] }, [key]: value }),
      '.claude/settings.local.json': '{"skillOverrides":{"c":"off"}}',
    });
    const { values, notes } = await readClientSettings('claude-code', { project });
    expect(values).toEqual({ skillOverrides: { c: 'off' } });
    expect(notes).toEqual([
      `Claude Code ignores all of \`.claude/settings.json\`, because it does not take this value of \`${key}\`.`,
    ]);
  });

  it('CLS1: merges the user’s settings and the folder’s, and leaves out what is not a settings file', async () => {
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
