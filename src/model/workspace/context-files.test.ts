import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { contextFiles } from './context-files.ts';
import { workspaceSkill } from './testing/skills.ts';

const treeOf = (files: readonly string[]) => createMemoryTree(Object.fromEntries(files.map((path) => [path, 'x'])));
const paths = async (...files: string[]) =>
  (await contextFiles({ tree: treeOf(files) }, [])).map(({ path, kind }) => `${kind} ${path}`);

describe('files beside the skills', () => {
  it('CX1: instructions, USER.md, MEMORY.md, configuration, in the order of the prompt', async () => {
    expect(await paths('MEMORY.md', 'USER.md', 'CLAUDE.md', 'AGENTS.md', '.agents/config.yaml', 'README.md')).toEqual([
      'instructions AGENTS.md',
      'instructions CLAUDE.md',
      'user USER.md',
      'memory MEMORY.md',
      'configuration .agents/config.yaml',
    ]);
    expect(await paths('skills/a/SKILL.md', 'skills/AGENTS.md')).toEqual([]);
  });

  it('CX2: of memories in several folders the one that a session reads', async () => {
    expect(await paths('MEMORY.md', '.metis/MEMORY.md', '.metis/USER.md')).toEqual([
      'user .metis/USER.md',
      'memory .metis/MEMORY.md',
    ]);
    expect(await paths('MEMORY.md', '.metis/MEMORY.md', '.agents/MEMORY.md')).toEqual(['memory .agents/MEMORY.md']);
  });

  it('CX3: instructions from the opened folder down to the working folder, and none of its neighbours', async () => {
    const tree = treeOf([
      'AGENTS.md',
      'apps/AGENTS.md',
      'apps/web/CLAUDE.md',
      'apps/api/AGENTS.md',
      'apps/web/MEMORY.md',
    ]);
    const found = await contextFiles({ tree, workingFolder: 'apps/web' }, []);
    expect(found.map(({ path }) => path)).toEqual(['AGENTS.md', 'apps/AGENTS.md', 'apps/web/CLAUDE.md']);
  });

  it('CX4: what is in a skill belongs to the skill', async () => {
    const tree = treeOf(['SKILL.md', 'AGENTS.md']);
    expect(await contextFiles({ tree }, [workspaceSkill('')])).toEqual([]);
    expect(await contextFiles({ tree }, [workspaceSkill('skills/a')])).toHaveLength(1);
  });
});
