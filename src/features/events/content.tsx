import { useStore } from 'zustand';
import type { RecordingsStore } from '../../stores/recordings-store.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { EventStream, type EventStreamProps } from './event-stream.tsx';

type Needs = {
  readonly sessions: SessionStore;
  readonly recordings: RecordingsStore;
  readonly save: EventStreamProps['onSave'];
};

const Content = ({ sessions, recordings, save }: Needs) => {
  // A recording has another time than the session whose events these are.
  const range = useStore(recordings, (state) => (state.shown ? undefined : state.range));
  return <EventStream store={sessions} range={range} onAllTime={() => recordings.look(undefined)} onSave={save} />;
};

export const eventStreamContent = { Content };
