import { useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { commandText } from '../../model/tool/command-line.ts';
import type { ApprovalRule } from '../../model/tool/policy.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './allowed-commands.module.css';

export interface AllowedBook {
  readonly rules: () => Promise<readonly ApprovalRule[]>;
  /** From now on it asks again, in the session that runs too. */
  readonly forget: (key: string) => Promise<void>;
}

/** What a rule covers, as a person would type it. */
const wordsOf = (key: string): { readonly text: string; readonly note: string } => {
  if (key.startsWith('tool:')) return { text: key.slice('tool:'.length), note: 'every use of this tool' };
  if (!key.startsWith('[')) return { text: key, note: 'every command that starts like this' };
  return { text: commandText(JSON.parse(key) as readonly string[]), note: 'exactly this command' };
};

const List = ({
  rules,
  onForget,
}: {
  readonly rules: readonly ApprovalRule[];
  readonly onForget: (key: string) => void;
}) => (
  <ul className={styles['rules']}>
    {rules.map(({ key }) => {
      const { text, note } = wordsOf(key);
      return (
        <li key={key} className={styles['rule']}>
          <code className={styles['key']}>{text}</code>
          <span className={styles['note']}>{note}</span>
          <Button aria-label={`Revoke ${text}`} onPress={() => onForget(key)}>
            Revoke
          </Button>
        </li>
      );
    })}
  </ul>
);

type View =
  | { readonly status: 'closed' | 'reading' }
  | { readonly status: 'ready'; readonly rules: readonly ApprovalRule[] }
  | { readonly status: 'failed'; readonly reason: string };

/** What was allowed permanently, and the way to take it back. */
export const AllowedCommands = ({ book }: { readonly book: AllowedBook }) => {
  const [view, setView] = useState<View>({ status: 'closed' });
  const show = async (act?: () => Promise<void>): Promise<void> => {
    try {
      await act?.();
      setView({ status: 'ready', rules: await book.rules() });
    } catch (thrown) {
      setView({ status: 'failed', reason: errorMessage(thrown) });
    }
  };
  const close = (): void => setView({ status: 'closed' });
  return (
    <>
      <Button
        look="quiet"
        onPress={() => {
          setView({ status: 'reading' });
          void show();
        }}
      >
        Allowed commands…
      </Button>
      <Dialog
        title="Allowed commands"
        isOpen={view.status !== 'closed'}
        onClose={close}
        size="medium"
        footer={
          <Button look="primary" onPress={close}>
            Done
          </Button>
        }
      >
        <p>
          Read-only commands run without asking, such as <code>ls</code>, <code>grep</code> or <code>git diff</code>.
          Lathe asks before any other command, unless you allow it for this session or permanently:
        </p>
        {view.status === 'failed' && <p role="alert">{view.reason}</p>}
        {view.status === 'ready' &&
          (view.rules.length === 0 ? (
            <p className={styles['note']}>You haven't allowed any commands permanently.</p>
          ) : (
            <List rules={view.rules} onForget={(key) => void show(() => book.forget(key))} />
          ))}
      </Dialog>
    </>
  );
};
