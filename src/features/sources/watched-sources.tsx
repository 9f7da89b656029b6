import { useStore } from 'zustand';
import { plural } from '../../base/text.ts';
import type { RecordingsStore } from '../../stores/recordings-store.ts';
import type { WatchedSource, WatchStore } from '../../stores/watch-store.ts';
import { Source } from './source-row.tsx';
import styles from './sources-panel.module.css';

export type WatchedSourcesProps = {
  readonly watch: WatchStore;
  readonly recordings: RecordingsStore;
};

const aboutOf = ({ status, problem }: WatchedSource, requests: number | undefined): string => {
  const count = requests === undefined ? '' : plural(requests, 'request');
  if (status === 'failed') return `Can’t read it: ${problem ?? 'unknown'}. Select it to try again.`;
  if (status === 'asleep') return `${count === '' ? '' : `${count}, `}paused. Select it to resume.`;
  return requests === undefined || requests === 0 ? 'watching, no requests yet' : `watching, ${count}`;
};

/** Folders that are watched, and those of earlier visits: one click resumes. */
export const WatchedSources = ({ watch, recordings }: WatchedSourcesProps) => {
  const sources = useStore(watch, (state) => state.sources);
  const problem = useStore(watch, (state) => state.problem);
  const opened = useStore(recordings, (state) => state.recordings);
  const shown = useStore(recordings, (state) => state.shown);
  return (
    <>
      <h3 className={styles['group']}>Watched folders</h3>
      {problem !== undefined && (
        <p className={styles['empty']} role="alert">
          {problem}
        </p>
      )}
      {sources.length === 0 ? (
        <p className={styles['empty']}>No watched folders yet. Watch an agent to see its requests while it works.</p>
      ) : (
        <ul className={styles['list']} aria-label="Watched folders">
          {sources.map((source) => {
            const { id, name, status, recording } = source;
            const calls = opened.find((item) => item.id === recording)?.calls;
            return (
              <Source
                key={id}
                name={name}
                about={aboutOf(source, calls?.length)}
                isCurrent={recording !== undefined && shown?.id === recording}
                onOpen={() => {
                  if (status === 'watching') recordings.show(recording);
                  else void watch.resume(id);
                }}
                onClose={() => {
                  if (recording !== undefined) recordings.close(recording);
                  void watch.forget(id);
                }}
              />
            );
          })}
        </ul>
      )}
    </>
  );
};
