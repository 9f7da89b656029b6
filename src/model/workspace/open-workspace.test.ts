import { describe, expect, it } from 'vitest';
import { collectLog, silentLog } from '../../base/log.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from '../files/file-tree.ts';
import { openWorkspace } from './open-workspace.ts';
import { skillsAt } from '../library/testing/libraries.ts';

const recording = (tree: FileTree, name: string, read: string[]): FileTree => ({
  ...tree,
  read: async (path, limit) => {
    read.push(`${name}:${path}`);
    // Anyone who does not wait for an answer is overtaken.
    for (let turns = path.endsWith('AGENTS.md') ? 5 : 1; turns > 0; turns--)
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
    return tree.read(path, limit);
  },
});

describe('opening a workspace', () => {
  it('OW1: all instructions are read before the first skill', async () => {
    const read: string[] = [];
    const files = (prefix: string) => ({
      'AGENTS.md': `${prefix} agents`,
      'CONTEXT.md': `${prefix} context`,
      ...skillsAt({ [`skills/${prefix}`]: prefix }),
    });
    const project = createMemoryTree({
      ...files('project'),
      'work/CLAUDE.md': 'nearest',
      ...skillsAt({ 'work/near': 'near' }),
      '.agents/config.yaml': 'skills: { paths: [other] }',
    });
    const user = createMemoryTree({ ...files('user'), '.agents/AGENTS.md': 'mine' });
    const workspace = await openWorkspace(
      {
        project: { tree: recording(project, 'project', read), workingFolder: 'work' },
        user: recording(user, 'user', read),
        bundled: recording(createMemoryTree(files('bundled')), 'bundled', read),
        remote: [recording(createMemoryTree(files('remote')), 'remote', read)],
      },
      { profile: 'standard', dialect: 'metis', log: silentLog },
    );
    const isInstruction = (path: string) => /(?:AGENTS|CLAUDE|CONTEXT)\.md$/.test(path);
    const firstOther = read.findIndex((path) => !isInstruction(path));
    expect(read.slice(0, firstOther)).toEqual([
      'user:AGENTS.md',
      'user:CONTEXT.md',
      'user:.agents/AGENTS.md',
      'project:AGENTS.md',
      'project:CONTEXT.md',
      'project:work/CLAUDE.md',
    ]);
    expect(read.slice(firstOther).filter(isInstruction)).toEqual([]);
    expect(read.filter((path) => path.endsWith('SKILL.md'))).toHaveLength(5);
    expect(workspace.library.store.size).toBe(5);
    expect(workspace.instructions.files).toHaveLength(6);
  });

  it('OW1: both write to the same log, instructions first', async () => {
    const { log, lines } = collectLog();
    const tree = createMemoryTree({ 'AGENTS.md': Uint8Array.of(0xff), 'bad/SKILL.md': 'x' });
    await openWorkspace({ project: { tree } }, { profile: 'standard', dialect: 'metis', log });
    expect(lines.map(({ code }) => code)).toEqual(['instructions.not-utf8', 'skill.invalid']);
  });

  it('OW1: nothing opened is an empty workspace', async () => {
    const { instructions, library } = await openWorkspace(
      {},
      { profile: 'standard', dialect: 'agents', log: silentLog },
    );
    expect(instructions).toEqual({ text: '', tokens: 0, files: [] });
    expect(library.store.size).toBe(0);
  });
});
