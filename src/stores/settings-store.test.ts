import { describe, expect, it } from 'vitest';
import { createSettingsStore, shownProfile } from './settings-store.ts';

const storageWith = (text: string | null = null) => {
  const kept = { text };
  return { kept, getItem: () => kept.text, setItem: (_key: string, value: string) => void (kept.text = value) };
};

const defaults = {
  dialect: 'metis',
  simulatorPadding: 'spec',
  providerPadding: 'model',
  metaskillPolicy: 'local',
  profile: 'standard',
  judge: 'session',
  appliesWrites: false,
};

describe('settings', () => {
  it('SET1: start with the defaults of D16', () => {
    expect(createSettingsStore(storageWith()).getState()).toEqual({ settings: defaults });
  });

  it('SET2: a change is written with a version, and read again', () => {
    const storage = storageWith();
    createSettingsStore(storage).set({ dialect: 'agents' });
    expect(JSON.parse(storage.kept.text ?? '')).toEqual({ version: 1, settings: { ...defaults, dialect: 'agents' } });
    expect(createSettingsStore(storage).getState().settings.dialect).toBe('agents');
  });

  it('SET3: a value that is unknown here falls back alone', () => {
    const text = '{"version":1,"settings":{"dialect":"agents","profile":"tomorrow","more":1,"appliesWrites":"yes"}}';
    expect(createSettingsStore(storageWith(text)).getState()).toEqual({ settings: { ...defaults, dialect: 'agents' } });
  });

  it.each(['{', 'null', '[]', '{"version":2,"settings":{"dialect":"agents"}}'])(
    'SET3: %s means the defaults',
    (text) => {
      expect(createSettingsStore(storageWith(text)).getState()).toEqual({ settings: defaults });
    },
  );

  it('SET10: problems are shown by the session’s rules unless another judge is chosen', () => {
    const store = createSettingsStore(storageWith());
    store.set({ profile: 'metis' });
    expect(shownProfile(store.getState().settings)).toBe('metis');
    store.set({ judge: 'codex' });
    expect(shownProfile(store.getState().settings)).toBe('codex');
    expect(store.getState().settings.profile).toBe('metis');
  });

  it('SET4: blocked storage is said, and the change holds until the page is closed', () => {
    const refuse = () => {
      throw new Error('blocked by the browser');
    };
    const store = createSettingsStore({ getItem: refuse, setItem: refuse });
    expect(store.getState()).toEqual({ settings: defaults, storageProblem: 'blocked by the browser' });
    store.set({ profile: 'metis' });
    expect(store.getState()).toEqual({
      settings: { ...defaults, profile: 'metis' },
      storageProblem: 'blocked by the browser',
    });
  });

  it('SET5: reset brings the defaults back', () => {
    const storage = storageWith();
    const store = createSettingsStore(storage);
    store.set({ metaskillPolicy: 'off' });
    store.reset();
    expect(store.getState()).toEqual({ settings: defaults });
    expect(createSettingsStore(storage).getState().settings).toEqual(defaults);
  });
});
