import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { RequestStores } from '../instruments/use-shown-requests.ts';
import { WhatIfHead, WhatIfPanel } from './what-if-panel.tsx';

type Needs = RequestStores & {
  readonly whatIf: WhatIfStore;
  readonly copy: (text: string, what: string) => void;
};

const Content = ({ sessions, recordings, whatIf, copy }: Needs) => (
  <WhatIfPanel sessions={sessions} recordings={recordings} whatIf={whatIf} copy={copy} />
);

export const whatIfContent = { Content, Head: WhatIfHead };
