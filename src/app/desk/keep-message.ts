/** The message in the composer outlives the page: kept as a draft while it is written, until a session in the database has it. */
import type { SessionUi } from '../../features/session/session-ui.ts';
import type { Drafts } from '../../platform/store/drafts.ts';
import type { SessionStore } from '../../stores/session-types.ts';

/** Beside the folders, whose drafts are under their id. */
const PLACE = ['message', ''] as const;

export interface KeepMessageDeps {
  readonly drafts: Pick<Drafts, 'keep' | 'drop' | 'get'>;
  readonly ui: Pick<SessionUi, 'getState' | 'subscribe' | 'write'>;
  readonly sessions: Pick<SessionStore, 'subscribe'>;
}

/** Done when the message of an earlier visit is in the composer again. */
export const keepMessage = async ({ drafts, ui, sessions }: KeepMessageDeps): Promise<void> => {
  const atStart = ui.getState().draft;
  const drop = (): void => {
    if (ui.getState().draft === '') drafts.drop(...PLACE);
  };
  ui.subscribe((state, before) => {
    if (state.draft !== '' && state.draft !== before.draft) drafts.keep(...PLACE, { text: state.draft, base: '' });
    // Emptied by hand, or a turn has ended.
    else if (state.draft === '' && !state.isSending && (before.draft !== '' || before.isSending)) drop();
  });
  sessions.subscribe((state, before) => {
    if (state.written !== before.written) drop();
  });
  const kept = await drafts.get(...PLACE);
  if (kept && ui.getState().draft === atStart) ui.write(kept.text);
};
