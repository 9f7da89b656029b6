/** The panels of the desk as the shell places them. */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { TrustQuestions } from '../../features/consent/trust-dialog.tsx';
import { TrustedMetaskills } from '../../features/consent/trusted-metaskills.tsx';
import { EditorBody, EditorHead } from '../../features/editor/editor-panel.tsx';
import { ProgramBody, ProgramHead } from '../../features/metaskill-run/program-editor.tsx';
import type { PreviewSettings } from '../../features/preview/preview-settings.ts';
import { BudgetHead } from '../../features/budget/budget-panel.tsx';
import { ModelMenu, StateFact, UsageFact } from '../../features/session/session-bar.tsx';
import { SessionActions, SessionFacts } from '../../features/session/session-head.tsx';
import { SessionPanel } from '../../features/session/session-panel.tsx';
import { SendKey } from '../../features/session/send-key.tsx';
import { SessionQuestions } from '../../features/session/session-questions.tsx';
import { decodeText } from '../../model/files/text-file.ts';
import type { Desk } from '../desk/desk-types.ts';
import type { PanelSlot, PanelSlots } from '../shell/panel-region.tsx';
import type { ThemeStore } from '../shell/theme.ts';
import { BarFact } from '../shell/top-bar.tsx';
import { type PanelId, PANELS } from '../views/registry.ts';
import { CONTENTS, type PanelPage } from './panel-contents.ts';
import type { WorkbenchSlots } from './workbench.tsx';

export interface SlotDeps {
  readonly page: PanelPage;
  readonly theme: ThemeStore;
  readonly preview: PreviewSettings;
}

const slotOf = (id: keyof typeof CONTENTS, page: PanelPage): PanelSlot => {
  const { Content, Count, Head } = CONTENTS[id];
  return {
    content: <Content {...page} />,
    ...(Count && { count: <Count {...page} /> }),
    ...(Head && { head: (end) => <Head {...page} end={end} /> }),
  };
};

const hasContent = (id: PanelId): id is keyof typeof CONTENTS => id in CONTENTS;

const DeskEditor = ({ page, theme, preview }: SlotDeps) => {
  const name = useSyncExternalStore(theme.subscribe, theme.get);
  return <EditorBody editor={page.editor} theme={name} preview={preview} />;
};

/** In Metaskills the editor is the debugger. */
const DeskDebugger = ({ page, theme, preview }: SlotDeps) => {
  const name = useSyncExternalStore(theme.subscribe, theme.get);
  return <ProgramBody {...page} theme={name} preview={preview} />;
};

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

export const deskSlots = ({ page, theme, preview }: SlotDeps): WorkbenchSlots => {
  const { sessions: store, sessionUi: ui, sessionHost: host, editor } = page;
  const session = { store, ui, host };
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
    debugger: {
      head: (end) => <ProgramHead {...page} end={end} />,
      content: <DeskDebugger page={page} theme={theme} preview={preview} />,
    },
    panels: {
      ...(Object.fromEntries(
        PANELS.flatMap(({ id }) => (hasContent(id) ? [[id, slotOf(id, page)]] : [])),
      ) as PanelSlots),
      editor: {
        head: (end) => <EditorHead editor={editor} end={end} />,
        content: <DeskEditor page={page} theme={theme} preview={preview} />,
      },
      session: {
        content: <SessionPanel {...session} recordings={page.recordings} budget={<BudgetHead store={store} />} />,
        facts: <SessionFacts store={store} />,
        actions: <SessionActions {...session} />,
      },
    },
  };
};
