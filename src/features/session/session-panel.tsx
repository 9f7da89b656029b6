import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { EXAMPLES, type Example, type ExampleAction, ownExamples } from '../../model/session-view/examples.ts';
import { folderWords } from '../../model/session-view/folder-words.ts';
import { awayText } from '../../model/session/home.ts';
import { type TurnAction, userText } from '../../model/session-view/turn-end.ts';
import type { TurnView } from '../../model/session-view/types.ts';
import type { RecordingsState, RecordingsStore } from '../../stores/recordings-store.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { overlaps, type TimeRange } from '../../model/instruments/time-axis.ts';
import { RangeNote } from '../instruments/range-note.tsx';
import { AwayBanner } from './away-banner.tsx';
import { Composer } from './composer.tsx';
import { ContextMeter } from './context-meter.tsx';
import { ExampleSteps } from './example-steps.tsx';
import { FolderBanner } from './folder-banner.tsx';
import type { SessionNeeds } from './needs.ts';
import { RemovedNotice } from './session-dialogs.tsx';
import styles from './session-panel.module.css';
import type { SessionUi } from './session-ui.ts';
import { StartView } from './start-view.tsx';
import { Transcript } from './transcript.tsx';
import type { TurnActions } from './turn-actions.ts';
import { useContextUse, useIsRunning, useOutside, useSettings, useTranscript } from './use-session.ts';

export type SessionPanelProps = {
  readonly store: SessionStore;
  readonly ui: SessionUi;
  readonly needs: SessionNeeds;
  /** What is looked at in the conversation; absent: all of it. */
  readonly recordings?: RecordingsStore;
  /** Above the conversation. */
  readonly budget?: ReactNode;
};

const NO_RANGE = createStore<Pick<RecordingsState, 'shown' | 'range'>>(() => ({ shown: undefined, range: undefined }));

const isTurnIn = (store: SessionStore, id: string, range: TimeRange): boolean => {
  const turn = store.state()?.turnsById.get(id);
  if (!turn) return true;
  return overlaps({ from: turn.startedAt / 1000, to: (turn.endedAt ?? Infinity) / 1000 }, range);
};

const NO_FOLDER = { subscribe: () => () => {} };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One thing that an example does; false if it went wrong and the rest should wait. */
const act = async (action: ExampleAction, { store, needs }: SessionPanelProps): Promise<boolean> => {
  switch (action.kind) {
    case 'say': {
      const outcome = await store.send(action.text);
      return outcome.kind !== 'refused';
    }
    case 'advance':
      await store.advanceClock(action.ms);
      return true;
    case 'change':
      store.change(action.settings);
      return true;
    case 'memory':
      await needs.pending()?.update('MEMORY.md', (before) => ({
        after: encoder.encode(`${before ? decoder.decode(before).trimEnd() : '# Memory'}\n${action.line}\n`),
        value: undefined,
      }));
      return true;
    case 'pause':
      store.stopOnEntry();
      return true;
  }
};

/** Sends a message; what is refused goes back to the composer. */
const say = async (store: SessionStore, ui: SessionUi, text: string): Promise<void> => {
  if (text.trim() === '') return;
  ui.fail(undefined);
  const { draft } = ui.getState();
  const isDraft = draft.trim() === text;
  if (isDraft) ui.handOver();
  ui.begun();
  const outcome = await store.send(text);
  if (outcome.kind === 'refused') {
    if (isDraft && ui.getState().draft === '') ui.write(draft);
    ui.fail(outcome.message);
  }
  ui.handedOver();
};

/** Everything that can be done from inside a transcript; made once. */
const makeActions = ({ store, ui, needs }: SessionPanelProps, send: (text: string) => void): TurnActions => {
  const onEnd = (action: TurnAction, turn: TurnView): void => {
    switch (action) {
      case 'try-again':
        send(userText(turn));
        return;
      case 'go-on':
        send('Continue.');
        return;
      case 'keys':
        ui.show({ kind: 'keys' });
        return;
      case 'limits':
        needs.openSettings?.();
        return;
      case 'new-session':
        store.newSession();
    }
  };
  return {
    onRaw: (requestId) => ui.show({ kind: 'raw', requestId }),
    onSelectCall: (requestId) => {
      const turnId = store.state()?.callsById.get(requestId)?.turnId;
      store.select({ requestId, ...(turnId !== undefined && { turnId }) });
    },
    onSelectTurn: (turnId) => store.select({ turnId }),
    onFork: (turnId) => void store.fork(turnId).catch((thrown: unknown) => ui.fail(errorMessage(thrown))),
    onEnd,
    metaskill: store.findMetaskill,
    onShowChanges: needs.showInstrument && (() => needs.showInstrument?.('changes')),
    onOpenFile: needs.openFile,
    onOpenSkill: needs.openSkill,
    progress: needs.progress,
    pauses: {
      lineOf: (toolUseId) => {
        const run = store.getState().runs.find((item) => item.toolUseId === toolUseId);
        return run?.status === 'paused' ? run.line : undefined;
      },
      subscribe: store.subscribe,
      onShow: needs.showInstrument && (() => needs.showInstrument?.('metaskill-run')),
    },
    writesAtOnce: () => needs.writesAtOnce?.() ?? false,
  };
};

