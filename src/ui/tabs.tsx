import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './tabs.module.css';

export type Tab = {
  readonly id: string;
  readonly label: string;
  /** A figure beside the label, such as the number of problems. */
  readonly count?: number;
  readonly content: ReactNode;
};

export type TabsProps = {
  /** The accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly [Tab, ...Tab[]];
};

/** Where a key moves the selection; undefined for a key that is not ours. */
const target = (key: string, index: number, count: number): number | undefined => {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
};

/** Tabs after the ARIA pattern: one tab stop, arrows select, only the selected panel is in the page. */
export const Tabs = ({ label, tabs }: TabsProps) => {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const [selectedId, select] = useState(tabs[0].id);
  const selected = tabs.find((tab) => tab.id === selectedId) ?? tabs[0];

  const onKeyDown = (event: KeyboardEvent) => {
    const next = target(event.key, tabs.indexOf(selected), tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || !tab) return;
    event.preventDefault();
    select(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };

  return (
    <div className={styles['tabs']}>
      <div ref={list} className={styles['list']} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${prefix}-${tab.id}`}
            className={styles['tab']}
            aria-selected={tab === selected}
            aria-controls={tab === selected ? `${prefix}-panel` : undefined}
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => select(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span className={styles['count']}>{tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${prefix}-panel`}
        className={styles['panel']}
        aria-labelledby={`${prefix}-${selected.id}`}
        tabIndex={0}
      >
        {selected.content}
      </div>
    </div>
  );
};
