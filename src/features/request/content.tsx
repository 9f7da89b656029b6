import { openSegment, type OpenSegmentDeps } from '../waterfall/open-segment.ts';
import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { RequestPanel } from './request-panel.tsx';

type Needs = OpenSegmentDeps & RequestStores & { readonly show: (panel: 'editor') => void };

const Content = ({ sessions, recordings, editor, workspace, show }: Needs) => (
  <RequestPanel
    sessions={sessions}
    recordings={recordings}
    onOpenSegment={(segment) => {
      show('editor');
      openSegment({ editor, workspace })(segment);
    }}
  />
);

export const requestContent = { Content };
