import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { toggleFollowing } from '../instruments/requests.ts';
import { WaterfallPanel } from './waterfall-panel.tsx';

type Needs = RequestStores & { readonly show: (panel: 'request') => void };

const Content = ({ sessions, recordings, show }: Needs) => (
  <WaterfallPanel
    sessions={sessions}
    recordings={recordings}
    onShow={() => show('request')}
    onFollow={() => toggleFollowing(sessions)}
  />
);
/** The axis says what it is; a line of its own would only take room from the rows. */
const Head = () => null;

export const cacheWaterfallContent = { Content, Head };
