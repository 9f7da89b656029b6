import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { LedgerHead, LedgerPanel } from './ledger-panel.tsx';

type Needs = RequestStores & {
  readonly whatIf: WhatIfStore;
  readonly save: (name: string, text: string, type?: string) => void;
};

const Content = ({ sessions, recordings, whatIf, save }: Needs) => (
  <LedgerPanel
    sessions={sessions}
    recordings={recordings}
    whatIf={whatIf}
    onReport={async () => {
      const html = await whatIf.report();
      if (html !== undefined) save('lathe-report.html', html, 'text/html');
    }}
  />
);

export const ledgerContent = { Content, Head: LedgerHead };
