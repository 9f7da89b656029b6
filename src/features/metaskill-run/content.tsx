import { useMemo, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import type { FilesStore } from '../../stores/files-types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import type { Editor } from '../editor/editor.ts';
import { MetaskillRunPanel } from './metaskill-run-panel.tsx';

type Needs = {
  readonly sessions: SessionStore;
  readonly workspace: WorkspaceFacts;
  readonly files: FilesStore;
  readonly editor: Pick<Editor, 'host'>;
  readonly engine: () => Promise<StarlarkEngine | undefined>;
  readonly wantedRun: Pick<StoreApi<{ readonly times: number }>, 'getState' | 'getInitialState' | 'subscribe'>;
};

/** Programs that are being edited run as they stand. */
const Content = ({ sessions, workspace, files, editor: { host }, engine, wantedRun }: Needs) => {
  const version = useStore(workspace, (facts) => facts.version);
  const documents = useStore(files, (state) => state.documents);
  const active = useSyncExternalStore(host.subscribe, () => host.getState().active);
  const skills = useMemo(
    () => workspace.metaskills(),
    // oxlint-disable-next-line react/exhaustive-deps -- the workspace reads what these two say has changed
    [workspace, version, documents],
  );
  const inFront = active === undefined ? undefined : workspace.skillHolding(active)?.name;
  const times = useStore(wantedRun, (state) => state.times);
  return (
    <MetaskillRunPanel
      store={sessions}
      skills={skills}
      skill={skills.some(({ name }) => name === inFront) ? inFront : undefined}
      isProgramOpen={active?.endsWith('.star') === true}
      wanted={times}
      analyse={async (program) => (await engine())?.analyse(program)}
    />
  );
};

export const metaskillRunContent = { Content };
