import { useMemo, useState, useSyncExternalStore } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { groupChanges, type RepositoryChange } from '../../model/session-view/change-groups.ts';
import { changeView, type ChangeView } from '../../model/session-view/change-view.ts';
import type { PendingChange, PendingTree } from '../../model/tool/pending-tree.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Scroll } from '../../ui/panel.tsx';
import styles from './changes-panel.module.css';
import { DiffView } from './diff-view.tsx';

export type ChangesPanelProps = {
  /** Nothing while no folder is open. */
  readonly files: PendingTree | undefined;
  /** Called inside a click, before anything is written: the moment at which the browser may be asked. False: not allowed. */
  readonly onBeforeApply?: () => Promise<boolean>;
  /** Written to the folder. */
  readonly onApplied?: (paths: readonly string[]) => void;
};

const NOTHING: readonly PendingChange[] = [];

/** The same array until something changes, as React wants it. */
const createSnapshot = (files: PendingTree | undefined) => {
  let changes = files?.pending() ?? NOTHING;
  return {
    get: () => changes,
    subscribe: (listener: () => void) => {
      const subscription = files?.subscribe(() => {
        changes = files.pending();
        listener();
      });
      return () => subscription?.[Symbol.dispose]();
    },
  };
};

/** What the agent has written and the folder does not have yet. */
const usePending = (files: PendingTree | undefined): readonly PendingChange[] => {
  const snapshot = useMemo(() => createSnapshot(files), [files]);
  return useSyncExternalStore(snapshot.subscribe, snapshot.get);
};

/** How many files wait, for the tab; nothing if none does. */
export const ChangesCount = ({ files }: Pick<ChangesPanelProps, 'files'>) => {
  const { length } = usePending(files);
  return length === 0 ? null : length;
};

const KINDS = { new: 'new', changed: 'changed', deleted: 'will be deleted' } as const;

interface Problem {
  readonly message: string;
  /** Paths that changed on disk: they can be overwritten. */
  readonly conflicts: readonly string[];
}

const Row = ({
  change,
  onApply,
  onDiscard,
  isConflict,
}: {
  readonly change: ChangeView;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
  readonly isConflict: boolean;
}) => (
  <article className={styles['change']} aria-label={change.path}>
    <header className={styles['head']}>
      <code className={styles['path']}>{change.path}</code>
      <Badge tone={change.kind === 'deleted' ? 'error' : 'plain'}>{KINDS[change.kind]}</Badge>
      <span className={styles['count']}>
        +{change.added} −{change.removed}
      </span>
      {isConflict && <Badge tone="warning">changed on disk</Badge>}
      <span className={styles['buttons']}>
        <Button look="primary" aria-label={`Apply ${change.path}`} onPress={onApply}>
          Apply
        </Button>
        <Button aria-label={`Discard ${change.path}`} onPress={onDiscard}>
          Discard
        </Button>
      </span>
    </header>
    <DiffView change={change} />
  </article>
);

/** What git wrote into its own folder: it is applied as a whole. */
const RepositoryRow = ({
  change: { folder, paths },
  onApply,
  onDiscard,
}: {
  readonly change: RepositoryChange;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
}) => (
  <article className={styles['change']} aria-label={folder}>
    <header className={styles['head']}>
      <code className={styles['path']}>{folder}</code>
      <Badge>repository</Badge>
      <span className={styles['count']}>{plural(paths.length, 'file')}</span>
      <span className={styles['buttons']}>
        <Button look="primary" aria-label={`Apply ${folder}`} onPress={onApply}>
          Apply
        </Button>
        <Button aria-label={`Discard ${folder}`} onPress={onDiscard}>
          Discard
        </Button>
      </span>
    </header>
    <p className={styles['count']}>Commits, index, and branches written by git. Apply or discard them together.</p>
  </article>
);

/** Pending writes as diffs, with the click that puts them into the folder (D22). */
export const ChangesPanel = ({ files, onBeforeApply, onApplied }: ChangesPanelProps) => {
  const pending = usePending(files);
  const { views, repositories } = useMemo(() => {
    const groups = groupChanges(pending);
    return { views: groups.files.map(changeView), repositories: groups.repositories };
  }, [pending]);
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);

  const apply = async (paths: readonly string[] | undefined, overwrite = false): Promise<void> => {
    if (!files || isBusy) return;
    setBusy(true);
    try {
      if (onBeforeApply && !(await onBeforeApply())) {
        setProblem({
          message:
            'The browser has no permission to write to this folder, so nothing was written. Apply again and allow it.',
          conflicts: [],
        });
        return;
      }
      const answer = await files.apply(paths, { overwrite });
      if (answer.ok) {
        setProblem(undefined);
        onApplied?.(answer.value);
        return;
      }
      const { error } = answer;
      setProblem({ message: error.message, conflicts: error.kind === 'conflict' ? error.paths : [] });
      if (error.kind === 'failed' && error.applied.length > 0) onApplied?.(error.applied);
    } catch (thrown) {
      setProblem({ message: errorMessage(thrown), conflicts: [] });
    } finally {
      setBusy(false);
    }
  };
  const discard = (paths?: readonly string[]): void => {
    setProblem(undefined);
    void files?.discard(paths);
  };

  if (pending.length === 0)
    return (
      <EmptyState title="No pending changes">
        Changes from agents and commands appear here for review. Apply them to update your folder.
      </EmptyState>
    );
  return (
    <Scroll label="Pending changes">
      <div className={styles['list']}>
        <div className={styles['all']}>
          <p>{plural(pending.length, 'file')} changed, not yet in your folder.</p>
          <Button look="primary" onPress={() => void apply(undefined)} {...(isBusy && { disabledReason: 'Writing…' })}>
            Apply all
          </Button>
          <Button onPress={() => discard()}>Discard all</Button>
        </div>
        {problem && (
          <div className={styles['problem']} role="alert">
            <p>{problem.message}</p>
            {problem.conflicts.length > 0 && (
              <Button look="danger" onPress={() => void apply(problem.conflicts, true)}>
                Overwrite{' '}
                {problem.conflicts.length === 1 ? problem.conflicts[0] : plural(problem.conflicts.length, 'file')}
              </Button>
            )}
          </div>
        )}
        {views.map((change) => (
          <Row
            key={change.path}
            change={change}
            isConflict={problem?.conflicts.includes(change.path) ?? false}
            onApply={() => void apply([change.path])}
            onDiscard={() => discard([change.path])}
          />
        ))}
        {repositories.map((change) => (
          <RepositoryRow
            key={change.folder}
            change={change}
            onApply={() => void apply(change.paths)}
            onDiscard={() => discard(change.paths)}
          />
        ))}
      </div>
    </Scroll>
  );
};
