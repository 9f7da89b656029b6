import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { openSegment, type OpenSegmentDeps } from './open-segment.ts';
import { RequestPanel } from './request-panel.tsx';

type Needs = OpenSegmentDeps &
  RequestStores & {
    readonly show: (panel: 'editor' | 'settings') => void;
    readonly copy: (text: string, what: string) => void;
    readonly whatIf: WhatIfStore;
  };

const Content = ({ sessions, recordings, editor, workspace, show, copy, whatIf }: Needs) => (
  <RequestPanel
    sessions={sessions}
    recordings={recordings}
    onOpenSegment={(segment) => {
      show('editor');
      openSegment({ editor, workspace })(segment);
    }}
    onSettings={() => show('settings')}
    onCopy={(text) => copy(text, 'Copied')}
    whatIf={whatIf}
    onTry={(policy) => void whatIf.turn(policy)}
  />
);

export const requestContent = { Content };
