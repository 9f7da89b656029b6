import { describe, expect, it } from 'vitest';
import type { Diagnostic, FixSafety, Severity } from '../../model/skill/types.ts';
import { workspaceSkill } from '../../model/workspace/testing/skills.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import {
  countBySeverity,
  countSafeFixes,
  groupProblems,
  problemsByFile,
  withSeverities,
  withWords,
} from './problems-view.ts';

const diagnostic = (
  rule: string,
  severity: Severity,
  start: number,
  file = 'SKILL.md',
  fix?: FixSafety,
): Diagnostic => ({
  rule,
  severity,
  message: rule,
  file,
  range: { start, end: start },
  fixes: fix ? [{ title: 'Fix it', safety: fix, action: { kind: 'rename-folder', to: 'x' } }] : [],
});

const skill = (name: string, diagnostics: readonly Diagnostic[]): WorkspaceSkill =>
  workspaceSkill(name, { text: 'one\ntwo\nthree', diagnostics });

const skills = [
  skill('b', [
    diagnostic('late', 'warning', 9, 'SKILL.md', 'safe'),
    diagnostic('hint', 'hint', 4, 'SKILL.md', 'safe'),
    diagnostic('early', 'error', 4, 'SKILL.md', 'unsafe'),
    diagnostic('program', 'error', 0, 'SKILL.star'),
  ]),
  skill('a', [diagnostic('note', 'info', 0, 'SKILL.md', 'safe')]),
  skill('c', []),
];

describe('problems', () => {
  const files = problemsByFile(skills);

  it('PB1, PB5: by file, inside it by place and severity; with places where the text is known', () => {
    const shape = files.map(({ skill: path, file, problems }) => [
      `${path}/${file}`,
      ...problems.map(({ diagnostic: { rule }, line, column }) => `${rule} ${line}:${column}`),
    ]);
    expect(shape).toEqual([
      ['b/SKILL.md', 'early 2:1', 'hint 2:1', 'late 3:2'],
      ['b/SKILL.star', 'program undefined:undefined'],
      ['a/SKILL.md', 'note 1:1'],
    ]);
  });

  it('PB2: counts and filters', () => {
    expect(countBySeverity(files)).toEqual({ error: 2, warning: 1, info: 1, hint: 1 });
    expect(
      withSeverities(files, new Set(['warning', 'info'])).map(({ file, problems }) => [file, problems.length]),
    ).toEqual([
      ['SKILL.md', 1],
      ['SKILL.md', 1],
    ]);
    expect(withSeverities(files, new Set())).toEqual([]);
  });

  it('PB4: counts the safe fixes, not those of hints', () => {
    expect(countSafeFixes(files)).toBe(2);
  });

  it('PB6: what is outside the open folder is reported, and is not counted for fixing', () => {
    const note = diagnostic('note', 'info', 0, 'SKILL.md', 'safe');
    const elsewhere = problemsByFile([
      { ...skill('user:a', [note]), layer: 'user', isInFolder: false },
      { ...skill('config:more/b', [note]), layer: 'config', isInFolder: false },
      { ...skill('more/c', [note]), layer: 'config' },
    ]);
    expect(elsewhere.map(({ problems }) => problems[0]?.isElsewhere)).toEqual([true, true, undefined]);
    expect(countSafeFixes(elsewhere)).toBe(1);
  });

  it('PB1: what keeps a skill from loading comes first, then the heaviest; by rule, the most frequent', () => {
    const weighed = problemsByFile([
      skill('a', [diagnostic('w', 'warning', 0), diagnostic('h', 'hint', 0)]),
      skill('b', [diagnostic('w', 'warning', 0)]),
      skill('c', [diagnostic('e', 'error', 0)]),
      { ...skill('d', [diagnostic('n', 'error', 0), diagnostic('w', 'warning', 1)]), outcome: 'skipped' },
    ]);
    expect(groupProblems(weighed, 'skill').map(({ title, willNotLoad }) => [title, willNotLoad])).toEqual([
      ['d/SKILL.md', true],
      ['c/SKILL.md', false],
      ['a/SKILL.md', false],
      ['b/SKILL.md', false],
    ]);
    expect(groupProblems(weighed, 'rule').map(({ title, problems }) => [title, problems.length])).toEqual([
      ['n', 1],
      ['e', 1],
      ['w', 3],
      ['h', 1],
    ]);
  });

  it('PB7: every word of the filter is in the place, the rule, or the message', () => {
    expect(
      withWords(files, ' B/skill LATE ').flatMap(({ problems }) => problems.map(({ diagnostic: { rule } }) => rule)),
    ).toEqual(['late']);
    expect(withWords(files, '')).toBe(files);
    expect(withWords(files, 'nothing')).toEqual([]);
  });
});
