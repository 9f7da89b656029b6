import { LedgerHead, LedgerPanel } from './ledger-panel.tsx';
import type { RequestStores } from '../instruments/use-shown-requests.ts';

const Content = ({ sessions, recordings }: RequestStores) => (
  <LedgerPanel sessions={sessions} recordings={recordings} />
);

export const ledgerContent = { Content, Head: LedgerHead };
