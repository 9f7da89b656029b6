import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import styles from './tabs.module.css';
import { cx } from './cx.ts';

export type Tab<Id extends string = string> = {
  readonly id: Id;
  readonly label: string;
  /** A number beside the label, such as the number of problems. It describes the tab; the label alone is its name. */
  readonly count?: ReactNode | undefined;
  readonly content: ReactNode;
};

export type TabsProps<Id extends string = string> = {
  /** The accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  /** An id that no tab has selects the first. */
  readonly selected: string | undefined;
  readonly onSelect: (id: Id) => void;
  /** Every press on a tab, also on the one that is selected already. */
  readonly onPress?: (id: Id) => void;
  /** Stands behind the tabs, at the end of the line. */
  readonly end?: ReactNode;
  /** Keeps the panels of the other tabs in the page, hidden, so that they lose nothing. */
  readonly keepsPanels?: boolean;
  /** Only the tabs are there: what is below them is out of reach of the keyboard too. */
  readonly isFolded?: boolean;
};

/** Tabs after the ARIA pattern: one tab stop, arrows select. */
export const Tabs = <Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  onPress,
  end,
  keepsPanels = false,
  isFolded = false,
}: TabsProps<Id>) => {
  const current = tabs.find(({ id }) => id === selected) ?? tabs[0];
  const list = useRef<HTMLDivElement>(null);
  const counts = useId();

  const currentId = current?.id ?? '';

  // The tabs may be wider than their place; both may change later, as when a count comes or the region is first shown.
  useEffect(() => {
    const box = list.current;
    if (!box) return undefined;
    // The tabs themselves come after this effect: they are looked for when the list has its size.
    let chosen: Element | null = null;
    const observer = new ResizeObserver(() => {
      if (!chosen?.isConnected) {
        chosen = box.querySelector(`[data-key="${CSS.escape(currentId)}"]`);
        if (chosen) observer.observe(chosen);
      }
      chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [currentId]);

  return (
    <AriaTabs
      className={styles['tabs'] ?? ''}
      {...(current && { selectedKey: current.id })}
      onSelectionChange={(key) => {
        const chosen = tabs.find(({ id }) => id === key);
        // The list also reports what it was told.
        if (chosen && chosen !== current) onSelect(chosen.id);
      }}
    >
      <div className={styles['strip']}>
        <TabList ref={list} aria-label={label} className={styles['list'] ?? ''}>
          {tabs.map((tab) => (
            <AriaTab
              key={tab.id}
              id={tab.id}
              className={styles['tab'] ?? ''}
              {...(onPress && { onPress: () => onPress(tab.id) })}
              {...(tab.count !== undefined && { 'aria-describedby': `${counts}${tab.id}` })}
            >
              {tab.label}
              {tab.count !== undefined && (
                <span aria-hidden="true" id={`${counts}${tab.id}`} className={styles['count']}>
                  {tab.count}
                </span>
              )}
            </AriaTab>
          ))}
        </TabList>
        {end && <div className={styles['end']}>{end}</div>}
      </div>
      {tabs.map((tab) => (
        <TabPanel
          key={tab.id}
          id={tab.id}
          shouldForceMount={keepsPanels}
          className={cx(styles['panel'], tab !== current && styles['hidden'], isFolded && styles['folded'])}
        >
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
};
