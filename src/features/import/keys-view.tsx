import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { SigningKeys } from '../../platform/importer/signing-keys.ts';
import styles from './import-panel.module.css';

export type KeysViewProps = {
  readonly keys: SigningKeys;
  readonly copy: (text: string, what: string) => void;
  /** Another key counts now, or does not any more: everything is verified again. */
  readonly onChange: () => void;
};

interface Shown {
  readonly own: string;
  readonly isReadable: boolean;
  readonly trusted: readonly { readonly name: string; readonly publicKey: string }[];
}

/** Whose signatures count: this browser's, and those of people that are trusted. */
export const KeysView = ({ keys, copy, onChange }: KeysViewProps) => {
  const [shown, setShown] = useState<Shown>();
  const [name, setName] = useState('');
  const [publicKey, setPublicKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const look = async (): Promise<void> => {
    const [own, all, signer] = [await keys.exportPublic(), await keys.others(), await keys.own()];
    setShown({ own, isReadable: signer.kind === 'software', trusted: all });
  };
  useEffect(() => {
    void look();
    // oxlint-disable-next-line react/exhaustive-deps -- the keys are the same for the whole page
  }, [keys]);
  const changed = async (): Promise<void> => {
    await look();
    onChange();
  };
  const trust = async (): Promise<void> => {
    const answer = await keys.trust(name, publicKey);
    setProblem(answer.ok ? undefined : answer.error);
    if (!answer.ok) return;
    setName('');
    setPublicKey('');
    await changed();
  };
  const distrust = async (key: string): Promise<void> => {
    await keys.distrust(key);
    await changed();
  };
  if (!shown) return null;
  return (
    <section className={styles['block']} aria-label="Signing keys">
      <h3>Signing keys</h3>
      <ul className={styles['rows']}>
        <li className={styles['row']}>
          <strong>This browser</strong>
          <code className={styles['key']}>{shown.own}</code>
          <Button look="quiet" onPress={() => copy(shown.own, 'Public key copied')}>
            Copy public key
          </Button>
        </li>
        {shown.trusted.map((item) => (
          <li key={item.publicKey} className={styles['row']}>
            <strong>{item.name}</strong>
            <code className={styles['key']}>{item.publicKey}</code>
            <Button look="quiet" onPress={() => void distrust(item.publicKey)}>
              Revoke trust
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles['quiet']}>
        {shown.isReadable
          ? 'This browser can’t store an unreadable key. Lathe holds it in memory, and in the vault while that is open.'
          : 'Nobody can read the private key, not even this app. Executors signed with another key are disabled until you trust that key.'}
      </p>
      <div className={styles['edit']} role="group" aria-label="Trust another key">
        <TextField label="Key owner" value={name} onChange={setName} />
        <TextField label="Public key, 64 hex digits" value={publicKey} onChange={setPublicKey} isMono error={problem} />
        <Button
          onPress={() => void trust()}
          {...(publicKey.trim() === '' && { disabledReason: 'Enter the public key first.' })}
        >
          Trust this key
        </Button>
      </div>
    </section>
  );
};
