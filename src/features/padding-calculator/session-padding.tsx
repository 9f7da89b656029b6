import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { SessionStore } from '../../stores/session-types.ts';
import { PaddingDialog } from './padding-calculator.tsx';

type SessionPaddingProps = {
  readonly sessions: SessionStore;
  /** Draws what opens the calculator. */
  readonly children: (open: () => void) => ReactNode;
};

/** The calculator of the session that is open, or of the one that would start now. */
export const SessionPadding = ({ sessions, children }: SessionPaddingProps) => {
  const next = useStore(sessions, (state) => state.next);
  const [isOpen, setIsOpen] = useState(false);
  const state = sessions.state();
  return (
    <>
      {children(() => setIsOpen(true))}
      <PaddingDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        model={next.settings.model}
        policy={state?.config?.padding ?? next.padding}
        basisOf={sessions.paddingBasis}
        turns={state?.turns.length ?? 0}
      />
    </>
  );
};
