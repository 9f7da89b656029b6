/** Keeps what the page says of the next request in step with what is typed, written and sent. */
import type { PendingTree } from '../../model/tool/pending-tree.ts';
import type { SessionUi } from '../../features/session/session-ui.ts';
import type { SessionStore } from '../../stores/session-types.ts';

/** In milliseconds: somebody who types is not counted letter by letter. */
const SOON = 300;

/** Does the last of many wishes. */
const lastOf = (work: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, SOON);
  };
};

/** Gives the means to follow the tree over the folder that is open now. */
export const followForecasts = (sessions: SessionStore, ui: SessionUi): ((files: PendingTree | undefined) => void) => {
  const check = (): void => void sessions.checkFolder();
  const checkSoon = lastOf(check);
  const countSoon = lastOf(() => {
    sessions.write(ui.getState().draft);
    if (sessions.getState().changes) check();
  });
  sessions.write(ui.getState().draft);
  ui.subscribe(({ draft }, before) => {
    if (draft !== before.draft) countSoon();
  });
  // The memory that a turn has read is no longer a change.
  sessions.subscribe(({ status, changes }, before) => {
    if (changes && status === 'idle' && before.status === 'running') check();
  });
  let watched: Disposable | undefined;
  return (files) => {
    watched?.[Symbol.dispose]();
    // An agent may write its memory, or a skill.
    watched = files?.subscribe(checkSoon);
  };
};
