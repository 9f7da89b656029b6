import { useMemo } from 'react';
import type { SessionServices } from '../../platform/runtime/session-services.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { type AllowedBook, AllowedCommands } from './allowed-commands.tsx';
import { SandboxPanel } from './sandbox-panel.tsx';
import type { TerminalStore } from './terminal-store.ts';

type Needs = {
  readonly terminal: TerminalStore;
  readonly services: () => Promise<Pick<SessionServices, 'approvals'>>;
  readonly sessions: Pick<SessionStore, 'forgetApproval'>;
};

const Content = ({ terminal, services, sessions }: Needs) => {
  const book = useMemo(
    (): AllowedBook => ({
      rules: async () => (await services()).approvals.rules(),
      forget: async (key) => {
        (await services()).approvals.forget(key);
        sessions.forgetApproval(key);
      },
    }),
    [services, sessions],
  );
  return <SandboxPanel store={terminal} more={<AllowedCommands book={book} />} />;
};

export const sandboxContent = { Content };
