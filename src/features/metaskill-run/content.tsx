import { useSyncExternalStore } from 'react';
import { ProgramBody, type ProgramBodyProps, ProgramHead, type ProgramHeadProps } from './program-editor.tsx';

export { metaskillListContent } from './metaskill-list.tsx';
export { metaskillRunContent } from './metaskill-run-panel.tsx';
export { runScrubberContent } from './run-scrubber.tsx';

interface Needs extends Omit<ProgramBodyProps, 'theme'> {
  readonly theme: {
    readonly subscribe: (listener: () => void) => () => void;
    readonly get: () => ProgramBodyProps['theme'];
  };
}

const Content = ({ theme, ...needs }: Needs) => (
  <ProgramBody {...needs} theme={useSyncExternalStore(theme.subscribe, theme.get)} />
);

const Head = (needs: ProgramHeadProps) => <ProgramHead {...needs} />;

/** Where programs are worked on, the editor is the debugger. */
export const programContent = { Content, Head };
