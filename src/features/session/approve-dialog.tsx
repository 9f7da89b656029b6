import { commandText } from '../../model/tool/command-line.ts';
import type { PendingApproval } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ApprovalButtons } from './approval-buttons.tsx';
import styles from './approve-dialog.module.css';

export type ApproveDialogProps = {
  readonly approval: PendingApproval | undefined;
  /** It stays in its card. */
  readonly onLater: (requestId: string) => void;
  /** By the setting; otherwise writes are pending. */
  readonly writesAtOnce: boolean;
  /** The metaskill whose run asks, and the line that it is at. */
  readonly asker?: { readonly name: string; readonly line?: number | undefined } | undefined;
};

const EFFECTS = {
  none: 'It has no effects.',
  read: 'It only reads.',
  write: 'It writes.',
  execute: 'It runs inside the page, over your folder, without a network.',
  network: 'It uses the network.',
} as const;

const effectOf = (effects: keyof typeof EFFECTS, writesAtOnce: boolean): string => {
  if (effects !== 'write' && effects !== 'execute') return EFFECTS[effects];
  const writes = writesAtOnce
    ? 'It writes to your folder immediately because Write files without asking is on.'
    : 'Its changes wait until you apply them.';
  return `${EFFECTS[effects]} ${writes}`;
};

/** The question before a command or a tool that may change something (D21). */
export const ApproveDialog = ({ approval, onLater, writesAtOnce, asker }: ApproveDialogProps) => {
  if (!approval) return null;
  const { request } = approval;
  const later = (): void => onLater(request.id);
  return (
    <Dialog
      title="Approve command"
      isOpen
      onClose={later}
      size="medium"
      footer={
        <Button look="quiet" onPress={later}>
          Decide later
        </Button>
      }
    >
      <div className={styles['question']}>
        <p>
          {asker ? (
            <>
              The metaskill <b>{asker.name}</b>
              {asker.line === undefined ? '' : `, line ${asker.line},`} wants to{' '}
            </>
          ) : (
            <>The model wants to </>
          )}
          {request.argv ? (
            'run this command'
          ) : (
            <>
              use <code>{request.toolName}</code>
            </>
          )}
          . {asker ? 'The run waits for you, and its time limit doesn’t run.' : 'The turn waits for you.'}
        </p>
        <CodeText block={request.argv ? 'Command' : 'Input'}>
          {request.argv ? commandText(request.argv) : JSON.stringify(request.input, null, 2)}
        </CodeText>
        <p className={styles['effect']}>{effectOf(request.sideEffects, writesAtOnce)}</p>
        <ApprovalButtons approval={approval} />
      </div>
    </Dialog>
  );
};
