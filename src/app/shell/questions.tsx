/** Short questions to the user: a name, a yes or no. Anyone who asks waits for the answer. */
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './questions.module.css';

interface TextQuestion {
  readonly kind: 'text';
  readonly title: string;
  readonly label: string;
  readonly initial: string;
  readonly action: string;
  readonly description?: string;
  /** What is wrong with a value; nothing if it can be taken. */
  readonly check: (value: string) => string | undefined;
  /** Further fields, in their order. */
  readonly more?: readonly MoreField[];
  /** Called with the values of the further fields, by their ids, before the answer. */
  readonly onMore?: (values: Readonly<Record<string, string>>) => void;
}

interface MoreField {
  readonly id: string;
  readonly label: string;
  readonly initial: string;
  readonly description?: string;
  readonly isMono?: boolean;
  readonly check?: (value: string) => string | undefined;
}

const NO_FIELDS: readonly MoreField[] = [];

interface ConfirmQuestion {
  readonly kind: 'confirm';
  readonly title: string;
  readonly text: string;
  /** What it is about, each on a line of its own below the text. */
  readonly addresses?: readonly string[];
  /** Below the addresses. */
  readonly more?: string;
  readonly action: string;
  readonly isDanger?: boolean;
}

type Open = { readonly id: number } & (
  | (TextQuestion & { readonly answer: (value: string | undefined) => void })
  | (ConfirmQuestion & { readonly answer: (value: boolean) => void })
);

export interface Questions extends Pick<
  StoreApi<{ readonly open: readonly Open[] }>,
  'getState' | 'subscribe' | 'getInitialState'
> {
  readonly text: (question: Omit<TextQuestion, 'kind'>) => Promise<string | undefined>;
  readonly confirm: (question: Omit<ConfirmQuestion, 'kind'>) => Promise<boolean>;
}

export const createQuestions = (): Questions => {
  const store = createStore<{ readonly open: readonly Open[] }>(() => ({ open: [] }));
  let last = 0;
  const close = (id: number): void => store.setState(({ open }) => ({ open: open.filter((item) => item.id !== id) }));
  const add = (question: Open): void => store.setState(({ open }) => ({ open: [...open, question] }));
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    text: (question) =>
      new Promise((resolve) => {
        const id = ++last;
        const answer = (value: string | undefined): void => {
          close(id);
          resolve(value);
        };
        add({ ...question, kind: 'text', id, answer });
      }),
    confirm: (question) =>
      new Promise((resolve) => {
        const id = ++last;
        const answer = (value: boolean): void => {
          close(id);
          resolve(value);
        };
        add({ ...question, kind: 'confirm', id, answer });
      }),
  };
};

const TextDialog = ({ question }: { readonly question: Open & { readonly kind: 'text' } }) => {
  const [value, setValue] = useState(question.initial);
  const [isTried, setIsTried] = useState(false);
  const { more = NO_FIELDS } = question;
  const [others, setOthers] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(more.map(({ id, initial }) => [id, initial])),
  );
  const fault = question.check(value.trim());
  const faultOf = ({ id, check }: MoreField): string | undefined => check?.((others[id] ?? '').trim());
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    setIsTried(true);
    if (fault !== undefined || more.some((field) => faultOf(field) !== undefined)) return;
    question.onMore?.(Object.fromEntries(more.map(({ id }) => [id, (others[id] ?? '').trim()])));
    question.answer(value.trim());
  };
  return (
    <Dialog
      title={question.title}
      size="small"
      isOpen
      onClose={() => question.answer(undefined)}
      footer={
        <>
          <Button onPress={() => question.answer(undefined)}>Cancel</Button>
          <Button look="primary" onPress={() => submit()}>
            {question.action}
          </Button>
        </>
      }
    >
      <form onSubmit={submit} className={styles['fields']}>
        <TextField
          label={question.label}
          value={value}
          onChange={setValue}
          autoFocus
          isMono
          error={isTried ? fault : undefined}
          {...(question.description !== undefined && { description: question.description })}
        />
        {more.map((field) => (
          <TextField
            key={field.id}
            label={field.label}
            value={others[field.id] ?? ''}
            onChange={(next) => setOthers({ ...others, [field.id]: next })}
            isMono={field.isMono === true}
            error={isTried ? faultOf(field) : undefined}
            {...(field.description !== undefined && { description: field.description })}
          />
        ))}
        {/* Enter sends a form of several fields only where it has such a button. */}
        {more.length > 0 && <button type="submit" hidden aria-hidden="true" tabIndex={-1} />}
      </form>
    </Dialog>
  );
};

const ConfirmDialog = ({ question }: { readonly question: Open & { readonly kind: 'confirm' } }) => (
  <Dialog
    title={question.title}
    size="small"
    role="alertdialog"
    isOpen
    onClose={() => question.answer(false)}
    footer={
      <>
        <Button onPress={() => question.answer(false)}>Cancel</Button>
        <Button look={question.isDanger === true ? 'danger' : 'primary'} onPress={() => question.answer(true)}>
          {question.action}
        </Button>
      </>
    }
  >
    <p>{question.text}</p>
    {question.addresses?.map((address) => (
      <p key={address} className={styles['address']}>
        {address.split(/(?<=[^/:]\/)/).map((part) => (
          <span key={part}>{part}</span>
        ))}
      </p>
    ))}
    {question.more !== undefined && <p>{question.more}</p>}
  </Dialog>
);

/** Only the last one is shown: it is the one that was asked for just now. */
export const QuestionDialogs = ({ questions }: { readonly questions: Questions }) => {
  const open = useStore(questions, (state) => state.open);
  const question = open.at(-1);
  if (!question) return null;
  return question.kind === 'text' ? (
    <TextDialog key={question.id} question={question} />
  ) : (
    <ConfirmDialog key={question.id} question={question} />
  );
};
