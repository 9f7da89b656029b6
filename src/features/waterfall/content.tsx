import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { toggleFollowing } from '../instruments/requests.ts';
import { WaterfallPanel } from './waterfall-panel.tsx';

type Needs = RequestStores & {
  readonly whatIf: WhatIfStore;
  readonly show: (panel: 'request') => void;
  readonly write: () => void;
};

const Content = ({ sessions, recordings, whatIf, show, write }: Needs) => (
  <WaterfallPanel
    sessions={sessions}
    recordings={recordings}
    whatIf={whatIf}
    onShow={() => show('request')}
    onWrite={write}
    onFollow={() => toggleFollowing(sessions)}
  />
);
/** The axis says what it is; a line of its own would only take room from the rows. */
const Head = () => null;

export const cacheWaterfallContent = { Content, Head };
