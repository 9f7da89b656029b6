import { useState, useSyncExternalStore } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { ok, type Result } from '../../base/result.ts';
import { providerLabel } from '../../model/session-view/providers.ts';
import { KEY_PROVIDERS, type KeyFacts, type KeyProvider, type KeyRing } from '../../platform/runtime/key-ring.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './keys-dialog.module.css';

export type KeysDialogProps = {
  readonly ring: KeyRing;
  readonly onClose: () => void;
};

const PLACES = { none: 'no key', memory: 'in memory', vault: 'saved, encrypted' } as const;

type Where = 'memory' | 'vault';

type Answer = Promise<Result<void, { readonly message: string }>>;

/** Runs something that may be refused, and tells why. */
const useAnswer = (): [string | undefined, (work: Answer, after?: () => void) => void] => {
  const [problem, setProblem] = useState<string>();
  const wait = async (work: Answer, after: (() => void) | undefined): Promise<void> => {
    try {
      const answer = await work;
      setProblem(answer.ok ? undefined : answer.error.message);
      if (answer.ok) after?.();
    } catch (thrown) {
      setProblem(errorMessage(thrown));
    }
  };
  const run = (work: Answer, after?: () => void): void => void wait(work, after);
  return [problem, run];
};

const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p className={styles['problem']} role="alert">
      {text}
    </p>
  );

/** The passphrase that kept keys are encrypted with. */
const VaultFields = ({ ring, facts }: { readonly ring: KeyRing; readonly facts: KeyFacts }) => {
  const [passphrase, setPassphrase] = useState('');
  const [problem, run] = useAnswer();
  const [isForgetting, setForgetting] = useState(false);
  const clear = (): void => setPassphrase('');
  const forgetAll = async (): Answer => {
    await ring.forgetSaved();
    return ok(undefined);
  };
  if (facts.vault === 'unlocked')
    return (
      <div className={styles['line']}>
        <p>Saved keys are unlocked in this tab.</p>
        <Button onPress={ring.lock}>Lock</Button>
      </div>
    );
  const isNew = facts.vault === 'empty';
  const submit = (): void => run(isNew ? ring.createVault(passphrase) : ring.unlock(passphrase), clear);
  return (
    <form
      className={styles['vault']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={isNew ? 'New passphrase' : 'Passphrase'}
        value={passphrase}
        onChange={setPassphrase}
        isSecret
        description={
          isNew
            ? 'Encrypts the API keys saved in this browser. Nobody can recover a lost passphrase.'
            : 'Saved keys are locked until you enter it.'
        }
      />
      <div className={styles['line']}>
        <Button
          look="primary"
          onPress={submit}
          {...(passphrase === '' && { disabledReason: 'Enter the passphrase first.' })}
        >
          {isNew ? 'Set passphrase' : 'Unlock'}
        </Button>
        {!isNew &&
          (isForgetting ? (
            <Button look="danger" onPress={() => run(forgetAll(), () => setForgetting(false))}>
              Remove all saved keys
            </Button>
          ) : (
            <Button look="quiet" onPress={() => setForgetting(true)}>
              Forgot passphrase…
            </Button>
          ))}
      </div>
      <Problem text={problem} />
    </form>
  );
};

const KeyRow = ({
  provider,
  ring,
  facts,
  where,
}: {
  readonly provider: KeyProvider;
  readonly ring: KeyRing;
  readonly facts: KeyFacts;
  readonly where: Where;
}) => {
  const [key, setKey] = useState('');
  const [problem, run] = useAnswer();
  const label = provider === 'compatible' ? 'a compatible server' : providerLabel(provider);
  const place = facts.places[provider];
  const save = (): void => {
    if (key.trim() === '') return;
    if (where === 'vault') {
      run(ring.save(provider, key), () => setKey(''));
      return;
    }
    ring.hold(provider, key);
    setKey('');
  };
  return (
    <form
      className={styles['row']}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className={styles['key']}>
        <TextField label={`Key for ${label}`} value={key} onChange={setKey} isSecret isMono />
      </div>
      <div className={styles['beside']}>
        <Button
          onPress={save}
          aria-label={`Use the key for ${label}`}
          {...(key.trim() === '' && { disabledReason: 'Paste the key first.' })}
          {...(where === 'vault' && facts.vault !== 'unlocked' && { disabledReason: 'Enter the passphrase first.' })}
        >
          Use key
        </Button>
        <Badge tone={place === 'none' ? 'plain' : 'accent'}>{PLACES[place]}</Badge>
        {place !== 'none' && (
          <Button look="quiet" aria-label={`Remove the key for ${label}`} onPress={() => run(ring.forget(provider))}>
            Remove
          </Button>
        )}
      </div>
      <Problem text={problem} />
    </form>
  );
};

/** Where the keys of providers are, and how to enter, keep and forget them. */
export const KeysDialog = ({ ring, onClose }: KeysDialogProps) => {
  const facts = useSyncExternalStore(ring.subscribe, ring.facts);
  const [where, setWhere] = useState<Where>(facts.vault === 'empty' ? 'memory' : 'vault');
  return (
    <Dialog title="Keys" isOpen onClose={onClose} footer={<Button onPress={onClose}>Done</Button>}>
      <div className={styles['content']}>
        <p>
          Lathe sends an API key only to its provider, and never writes it to a log, an event, an export, or a URL. The
          simulator and most local servers don’t need one.
        </p>
        <Choice
          label="New API keys are"
          options={[
            { value: 'memory', label: 'in memory only' },
            { value: 'vault', label: 'saved, encrypted' },
          ]}
          value={where}
          onChange={setWhere}
          description={
            where === 'memory'
              ? 'The key is gone when you close or reload the page.'
              : 'The key stays in this browser, encrypted with a passphrase only you know.'
          }
        />
        {where === 'vault' && <VaultFields ring={ring} facts={facts} />}
        {KEY_PROVIDERS.map((provider) => (
          <KeyRow key={provider} provider={provider} ring={ring} facts={facts} where={where} />
        ))}
      </div>
    </Dialog>
  );
};
