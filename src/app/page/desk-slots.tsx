/** The panels of the desk as the shell places them. */
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { BudgetPanel } from '../../features/budget/budget-panel.tsx';
import { ChangesCount, ChangesPanel } from '../../features/changes/changes-panel.tsx';
import { TrustQuestions } from '../../features/consent/trust-dialog.tsx';
import { TrustedMetaskills } from '../../features/consent/trusted-metaskills.tsx';
import { EditorBody, EditorHead } from '../../features/editor/editor-panel.tsx';
import { EventStream } from '../../features/events/event-stream.tsx';
import { LogPanel } from '../../features/log/log-panel.tsx';
import type { LogStore } from '../../features/log/log-store.ts';
import { MetaskillRunPanel } from '../../features/metaskill-run/metaskill-run-panel.tsx';
import { Overview } from '../../features/overview/overview.tsx';
import { PaddingDialog } from '../../features/padding-calculator/padding-calculator.tsx';
import { PrefixPanel } from '../../features/prefix/prefix-panel.tsx';
import type { CountTokens } from '../../features/prefix/use-prefix.ts';
import type { PreviewSettings } from '../../features/preview/preview-settings.ts';
import { type AllowedBook, AllowedCommands } from '../../features/sandbox/allowed-commands.tsx';
import { SandboxPanel } from '../../features/sandbox/sandbox-panel.tsx';
import { ModelFact, StateFact, UsageFact } from '../../features/session/session-bar.tsx';
import { SessionActions, SessionFacts } from '../../features/session/session-head.tsx';
import { SessionPanel } from '../../features/session/session-panel.tsx';
import { WaterfallPanel } from '../../features/waterfall/waterfall-panel.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Desk } from '../desk/desk-types.ts';
import { openSegment } from '../desk/open-segment.ts';
import type { ThemeStore } from '../shell/theme.ts';
import { BarChip } from '../shell/top-bar.tsx';
import type { PanelId } from '../views/registry.ts';
import type { WorkbenchSlots } from './workbench.tsx';

export interface SlotDeps {
  readonly desk: Desk;
  readonly theme: ThemeStore;
  readonly preview: PreviewSettings;
  readonly log: LogStore;
  readonly count: CountTokens;
  readonly show: (panel: PanelId) => void;
  readonly save: (name: string, text: string) => void;
  readonly copy: (text: string, what: string) => void;
}

const DeskEditor = ({ desk, theme, preview }: SlotDeps) => {
  const name = useSyncExternalStore(theme.subscribe, theme.get);
  return <EditorBody editor={desk.editor} theme={name} preview={preview} />;
};

const LazyImport = lazy(async () => ({
  default: (await import('../../features/import/import-panel.tsx')).ImportPanel,
}));
const LazySources = lazy(async () => ({
  default: (await import('../../features/settings/sources-section.tsx')).SourcesSection,
}));
const LazyCredentials = lazy(async () => ({
  default: (await import('../../features/import/credential-form.tsx')).CredentialDialogs,
}));

const DeskImport = ({ desk, copy }: SlotDeps) => {
  const imports = useStore(desk.importState, (state) => state.imports);
  const problem = useStore(desk.importState, (state) => state.problem);
  useEffect(() => {
    // What goes wrong is in the state.
    desk.imports().catch(() => {});
  }, [desk]);
  if (problem !== undefined) return <EmptyState title="The importer could not be loaded">{problem}</EmptyState>;
  const loading = <EmptyState title="Loading the importer">One moment.</EmptyState>;
  return imports ? (
    <Suspense fallback={loading}>
      <LazyImport store={imports.store} routing={imports.routing} keys={imports.keys} copy={copy} />
    </Suspense>
  ) : (
    loading
  );
};

/** Forms for credentials come while a turn runs, whatever is in view. */
const DeskForms = ({ desk }: SlotDeps) => {
  const imports = useStore(desk.importState, (state) => state.imports);
  return imports ? (
    <Suspense fallback={null}>
      <LazyCredentials forms={imports.forms} />
    </Suspense>
  ) : null;
};

/** Another folder has other pending changes. */
const DeskChanges = ({ desk }: SlotDeps) => {
  const current = useStore(desk.folder, (state) => state.current);
  const pending = desk.folder.pending();
  if (!current || !pending)
    return <EmptyState title="No folder is open">What an agent writes is shown here.</EmptyState>;
  return <ChangesPanel key={current.id} files={pending} onApplied={() => void desk.files.checkDisk()} />;
};

const DeskChangesCount = ({ desk }: Pick<SlotDeps, 'desk'>) => {
  // Another folder, other changes.
  useStore(desk.folder, (state) => state.current);
  return <ChangesCount files={desk.folder.pending()} />;
};

