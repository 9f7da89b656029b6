/** The panels of the desk as the shell places them. */
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { TrustQuestions } from '../../features/consent/trust-dialog.tsx';
import { TrustedMetaskills } from '../../features/consent/trusted-metaskills.tsx';
import { ModelMenu, StateFact, UsageFact } from '../../features/session/session-bar.tsx';
import { SendKey } from '../../features/session/send-key.tsx';
import { SessionQuestions } from '../../features/session/session-questions.tsx';
import { decodeText } from '../../model/files/text-file.ts';
import type { Desk } from '../desk/desk-types.ts';
import { BarFact } from '../shell/top-bar.tsx';
import { CONTENTS, IN_VIEW, type PanelPage } from './panel-contents.ts';
import { slotsOf } from './panel-slot.tsx';
import type { WorkbenchSlots } from './workbench.tsx';

const LazySources = lazy(async () => ({
  default: (await import('../../features/settings/sources-section.tsx')).SourcesSection,
}));
const LazySessionSettings = lazy(async () => ({
  default: (await import('../../features/session/session-settings.tsx')).SessionSettings,
}));
const LazyCredentials = lazy(async () => ({
  default: (await import('../../features/import/credential-form.tsx')).CredentialDialogs,
}));

/** Forms for credentials come while a turn runs, whatever is in view. */
const DeskForms = ({ importState }: Pick<Desk, 'importState'>) => {
  const imports = useStore(importState, (state) => state.imports);
  return imports ? (
    <Suspense fallback={null}>
      <LazyCredentials forms={imports.forms} />
    </Suspense>
  ) : null;
};

export const deskSlots = (page: PanelPage): WorkbenchSlots => {
  const { sessions: store, sessionUi: ui, sessionNeeds: needs } = page;
  const session = { store, ui, needs };
  return {
    bar: {
      model: <ModelMenu {...session} />,
      session: (
        <BarFact fact="session">
          <StateFact store={store} />
        </BarFact>
      ),
      usage: (
        <BarFact fact="usage">
          <UsageFact store={store} />
        </BarFact>
      ),
    },
    settings: {
      session: <LazySessionSettings {...session} />,
      keys: <SendKey ui={ui} />,
      sources: <LazySources store={page.sources} />,
      trusted: <TrustedMetaskills store={page.consents} />,
    },
    dialogs: (
      <>
        <DeskForms importState={page.importState} />
        <TrustQuestions store={page.consents} />
        <SessionQuestions {...session} />
      </>
    ),
    readFile: async (path) => {
      const bytes = await page.folder.tree()?.read(path);
      return bytes && decodeText(bytes);
    },
    panels: slotsOf(CONTENTS, page),
    inView: Object.fromEntries(Object.entries(IN_VIEW).map(([view, contents]) => [view, slotsOf(contents, page)])),
  };
};
