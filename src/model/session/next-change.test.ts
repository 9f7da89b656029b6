import { describe, expect, it } from 'vitest';
import { pendingChange, settingsChange } from './next-change.ts';
import { setup, skillFile } from './testing/setup.ts';

const FILES = { 'skills/alpha/SKILL.md': skillFile('alpha', 'Alpha body. '.repeat(400)) };
const ANSWER = 'Yes.';

const open = () => setup({ files: FILES, script: [ANSWER, ANSWER, ANSWER], plan: { padding: 'spec' } });

describe('a switch in mid-session', () => {
  it('SE56: another model loses what is cached, and says so before the request', async () => {
    const { session, deps } = await open();
    const { settings } = session.state;
    if (!settings) throw new Error('no settings');
    expect(await settingsChange(deps, session, { ...settings, model: 'claude-sonnet-4-5' })).toBeUndefined();
    await session.send('One.');
    const change = await settingsChange(deps, session, { ...settings, model: 'claude-sonnet-4-5' }, 'Two.');
    expect(change?.before.usage.read).toBeGreaterThan(4500);
    expect(change).toMatchObject({ lost: change?.before.usage.read, after: { usage: { read: 0 } } });
  });

  it('SE57: what was switched since the last request is reported, until it is sent or switched back', async () => {
    const { session, deps } = await open();
    const { settings } = session.state;
    if (!settings) throw new Error('no settings');
    await session.send('One.');
    expect(await pendingChange(deps, session, 'Two.')).toBeUndefined();
    session.change({ model: 'claude-sonnet-4-5' });
    const change = await pendingChange(deps, session, 'Two.');
    expect(change?.lost).toBeGreaterThan(0);
    session.change({ model: settings.model });
    expect(await pendingChange(deps, session, 'Two.')).toBeUndefined();
    session.change({ model: 'claude-sonnet-4-5' });
    await session.send('Two.');
    expect(await pendingChange(deps, session)).toBeUndefined();
  });

  it('SE57: a memory that changed since the last request is reported', async () => {
    const { session, deps, tree } = await open();
    session.change({ cache: { mode: 'rolling', ttl: { tools: '5m', system: '5m', messages: '5m' } } });
    await session.send('One.');
    await tree.write('MEMORY.md', new TextEncoder().encode('- Ships leave at nine.'));
    const change = await pendingChange(deps, session, 'Two.');
    // The conversation after the memory is lost, the stable prompt is not.
    expect(change?.lost).toBeGreaterThan(0);
    expect(change?.after.usage.read).toBeGreaterThan(0);
  });
});
