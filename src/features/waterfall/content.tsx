import type { SessionStore } from '../../stores/session-types.ts';
import type { CountTokens } from '../prefix/use-prefix.ts';
import { openSegment, type OpenSegmentDeps } from './open-segment.ts';
import { WaterfallPanel } from './waterfall-panel.tsx';

type Needs = OpenSegmentDeps & { readonly sessions: SessionStore; readonly count: CountTokens };

const Content = ({ sessions, count, editor, workspace }: Needs) => (
  <WaterfallPanel store={sessions} count={count} onOpenSegment={openSegment({ editor, workspace })} />
);

export const cacheWaterfallContent = { Content };
