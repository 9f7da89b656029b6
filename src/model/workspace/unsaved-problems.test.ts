import { expect, it } from 'vitest';
import type { Diagnostic } from '../skill/types.ts';
import { workspaceSkill } from './testing/skills.ts';
import { isSameJudgement, withUnsavedProblems, type JudgedText } from './unsaved-problems.ts';

const found = (rule: string, start = 0, file = 'SKILL.md'): Diagnostic => ({
  rule,
  severity: 'error',
  message: rule,
  file,
  range: { start, end: start },
  fixes: [],
});
const skill = workspaceSkill('skills/pdf', {
  text: 'on disk',
  diagnostics: [found('old'), found('duplicate-name'), found('loop', 3, 'SKILL.star')],
});
const judged = (texts: Readonly<Record<string, JudgedText>>) => new Map(Object.entries(texts));
const rulesOf = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
  diagnostics.map(({ rule }) => rule);

it('LP1: are in place of those on disk; those of several skills and of other files stay', () => {
  const edited = withUnsavedProblems(
    skill,
    judged({ 'skills/pdf/SKILL.md': { text: 'typed', diagnostics: [found('new', 2)] } }),
  );
  expect(rulesOf(edited)).toEqual(['new', 'duplicate-name', 'loop']);
  expect(edited.text).toBe('typed');
  const program = withUnsavedProblems(
    skill,
    judged({ 'skills/pdf/SKILL.star': { text: 'def run', diagnostics: [found('syntax', 1, 'SKILL.star')] } }),
  );
  expect(rulesOf(program)).toEqual(['old', 'duplicate-name', 'syntax']);
  expect(program.program).toEqual({ file: 'SKILL.star', text: 'def run' });
});

it('LP1: of the opened folder only, and of nobody else’s file', () => {
  const texts = judged({ 'skills/pdf/SKILL.md': { text: 'typed', diagnostics: [] } });
  const elsewhere = { ...skill, id: 'user:skills/pdf', layer: 'user', isInFolder: false } as const;
  expect(withUnsavedProblems(elsewhere, texts)).toBe(elsewhere);
  const other = workspaceSkill('skills/docx');
  expect(withUnsavedProblems(other, texts)).toBe(other);
});

it('LP1: in the skill that is the opened folder itself, too', () => {
  const root = workspaceSkill('', { name: 'pdf' });
  expect(withUnsavedProblems(root, judged({ 'SKILL.md': { text: 'typed', diagnostics: [] } })).text).toBe('typed');
});

it('LP1: what the engine and the rules both say is reported once', () => {
  const twice = { text: '', diagnostics: [found('same', 1), found('same', 1)] };
  expect(rulesOf(withUnsavedProblems(workspaceSkill('a'), judged({ 'a/SKILL.md': twice })))).toEqual(['same']);
});

it('LP5: the same problems at the same places are not news', () => {
  expect(isSameJudgement([found('a', 1)], [found('a', 1)])).toBe(true);
  expect(isSameJudgement([found('a', 1)], [found('a', 2)])).toBe(false);
  expect(isSameJudgement([found('a', 1)], [])).toBe(false);
});
