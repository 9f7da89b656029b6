import { describe, expect, it } from 'vitest';
import type { Severity } from '../../model/skill/types.ts';
import { workspaceSkill } from '../../model/workspace/testing/skills.ts';
import type { WorkspaceSkill } from '../../model/workspace/workspace-view.ts';
import {
  agentsWords,
  contextGroup,
  librarySummary,
  libraryTree,
  rowId,
  searchLibrary,
  targetOf,
} from './library-view.ts';

const skill = (name: string, more: Partial<WorkspaceSkill> = {}): WorkspaceSkill =>
  workspaceSkill(`skills/${name}`, { tokens: 10, ...more });
const CODEX = { client: 'codex', label: 'Codex', from: '' } as const;
const files = (...paths: string[]) => paths.map((path) => ({ path, size: 1 }));
const problem = (severity: Severity) => ({
  rule: 'r',
  severity,
  message: '',
  file: 'SKILL.md',
  range: { start: 0, end: 0 },
  fixes: [],
});

const skills = [
  skill('pdf', { layer: 'user', files: files('scripts/fill.py', 'SKILL.md', 'a.md') }),
  skill('ünit'),
  skill('zip', { root: 'skills', files: files('SKILL.md', 'references/pdf.md') }),
  skill('api', { root: 'skills' }),
];

describe('the library tree', () => {
  it('LB1: layers by precedence, skills by name, SKILL.md first', () => {
    const tree = libraryTree(skills);
    expect(tree.map(({ text, count }) => [text, count])).toEqual([
      ['Project', 3],
      ['User library', 1],
    ]);
    expect(tree[0]?.children.map(({ text }) => text)).toEqual(['api', 'zip', 'ünit']);
    expect(tree[1]?.children[0]?.children.map(({ text }) => text)).toEqual(['SKILL.md', 'a.md', 'scripts/fill.py']);
    expect(libraryTree([skill('a', { root: '.agents/skills' })])[0]?.text).toBe('Project · .agents/skills');
    expect(libraryTree([])).toEqual([]);
  });

  it('LB5: a row says what its badges show', () => {
    const diagnostics = [problem('error'), problem('warning'), problem('warning'), problem('hint')];
    const [layer] = libraryTree([
      skill('a', { diagnostics, isMetaskill: true, isPreloaded: true, outcome: 'shadowed' }),
      skill('b', { tokens: 1 }),
    ]);
    expect(layer?.name).toBe('Project, 2 skills');
    expect(layer?.children.map(({ name }) => name)).toEqual([
      'a, metaskill, preloaded, shadowed, 1 error, 2 warnings, 10 tokens',
      'b, 1 token',
    ]);
  });

  it('LB9: badges go by the skill’s place: one that no session finds says so', () => {
    const [layer] = libraryTree([
      skill('far', { outcome: 'not-searched' }),
      skill('hidden', { outcome: 'shadowed' }),
      skill('near', { outcome: 'not-searched', clients: [CODEX] }),
      skill('wrong', { outcome: 'skipped', diagnostics: [problem('error')] }),
    ]);
    expect(layer?.children.map(({ name }) => name)).toEqual([
      'far, not loaded, no agent looks there, 10 tokens',
      'hidden, shadowed, 10 tokens',
      'near, not loaded, 10 tokens',
      'wrong, not loaded, 1 error, 10 tokens',
    ]);
  });

  it('LB10: the count says how many a session would load, and where it works', () => {
    const all = [skill('a'), skill('b', { outcome: 'downgraded' }), skill('c', { outcome: 'shadowed' })];
    expect(librarySummary(all, '')).toBe('3 skills, 2 load');
    const lost = [skill('d', { outcome: 'not-searched' }), skill('e', { outcome: 'not-searched', clients: [CODEX] })];
    expect(librarySummary([...all, ...lost], '')).toBe('5 skills, 2 load · 1 outside every agent’s folders');
    expect(librarySummary(all.slice(0, 1), 'apps/web')).toBe('1 skill, 1 loads · Working folder: apps/web');
    expect(librarySummary([], '', 'apps/web')).toBe(
      '0 skills, 0 load · The working folder apps/web no longer exists. Sessions use the open folder.',
    );
  });

  it('a row knows what it stands for', () => {
    for (const target of [{ skill: '' }, { skill: 'a b/c' }, { skill: 'a', file: 'x y/z.md' }]) {
      expect(targetOf(rowId(target))).toEqual(target);
    }
    expect(targetOf('layer project')).toBeUndefined();
  });
});

describe('the search', () => {
  const tree = libraryTree(skills);
  const shape = (query: string) =>
    searchLibrary(tree, query).nodes.map(({ children }) =>
      children.map((node) => [node.text, 'children' in node ? node.children.map(({ text }) => text) : []]),
    );

  it('LB2: a name keeps all files, a file keeps itself', () => {
    expect(shape('PDF')).toEqual([
      [['zip', ['references/pdf.md']]],
      [['pdf', ['SKILL.md', 'a.md', 'scripts/fill.py']]],
    ]);
    expect(shape('zip ref')).toEqual([[['zip', ['references/pdf.md']]]]);
    expect(shape('nothing like it')).toEqual([]);
    expect(searchLibrary(tree, '').found).toBe(4);
  });

  it('LB7: what a session reads beside the skills is the last group, and is found too', () => {
    const group = contextGroup([
      { path: 'AGENTS.md', kind: 'instructions' },
      { path: '.agents/MEMORY.md', kind: 'memory' },
    ]);
    expect(group.map(({ name }) => name)).toEqual(['Instructions and memory, 2 files']);
    expect(group[0]?.children.map(({ id, name }) => [targetOf(id), name])).toEqual([
      [{ skill: '', file: 'AGENTS.md' }, 'instructions: AGENTS.md'],
      [{ skill: '', file: '.agents/MEMORY.md' }, 'memory: .agents/MEMORY.md'],
    ]);
    const found = searchLibrary([...tree, ...group], 'memory');
    expect(found.nodes.map(({ text, children }) => [text, children.map((node) => node.text)])).toEqual([
      ['Instructions and memory', ['.agents/MEMORY.md']],
    ]);
    expect(found.found).toBe(0);
    expect(contextGroup([])).toEqual([]);
  });

  it('LB3: opens the layers, and the skills that are there because of a file', () => {
    expect([...searchLibrary(tree, 'pdf').open]).toEqual(['skill skills/zip', 'layer project', 'layer user']);
  });
});

it('LBA1: names the agents that load a skill, and where to start them', () => {
  expect(agentsWords({ clients: [] })).toBe('No known agent loads this folder');
  expect(agentsWords({ clients: [CODEX, { client: 'cursor', label: 'Cursor', from: 'web' }] })).toBe(
    'Loaded by Codex, Cursor (started in web)',
  );
});
