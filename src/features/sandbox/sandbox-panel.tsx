import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './sandbox-panel.module.css';
import type { TerminalEntry, TerminalStore } from './terminal-store.ts';

const endOf = ({ exitCode, error }: TerminalEntry): string | undefined => {
  if (error !== undefined) return `error: ${error}`;
  return exitCode === undefined ? undefined : `exit code ${exitCode}`;
};

const Entry = ({
  entry,
  isRunning,
  progress,
}: {
  readonly entry: TerminalEntry;
  readonly isRunning: boolean;
  readonly progress: string | undefined;
}) => {
  const end = endOf(entry);
  const isBad = entry.error !== undefined || (entry.exitCode ?? 0) !== 0;
  return (
    <li className={styles['entry']}>
      <code className={styles['line']}>
        <span aria-hidden="true">$ </span>
        {entry.line}
      </code>
      {entry.output !== '' && <pre className={styles['output']}>{entry.output}</pre>}
      {entry.isCut && <p className={styles['note']}>The output is cut. This is its start.</p>}
      {isRunning && <p className={styles['note']}>{progress ?? 'Running'} …</p>}
      {end !== undefined && (
        <p className={styles['end']} data-bad={isBad}>
          {end}
        </p>
      )}
    </li>
  );
};

export type SandboxPanelProps = {
  readonly store: TerminalStore;
  /** Buttons behind those of the terminal. */
  readonly more?: ReactNode;
};

/** A small terminal over the open folder. */
export const SandboxPanel = ({ store, more }: SandboxPanelProps) => {
  const entries = useStore(store, (state) => state.entries);
  const running = useStore(store, (state) => state.running);
  const progress = useStore(store, (state) => state.progress);
  const input = useStore(store, (state) => state.input);
  const fault = useStore(store, (state) => state.fault);
  const bottom = useRef<HTMLDivElement>(null);
  const faultId = useId();
  useEffect(() => {
    bottom.current?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div className={styles['panel']}>
      <div className={styles['log']} role="log" aria-label="Terminal" tabIndex={0}>
        {entries.length === 0 ? (
          <EmptyState title="No commands yet">
            Type a command below, such as <code>ls</code>, <code>git status</code> or <code>python3 -m unittest</code>.
            It uses the open folder, and its changes wait in Changes. For pipes and patterns:{' '}
            <code>sh -c &apos;…&apos;</code>.
          </EmptyState>
        ) : (
          <ol className={styles['entries']}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} isRunning={entry.id === running} progress={progress} />
            ))}
          </ol>
        )}
        <div ref={bottom} />
      </div>
      <form
        className={styles['prompt']}
        onSubmit={(event) => {
          event.preventDefault();
          void store.submit();
        }}
      >
        <span aria-hidden="true" className={styles['sign']}>
          $
        </span>
        <input
          className={styles['input']}
          aria-label="Command"
          placeholder="git status"
          aria-invalid={fault !== undefined}
          aria-describedby={faultId}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck="false"
          value={input}
          onChange={(event) => store.type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
            event.preventDefault();
            store.recall(event.key === 'ArrowUp' ? -1 : 1);
          }}
        />
        {running === undefined ? (
          <Button
            onPress={() => void store.submit()}
            {...(input.trim() === '' && { disabledReason: 'Type a command first.' })}
          >
            Run
          </Button>
        ) : (
          <Button look="danger" onPress={store.stop}>
            Stop
          </Button>
        )}
        <Button
          look="quiet"
          onPress={store.clear}
          {...(entries.length === 0 && { disabledReason: 'Nothing to clear.' })}
        >
          Clear
        </Button>
        {more}
      </form>
      <p id={faultId} className={styles['fault']} role="status">
        {fault}
      </p>
    </div>
  );
};
