import { expect, it } from 'vitest';
import { readSkill } from '../../model/skill/skill.ts';
import { humanProblem } from './human.ts';
import { createPaint } from './terminal-text.ts';

const linesOf = (content: string, rule: string, isFirst: boolean): readonly string[] => {
  const { diagnostics } = readSkill({ fileName: 'SKILL.md', folder: 'tables', content }, 'standard');
  const diagnostic = diagnostics.find((candidate) => candidate.rule === rule);
  if (!diagnostic) throw new Error(`${rule} does not speak`);
  const place = { file: 'tables/SKILL.md', line: 3, column: 1, endLine: 3, endColumn: 2, sourceLine: 'x' };
  return humanProblem({ diagnostic, ...place }, createPaint(false), isFirst).split('\n');
};

it('a problem that nobody can fix tells its reason, the first time; one with a fix tells that', () => {
  const short = '---\nname: tables\ndescription: Tables.\n---\nx\n';
  const reason = '      └ A body this short hardly says more than the description.';
  expect(linesOf(short, 'body-short', true).at(-1)).toBe(reason);
  expect(linesOf(short, 'body-short', false)).not.toContain(reason);
  const wrong = '---\nname: Tables\ndescription: Tables.\n---\nx\n';
  expect(linesOf(wrong, 'name-case', true).at(-1)).toBe('      └ fix: Set the name to `tables`');
});
