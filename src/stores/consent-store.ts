/**
 * The one owner of consent for external metaskills (D27). The book is the database, read at every start of a program, so that
 * a revocation counts everywhere, also where it came from another tab. The question is the page's one dialog `Trust metaskill`.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ConsentBook, ConsentQuestion } from '../model/metaskill/consent.ts';
import type { ConsentRow } from '../platform/store/schema.ts';
import type { Consents } from '../platform/store/trust.ts';

export interface ConsentState {
  /** Newest first, as of the last look. */
  readonly given: readonly ConsentRow[];
  /** Oldest first; the page shows the first one. */
  readonly questions: readonly ConsentQuestion[];
}

export interface ConsentStore
  extends Required<ConsentBook>, Pick<StoreApi<ConsentState>, 'getState' | 'subscribe' | 'getInitialState'> {
  /** Rejects when consent could not be stored; the question then stays open. */
  readonly answer: (hash: string, isYes: boolean) => Promise<void>;
  readonly revoke: (hash: string) => Promise<void>;
  /** Reads the book for a view of it. */
  readonly look: () => Promise<void>;
}

export const createConsentStore = (consents: Consents): ConsentStore => {
  const store = createStore<ConsentState>(() => ({ given: [], questions: [] }));
  const { getState, setState } = store;
  /** By hash: everyone who waits for the answer to one question. */
  const askers = new Map<string, Set<(isYes: boolean) => void>>();

  const close = (hash: string): void => {
    askers.delete(hash);
    setState(({ questions }) => ({ questions: questions.filter((question) => question.hash !== hash) }));
  };
  const look = async (): Promise<void> => setState({ given: await consents.list() });

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    isTrusted: consents.has,
    askForTrust: (question, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) {
          resolve(false);
          return;
        }
        const { hash } = question;
        const waiting = askers.get(hash) ?? new Set();
        if (waiting.size === 0) {
          askers.set(hash, waiting);
          setState(({ questions }) => ({ questions: [...questions, question] }));
        }
        const leave = (): void => {
          waiting.delete(resolve);
          resolve(false);
          if (waiting.size === 0 && askers.get(hash) === waiting) close(hash);
        };
        waiting.add(resolve);
        signal?.addEventListener('abort', leave, { once: true });
      }),
    answer: async (hash, isYes) => {
      const question = getState().questions.find((open) => open.hash === hash);
      if (!question) return;
      if (isYes) await consents.give(hash, question.skill);
      const waiting = askers.get(hash) ?? [];
      close(hash);
      for (const resolve of waiting) resolve(isYes);
      if (isYes) await look();
    },
    revoke: async (hash) => {
      await consents.revoke(hash);
      await look();
    },
    look,
  };
};
