import { useState } from 'react';
import { commandKey } from '../../model/tool/command-line.ts';
import type { PendingApproval } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './approval-buttons.module.css';

export type ApprovalButtonsProps = {
  readonly approval: PendingApproval;
};

/** What an answer for longer than once covers. */
const Coverage = ({ argv, toolName }: Pick<PendingApproval['request'], 'argv' | 'toolName'>) => {
  const key = argv && commandKey(argv);
  return (
    <p className={styles['note']}>
      “In this session” and “always” cover{' '}
      {key === undefined ? (
        <>
          every use of <code>{toolName}</code>.
        </>
      ) : key.startsWith('[') ? (
        'exactly this command.'
      ) : (
        <>
          every command that starts with <code>{key}</code>.
        </>
      )}
    </p>
  );
};

/** The four answers to a question. A reason is told to the model. */
export const ApprovalButtons = ({ approval: { request, answer } }: ApprovalButtonsProps) => {
  const [isDenying, setDenying] = useState(false);
  const [reason, setReason] = useState('');
  const what = request.argv ? 'this command' : 'this tool';
  const deny = (): void => answer({ decision: 'deny', ...(reason.trim() !== '' && { reason: reason.trim() }) });
  if (isDenying)
    return (
      <form
        className={styles['deny']}
        onSubmit={(event) => {
          event.preventDefault();
          deny();
        }}
      >
        <TextField
          label="Reason"
          value={reason}
          onChange={setReason}
          description="Optional. The model sees this reason."
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened for this field
          autoFocus
        />
        <div className={styles['buttons']}>
          <Button look="danger" onPress={deny}>
            Deny
          </Button>
          <Button look="quiet" onPress={() => setDenying(false)}>
            Back
          </Button>
        </div>
      </form>
    );
  return (
    <div className={styles['answers']}>
      <div className={styles['buttons']}>
        <Button look="primary" onPress={() => answer({ decision: 'allow', scope: 'once' })}>
          Allow once
        </Button>
        <Button onPress={() => answer({ decision: 'allow', scope: 'session' })}>Allow in this session</Button>
        <Button onPress={() => answer({ decision: 'allow', scope: 'always' })}>Always allow {what}</Button>
        <Button look="danger" onPress={() => setDenying(true)}>
          Deny…
        </Button>
      </div>
      <Coverage {...request} />
    </div>
  );
};