type PaddingProps = {
  readonly desk: Desk;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

const DeskPadding = ({ desk, isOpen, onClose }: PaddingProps) => {
  const next = useStore(desk.sessions, (state) => state.next);
  const state = desk.sessions.state();
  return (
    <PaddingDialog
      isOpen={isOpen}
      onClose={onClose}
      model={next.settings.model}
      policy={state?.config?.padding ?? next.padding}
      ask={desk.sessions.paddingBasis}
      turns={state?.turns.length ?? 0}
    />
  );
};

const DeskOverview = (deps: SlotDeps) => {
  const version = useStore(deps.desk.workspace, (facts) => facts.version);
  const [isCalculating, setIsCalculating] = useState(false);
  return (
    <>
      <Overview
        store={deps.desk.sessions}
        count={deps.count}
        folderVersion={version}
        onCalculate={() => setIsCalculating(true)}
        onOpen={deps.show}
      />
      <DeskPadding desk={deps.desk} isOpen={isCalculating} onClose={() => setIsCalculating(false)} />
    </>
  );
};

const DeskPrefix = (deps: SlotDeps) => {
  const { desk } = deps;
  const version = useStore(desk.workspace, (facts) => facts.version);
  const [isCalculating, setIsCalculating] = useState(false);
  return (
    <>
      <PrefixPanel
        store={desk.sessions}
        count={deps.count}
        folderVersion={version}
        onCalculate={() => setIsCalculating(true)}
      />
      <DeskPadding desk={desk} isOpen={isCalculating} onClose={() => setIsCalculating(false)} />
    </>
  );
};

/** Programs that are being edited run as they stand. */
const DeskRun = ({ desk }: SlotDeps) => {
  const version = useStore(desk.workspace, (facts) => facts.version);
  const documents = useStore(desk.files, (state) => state.documents);
  const { host } = desk.editor;
  const active = useSyncExternalStore(host.subscribe, () => host.getState().active);
  const skills = useMemo(
    () => desk.workspace.metaskills(),
    // oxlint-disable-next-line react/exhaustive-deps -- the desk reads what these two say has changed
    [desk, version, documents],
  );
  const inFront = active === undefined ? undefined : desk.workspace.skillHolding(active)?.name;
  const times = useStore(desk.wantedRun, (state) => state.times);
  return (
    <MetaskillRunPanel
      store={desk.sessions}
      skills={skills}
      skill={skills.some(({ name }) => name === inFront) ? inFront : undefined}
      isProgramOpen={active?.endsWith('.star') === true}
      wanted={times}
      analyse={async (program) => (await desk.engine())?.analyse(program)}
    />
  );
};

const DeskSandbox = ({ desk }: SlotDeps) => {
  const book = useMemo(
    (): AllowedBook => ({
      rules: async () => (await desk.services()).approvals.rules(),
      forget: async (key) => {
        (await desk.services()).approvals.forget(key);
        desk.sessions.forgetApproval(key);
      },
    }),
    [desk],
  );
  return <SandboxPanel store={desk.terminal} more={<AllowedCommands book={book} />} />;
};

export const deskSlots = (deps: SlotDeps): WorkbenchSlots => {
  const { desk, log, copy } = deps;
  const { sessions: store, sessionUi: ui, sessionHost: host, editor } = desk;
  const session = { store, ui, host };
  return {
    bar: {
      model: (
        <BarChip fact="model">
          <ModelFact store={store} />
        </BarChip>
      ),
      session: (
        <BarChip fact="session">
          <StateFact store={store} />
        </BarChip>
      ),
      usage: (
        <BarChip fact="usage">
          <UsageFact store={store} />
        </BarChip>
      ),
    },
    editor: {
      head: (end) => <EditorHead editor={editor} end={end} />,
      content: <DeskEditor {...deps} />,
    },
    session: {
      content: <SessionPanel {...session} />,
      facts: <SessionFacts store={store} />,
      actions: <SessionActions {...session} />,
    },
    sources: <LazySources store={desk.sources} />,
    trusted: <TrustedMetaskills store={desk.consents} />,
    dialogs: (
      <>
        <DeskForms {...deps} />
        <TrustQuestions store={desk.consents} />
      </>
    ),
    instruments: [
      { id: 'overview', content: <DeskOverview {...deps} /> },
      { id: 'prefix', content: <DeskPrefix {...deps} /> },
      {
        id: 'cache-waterfall',
        content: <WaterfallPanel store={store} count={deps.count} onOpenSegment={openSegment(desk)} />,
      },
      { id: 'activation-budget', content: <BudgetPanel store={store} /> },
      { id: 'event-stream', content: <EventStream store={store} onSave={deps.save} /> },
      { id: 'metaskill-run', content: <DeskRun {...deps} /> },
      {
        id: 'changes',
        content: <DeskChanges {...deps} />,
        count: <DeskChangesCount desk={desk} />,
      },
      { id: 'import', content: <DeskImport {...deps} /> },
      { id: 'log', content: <LogPanel store={log} onCopy={(text) => copy(text, 'Log copied')} /> },
      { id: 'sandbox', content: <DeskSandbox {...deps} /> },
    ],
  };
};
