import { useStore } from 'zustand';
import type { SessionStore } from '../../stores/session-types.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import { SessionPadding } from '../padding-calculator/session-padding.tsx';
import type { CountTokens } from '../prefix/use-prefix.ts';
import { Overview, type OverviewProps } from './overview.tsx';

type Needs = {
  readonly sessions: SessionStore;
  readonly workspace: WorkspaceFacts;
  readonly count: CountTokens;
  readonly show: NonNullable<OverviewProps['onOpen']>;
};

const Content = ({ sessions, workspace, count, show }: Needs) => {
  const version = useStore(workspace, (facts) => facts.version);
  return (
    <SessionPadding sessions={sessions}>
      {(open) => <Overview store={sessions} count={count} folderVersion={version} onCalculate={open} onOpen={show} />}
    </SessionPadding>
  );
};

export const overviewContent = { Content };
