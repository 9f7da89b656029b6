import { describe, expect, it } from 'vitest';
import { isSearchedBelow, loadedBy } from './loaded-by.ts';

const by = (path: string, skills: readonly string[] = [], scope: 'project' | 'user' = 'project') =>
  loadedBy(path, scope, (at) => skills.includes(at)).map(({ client }) => client);

describe('which clients load a folder', () => {
  it.each([
    ['.claude/skills', ['opencode']],
    ['.claude/skills/a', ['claude-code', 'copilot', 'cursor', 'opencode', 'goose']],
    ['.agents/skills/a', ['codex', 'gemini', 'copilot', 'cursor', 'opencode', 'windsurf', 'goose']],
    ['.github/skills/a', ['copilot']],
    ['.codex/skills/a', ['codex', 'cursor']],
    ['sub/.codex/skills/a', ['codex', 'cursor']],
    ['.gemini/skills', ['gemini']],
    ['.cursor/skills/a', ['cursor']],
    ['.opencode/skill/a/b', ['opencode']],
    ['.windsurf/skills/a', ['windsurf']],
    ['.kiro/skills/a', ['kiro']],
    ['.goose/skills/a', ['goose']],
    ['.metis/skills/a', ['metis']],
  ])('CLN40: %s', (path, clients) => {
    expect(by(path)).toEqual(clients);
  });

  it('CLN40: knows depth, dot-folders, and skills below skills', () => {
    expect(by('.claude/skills/group/a')).toEqual(['copilot', 'opencode', 'goose']);
    expect(by('.claude/skills/.dot')).toEqual(['claude-code', 'opencode', 'goose']);
    expect(by('.agents/skills/a/b', ['.agents/skills/a'])).toEqual(['codex', 'opencode']);
    expect(by('.copilot/skills/a', [], 'user')).toEqual(['copilot']);
    expect(by('.github/skills/a', [], 'user')).toEqual([]);
    expect(isSearchedBelow('.agents/skills/a')).toBe(true);
    expect(isSearchedBelow('skills/a')).toBe(false);
  });

  it('CLN40: names the folder to start in, and plugins', () => {
    expect(loadedBy('pkg/.claude/skills/a', 'project', () => false)[0]).toEqual({
      client: 'claude-code',
      label: 'Claude Code',
      from: 'pkg',
    });
    const plugins = { plugins: new Set(['', 'p']) };
    expect(loadedBy('skills/a', 'project', () => false, plugins).map(({ client }) => client)).toEqual(['claude-code']);
    expect(loadedBy('p/skills/a', 'project', () => false, plugins)[0]?.from).toBe('p');
    expect(loadedBy('p/skills', 'project', () => false, plugins)[0]?.from).toBe('p');
    expect(loadedBy('p', 'project', () => false, plugins)[0]?.from).toBe('p');
    expect(loadedBy('p/other/a', 'project', () => false, plugins)).toEqual([]);
  });

  it('CLN40: a SKILL.md among the commands of Claude Code is loaded by it', () => {
    expect(by('.claude/commands/group/a')).toEqual(['claude-code']);
  });

  it.each(['skills/a', 'docs/a', '', '.roo/skills/a', '.claude/other/a', '.github/skills'])(
    'CLN41: nobody loads %j',
    (path) => {
      expect(by(path)).toEqual([]);
    },
  );
});
