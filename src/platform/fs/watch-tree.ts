/** Hears of changes made outside: from the tree where it can tell, and else by looking when the person comes back to the page. */
import type { FileTree } from '../../model/files/file-tree.ts';

export interface PageEvents {
  readonly addEventListener: (type: 'focus' | 'visibilitychange', listener: () => void) => void;
  readonly removeEventListener: (type: 'focus' | 'visibilitychange', listener: () => void) => void;
}

export interface WatchOptions {
  /** `window`. */
  readonly window: PageEvents;
  /** `document`. */
  readonly document: PageEvents & { readonly visibilityState: DocumentVisibilityState };
  /** With the path that changed; the empty path: look at everything. */
  readonly onChange: (path: string) => void;
}

export const watchTree = (tree: FileTree, { window, document, onChange }: WatchOptions): Disposable => {
  const watching = tree.watch?.(onChange);
  // Also where there is an observer: it may have missed something while the page slept.
  const look = (): void => {
    if (document.visibilityState === 'visible') onChange('');
  };
  window.addEventListener('focus', look);
  document.addEventListener('visibilitychange', look);
  return {
    [Symbol.dispose]: () => {
      watching?.[Symbol.dispose]();
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    },
  };
};
