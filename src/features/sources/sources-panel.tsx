import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { usdText } from '../../model/session-view/words.ts';
import type { RecordingsStore } from '../../stores/recordings-store.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { Source } from './source-row.tsx';
import { WatchDialog } from './watch-dialog.tsx';
import { WatchedSources } from './watched-sources.tsx';
import type { WatchStore } from '../../stores/watch-store.ts';
import type { SessionUi } from '../session/session-ui.ts';
import styles from './sources-panel.module.css';

export type SourcesPanelProps = {
  readonly sessions: SessionStore;
  readonly ui: SessionUi;
  readonly recordings: RecordingsStore;
  readonly watch: WatchStore;
  /** The session is in front again: its conversation is to be seen. */
  readonly onSession: () => void;
};

/** Where requests come from: the session, kept ones, recordings, watched folders. */
export const SourcesPanel = ({ sessions, ui, recordings, watch, onSession }: SourcesPanelProps) => {
  const kept = useStore(sessions, (state) => state.kept);
  const currentId = useStore(sessions, (state) => state.currentId);
  const status = useStore(sessions, (state) => state.status);
  useStore(sessions, (state) => state.revision);
  const watched = useStore(watch, (state) => state.sources);
  // A watched folder has its recording in a list of its own.
  const opened = useStore(recordings, (state) => state.recordings).filter(
    ({ id }) => !watched.some(({ recording }) => recording === id),
  );
  const shown = useStore(recordings, (state) => state.shown);
  const [isAsking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const now = sessions.state();
  const others = kept.filter(({ id }) => id !== currentId);
  const isBusy = status === 'running' || status === 'starting';

  useEffect(() => {
    sessions.refreshKept().catch((thrown: unknown) => ui.fail(errorMessage(thrown)));
    // oxlint-disable-next-line react/exhaustive-deps -- the session that was left is kept from now on
  }, [sessions, ui, currentId]);

  const toSession = (): void => {
    recordings.show(undefined);
    onSession();
  };
  const open = (id: string): void => {
    toSession();
    sessions.open(id).catch((thrown: unknown) => ui.fail(errorMessage(thrown)));
  };
  const totals = now?.totals;
  return (
    <Scroll label="Sources, scrolling">
      <div className={styles['panel']}>
        <div className={styles['actions']}>
          <Button
            look="primary"
            icon="plus"
            onPress={() => {
              sessions.newSession();
              toSession();
            }}
            {...(currentId === undefined && { disabledReason: 'The current session is empty.' })}
          >
            New session
          </Button>
          <Button icon="file" onPress={() => input.current?.click()}>
            Open recording
          </Button>
          <Button icon="eye" onPress={() => setAsking(true)}>
            Watch an agent
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            accept=".jsonl,.har,.json,.yaml,.yml"
            aria-label="Recording of requests"
            className={styles['file']}
            tabIndex={-1}
            onChange={(event) => {
              const [file, ...more] = event.currentTarget.files ?? [];
              if (file) void recordings.open(file, ...more);
              event.currentTarget.value = '';
            }}
          />
        </div>
        <h3 className={styles['group']}>Current</h3>
        <ul className={styles['list']} aria-label="Current session">
          <Source
            name={now && now.title !== '' ? now.title : 'New session'}
            about={now ? plural(totals?.calls ?? 0, 'request') : 'nothing sent yet'}
            cost={totals && totals.calls > 0 ? usdText(totals.unpriced === 0 ? totals.costUsd : undefined) : undefined}
            isCurrent={shown === undefined}
            onOpen={toSession}
          />
        </ul>
        <h3 className={styles['group']}>Saved</h3>
        {others.length === 0 ? (
          <p className={styles['empty']}>Lathe saves each session in this browser from its first message.</p>
        ) : (
          <ul className={styles['list']} aria-label="Saved sessions">
            {others.map(({ id, title, workspace, totals: sums }) => (
              <Source
                key={id}
                name={title || 'Untitled'}
                about={`${plural(sums.turns, 'turn')}, ${workspace}`}
                cost={usdText(sums.cost)}
                isCurrent={false}
                onOpen={() => {
                  if (isBusy) ui.fail('A turn is running. Stop it before you open another session.');
                  else open(id);
                }}
              />
            ))}
          </ul>
        )}
        <h3 className={styles['group']}>Recordings</h3>
        {opened.length === 0 ? (
          <p className={styles['empty']}>Open a JSONL or HAR file to explain each request.</p>
        ) : (
          <ul className={styles['list']} aria-label="Recordings">
            {opened.map(({ id, name, calls }) => (
              <Source
                key={id}
                name={name}
                about={plural(calls.length, 'request')}
                isCurrent={shown?.id === id}
                onOpen={() => recordings.show(id)}
                onClose={() => recordings.close(id)}
              />
            ))}
          </ul>
        )}
        <WatchedSources watch={watch} recordings={recordings} />
        {isAsking && (
          <WatchDialog
            onClose={() => setAsking(false)}
            onPick={() => {
              setAsking(false);
              void watch.pick();
            }}
          />
        )}
      </div>
    </Scroll>
  );
};
