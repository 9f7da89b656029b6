import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../model/skill/types.ts';
import { workspaceSkill } from '../../model/workspace/testing/skills.ts';
import { withUnsavedProblems } from '../../model/workspace/unsaved-problems.ts';
import { setUp, SKILL } from '../testing/files.ts';
import { createUnsavedProblems } from './unsaved-problems.ts';

const found = (rule: string, start = 0): Diagnostic => ({
  rule,
  severity: 'error',
  message: rule,
  file: 'SKILL.md',
  range: { start, end: start },
  fixes: [],
});

const skill = workspaceSkill('skills/pdf', { text: 'on disk', diagnostics: [found('old'), found('duplicate-name')] });

const start = async () => {
  const { files } = await setUp();
  const changes: string[] = [];
  const problems = createUnsavedProblems(files, () => void changes.push('changed'));
  await files.open(SKILL);
  const rules = () => withUnsavedProblems(skill, problems.judged()).diagnostics.map(({ rule }) => rule);
  return { files, problems, changes, rules };
};

describe('problems of texts that are not saved', () => {
  it('LP1: are heard of what is edited, and only news are reported', async () => {
    const { files, problems, changes, rules } = await start();
    problems.heard(SKILL, [found('nothing is edited')]);
    expect(rules()).toEqual(['old', 'duplicate-name']);
    files.edit(SKILL, 'typed');
    problems.heard(SKILL, [found('new', 2)]);
    expect(rules()).toEqual(['new', 'duplicate-name']);
    problems.heard(SKILL, [found('new', 2)]);
    expect(changes).toHaveLength(1);
  });

  it('LP2: last until the folder was read with the saved text, or the file was closed', async () => {
    const { files, problems, changes, rules } = await start();
    files.edit(SKILL, 'typed');
    problems.heard(SKILL, []);
    await files.save(SKILL);
    expect(rules()).toEqual(['duplicate-name']);
    problems.settle();
    expect(rules()).toEqual(['old', 'duplicate-name']);
    files.edit(SKILL, 'typed more');
    problems.heard(SKILL, []);
    files.close(SKILL, { discard: true });
    expect(rules()).toEqual(['old', 'duplicate-name']);
    expect(changes).toHaveLength(3);
  });
});
