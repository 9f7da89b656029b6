import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { parseCheckConfig } from './check-config.ts';
import { checkFolder } from './check-folder.ts';

const SKILL =
  '---\nname: other\ndescription: Writes unit tests for code. Use when code has no tests.\n---\n\n# Tests\n';

const rulesBelow = async (config: string): Promise<Record<string, string | undefined>> => {
  const files = { 'lathe.yaml': config, 'skills/mine/SKILL.md': SKILL, 'vendor/theirs/SKILL.md': SKILL };
  const { skills } = await checkFolder(createMemoryTree(files), '', 'standard');
  return Object.fromEntries(
    skills.map(({ path, diagnostics }) => [path, diagnostics.find(({ rule }) => rule === 'name-folder')?.severity]),
  );
};

describe('lathe.yaml', () => {
  it('LCF1: turns rules off, changes their severity, and decides with it whether a skill is valid', async () => {
    expect(await rulesBelow('')).toEqual({ 'skills/mine': 'error', 'vendor/theirs': 'error' });
    expect(await rulesBelow('rules: {name-folder: off}')).toEqual({
      'skills/mine': undefined,
      'vendor/theirs': undefined,
    });
    const config = 'rules: {name-folder: warning, duplicate-description: off}\n';
    const tree = createMemoryTree({ 'lathe.yaml': config, 'mine/SKILL.md': SKILL });
    expect((await checkFolder(tree, '', 'standard')).skills[0]?.valid).toBe(true);
  });

  it('LCF2: the last override that names a path and the rule wins', async () => {
    const config = `rules: {name-folder: warning}
overrides:
  - paths: [vendor/]
    rules: {name-folder: off}
  - paths: ['*.star']
    rules: {name-folder: error}
`;
    expect(await rulesBelow(config)).toEqual({ 'skills/mine': 'warning', 'vendor/theirs': undefined });
  });

  it('LCF4a: what would take long to parse is a mistake', () => {
    for (const text of [`ignore: ${'['.repeat(100)}`, `# ${'a'.repeat(70_000)}`, 'a: &a [*a]\n'.repeat(3000)])
      expect(parseCheckConfig(text)).toMatchObject({ ok: false, error: [{ line: 1 }] });
  });

  it('LCF3: leaves ignored folders out', async () => {
    expect(Object.keys(await rulesBelow('ignore: [vendor/]'))).toEqual(['skills/mine']);
    expect(Object.keys(await rulesBelow('ignore: [/mine]'))).toEqual(['skills/mine', 'vendor/theirs']);
  });

  it('LCF6, LCF7: reads agents with their versions, a budget, and a rate', () => {
    const read = parseCheckConfig(
      'clients: [codex, claude-code@2.1.197]\nindex_budget: 2000\nthresholds: {trigger_rate: 0.8}\n',
    );
    expect(read).toMatchObject({
      ok: true,
      value: {
        clients: [{ id: 'codex' }, { id: 'claude-code', version: '2.1.197' }],
        indexBudget: 2000,
        triggerRate: 0.8,
      },
    });
  });

  it.each([
    ['rule: {}', 1, 'no key rule'],
    ['\nrules:\n  name-foldr: off', 3, 'did you mean name-folder?'],
    ['rules: {name-folder: loud}', 1, 'name-folder is one of off, error'],
    ['profile: mine', 1, 'profile is one of standard'],
    ['max_warnings: -1', 1, 'a whole number'],
    ['overrides:\n  - paths: [a]', 2, 'paths and rules'],
    ['- a', 1, 'is a mapping'],
    ['ignore: drafts', 1, 'a list of patterns'],
  ])('LCF4: %j is reported with its line', (text, line, message) => {
    const read = parseCheckConfig(text);
    expect(read.ok ? [] : read.error).toEqual([{ line, message: expect.stringContaining(message) as string }]);
  });

  it('LCF4: with mistakes, it changes nothing and is named', async () => {
    const tree = createMemoryTree({ 'lathe.yaml': 'profil: strict', 'mine/SKILL.md': SKILL });
    const { skills, skipped } = await checkFolder(tree, '', 'standard');
    expect(skills[0]?.valid).toBe(false);
    expect(skipped).toEqual([
      { path: 'lathe.yaml', reason: expect.stringContaining('line 1: no key profil') as string, isUnread: true },
    ]);
  });
});
