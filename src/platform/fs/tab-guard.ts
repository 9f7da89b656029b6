/**
 * Two tabs on one folder: one may write, the others read. The one that writes holds a lock of the browser; the others wait for
 * it, and may take it over.
 */
import { createEmitter } from '../../base/emitter.ts';
import { isAbort } from '../../base/errors.ts';

export type TabRole = 'writer' | 'reader';

export interface TabClaim extends AsyncDisposable {
  readonly role: () => TabRole;
  /** Called when the role changes: another tab took over, or the other tab closed. */
  readonly subscribe: (listener: (role: TabRole) => void) => Disposable;
  /** Makes this tab the writer and the other one a reader. */
  readonly takeOver: () => Promise<void>;
}

export interface TabGuard {
  /** Once it answers, the role is known. */
  readonly claim: (folder: string) => Promise<TabClaim>;
}

export const READER_REASON =
  'This folder is open in another tab, so this one only reads. Close it there, or take over here.';

type Locks = Pick<LockManager, 'request'>;

export const createTabGuard = (locks: Locks): TabGuard => ({
  claim: async (folder) => {
    const name = `lathe:folder:${folder}`;
    const changes = createEmitter<TabRole>();
    let role: TabRole = 'reader';
    let isOver = false;
    let release: (() => void) | undefined;
    let waiting: AbortController | undefined;
    let held: Promise<void> = Promise.resolve();

    const become = (next: TabRole): void => {
      if (role === next || isOver) return;
      role = next;
      changes.emit(next);
    };
    /** Holds the lock until it is released, or stolen by another tab (then the request fails). */
    const hold = (): Promise<void> =>
      new Promise<void>((resolve) => {
        release = resolve;
      });

    /** In line after the other tab. */
    const wait = (): void => {
      if (isOver) return;
      const controller = new AbortController();
      waiting = controller;
      held = request({ signal: controller.signal }, () => undefined);
    };
    const request = async (options: LockOptions, onAnswer: (isGranted: boolean) => void): Promise<void> => {
      let isGranted = false;
      try {
        await locks.request(name, options, async (lock) => {
          isGranted = lock !== null && !isOver;
          if (isGranted) become('writer');
          onAnswer(isGranted);
          if (isGranted) await hold();
        });
      } catch (thrown) {
        if (!isAbort(thrown)) throw thrown;
        // Stolen, or no longer waited for.
        if (isGranted) {
          become('reader');
          wait();
        }
      }
    };

    /** Resolves with the answer, while the lock stays held. */
    const ask = (options: LockOptions): Promise<boolean> =>
      new Promise<boolean>((resolve, reject) => {
        held = request(options, resolve);
        held.catch(reject);
      });

    if (!(await ask({ ifAvailable: true }))) wait();

    return {
      role: () => role,
      subscribe: changes.subscribe,
      takeOver: async () => {
        if (role === 'writer' || isOver) return;
        waiting?.abort();
        await ask({ steal: true });
      },
      [Symbol.asyncDispose]: async () => {
        isOver = true;
        waiting?.abort();
        release?.();
        await held;
      },
    };
  },
});
