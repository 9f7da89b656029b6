import type { ReactNode } from 'react';
import type { RunEntry, RunView, TurnView } from '../../model/session-view/types.ts';
import { durationText, plural } from '../../base/text.ts';
import { CodeText } from '../../ui/code-text.tsx';
import styles from './run-entries.module.css';

export type RunEntriesProps = {
  readonly run: RunView;
  readonly nested: readonly TurnView[];
  readonly renderTurn: (turn: TurnView) => ReactNode;
};

const callsOf = (turn: TurnView): number =>
  turn.parts.filter((part) => part.kind === 'answer' && part.call !== undefined).length;

const callsText = (turn: TurnView): string => plural(callsOf(turn), 'call');

const factOf = (entry: RunEntry, turn: TurnView | undefined): string => {
  if (entry.kind === 'trace') return entry.line === undefined ? '' : `line ${entry.line}`;
  return [...(turn ? [callsText(turn)] : []), durationText(entry.durationMs)].join(' · ');
};

const Line = ({ kind, label, fact, ok }: { kind: string; label: string; fact: string; ok: boolean }) => (
  <span className={styles['entry']} data-kind={kind}>
    <span className={styles['kind']} data-kind={ok ? kind : 'failed'}>
      {kind}
    </span>
    <span className={styles['label']}>{label}</span>
    <span className={styles['fact']}>{fact}</span>
  </span>
);

/** What a program did, in order. An ask opens to the turn that answered it. */
export const RunEntries = ({ run, nested, renderTurn }: RunEntriesProps) => {
  let asks = 0;
  const entries = run.entries.map((entry) => ({ entry, turn: entry.kind === 'ask' ? nested[asks++] : undefined }));
  const running = nested.slice(asks);
  const { finished } = run;
  return (
    <div className={styles['entries']} role="group" aria-label={`Run of ${run.name}`}>
      {run.notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
      {entries.map(({ entry, turn }, index) => {
        const line = (
          <Line
            kind={entry.kind}
            label={entry.kind === 'trace' ? `${entry.label} ${entry.data}` : entry.label}
            fact={factOf(entry, turn)}
            ok={entry.kind === 'trace' || entry.ok}
          />
        );
        return (
          // oxlint-disable-next-line react/no-array-index-key -- entries are only ever added
          <div key={index}>
            {entry.kind === 'trace' ? (
              line
            ) : (
              <details className={styles['fold']}>
                <summary>{line}</summary>
                {turn ? (
                  renderTurn(turn)
                ) : (
                  <div className={styles['texts']}>
                    <CodeText block="Request">{entry.request}</CodeText>
                    <CodeText block="Response, untrusted content">{entry.response}</CodeText>
                  </div>
                )}
              </details>
            )}
          </div>
        );
      })}
      {running.map((turn) => (
        <details key={turn.id} className={styles['fold']}>
          <summary>
            <Line kind="ask" label={turn.status === 'running' ? 'running' : turn.status} fact={callsText(turn)} ok />
          </summary>
          {renderTurn(turn)}
        </details>
      ))}
      {finished && (
        <Line
          kind="done"
          label={finished.status}
          fact={`${finished.asks} of ${run.maxAsks} asks · ${finished.commands} of ${run.maxCommands} commands`}
          ok={finished.status !== 'error'}
        />
      )}
    </div>
  );
};
