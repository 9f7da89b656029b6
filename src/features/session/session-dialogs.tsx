import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { shortTokens, usdText } from '../../model/session-view/words.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './session-dialogs.module.css';

export type SessionDialogProps = {
  readonly store: SessionStore;
  readonly onClose: () => void;
};

export const RenameDialog = ({ store, onClose }: SessionDialogProps) => {
  const [title, setTitle] = useState(store.state()?.title ?? '');
  const rename = (): void => {
    if (title.trim() === '') return;
    store.rename(title.trim());
    onClose();
  };
  return (
    <Dialog
      title="Rename session"
      isOpen
      onClose={onClose}
      size="small"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="primary"
            onPress={rename}
            {...(title.trim() === '' && { disabledReason: 'Enter a name first.' })}
          >
            Rename
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened for this field */}
        <TextField label="Name" value={title} onChange={setTitle} autoFocus />
      </form>
    </Dialog>
  );
};

/** Says which session was deleted, and brings it back. */
export const RemovedNotice = ({
  store,
  onRestored,
  onProblem,
}: {
  readonly store: SessionStore;
  readonly onRestored?: () => void;
  readonly onProblem: (message: string) => void;
}) => {
  const removed = useStore(store, (state) => state.removed);
  if (!removed) return null;
  return (
    <div className={styles['removed']} role="status">
      <p>Deleted: “{removed.title || 'Untitled'}”</p>
      <Button
        aria-label={`Undo: restore ${removed.title || 'Untitled'}`}
        onPress={() => void store.restore().then(onRestored, (thrown: unknown) => onProblem(errorMessage(thrown)))}
      >
        Undo
      </Button>
      <IconButton label="Dismiss" icon="close" onPress={store.forgetRemoved} />
    </div>
  );
};

export const DeleteDialog = ({ store, onClose }: SessionDialogProps) => {
  const [problem, setProblem] = useState<string>();
  const currentId = useStore(store, (state) => state.currentId);
  const remove = (): void => {
    if (currentId === undefined) return;
    store.remove(currentId).then(onClose, (thrown: unknown) => setProblem(errorMessage(thrown)));
  };
  return (
    <Dialog
      title="Delete this session?"
      isOpen
      onClose={onClose}
      size="small"
      role="alertdialog"
      footer={
        <>
          <Button onPress={onClose}>Keep session</Button>
          <Button look="danger" onPress={remove}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        “{store.state()?.title}” and its events will be deleted from this browser. You can undo this until you close the
        page. To keep a copy, export the session first.
      </p>
      {problem !== undefined && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
};

const two = (value: number): string => String(value).padStart(2, '0');
/** In the time of the person, like the times of the waterfall. */
const dateText = (ms: number): string => {
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** Kept sessions, newest first. */
export const SessionsDialog = ({ store, onClose }: SessionDialogProps) => {
  const kept = useStore(store, (state) => state.kept);
  const currentId = useStore(store, (state) => state.currentId);
  const [state, setState] = useState<'loading' | 'ready'>('loading');
  const [problem, setProblem] = useState<string>();
  const [deleting, setDeleting] = useState<string>();
  useEffect(() => {
    store.refreshKept().then(
      () => setState('ready'),
      (thrown: unknown) => {
        setProblem(errorMessage(thrown));
        setState('ready');
      },
    );
  }, [store]);
  const run = (work: Promise<void>, after: () => void): void => {
    work.then(after, (thrown: unknown) => setProblem(errorMessage(thrown)));
  };
  return (
    <Dialog title="Saved sessions" isOpen onClose={onClose}>
      {problem !== undefined && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      <RemovedNotice store={store} onProblem={setProblem} />
      {state === 'ready' && kept.length === 0 && (
        <EmptyState title="No saved sessions yet">
          Lathe saves each session in this browser from its first message.
        </EmptyState>
      )}
      <ul className={styles['list']} aria-label="Sessions">
        {kept.map(({ id, title, updatedAt, model, totals, workspace }) => (
          <li key={id} className={styles['row']}>
            <span className={styles['name']}>
              {title || 'Untitled'}
              {id === currentId && <span className={styles['current']}> · open now</span>}
              <span className={styles['about']}>
                {dateText(updatedAt)} · {workspace} · {model} · {plural(totals.turns, 'turn')} ·{' '}
                {shortTokens(totals.inputTokens)} in · {usdText(totals.cost)}
              </span>
            </span>
            {deleting === id ? (
              <>
                <Button look="danger" onPress={() => run(store.remove(id), () => setDeleting(undefined))}>
                  Delete session
                </Button>
                <Button onPress={() => setDeleting(undefined)}>Keep</Button>
              </>
            ) : (
              <>
                <Button
                  aria-label={`Open ${title}`}
                  onPress={() => run(store.open(id), onClose)}
                  {...(id === currentId && { disabledReason: 'It is open.' })}
                >
                  Open
                </Button>
                <Button look="quiet" aria-label={`Delete ${title}`} onPress={() => setDeleting(id)}>
                  Delete
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
};

export const ImportDialog = ({ store, onClose }: SessionDialogProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const take = async (file: File): Promise<void> => {
    setBusy(true);
    try {
      const before = store.getState().currentId;
      const found = await store.importJournal(await file.text());
      if (found.length === 0 && store.getState().currentId !== before) onClose();
      else setFaults(found.length === 0 ? ['Nothing imported.'] : found);
    } catch (thrown) {
      setFaults([errorMessage(thrown)]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title="Import session" isOpen onClose={onClose} size="small">
      <p>Choose a session exported with its content (JSONL). It becomes the current session, and Lathe saves it.</p>
      <p className={styles['file']}>
        <Button onPress={() => input.current?.click()} {...(isBusy && { disabledReason: 'Reading file…' })}>
          Choose a file…
        </Button>
        <input
          ref={input}
          className={styles['hidden']}
          tabIndex={-1}
          type="file"
          accept=".jsonl,application/jsonl,text/plain"
          aria-label="Session file"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void take(file);
            // The same file may be chosen again, once it was repaired.
            currentTarget.value = '';
          }}
        />
      </p>
      {faults.length > 0 && (
        <ul className={styles['problem']} role="alert">
          {faults.slice(0, 20).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
          {faults.length > 20 && <li>{faults.length - 20} more</li>}
        </ul>
      )}
    </Dialog>
  );
};
