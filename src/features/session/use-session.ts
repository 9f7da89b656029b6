import { useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../base/errors.ts';
import { contextUse, type ContextUse } from '../../model/session-view/context-meter.ts';
import { rawCall } from '../../model/session-view/raw-call.ts';
import { createTranscriptReader } from '../../model/session-view/transcript.ts';
import type { TranscriptItem } from '../../model/session-view/types.ts';
import type { SessionSettings } from '../../model/event/catalog.ts';
import type { SessionState } from '../../model/session/state.ts';
import type { SessionServices } from '../../platform/runtime/session-services.ts';
import type { SessionStore } from '../../stores/session-types.ts';

const NOTHING: readonly TranscriptItem[] = [];

/** The items of the current session; those that have not changed are the same objects as before. */
export const useTranscript = (store: SessionStore): readonly TranscriptItem[] => {
  useStore(store, (state) => state.revision);
  const [reader] = useState(createTranscriptReader);
  const journal = store.journal();
  // Reading again without news gives the same array.
  return journal ? reader.read(journal.events) : NOTHING;
};

/** Settings of the current session, or those that the next one starts with. */
export const useSettings = (store: SessionStore): SessionSettings => {
  const next = useStore(store, (state) => state.next.settings);
  useStore(store, (state) => state.revision);
  return store.state()?.settings ?? next;
};

export const useIsRunning = (store: SessionStore): boolean =>
  useStore(store, ({ status }) => status === 'running' || status === 'starting');

const measure = (store: SessionStore, state: SessionState): ContextUse | undefined => {
  const journal = store.journal();
  const call = state.calls.findLast((item) => !item.isNested && item.requestEventId !== undefined);
  if (!journal || !call || !state.config) return undefined;
  const attempt = rawCall(journal, call.requestId)?.attempts.at(-1);
  if (attempt?.body === undefined) return undefined;
  return contextUse({
    config: state.config,
    body: attempt.body,
    wire: attempt.wire,
    model: call.model,
    maxOutputTokens: state.settings?.max_output_tokens ?? 0,
    ...(call.usage && { usage: call.usage }),
  });
};

/** Of the last request of the conversation. Measured again only when there is another one, or its usage is known. */
export const useContextUse = (store: SessionStore): ContextUse | undefined => {
  useStore(store, (state) => state.revision);
  const state = store.state();
  const call = state?.calls.findLast((item) => !item.isNested && item.requestEventId !== undefined);
  const key = call && `${call.requestEventId} ${call.usage ? 'counted' : ''} ${state?.settings?.max_output_tokens}`;
  return useMemo(() => (state && key !== undefined ? measure(store, state) : undefined), [store, state, key]);
};

export type Loaded<T> =
  | { readonly status: 'none' | 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly reason: string };

/** Services that are loaded when somebody asks for them. */
export const useServices = (load: () => Promise<SessionServices>): [Loaded<SessionServices>, () => void] => {
  const [state, setState] = useState<Loaded<SessionServices>>({ status: 'none' });
  const ask = (): void => {
    if (state.status === 'loading' || state.status === 'ready') return;
    setState({ status: 'loading' });
    const wait = async (): Promise<void> => {
      try {
        setState({ status: 'ready', value: await load() });
      } catch (thrown) {
        setState({ status: 'failed', reason: errorMessage(thrown) });
      }
    };
    void wait();
  };
  return [state, ask];
};

/** Something outside that is asked again when it says that it has changed. */
export const useOutside = <T>(source: { readonly subscribe: (listener: () => void) => () => void }, get: () => T): T =>
  useSyncExternalStore(source.subscribe, get);
