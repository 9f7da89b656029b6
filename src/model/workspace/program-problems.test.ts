import { describe, expect, it } from 'vitest';
import { readDocument } from '../skill/document.ts';
import type { Diagnostic } from '../skill/types.ts';
import { hasProgramToCheck, withProgramProblems } from './program-problems.ts';
import { workspaceSkill } from './testing/skills.ts';

const content = '---\nname: loop\ndescription: Loops. Use when a loop is wanted.\n---\nInput keys: none\n';
const readable = (files: Readonly<Record<string, string>>) => {
  const input = {
    content,
    fileName: 'SKILL.md',
    folder: 'loop',
    files: new Map(Object.entries(files).map(([path, text]) => [path, { size: text.length, text }])),
  };
  return { input, document: readDocument(input) };
};
const broken: Diagnostic = {
  rule: 'syntax',
  severity: 'error',
  message: 'got end of file',
  file: 'SKILL.star',
  range: { start: 0, end: 0 },
  fixes: [],
};

describe('problems of programs', () => {
  it('PP1: only profiles that know programs ask for them, and only where there is one', () => {
    const program = readable({ 'SKILL.star': 'def run(input):\n    return {}\n' });
    expect(hasProgramToCheck(program, 'standard')).toBe(true);
    expect(hasProgramToCheck(program, 'metaskill')).toBe(true);
    expect(hasProgramToCheck(program, 'metis')).toBe(false);
    expect(hasProgramToCheck(readable({}), 'standard')).toBe(false);
  });

  it('PP2: come after those of the text, and an error among them makes the skill invalid', () => {
    const skill = workspaceSkill('loop', { diagnostics: [{ ...broken, rule: 'old', severity: 'warning' }] });
    const program = { file: 'SKILL.star', text: 'def' };
    const known = withProgramProblems(skill, { program, diagnostics: [broken] });
    expect(known.diagnostics.map(({ rule }) => rule)).toEqual(['old', 'syntax']);
    expect(known).toMatchObject({ valid: false, program });
    expect(withProgramProblems(skill, undefined)).toBe(skill);
  });
});
