/** Dialogs of a session. They come whatever view is in front: a command asks while its metaskill is looked at, too. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { SessionStore } from '../../stores/session-types.ts';
import { KeysDialog } from '../keys/keys-dialog.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import type { SessionNeeds } from './needs.ts';
import { RawDialog } from './raw-dialog.tsx';
import { DeleteDialog, ImportDialog, RenameDialog, SessionsDialog } from './session-dialogs.tsx';
import type { SessionUi } from './session-ui.ts';
import { useServices } from './use-session.ts';

export type SessionQuestionsProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly needs: SessionNeeds;
};

const OpenDialog = (props: SessionQuestionsProps) => {
  const { store, ui, needs } = props;
  const dialog = useStore(ui, (state) => state.dialog);
  const [services, ask] = useServices(needs.services);
  const close = (): void => ui.show(undefined);
  const needsServices = dialog?.kind === 'keys';
  useEffect(() => {
    if (needsServices && services.status !== 'ready' && services.status !== 'loading') ask();
    // oxlint-disable-next-line react/exhaustive-deps -- asked once for each opening: a failure is shown, and tried again with the next one
  }, [needsServices]);
  const journal = store.journal();
  switch (dialog?.kind) {
    case 'rename':
      return <RenameDialog store={store} onClose={close} />;
    case 'delete':
      return <DeleteDialog store={store} onClose={close} />;
    case 'sessions':
      return <SessionsDialog store={store} onClose={close} />;
    case 'import':
      return <ImportDialog store={store} onClose={close} />;
    case 'raw':
      return journal ? (
        <RawDialog journal={journal} requestId={dialog.requestId} needs={needs} onClose={close} />
      ) : null;
    case 'keys':
      return services.status === 'ready' ? <KeysDialog ring={services.value.keys} onClose={close} /> : null;
    case undefined:
      return null;
  }
};

export const SessionQuestions = (props: SessionQuestionsProps) => {
  const { store, ui, needs } = props;
  const approvals = useStore(store, (state) => state.approvals);
  const runs = useStore(store, (state) => state.runs);
  const dialog = useStore(ui, (state) => state.dialog);
  const laterApproval = useStore(ui, (state) => state.laterApproval);
  const approval = approvals.find(({ request }) => request.id !== laterApproval);
  return (
    <>
      <ApproveDialog
        approval={dialog === undefined ? approval : undefined}
        onLater={ui.decideLater}
        writesAtOnce={needs.writesAtOnce?.() ?? false}
        // One runs at a time: whatever asks meanwhile does so for it.
        asker={runs.findLast(({ status }) => status !== 'ended')}
      />
      <OpenDialog {...props} />
    </>
  );
};
