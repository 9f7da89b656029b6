import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ForecastChange } from '../../model/cache/forecast.ts';
import { changeWords, shortChange } from '../../model/cache/forecast-words.ts';
import { MODEL_BOOK } from '../../model/provider/model-book.ts';
import { modelWords } from '../../model/session-view/model-words.ts';
import { PROVIDER_WORDS } from '../../model/session-view/providers.ts';
import type { ProviderId } from '../../model/provider/types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Select } from '../../ui/select.tsx';
import type { SessionNeeds } from './needs.ts';
import styles from './model-toolbar.module.css';
import type { SessionUi } from './session-ui.ts';
import { useModels } from './use-models.ts';
import { useSettings } from './use-session.ts';

export type ModelToolbarProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly needs: SessionNeeds;
  /** Grows when a key or a connection has changed. */
  readonly version: number;
};

const PROVIDER_OPTIONS = PROVIDER_WORDS.map(({ id, label, about }) => ({ value: id, label, description: about }));

/** More would take longer than anybody looks at a list. */
const MOST_COMPARED = 30;

/** What is known of a model; once the list is looked at, also what switching to it does to the next request. */
const useDescriptions = (store: SessionStore, ids: readonly string[], current: string) => {
  const [changes, setChanges] = useState<ReadonlyMap<string, ForecastChange>>();
  const compare = async (): Promise<void> => {
    const known = ids.filter((id) => id !== current && MODEL_BOOK.has(id));
    // Without a forecast the list says what it always says.
    setChanges(await store.compareModels(known.slice(0, MOST_COMPARED)).catch(() => undefined));
  };
  const describe = useCallback(
    (id: string): string => {
      const change = id === current ? undefined : changes?.get(id);
      return change ? `${modelWords(id).line} · ${shortChange(change)}` : modelWords(id).line;
    },
    [changes, current],
  );
  return { describe, compare };
};

/** What was switched since the last request, and what that does to the next one. */
const usePendingChange = (store: SessionStore): string | undefined => {
  const revision = useStore(store, (state) => state.revision);
  const typed = useStore(store, (state) => state.typed);
  const isIdle = useStore(store, (state) => state.status === 'idle');
  const settings = store.state()?.settings;
  const last = store.state()?.calls.findLast(({ isNested }) => !isNested);
  const isChanged = isIdle && last?.settings !== undefined && settings !== undefined && last.settings !== settings;
  const question = useMemo(() => ({ settings, typed, revision }), [settings, typed, revision]);
  const [known, setKnown] = useState<{ readonly of: typeof question; readonly words: string | undefined }>();
  useEffect(() => {
    if (!isChanged) return undefined;
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const change = await store.pendingChange().catch(() => undefined);
      if (isWanted) setKnown({ of: question, words: change && changeWords(change, 'The next request') });
    };
    void ask();
    return () => {
      isWanted = false;
    };
  }, [store, isChanged, question]);
  // While somebody types the last answer stays.
  return isChanged && known?.of.settings === settings ? known.words : undefined;
};

/** Which model answers. Both may change in mid-session, from the next request on. */
export const ModelToolbar = ({ store, ui, needs, version }: ModelToolbarProps) => {
  const { provider, model } = useSettings(store);
  const { ids, problem } = useModels(needs, provider, version);
  const [typed, setTyped] = useState<string>();
  const words = modelWords(model);
  const { describe, compare } = useDescriptions(store, ids, model);
  const pending = usePendingChange(store);

  const chooseProvider = (next: ProviderId): void => {
    if (next === provider) return;
    const first = PROVIDER_WORDS.find(({ id }) => id === next)?.model ?? '';
    setTyped(undefined);
    store.change({ provider: next, model: first });
  };
  const chooseModel = (next: string): void => {
    setTyped(undefined);
    const id = next.trim();
    if (id !== '' && id !== model) store.change({ model: id });
  };
  const needsKey = problem?.code === 'no_key' || problem?.code === 'wrong_key';

  return (
    <div className={styles['toolbar']}>
      <div className={styles['line']}>
        <div className={styles['provider']}>
          <Select label="Provider" options={PROVIDER_OPTIONS} value={provider} onChange={chooseProvider} />
        </div>
        <div className={styles['model']}>
          <ComboBox
            label="Model"
            options={ids}
            value={typed ?? model}
            onChange={setTyped}
            onCommit={chooseModel}
            describe={describe}
            onFocus={() => void compare()}
          />
        </div>
        <IconButton label="Session settings" icon="settings" slot="close" onPress={() => needs.openSettings?.()} />
      </div>
      <p className={styles['facts']} title="Price per million tokens, cache floor, and context window.">
        {model === '' ? 'Enter the name of a model on this server.' : words.line}
      </p>
      {model !== '' && words.unknown !== undefined && <p className={styles['facts']}>{words.unknown}</p>}
      {pending !== undefined && (
        <p className={styles['pending']} role="status">
          {pending}
        </p>
      )}
      {problem && (
        <p className={styles['problem']} role="status">
          {problem.message} {needsKey ? '' : problem.nextStep}{' '}
          {needsKey && (
            <Button look="link" onPress={() => ui.show({ kind: 'keys' })}>
              Enter a key
            </Button>
          )}
        </p>
      )}
    </div>
  );
};
