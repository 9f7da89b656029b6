import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { openSegment, type OpenSegmentDeps } from './open-segment.ts';
import { RequestPanel } from './request-panel.tsx';

type Needs = OpenSegmentDeps &
  RequestStores & {
    readonly sessionUi: { readonly show: (dialog: { readonly kind: 'settings' }) => void };
    readonly show: (panel: 'editor' | 'session') => void;
    readonly copy: (text: string, what: string) => void;
  };

const Content = ({ sessions, recordings, editor, workspace, sessionUi, show, copy }: Needs) => (
  <RequestPanel
    sessions={sessions}
    recordings={recordings}
    onOpenSegment={(segment) => {
      show('editor');
      openSegment({ editor, workspace })(segment);
    }}
    onSettings={() => {
      // Its dialogs are drawn with the conversation.
      show('session');
      sessionUi.show({ kind: 'settings' });
    }}
    onCopy={(text) => copy(text, 'Copied')}
  />
);

export const requestContent = { Content };
