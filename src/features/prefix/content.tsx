import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { SessionPadding } from '../padding-calculator/session-padding.tsx';
import { PrefixBand } from './prefix-band.tsx';
import type { CountTokens } from './use-prefix.ts';

type Needs = RequestStores & { readonly workspace: WorkspaceFacts; readonly count: CountTokens };

/** The band is its own head: its name is beside the strip. */
const Head = ({ sessions, recordings, workspace, count, end }: Needs & { readonly end: ReactNode }) => {
  const version = useStore(workspace, (facts) => facts.version);
  return (
    <SessionPadding sessions={sessions}>
      {(open) => (
        <PrefixBand
          sessions={sessions}
          recordings={recordings}
          count={count}
          folderVersion={version}
          onCalculate={open}
          end={end}
        />
      )}
    </SessionPadding>
  );
};
const Content = () => null;

export const prefixContent = { Content, Head };
