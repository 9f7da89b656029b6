import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { baseName } from '../../base/paths.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './document-tabs.module.css';
import { isDirty, type DocumentView } from './needs.ts';

export type DocumentTabsProps = {
  readonly documents: readonly DocumentView[];
  readonly active: string | undefined;
  readonly onActivate: (path: string) => void;
  readonly onClose: (path: string) => void;
  /** The id of the element that shows the active file. */
  readonly panelId: string;
};

/** Names that several open files have get their folder. */
const labelsOf = (documents: readonly DocumentView[]): ReadonlyMap<string, string> => {
  const counts = new Map<string, number>();
  for (const { path } of documents) counts.set(baseName(path), (counts.get(baseName(path)) ?? 0) + 1);
  return new Map(
    documents.map(({ path }) => {
      const name = baseName(path);
      const folder = path.split('/').at(-2);
      return [path, (counts.get(name) ?? 0) > 1 && folder !== undefined ? `${folder}/${name}` : name];
    }),
  );
};

const stateOf = (document: DocumentView): string => {
  if (document.kind !== 'text') return '';
  if (document.conflict) return ', changed on disk';
  if (document.isGone === true) return ', deleted on disk';
  return isDirty(document) ? ', not saved' : '';
};

const tabOf = (list: HTMLElement | null, path: string): HTMLElement | null | undefined =>
  list?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);

/** Tabs after the ARIA pattern: one tab stop, arrows move and select, Delete closes. */
export const DocumentTabs = ({ documents, active, onActivate, onClose, panelId }: DocumentTabsProps) => {
  const list = useRef<HTMLDivElement>(null);
  const labels = labelsOf(documents);
  // More tabs than there is room for: the one in front is always to be seen, anyone who brought it there.
  // Labels grow with a second file of the same name, and the strip shrinks with the buttons beside it.
  useEffect(() => {
    const tab = active === undefined ? undefined : tabOf(list.current, active);
    if (!tab || !list.current) return undefined;
    const observer = new ResizeObserver(() => tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    observer.observe(list.current);
    observer.observe(tab);
    return () => observer.disconnect();
  }, [active]);

  const focusTab = (path: string): void => {
    onActivate(path);
    tabOf(list.current, path)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const { length } = documents;
    const at: Readonly<Record<string, number>> = {
      ArrowRight: (index + 1) % length,
      ArrowLeft: (index - 1 + length) % length,
      Home: 0,
      End: length - 1,
    };
    const target = documents[at[event.key] ?? -1];
    const own = documents[index];
    if (target) focusTab(target.path);
    else if (event.key === 'Delete' && own) onClose(own.path);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, path: string): void => {
    const isCross = event.target instanceof Element && event.target.closest('[data-close]') !== null;
    if (isCross || event.button === 1) onClose(path);
    else onActivate(path);
  };

  return (
    <div className={styles['tabs']} role="tablist" aria-label="Open files" ref={list}>
      {documents.map((document, index) => {
        const { path } = document;
        const isActive = path === active;
        const state = stateOf(document);
        return (
          <button
            key={path}
            type="button"
            role="tab"
            className={styles['tab']}
            data-path={path}
            data-state={state === '' ? undefined : 'marked'}
            aria-selected={isActive}
            aria-controls={isActive ? panelId : undefined}
            aria-label={`${labels.get(path) ?? path}${state}`}
            aria-keyshortcuts="Delete"
            title={`${path}${state}`}
            tabIndex={isActive || (active === undefined && index === 0) ? 0 : -1}
            onClick={(event) => onClick(event, path)}
            onAuxClick={(event) => onClick(event, path)}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <span className={styles['name']}>{labels.get(path)}</span>
            {document.kind === 'text' && document.readOnly !== undefined && (
              <span className={styles['note']}>read only</span>
            )}
            <span className={styles['end']} data-close="">
              <span className={styles['dot']} />
              <span className={styles['cross']}>
                <Icon name="close" />
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
};
