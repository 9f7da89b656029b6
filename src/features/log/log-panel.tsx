import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { LogLevel } from '../../base/log.ts';
import { plural } from '../../base/text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { SeverityMark } from '../../ui/severity-mark.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import styles from './log-panel.module.css';
import type { LogStore, ShownLine } from './log-store.ts';

export type LogPanelProps = {
  readonly store: LogStore;
  readonly onCopy: (text: string, what: string) => void;
};

const LEVELS: readonly { readonly id: LogLevel; readonly label: string; readonly icon: IconName }[] = [
  { id: 'error', label: 'Errors', icon: 'error' },
  { id: 'warning', label: 'Warnings', icon: 'warning' },
  { id: 'info', label: 'Notes', icon: 'info' },
  { id: 'debug', label: 'Details', icon: 'hint' },
];

const WORDS: Readonly<Record<LogLevel, string>> = { error: 'error', warning: 'warning', info: 'note', debug: 'detail' };

const timeText = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
const plainText = ({ at, level, code, text }: ShownLine): string => `${timeText(at)} ${level} ${code} ${text}`;

const columns: readonly Column<ShownLine>[] = [
  { id: 'time', header: 'Time (UTC)', width: 'clamp(92px, 10%, 104px)', cell: ({ at }) => <code>{timeText(at)}</code> },
  {
    id: 'level',
    header: 'Level',
    width: '84px',
    cell: ({ level }) => (
      <SeverityMark severity={level} icon={LEVELS.find(({ id }) => id === level)?.icon ?? 'info'}>
        {WORDS[level]}
      </SeverityMark>
    ),
  },
  { id: 'code', header: 'Code', width: 'clamp(132px, 18%, 200px)', cell: ({ code }) => <code>{code}</code> },
  { id: 'text', header: 'Text', width: 'minmax(0, 1fr)', cell: ({ text }) => text },
];

/** What happened behind the panels, newest first. */
export const LogPanel = ({ store, onCopy }: LogPanelProps) => {
  const lines = useStore(store, (state) => state.lines);
  const dropped = useStore(store, (state) => state.dropped);
  const [shown, setShown] = useState<ReadonlySet<LogLevel>>(new Set(['error', 'warning', 'info']));
  const rows = useMemo(() => lines.filter(({ level }) => shown.has(level)).toReversed(), [lines, shown]);
  const toggle = (level: LogLevel, isOn: boolean): void => {
    const next = new Set(shown);
    if (isOn) next.add(level);
    else next.delete(level);
    setShown(next);
  };
  return (
    <div className={styles['panel']}>
      <div className={styles['bar']} role="group" aria-label="Levels">
        {LEVELS.map(({ id, label, icon }) => (
          <ToggleChip key={id} isOn={shown.has(id)} onChange={(isOn) => toggle(id, isOn)}>
            <SeverityMark severity={id} icon={icon} />
            {label} <span className={styles['count']}>{lines.filter(({ level }) => level === id).length}</span>
          </ToggleChip>
        ))}
        {dropped > 0 && <span className={styles['dropped']}>{plural(dropped, 'older line')} dropped</span>}
        <span className={styles['end']}>
          <Button
            icon="copy"
            onPress={() => onCopy(rows.toReversed().map(plainText).join('\n'), 'Log copied')}
            {...(rows.length === 0 && { disabledReason: 'Nothing to copy.' })}
          >
            Copy
          </Button>
          <Button onPress={store.clear} {...(lines.length === 0 && { disabledReason: 'The log is empty.' })}>
            Clear
          </Button>
        </span>
      </div>
      {rows.length > 0 ? (
        <VirtualTable label="Log" columns={columns} rows={rows} rowKey={({ id }) => String(id)} isWrapped />
      ) : lines.length === 0 ? (
        <EmptyState title="No lines yet">
          Lathe logs its background work here, such as skipped skills and why.
        </EmptyState>
      ) : (
        <EmptyState title="No matching lines">
          {plural(lines.length, 'line')} hidden. Select more levels above.
        </EmptyState>
      )}
    </div>
  );
};
