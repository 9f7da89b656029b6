import { expect, it } from 'vitest';
import { createWorkspaceStore, type WorkspaceSkill } from './workspace-store.ts';

const skill = (name: string, valid: boolean): WorkspaceSkill => ({
  path: `skills/${name}`,
  name,
  valid,
  isMetaskill: false,
  tokens: 1,
  text: '',
  diagnostics: [],
});

it('opens with the first skill that has a problem, and selects by path', async () => {
  const store = createWorkspaceStore({
    load: () => Promise.resolve({ name: 'demo', skills: [skill('a', true), skill('b', false)] }),
  });
  expect(store.getState().status).toBe('loading');
  await store.open();
  expect(store.getState()).toMatchObject({ status: 'ready', selected: { name: 'b' } });
  store.select('skills/a');
  expect(store.getState()).toMatchObject({ selected: { name: 'a' } });
  store.select('skills/nobody');
  expect(store.getState()).toMatchObject({ selected: { name: 'a' } });
});

it('keeps the reason when a folder cannot be opened, and can try again', async () => {
  let isBroken = true;
  const store = createWorkspaceStore({
    load: () => (isBroken ? Promise.reject(new Error('no network')) : Promise.resolve({ name: 'demo', skills: [] })),
  });
  await store.open();
  expect(store.getState()).toEqual({ status: 'failed', reason: 'no network' });
  isBroken = false;
  await store.open();
  expect(store.getState()).toMatchObject({ status: 'ready', selected: undefined });
});
