import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { valueOr } from '../base/result.ts';
import { DIALECTS, METASKILL_POLICIES, RUNTIME_PROFILES } from '../model/library/types.ts';
import { PADDING_POLICIES } from '../model/prompt/types.ts';
import { CHECK_PROFILES, type Profile } from '../model/skill/types.ts';
import { z } from '../model/zod.ts';

/** What new sessions start with, and how skills are judged. Appearance is kept apart: the first paint needs it. */
const settingsSchema = z.object({
  /** Which skill tools the model gets, and in which words. */
  dialect: z.enum(DIALECTS),
  /** With the simulator. */
  simulatorPadding: z.enum(PADDING_POLICIES),
  /** With a real provider. */
  providerPadding: z.enum(PADDING_POLICIES),
  metaskillPolicy: z.enum(METASKILL_POLICIES),
  /** Decides which skills a session loads. */
  profile: z.enum(RUNTIME_PROFILES),
  /** By whose rules problems are shown; `session`: those that decide what is loaded. */
  judge: z.enum(['session', ...CHECK_PROFILES]),
  /** What an agent writes goes to the folder immediately, without being looked at first. */
  appliesWrites: z.boolean(),
});

export type Settings = Readonly<z.infer<typeof settingsSchema>>;

const DEFAULT_SETTINGS: Settings = {
  dialect: 'metis',
  simulatorPadding: 'spec',
  providerPadding: 'model',
  metaskillPolicy: 'local',
  profile: 'standard',
  judge: 'session',
  appliesWrites: false,
};

/** By whose rules problems are shown. */
export const shownProfile = ({ judge, profile }: Pick<Settings, 'judge' | 'profile'>): Profile =>
  judge === 'session' ? profile : judge;

const KEY = 'lathe.settings';
const VERSION = 1;
const fileSchema = z.object({ version: z.literal(VERSION), settings: z.record(z.string(), z.unknown()) });

export interface SettingsState {
  readonly settings: Settings;
  /** Why settings do not outlive the page, if they do not. */
  readonly storageProblem?: string;
}

export interface SettingsStore extends Pick<StoreApi<SettingsState>, 'getState' | 'subscribe' | 'getInitialState'> {
  readonly set: (change: Partial<Settings>) => void;
  readonly reset: () => void;
}

/** Each value by itself: one that is unknown here, from a newer or an older version, falls back alone. */
const readSettings = (values: Readonly<Record<string, unknown>>): Settings => {
  const known = Object.entries(settingsSchema.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(values[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return settingsSchema.parse({ ...DEFAULT_SETTINGS, ...Object.fromEntries(known) });
};

const readState = (storage: Pick<Storage, 'getItem'>): SettingsState => {
  let text: string | null;
  try {
    text = storage.getItem(KEY);
  } catch (thrown) {
    return { settings: DEFAULT_SETTINGS, storageProblem: errorMessage(thrown) };
  }
  if (text === null) return { settings: DEFAULT_SETTINGS };
  // Not ours: somebody else wrote it, or half of it. The defaults are written at the next change.
  const file = fileSchema.safeParse(valueOr(parseJson(text), undefined));
  return { settings: file.success ? readSettings(file.data.settings) : DEFAULT_SETTINGS };
};

export const createSettingsStore = (storage: Pick<Storage, 'getItem' | 'setItem'>): SettingsStore => {
  const store = createStore<SettingsState>(() => readState(storage));
  const write = (settings: Settings): void => {
    try {
      storage.setItem(KEY, JSON.stringify({ version: VERSION, settings }));
      store.setState({ settings }, true);
    } catch (thrown) {
      store.setState({ settings, storageProblem: errorMessage(thrown) }, true);
    }
  };
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    set: (change) => write(settingsSchema.parse({ ...store.getState().settings, ...change })),
    reset: () => write(DEFAULT_SETTINGS),
  };
};
