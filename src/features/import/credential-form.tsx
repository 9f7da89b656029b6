import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { CredentialForms, WaitingForm } from './credential-forms.ts';
import styles from './import-panel.module.css';
import { visible } from './visible.ts';

const REASONS = {
  missing: 'needs credentials.',
  changed: 'isn’t the skill or version you gave these credentials to. Enter them again if you trust it.',
  expired: 'reports expired credentials. Enter new ones.',
} as const;

type FormProps = { readonly waiting: WaitingForm };

/** Opens or makes the vault; from then on it is open in this tab. */
const PassphraseForm = ({ waiting, onOpen }: FormProps & { readonly onOpen: () => void }) => {
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isNew = waiting.vault === 'empty';
  const open = async (): Promise<void> => {
    setBusy(true);
    const wrong = await waiting.onPassphrase(passphrase);
    setBusy(false);
    setProblem(wrong);
    if (wrong === undefined) onOpen();
  };
  return (
    <Dialog
      title={isNew ? 'Choose a passphrase' : 'Unlock the saved credentials'}
      isOpen
      onClose={() => waiting.answer(undefined)}
      size="small"
      footer={
        <>
          <Button onPress={() => waiting.answer(undefined)}>Not now</Button>
          <Button
            look="primary"
            onPress={() => void open()}
            {...(passphrase === '' && { disabledReason: 'Enter the passphrase first.' })}
            {...(isBusy && { disabledReason: 'Opening the vault…' })}
          >
            {isNew ? 'Continue' : 'Unlock'}
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (passphrase !== '' && !isBusy) void open();
        }}
      >
        <p>
          <code>{waiting.form.executor}</code> {REASONS[waiting.form.reason]}{' '}
          {isNew
            ? 'Lathe encrypts your credentials in this browser with your passphrase. Nobody can recover it.'
            : 'They may be in this browser’s locked vault.'}
        </p>
        <TextField
          label={isNew ? 'New passphrase' : 'Passphrase'}
          value={passphrase}
          onChange={setPassphrase}
          isSecret
          {...(isNew && { description: 'At least 8 characters. Several words are best.' })}
          error={problem}
        />
      </form>
    </Dialog>
  );
};

/** A file is read here and kept as text; a line of text would lose its line ends. */
const FileField = ({ label, onText }: { readonly label: string; readonly onText: (text: string) => void }) => {
  const [name, setName] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    onText(await file.text());
    setName(file.name);
  };
  return (
    <div className={styles['row']} role="group" aria-label={label}>
      <span>{label}</span>
      <Button onPress={() => input.current?.click()}>Choose file</Button>
      <span>{name}</span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label}, file`}
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </div>
  );
};

const FieldsForm = ({ waiting }: FormProps) => {
  const { form, answer } = waiting;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const set = (name: string, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  const isComplete = form.fields.every(({ name }) => (values[name] ?? '') !== '');
  return (
    <Dialog
      title={`Credentials for ${form.title}`}
      isOpen
      onClose={() => answer(undefined)}
      size="small"
      footer={
        <>
          <Button onPress={() => answer(undefined)}>Not now</Button>
          <Button
            look="primary"
            onPress={() => answer(values)}
            {...(!isComplete && { disabledReason: 'Fill in every field first.' })}
          >
            Save and continue
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) answer(values);
        }}
      >
        <p>
          <code>{form.executor}</code> {REASONS[form.reason]} Lathe encrypts them in this browser and never shows them
          to the model.
        </p>
        <p>
          The scripts of <strong>{visible(form.skill)}</strong> get these values, in this version only. Lathe masks them
          in results, but a script can disguise them. Give them only to scripts you trust.
        </p>
        {form.fields.map(({ name, prompt, kind }) =>
          kind === 'file' ? (
            <FileField key={name} label={prompt} onText={(text) => set(name, text)} />
          ) : (
            <TextField
              key={name}
              label={prompt}
              value={values[name] ?? ''}
              onChange={(value) => set(name, value)}
              isSecret={kind === 'api_key' || kind === 'token'}
              isMono
            />
          ),
        )}
      </form>
    </Dialog>
  );
};

const CredentialForm = ({ waiting }: FormProps) => {
  const [isOpen, setOpen] = useState(waiting.vault === 'unlocked');
  if (isOpen) return <FieldsForm waiting={waiting} />;
  const onOpen = (): void => {
    const kept = waiting.kept();
    if (kept) waiting.answer(kept);
    else setOpen(true);
  };
  return <PassphraseForm waiting={waiting} onOpen={onOpen} />;
};

/** Asks for what executors need, one form at a time. Values go to the vault, never to the model. */
export const CredentialDialogs = ({ forms }: { readonly forms: CredentialForms }) => {
  const waiting = useStore(forms, (state) => state.waiting[0]);
  return waiting ? <CredentialForm key={waiting.id} waiting={waiting} /> : null;
};
