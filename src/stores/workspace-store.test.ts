import { describe, expect, it } from 'vitest';
import type { Severity } from '../model/skill/types.ts';
import { createWorkspaceStore, firstToShow, type OpenedWorkspace, type WorkspaceSkill } from './workspace-store.ts';

const skill = (name: string, more: Partial<WorkspaceSkill> = {}): WorkspaceSkill => ({
  path: `skills/${name}`,
  name,
  valid: true,
  isMetaskill: false,
  tokens: 1,
  text: '',
  diagnostics: [],
  ...more,
});

const problem = (severity: Severity) => ({
  rule: 'r',
  severity,
  message: '',
  file: 'SKILL.md',
  range: { start: 0, end: 0 },
  fixes: [],
});

describe('the workspace', () => {
  it('opens', async () => {
    const store = createWorkspaceStore({ load: () => Promise.resolve({ name: 'demo', skills: [skill('a')] }) });
    expect(store.getState()).toEqual({ status: 'loading' });
    await store.open();
    expect(store.getState()).toMatchObject({ status: 'ready', workspace: { name: 'demo' } });
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
    expect(store.getState()).toMatchObject({ status: 'ready' });
  });

  it('tells how far it is, and can be cancelled', async () => {
    const seen: unknown[] = [];
    let finish = (_workspace: OpenedWorkspace) => {};
    const store = createWorkspaceStore({
      load: ({ onProgress, signal }) => {
        onProgress({ done: 3 });
        onProgress({ done: 4, total: 10 });
        signal.addEventListener('abort', () => onProgress({ done: 5 }));
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    store.subscribe((state) => seen.push(state));
    const opening = store.open();
    store.cancel();
    finish({ name: 'late', skills: [] });
    await opening;
    expect(seen).toEqual([
      { status: 'loading' },
      { status: 'loading', progress: { done: 3 } },
      { status: 'loading', progress: { done: 4, total: 10 } },
      { status: 'cancelled' },
    ]);
    store.cancel();
    expect(store.getState()).toEqual({ status: 'cancelled' });
  });

  it('opening again takes the place of the first', async () => {
    const names = ['first', 'second'];
    const waiting: (() => void)[] = [];
    const store = createWorkspaceStore({
      load: () => {
        const name = names.shift() ?? '';
        return new Promise((resolve) => {
          waiting.push(() => resolve({ name, skills: [] }));
        });
      },
    });
    const both = [store.open(), store.open()];
    waiting[1]?.();
    waiting[0]?.();
    await Promise.all(both);
    expect(store.getState()).toMatchObject({ workspace: { name: 'second' } });
  });
});

describe('what is shown first', () => {
  it('is a skill without a fault, rather one that runs', () => {
    const bad = skill('bad', { diagnostics: [problem('warning')], isMetaskill: true });
    const plain = skill('plain', { diagnostics: [problem('hint')] });
    const runs = skill('runs', { isMetaskill: true });
    const hidden = skill('hidden', { isMetaskill: true, isShadowed: true });
    expect(firstToShow([hidden, bad, plain, runs])?.name).toBe('runs');
    expect(firstToShow([hidden, bad, plain])?.name).toBe('plain');
    expect(firstToShow([bad])?.name).toBe('bad');
    expect(firstToShow([])).toBeUndefined();
  });
});
