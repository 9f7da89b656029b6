import { expect, it } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { DEFAULT_SETTINGS, planSession } from '../session/start.ts';
import { openWorkspace } from './open-workspace.ts';
import { NEW_SESSION, planIn, planOf } from './session-plan.ts';

const skill = '---\nname: pdf\ndescription: Reads PDF files. Use when one is there.\n---\nBody.\n';
const open = () =>
  openWorkspace(
    { project: { tree: createMemoryTree({ 'AGENTS.md': 'Be kind.', 'skills/pdf/SKILL.md': skill }) } },
    { profile: 'standard', dialect: 'metis', log: silentLog },
  );

it('SP1: everything that was chosen is in the plan, and nothing that was not', async () => {
  const sources = await open();
  const tool = { name: 'set_events', description: 'Sets events.', inputSchema: { type: 'object' } } as const;
  const plan = planOf(
    'work',
    sources,
    { ...NEW_SESSION, padding: 'off', persona: 'You are brief.', policy: 'off', maxCalls: 7, withoutTools: ['grep'] },
    [tool],
  );
  expect(plan).toMatchObject({
    workspaceName: 'work',
    padding: 'off',
    persona: 'You are brief.',
    policy: 'off',
    limits: { max_turns: 7 },
    withoutTools: ['grep'],
    extraTools: [tool],
  });
  expect(plan.workspace).toEqual(sources);
  const { prompt, tools } = planSession(plan);
  expect(prompt.segments.find(({ kind }) => kind === 'persona')?.text).toBe('You are brief.');
  expect(tools.map(({ name }) => name)).toContain('set_events');
});

it('SP2: where nobody chose, it is the simulator, metis, local, and the padding of the provider', async () => {
  const plan = planOf('work', await open(), NEW_SESSION);
  expect(plan).toMatchObject({ settings: DEFAULT_SETTINGS, dialect: 'metis', policy: 'local' });
  expect(plan.settings?.provider).toBe('simulator');
  expect(Object.keys(plan)).not.toContain('padding');
  expect(Object.keys(plan)).not.toContain('persona');
});

it('SP3: reads the folders by the profile and the chosen dialect, and plans a session there', async () => {
  const files = { 'AGENTS.md': 'Be kind.', 'skills/pdf/SKILL.md': skill, 'skills/Wrong/SKILL.md': skill };
  const library = { project: { tree: createMemoryTree(files) } };
  const next = { ...NEW_SESSION, dialect: 'agents' } as const;
  const plan = await planIn({ name: 'work', library, profile: 'standard' }, next, silentLog);
  expect(plan).toMatchObject({ workspaceName: 'work', dialect: 'agents' });
  expect(plan.workspace.instructions.text).toContain('Be kind.');
  expect(plan.workspace.library.store.list().map(({ path }) => path)).toEqual(['skills/pdf']);
});

it('SP4: shows the listing of an agent in place of the index, and loads what sessions load', async () => {
  const files = {
    'skills/pdf/SKILL.md': skill,
    '.claude/skills/csv/SKILL.md': '---\nname: csv\ndescription: Reads <csv>.\n---\n',
    '.claude/settings.json': '{"skillOverrides":{"off":"off"}}',
    '.claude/skills/off/SKILL.md': '---\nname: off\ndescription: Never.\n---\n',
  };
  const library = { project: { tree: createMemoryTree(files) } };
  const plan = await planIn(
    { name: 'work', library, profile: 'standard' },
    { ...NEW_SESSION, listing: 'claude-code' },
    silentLog,
  );
  const old = await planIn(
    { name: 'work', library, profile: 'standard' },
    { ...NEW_SESSION, listing: 'claude-code', listingVersion: '2.1.197' },
    silentLog,
  );
  expect(old.workspace.listing?.text).toContain('- csv: Reads <csv>.');
  expect(planSession(old).drafts.find(({ type }) => type === 'session.configured')).toMatchObject({
    payload: { listing: 'claude-code', listing_version: '2.1.197' },
  });
  const { prompt, drafts } = planSession(plan);
  expect(prompt.segments.find(({ kind }) => kind === 'skill-index')?.text.trim()).toBe(
    'The following skills are available for use with the Skill tool:\n\n- csv: Reads &lt;csv&gt;.',
  );
  expect(plan.workspace.library.store.list().map(({ skill: { name } }) => name)).toEqual(['csv', 'off', 'pdf']);
  expect(drafts.find(({ type }) => type === 'session.configured')).toMatchObject({
    payload: { listing: 'claude-code' },
  });
});
