import type { RecordingsStore } from '../../stores/recordings-store.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import type { WatchStore } from '../../stores/watch-store.ts';
import type { SessionUi } from '../session/session-ui.ts';
import { SourcesPanel } from './sources-panel.tsx';

type Needs = {
  readonly sessions: SessionStore;
  readonly sessionUi: SessionUi;
  readonly recordings: RecordingsStore;
  readonly watch: WatchStore;
  readonly show: (panel: 'session') => void;
};

const Content = ({ sessions, sessionUi, recordings, watch, show }: Needs) => (
  <SourcesPanel
    sessions={sessions}
    ui={sessionUi}
    recordings={recordings}
    watch={watch}
    onSession={() => show('session')}
  />
);

export const sourcesContent = { Content };
