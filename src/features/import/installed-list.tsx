import { percent } from '../../base/figures.ts';
import { plural } from '../../base/text.ts';
import type { AuditEntry } from '../../model/executor/audit.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './import-panel.module.css';
import type { InstalledExecutor } from './installed.ts';

export type InstalledListProps = {
  readonly installed: readonly InstalledExecutor[];
  readonly audit: readonly AuditEntry[];
  /** Lines of the audit that could not be read. */
  readonly unreadable: number;
  readonly onRevive: (name: string) => void;
  readonly onRemove: (skill: string) => void;
};

const rateText = (rate: number | undefined): string => (rate === undefined ? '' : percent(rate));
const timeText = (ts: number): string => new Date(ts * 1000).toISOString().slice(0, 16).replace('T', ' ');

/** The executors of the open folder: verified at this moment, with their age. */
export const InstalledList = ({ installed, audit, unreadable, onRevive, onRemove }: InstalledListProps) => {
  const skills = [...new Set(installed.map(({ executor }) => executor.skill))];
  return (
    <section className={styles['block']} aria-label="Imported executors">
      <h3>Imported executors</h3>
      {skills.map((skill) => (
        <div key={skill}>
          <div className={styles['row']}>
            <strong>{skill}</strong>
            <Button look="quiet" onPress={() => onRemove(skill)}>
              Remove
            </Button>
          </div>
          <ul className={styles['rows']}>
            {installed
              .filter(({ executor }) => executor.skill === skill)
              .map(({ executor, age }) => (
                <li key={executor.name} className={styles['row']}>
                  <code>{executor.name}</code>
                  {executor.state === 'disabled' ? (
                    <span className={styles['refused']}>disabled: {executor.reason}</span>
                  ) : (
                    <>
                      <Badge tone={age?.state === 'active' ? 'plain' : 'warning'}>{age?.state ?? 'active'}</Badge>
                      <span>
                        {age?.reason}
                        {age && age.calls > 0
                          ? `, ${plural(age.calls, 'call')}, ${rateText(age.successRate)} succeeded`
                          : ''}
                      </span>
                      {age && age.state !== 'active' && (
                        <Button look="quiet" onPress={() => onRevive(executor.name)}>
                          Restore
                        </Button>
                      )}
                    </>
                  )}
                </li>
              ))}
          </ul>
        </div>
      ))}
      {unreadable > 0 && (
        <p className={styles['problem']}>
          Lathe can’t read {plural(unreadable, 'line')} of the audit, so calls may be missing below. The file is
          complete.
        </p>
      )}
      <details>
        <summary>Audit: {plural(audit.length, 'call')}</summary>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th>Time (UTC)</th>
              <th>Executor</th>
              <th>Arguments</th>
              <th>Outcome</th>
              <th>ms</th>
              <th>Guard</th>
            </tr>
          </thead>
          <tbody>
            {audit.slice(0, 100).map((entry) => (
              <tr key={`${entry.ts} ${entry.executor_name} ${entry.args_sha}`}>
                <td>{timeText(entry.ts)}</td>
                <td>
                  <code>{entry.executor_name}</code>
                </td>
                <td>
                  <code>{entry.args_sha}</code>
                </td>
                <td>{entry.error_class === undefined ? entry.outcome : `${entry.outcome}: ${entry.error_class}`}</td>
                <td>{Math.round(entry.elapsed_ms)}</td>
                <td>{entry.guard}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
};
