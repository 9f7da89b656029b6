import { describe, expect, it } from 'vitest';
import type { Severity } from '../skill/types.ts';
import { addressOf, addressOfPath, firstToShow, pathInSkill, skillAt, skillHolding } from './holder.ts';
import { workspaceSkill } from './testing/skills.ts';

const skills = [
  workspaceSkill('skills/pdf'),
  workspaceSkill('skills/pdf/inner/skills/deep'),
  workspaceSkill('skills/pdf-forms'),
  workspaceSkill('skills/own', { id: 'user:skills/own', layer: 'user', isInFolder: false }),
];
const root = workspaceSkill('', { name: 'top' });

describe('which skill holds a path', () => {
  it('HP1: the innermost whose folder it is in; a name that only begins alike is another folder', () => {
    const holding = (path: string) => skillHolding(skills, path)?.id;
    expect(holding('skills/pdf/SKILL.md')).toBe('skills/pdf');
    expect(holding('skills/pdf/inner/skills/deep/a.md')).toBe('skills/pdf/inner/skills/deep');
    expect(holding('skills/pdf/inner/notes.md')).toBe('skills/pdf');
    expect(holding('skills/pdf-forms/a.md')).toBe('skills/pdf-forms');
    expect(holding('skills/README.md')).toBeUndefined();
    expect(holding('skills/own/SKILL.md')).toBeUndefined();
  });

  it('HP2: the opened folder may itself be the skill: it holds whatever no skill inside it holds', () => {
    expect(skillHolding([root], 'SKILL.md')).toBe(root);
    expect(skillHolding([root], 'references/a.md')).toBe(root);
    expect(skillHolding([root, ...skills], 'skills/pdf/SKILL.md')?.id).toBe('skills/pdf');
  });

  it('HP3: inside it a file goes by the path below its folder', () => {
    expect(pathInSkill(workspaceSkill('skills/pdf'), 'skills/pdf/scripts/a.py')).toBe('scripts/a.py');
    expect(pathInSkill(root, 'scripts/a.py')).toBe('scripts/a.py');
  });
});

describe('addresses', () => {
  it('HP4: name the skill and the file in it, SKILL.md without a word', () => {
    expect(addressOfPath(skills, 'skills/pdf/SKILL.md')).toEqual({ skill: 'skills/pdf', file: undefined });
    expect(addressOfPath(skills, 'skills/pdf/scripts/a.py')).toEqual({ skill: 'skills/pdf', file: 'scripts/a.py' });
  });

  it('HP5: name the file alone where it is in no skill, or the opened folder is the skill', () => {
    expect(addressOfPath(skills, 'AGENTS.md')).toEqual({ skill: undefined, file: 'AGENTS.md' });
    expect(addressOfPath([root], 'SKILL.md')).toEqual({ skill: undefined, file: 'SKILL.md' });
    expect(addressOfPath([root], 'scripts/a.py')).toEqual({ skill: undefined, file: 'scripts/a.py' });
    expect(addressOf({ skill: '' })).toEqual({ skill: undefined, file: 'SKILL.md' });
  });

  it('HP6: lead back to the skill that they were made for', () => {
    for (const skill of [root, ...skills])
      expect(skillAt([...skills, root], addressOf({ skill: skill.id }))).toBe(skill);
    expect(skillAt(skills, { file: 'AGENTS.md' })).toBeUndefined();
    expect(skillAt(skills, { skill: 'skills/gone' })).toBeUndefined();
  });
});

describe('HP7: what is shown while nothing is chosen', () => {
  const problem = (severity: Severity) => ({
    rule: 'r',
    severity,
    message: '',
    file: 'SKILL.md',
    range: { start: 0, end: 0 },
    fixes: [],
  });
  it('is a skill without a fault, rather one that runs', () => {
    const bad = workspaceSkill('bad', { diagnostics: [problem('warning')], isMetaskill: true });
    const plain = workspaceSkill('plain', { diagnostics: [problem('hint')] });
    const runs = workspaceSkill('runs', { isMetaskill: true });
    const hidden = workspaceSkill('hidden', { isMetaskill: true, outcome: 'shadowed' });
    expect(firstToShow([hidden, bad, plain, runs])?.name).toBe('runs');
    expect(skillAt([hidden, bad, plain, runs], {})?.name).toBe('runs');
    expect(firstToShow([hidden, bad, plain])?.name).toBe('plain');
    expect(firstToShow([bad])?.name).toBe('bad');
    expect(firstToShow([])).toBeUndefined();
  });
});
