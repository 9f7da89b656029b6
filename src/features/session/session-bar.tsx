import { useStore } from 'zustand';
import { percent } from '../../base/figures.ts';
import { providerLabel } from '../../model/session-view/providers.ts';
import { shortTokens, usdText } from '../../model/session-view/words.ts';
import type { SessionsState, SessionStore } from '../../stores/session-types.ts';
import { DropForm } from '../../ui/drop-button.tsx';
import { ModelToolbar, type ModelToolbarProps } from './model-toolbar.tsx';
import { useSettings } from './use-session.ts';

export type SessionBarProps = { readonly store: SessionStore };

/** For the bar on top: provider and model, and both to choose. */
export const ModelMenu = ({ store, ui, needs }: SessionBarProps & Pick<ModelToolbarProps, 'ui' | 'needs'>) => {
  const { provider, model } = useSettings(store);
  const closed = useStore(ui, (state) => state.closed);
  return (
    <DropForm about="Model" form={<ModelToolbar store={store} ui={ui} needs={needs} version={closed} />}>
      {providerLabel(provider)} <strong>{model}</strong>
    </DropForm>
  );
};

const STATES = {
  none: 'no session',
  starting: 'starting',
  idle: 'ready',
  running: 'running',
  failed: 'failed',
} as const;

const stateWord = ({ status, live, approvals, runs }: SessionsState): string => {
  if (approvals.length > 0) return 'waiting for you';
  if (runs.some((run) => run.status === 'paused')) return 'paused';
  return live.some(({ hasAnswered }) => hasAnswered) ? 'streaming' : STATES[status];
};

/** Turn and state. */
export const StateFact = ({ store }: SessionBarProps) => {
  const turns = useStore(
    store,
    () => store.state()?.turns.filter(({ nestedIn }) => nestedIn === undefined).length ?? 0,
  );
  const word = useStore(store, stateWord);
  return (
    <>
      <i data-state={word} /> {turns > 0 && `Turn ${turns}, `}
      <strong>{word}</strong>
    </>
  );
};

/** Tokens and cost so far. */
export const UsageFact = ({ store }: SessionBarProps) => {
  useStore(store, (state) => state.revision);
  const totals = store.state()?.totals;
  if (!totals || totals.calls === 0) return null;
  const sent = totals.uncached + totals.read + totals.written;
  const share = percent(sent === 0 ? 0 : totals.read / sent);
  return (
    <>
      {shortTokens(sent)} in · {share} cached ·{' '}
      <strong>{usdText(totals.unpriced === 0 ? totals.costUsd : undefined)}</strong>
    </>
  );
};
