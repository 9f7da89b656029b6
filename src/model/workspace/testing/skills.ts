/** Skills of a workspace for tests that look at a few of their facts. */
import type { WorkspaceSkill } from '../workspace-view.ts';

/** A skill of the opened folder that a session loads; its id is its path unless said otherwise. */
export const workspaceSkill = (path: string, more: Partial<WorkspaceSkill> = {}): WorkspaceSkill => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    id: path,
    path,
    isInFolder: true,
    name,
    layer: 'project',
    root: '',
    valid: true,
    isMetaskill: false,
    clients: [],
    outcome: 'loaded',
    loadedAs: name,
    isPreloaded: false,
    tokens: 1,
    text: '',
    diagnostics: [],
    files: [],
    input: { content: '', fileName: 'SKILL.md' },
    ...more,
  };
};
