import { LogPanel } from './log-panel.tsx';
import type { LogStore } from './log-store.ts';

type Needs = { readonly log: LogStore; readonly copy: (text: string, what: string) => void };

const Content = ({ log, copy }: Needs) => <LogPanel store={log} onCopy={(text) => copy(text, 'Log copied')} />;

export const logContent = { Content };
