import { useState } from 'react';
import type { CredentialValues, InputForm } from '../../model/executor/types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';

export type CredentialFormProps = {
  readonly form: InputForm;
  /** Says that the vault has to be opened first; the person's words for it are asked here too. */
  readonly vault: 'unlocked' | 'locked' | 'empty';
  /** Opens or makes the vault. Says what is wrong. */
  readonly onPassphrase: (passphrase: string) => Promise<string | undefined>;
  readonly onDone: (values: CredentialValues | undefined) => void;
};

const REASONS = { missing: 'needs', expired: 'needs new' } as const;

/** Asks for what an executor needs. Values go to the vault, never to the model. */
export const CredentialForm = ({ form, vault, onPassphrase, onDone }: CredentialFormProps) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isOpen, setOpen] = useState(vault === 'unlocked');
  const isComplete = form.fields.every(({ name }) => (values[name] ?? '') !== '');
  const save = async (): Promise<void> => {
    if (!isOpen) {
      const wrong = await onPassphrase(passphrase);
      setProblem(wrong);
      if (wrong !== undefined) return;
      setOpen(true);
    }
    onDone(values);
  };
  return (
    <Dialog
      title={`Credentials for ${form.title}`}
      isOpen
      onClose={() => onDone(undefined)}
      size="small"
      footer={
        <>
          <Button onPress={() => onDone(undefined)}>Not now</Button>
          <Button
            look="primary"
            onPress={() => void save()}
            {...(!isComplete && { disabledReason: 'Fill in every field first.' })}
          >
            Save and go on
          </Button>
        </>
      }
    >
      <p>
        <code>{form.executor}</code> {REASONS[form.reason]} credentials. They are encrypted in this browser; the model
        never sees them.
      </p>
      {form.fields.map(({ name, prompt, kind }) => (
        <TextField
          key={name}
          label={prompt}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
          isSecret={kind === 'api_key' || kind === 'token'}
          isMono
          {...(kind === 'file' && { description: 'The text of the file.' })}
        />
      ))}
      {!isOpen && (
        <TextField
          label={vault === 'empty' ? 'New passphrase' : 'Passphrase'}
          value={passphrase}
          onChange={setPassphrase}
          isSecret
          description={
            vault === 'empty'
              ? 'It encrypts what you save here. Nobody can recover it.'
              : 'It opens what you saved here before.'
          }
          error={problem}
        />
      )}
    </Dialog>
  );
};
