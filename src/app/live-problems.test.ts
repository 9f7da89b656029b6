import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/skill/types.ts';
import { setUp, SKILL } from '../stores/testing/files.ts';
import type { WorkspaceSkill } from '../stores/workspace-store.ts';
import { createLiveProblems } from './live-problems.ts';

const found = (rule: string, start = 0, file = 'SKILL.md'): Diagnostic => ({
  rule,
  severity: 'error',
  message: rule,
  file,
  range: { start, end: start },
  fixes: [],
});

const skill: WorkspaceSkill = {
  path: 'skills/pdf',
  name: 'pdf',
  valid: true,
  isMetaskill: false,
  tokens: 1,
  text: 'on disk',
  diagnostics: [found('old'), found('duplicate-name'), found('loop', 3, 'SKILL.star')],
};

const start = async () => {
  const { files } = await setUp();
  const changes: string[] = [];
  const problems = createLiveProblems(files, () => void changes.push('changed'));
  await files.open(SKILL);
  const rules = () => problems.amend(skill).diagnostics.map(({ rule }) => rule);
  return { files, problems, changes, rules };
};

describe('problems of texts that are not saved', () => {
  it('LP1: stand in place of those on disk; those of several skills and of other files stay', async () => {
    const { files, problems, changes, rules } = await start();
    problems.heard(SKILL, [found('nothing is edited')]);
    expect(rules()).toEqual(['old', 'duplicate-name', 'loop']);
    files.edit(SKILL, 'typed');
    problems.heard(SKILL, [found('new', 2)]);
    expect(rules()).toEqual(['new', 'duplicate-name', 'loop']);
    expect(problems.amend(skill).text).toBe('typed');
    problems.heard(SKILL, [found('new', 2)]);
    expect(changes).toHaveLength(1);
    expect(problems.amend({ ...skill, path: 'user:skills/pdf', layer: 'user' }).diagnostics).toBe(skill.diagnostics);
  });

  it('LP2: last until the folder was read with the saved text, or the file was closed', async () => {
    const { files, problems, changes, rules } = await start();
    files.edit(SKILL, 'typed');
    problems.heard(SKILL, []);
    await files.save(SKILL);
    expect(rules()).toEqual(['duplicate-name', 'loop']);
    problems.settle();
    expect(rules()).toEqual(['old', 'duplicate-name', 'loop']);
    files.edit(SKILL, 'typed more');
    problems.heard(SKILL, []);
    files.close(SKILL, { discard: true });
    expect(rules()).toEqual(['old', 'duplicate-name', 'loop']);
    expect(changes).toHaveLength(3);
  });
});
