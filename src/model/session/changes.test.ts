import { describe, expect, it } from 'vitest';
import { changesSince } from './changes.ts';
import { planSession } from './start.ts';
import { setup, skillFile } from './testing/setup.ts';

const base = {
  'AGENTS.md': 'Be kind.',
  'skills/alpha/SKILL.md': skillFile('alpha', 'Alpha body.'),
  'skills/beta/SKILL.md': skillFile('beta', 'Beta body.'),
};

const compare = async (after: Readonly<Record<string, string>>, padding: 'off' | 'spec' = 'off') => {
  const { session } = await setup({ files: base, script: [], plan: { padding } });
  const { workspace } = await setup({ files: after, script: [] });
  const { config } = session.state;
  if (!config) throw new Error('no config');
  const planned = planSession({ workspaceName: 'desk', workspace, padding, settings: config.settings });
  return changesSince(config, planned);
};

describe('changes since the start', () => {
  it('SE55: an unchanged folder changes nothing', async () => {
    expect(await compare(base)).toEqual({ skills: [], firstDifference: undefined });
  });

  it('SE55: a body that is loaded on demand breaks no prefix', async () => {
    const changes = await compare({ ...base, 'skills/beta/SKILL.md': skillFile('beta', 'Another body.') });
    expect(changes).toMatchObject({
      skills: [{ name: 'beta', kind: 'body' }],
      firstDifference: undefined,
    });
  });

  it('SE55: a preloaded body does', async () => {
    const changes = await compare({ ...base, 'skills/beta/SKILL.md': skillFile('beta', 'Another body.') }, 'spec');
    expect(changes).toMatchObject({
      skills: [{ name: 'beta', kind: 'text' }],
      firstDifference: { before: 'preloaded:beta', after: 'preloaded:beta' },
    });
  });

  it('SE55: a description does, from the index on; the tools before it stay', async () => {
    const changes = await compare({
      ...base,
      'skills/beta/SKILL.md': skillFile('beta', 'Beta body.', 'Something else.'),
    });
    expect(changes?.skills).toEqual([{ name: 'beta', kind: 'text' }]);
    expect(changes?.firstDifference).toEqual({ before: 'skill-index', after: 'skill-index' });
  });

  it('SE55: added and removed skills are named', async () => {
    const { 'skills/alpha/SKILL.md': _, ...rest } = base;
    const changes = await compare({ ...rest, 'skills/gamma/SKILL.md': skillFile('gamma', 'G.') });
    expect(changes?.skills).toEqual([
      { name: 'gamma', kind: 'added' },
      { name: 'alpha', kind: 'removed' },
    ]);
  });
});
