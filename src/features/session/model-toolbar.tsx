import { useState } from 'react';
import { modelWords } from '../../model/session-view/model-words.ts';
import { PROVIDER_WORDS } from '../../model/session-view/providers.ts';
import type { ProviderId } from '../../model/provider/types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Select } from '../../ui/select.tsx';
import type { SessionHost } from './host.ts';
import styles from './model-toolbar.module.css';
import type { SessionUi } from './session-ui.ts';
import { useModels } from './use-models.ts';
import { useSettings } from './use-session.ts';

export type ModelToolbarProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly host: SessionHost;
  /** Grows when a key or a connection has changed. */
  readonly version: number;
};

const PROVIDER_OPTIONS = PROVIDER_WORDS.map(({ id, label, about }) => ({ value: id, label, description: about }));

const describe = (id: string): string => modelWords(id).line;

/** Which model answers. Both may change in mid-session, from the next request on. */
export const ModelToolbar = ({ store, ui, host, version }: ModelToolbarProps) => {
  const { provider, model } = useSettings(store);
  const { ids, problem } = useModels(host, provider, version);
  const [typed, setTyped] = useState<string>();
  const words = modelWords(model);

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
          />
        </div>
        <IconButton label="Session settings" icon="settings" onPress={() => ui.show({ kind: 'settings' })} />
      </div>
      <p
        className={styles['facts']}
        title="Dollars per million tokens, the shortest prefix that is cached, and how many tokens fit into one request."
      >
        {model === '' ? 'Name the model that this server offers.' : words.line}
      </p>
      {model !== '' && words.unknown !== undefined && <p className={styles['facts']}>{words.unknown}</p>}
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
