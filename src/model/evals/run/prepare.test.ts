import { expect, it } from 'vitest';
import { silentLog } from '../../../base/log.ts';
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import { planSession } from '../../session/start.ts';
import { NEW_SESSION, planIn } from '../../workspace/session-plan.ts';
import { plainQuery } from '../suite/plain-query.ts';
import { DEFAULTS } from '../suite/types.ts';
import { prepareRun } from './prepare.ts';

it('EVR7: the prompt of a run has the index, and no body that padding would preload', async () => {
  const skill = '---\nname: stapler\ndescription: Joins PDF files.\n---\n\nPut the pages in order first.\n';
  const tree = createMemoryTree({ '.agents/skills/stapler/SKILL.md': skill });
  const plan = await planIn(
    { name: 'test', library: { project: { tree } }, profile: 'standard' },
    NEW_SESSION,
    silentLog,
  );
  const session = planSession(plan).prompt;
  expect(session.preloaded).toEqual(['stapler']);
  expect(session.text).toContain('Put the pages in order first.');
  const { first } = prepareRun(
    { plan, settings: NEW_SESSION.settings, volatile: '', listingName: 'metis' },
    { skill: 'stapler', defaults: DEFAULTS, queries: [plainQuery('join the PDF files', 0, { expect: ['stapler'] })] },
    'evals/triggers.yaml',
  );
  expect(first.system.stable).toContain('Joins PDF files.');
  expect(first.system.stable).not.toContain('Put the pages in order first.');
});
