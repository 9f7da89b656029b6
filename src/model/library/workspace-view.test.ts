import { expect, it } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { loadWorkspaceView } from './workspace-view.ts';

const skill = (name: string, body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: Does ${name} things. Use when ${name} is wanted.\n---\n${body}\n`;
const OPTIONS = { profile: 'standard', shownProfile: 'standard', dialect: 'metis', log: silentLog } as const;

it('WV1: all layers with files and problems; broken skills are there too', async () => {
  const project = createMemoryTree({
    'AGENTS.md': 'Be kind.',
    'skills/alpha/SKILL.md': skill('alpha'),
    'skills/alpha/scripts/run.py': 'print(1)',
    'skills/broken/SKILL.md': 'no frontmatter',
    '.agents/skills/loop/SKILL.md': skill('loop', 'Input keys: none'),
    '.agents/skills/loop/SKILL.star': 'def run(input):\n    return "x"\n',
  });
  const user = createMemoryTree({ 'alpha/SKILL.md': skill('alpha', 'Mine.'), 'gamma/SKILL.md': skill('gamma') });
  const { skills, instructions } = await loadWorkspaceView({ project: { tree: project }, user }, OPTIONS);
  expect(skills.map(({ path, layer }) => `${layer} ${path}`)).toEqual([
    'project .agents/skills/loop',
    'user alpha',
    'user gamma',
    'project skills/alpha',
    'project skills/broken',
  ]);
  const by = (path: string) => skills.find((item) => item.path === path);
  expect(by('.agents/skills/loop')).toMatchObject({ isMetaskill: true, root: '.agents/skills', valid: true });
  expect(by('skills/alpha')?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/run.py']);
  expect(by('skills/broken')?.valid).toBe(false);
  expect(by('alpha')).toMatchObject({ isShadowed: true });
  expect(instructions.text).toContain('Be kind.');
});

it('WV2: can be cancelled', async () => {
  const abort = new AbortController();
  abort.abort();
  const tree = createMemoryTree({ 'a/SKILL.md': skill('a') });
  await expect(loadWorkspaceView({ project: { tree } }, { ...OPTIONS, signal: abort.signal })).rejects.toBeDefined();
});
