/** Fetches the desk after the first paint, and says what there is of it. */
import { errorMessage } from '../../base/errors.ts';
import type { SettingsStore } from '../../stores/settings-store.ts';
import type { JoinedDesk, PageParts } from './join-desk.ts';

export interface DeskOpeningDeps extends PageParts {
  readonly settings: () => Promise<SettingsStore>;
}

export interface DeskOpening {
  /** Nothing while it is on its way. */
  readonly now: () => JoinedDesk | undefined;
  /** Once; after a failure, anyone who asks again gets another try. */
  readonly open: () => Promise<JoinedDesk>;
  /** Why there is no desk. */
  readonly reason: () => string;
  /** Whether another folder was opened since it was asked last. */
  readonly takeOtherFolder: () => boolean;
}

const OPENING = 'Opening the folder…';

export const createDeskOpening = (parts: DeskOpeningDeps): DeskOpening => {
  let joined: JoinedDesk | undefined;
  let opening: Promise<JoinedDesk> | undefined;
  let problem: string | undefined;
  let hasOtherFolder = false;
  const onOtherFolder = (): void => {
    hasOtherFolder = true;
  };

  const tryToOpen = async (): Promise<JoinedDesk> => {
    try {
      const [{ joinDesk }, settings, outside] = await Promise.all([
        import('./join-desk.ts'),
        parts.settings(),
        parts.browser.outside(),
      ]);
      joined = await joinDesk({ ...parts, settings, outside, onOtherFolder });
      await joined.start();
      problem = undefined;
      parts.shell.dismiss('no-desk');
      return joined;
    } catch (thrown) {
      problem = errorMessage(thrown);
      // What was joined once stays joined; only what was never there is tried again.
      if (!joined) opening = undefined;
      throw thrown;
    }
  };

  return {
    now: () => joined,
    open: () => (opening ??= tryToOpen()),
    reason: () => (problem === undefined ? OPENING : `Can’t load Lathe. Reload the page. (${problem})`),
    takeOtherFolder: () => {
      const had = hasOtherFolder;
      hasOtherFolder = false;
      return had;
    },
  };
};
