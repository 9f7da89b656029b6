import type { ReactNode } from 'react';
import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { LedgerHead, LedgerPanel } from './ledger-panel.tsx';

type Needs = RequestStores & {
  readonly whatIf: WhatIfStore;
  readonly save: (name: string, text: string, type?: string) => void;
};

const Content = ({ sessions, recordings, whatIf }: Needs) => (
  <LedgerPanel sessions={sessions} recordings={recordings} whatIf={whatIf} />
);

const Head = ({ sessions, recordings, whatIf, save, end }: Needs & { readonly end: ReactNode }) => (
  <LedgerHead
    sessions={sessions}
    recordings={recordings}
    end={end}
    onReport={async () => {
      const html = await whatIf.report();
      if (html !== undefined) save('lathe-report.html', html, 'text/html');
    }}
  />
);

export const ledgerContent = { Content, Head };