/** A conversation with a model that has the skills of the folder. Goes into the region `Session`. */
export const SessionPanel = (props: SessionPanelProps) => {
  const { store, ui, needs } = props;
  const status = useStore(store, (state) => state.status);
  const problem = useStore(store, (state) => state.problem);
  const approvals = useStore(store, (state) => state.approvals);
  const changes = useStore(store, (state) => state.changes);
  const currentId = useStore(store, (state) => state.currentId);
  const away = useStore(store, (state) => state.away);
  const exampleId = useStore(ui, (state) => state.example);
  const laterApproval = useStore(ui, (state) => state.laterApproval);
  const ownProblem = useStore(ui, (state) => state.problem);
  const dialog = useStore(ui, (state) => state.dialog);
  const folder = useOutside(needs.folder ?? NO_FOLDER, () => needs.folder?.version() ?? '');
  const examples = useMemo(
    () => (needs.folder?.isDemo() === false && folder !== '' ? ownExamples(needs.skills()) : EXAMPLES),
    [needs, folder],
  );
  const items = useTranscript(store);
  const looked: Pick<
    StoreApi<Pick<RecordingsState, 'shown' | 'range'>>,
    'getState' | 'getInitialState' | 'subscribe'
  > = props.recordings ?? NO_RANGE;
  const range = useStore(looked, (state) => (state.shown ? undefined : state.range));
  const turns = items.filter(({ kind }) => kind === 'turn');
  const turnsIn = range ? turns.filter(({ id }) => isTurnIn(store, id, range)) : turns;
  const settings = useSettings(store);
  const isRunning = useIsRunning(store);
  const use = useContextUse(store);

  const send = useMemo(() => (text: string) => void say(store, ui, text), [store, ui]);
  const actions = useMemo(() => makeActions({ store, ui, needs }, send), [store, ui, needs, send]);
  const example = EXAMPLES.find(({ id }) => id === exampleId);

  const play = async (list: readonly ExampleAction[]): Promise<void> => {
    ui.begun();
    try {
      for (const action of list) if (!(await act(action, props))) return;
    } catch (thrown) {
      ui.fail(errorMessage(thrown));
    }
  };
  const runExample = (chosen: Example): void => {
    ui.startExample(chosen.id);
    ui.write('');
    void play([...chosen.before, { kind: 'say', text: chosen.prompt }]);
  };

  const goHome = async (): Promise<void> => {
    if (currentId !== undefined) await store.goHome(currentId);
  };
  const tried = (work: Promise<void>): void => void work.catch((thrown: unknown) => ui.fail(errorMessage(thrown)));
  const words = folderWords(changes);
  const shownProblem = ownProblem ?? (status === 'failed' ? `Can’t start the session: ${problem ?? ''}` : undefined);
  const isEmpty = items.length === 0;
  const isOfExample = items.some((item) => item.kind !== 'mark' && userText(item) === example?.prompt);

  return (
    <div className={styles['panel']}>
      {props.budget}
      {dialog?.kind !== 'sessions' && <RemovedNotice store={store} onProblem={ui.fail} />}
      {words && <FolderBanner words={words} onNewSession={store.newSession} />}
      {away && <AwayBanner away={away} onGoHome={() => tried(goHome())} onTakeOver={() => tried(store.takeOver())} />}
      <div className={styles['talk']}>
        {isEmpty && status !== 'starting' ? (
          <StartView
            examples={examples}
            isSimulator={settings.provider === 'simulator'}
            onRun={runExample}
            onChoose={(chosen) => {
              ui.startExample(chosen.id);
              ui.write(chosen.prompt);
            }}
          />
        ) : (
          <>
            <RangeNote
              range={range}
              shown={`${turnsIn.length} of ${plural(turns.length, 'turn')}`}
              onClear={() => props.recordings?.look(undefined)}
            />
            <Transcript store={store} items={range ? turnsIn : items} actions={actions} />
          </>
        )}
      </div>
      <p className={styles['status']} role="status">
        {status === 'starting' && 'Starting a session…'}
        {status === 'running' && approvals.length > 0 && 'A command waits for your approval.'}
      </p>
      {shownProblem !== undefined && (
        <div className={styles['problem']} role="alert">
          <p>{shownProblem}</p>
          <IconButton label="Dismiss" icon="close" onPress={() => ui.fail(undefined)} />
        </div>
      )}
      {laterApproval !== undefined && approvals.some(({ request }) => request.id === laterApproval) && (
        <div className={styles['waiting']}>
          <p>A command waits for your approval.</p>
          <Button onPress={() => ui.decideLater(undefined)}>Review</Button>
        </div>
      )}
      {example && isOfExample && (
        <ExampleSteps
          key={`${example.id} ${currentId ?? ''}`}
          example={example}
          disabledReason={isRunning ? 'A turn is running.' : away && awayText(away)}
          onStep={({ actions: list }) => void play(list)}
          onClose={() => ui.startExample(undefined)}
        />
      )}
      {use && <ContextMeter use={use} />}
      <Composer store={store} ui={ui} needs={needs} onSend={send} />
    </div>
  );
};
