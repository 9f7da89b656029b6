/** The setting "write files without asking" (D22): what is written goes to the folder immediately instead of waiting in Changes. */
import { errorMessage } from '../base/errors.ts';
import type { PendingTree } from '../model/tool/pending-tree.ts';

export interface WriteThroughDeps {
  readonly files: PendingTree;
  readonly isOn: () => boolean;
  readonly onApplied: (paths: readonly string[]) => void;
  /** What could not be written keeps waiting. */
  readonly onFailure: (message: string) => void;
}

export interface WriteThrough extends Disposable {
  /** The setting may have changed. What waits at that moment waits on: nobody has agreed to it. */
  readonly check: () => void;
}

export const createWriteThrough = ({ files, isOn, onApplied, onFailure }: WriteThroughDeps): WriteThrough => {
  let wasOn = false;
  /** What waits for a click, by its content: written again, it is new. */
  const held = new Map<string, Uint8Array | null>();
  let isBusy = false;
  let isWanted = false;

  /** Each by itself: one that cannot be written does not hold up the others. */
  const applyOnce = async (): Promise<void> => {
    const applied: string[] = [];
    for (const { path, after } of files.pending()) {
      if (held.get(path) === after) continue;
      const answer = await files.apply([path]);
      if (answer.ok) {
        held.delete(path);
        applied.push(...answer.value);
      } else {
        held.set(path, after);
        onFailure(answer.error.message);
      }
    }
    if (applied.length > 0) onApplied(applied);
  };

  /** One at a time; what is written meanwhile comes after it. */
  const work = async (): Promise<void> => {
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    try {
      do {
        isWanted = false;
        await applyOnce();
      } while (isWanted && wasOn);
    } catch (thrown) {
      onFailure(errorMessage(thrown));
    } finally {
      isBusy = false;
    }
  };

  const check = (): void => {
    const now = isOn();
    if (now && !wasOn) {
      held.clear();
      for (const { path, after } of files.pending()) held.set(path, after);
    }
    wasOn = now;
  };
  check();
  const subscription = files.subscribe(() => {
    if (wasOn) void work();
  });
  return {
    check,
    [Symbol.dispose]: () => {
      wasOn = false;
      subscription[Symbol.dispose]();
    },
  };
};
