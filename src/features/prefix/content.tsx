import { useStore } from 'zustand';
import type { SessionStore } from '../../stores/session-types.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import { SessionPadding } from '../padding-calculator/session-padding.tsx';
import { PrefixPanel } from './prefix-panel.tsx';
import type { CountTokens } from './use-prefix.ts';

type Needs = { readonly sessions: SessionStore; readonly workspace: WorkspaceFacts; readonly count: CountTokens };

const Content = ({ sessions, workspace, count }: Needs) => {
  const version = useStore(workspace, (facts) => facts.version);
  return (
    <SessionPadding sessions={sessions}>
      {(open) => <PrefixPanel store={sessions} count={count} folderVersion={version} onCalculate={open} />}
    </SessionPadding>
  );
};

export const prefixContent = { Content };
