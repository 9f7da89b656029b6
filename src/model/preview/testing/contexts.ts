/** A library in memory, and one of its skills under the pen. */
import { collectLog } from '../../../base/log.ts';
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import type { SessionPlan } from '../../session/start.ts';
import type { SkillFiles } from '../../skill/types.ts';
import type { PreviewContext } from '../edited.ts';

export const skillText = (name: string, description: string, body = `# ${name}\n\nDo it.\n`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

export const SKILLS: Readonly<Record<string, string>> = {
  'commit-message': skillText(
    'commit-message',
    'Writes commit messages for staged changes. Use when a commit needs a message.',
  ),
  'incident-report': skillText(
    'incident-report',
    'Writes a report after an outage. Use when an incident is over and people ask what happened.',
  ),
  'sql-style': skillText('sql-style', 'Formats SQL queries. Use when a query is hard to read.'),
};

/** The skill `edited` of the project, as it is saved. */
export const contextOf = async (
  edited: string,
  plan: Partial<Omit<SessionPlan, 'workspace'>> = {},
  skills: Readonly<Record<string, string>> = SKILLS,
  files: SkillFiles = new Map([['SKILL.md', { size: 1 }]]),
): Promise<PreviewContext> => {
  const tree = createMemoryTree(
    Object.fromEntries(Object.entries(skills).map(([name, text]) => [`skills/${name}/SKILL.md`, text])),
    'desk',
  );
  const { log } = collectLog();
  const workspace = await openWorkspace({ project: { tree } }, { profile: 'standard', dialect: 'metis', log });
  return {
    place: { layer: 'project', root: 'skills', path: `skills/${edited}`, folder: edited, files },
    plan: { workspaceName: 'desk', workspace, ...plan },
    profile: 'standard',
  };
};
