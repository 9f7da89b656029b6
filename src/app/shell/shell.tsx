import { type ReactNode, useEffect, useState } from 'react';
import { Group, Panel as SizedPanel } from 'react-resizable-panels';
import { Splitter } from '../../ui/splitter.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { PartId } from '../address/url-state.ts';
import { type BottomId, narrowStartOf, type PageView, type PanelId } from '../views/registry.ts';
import { BottomPanel } from './bottom-panel.tsx';
import { ColumnContent, Columns } from './columns.tsx';
import { BOTTOM_SIZE, type Layout, MAIN_MIN } from './layout.ts';
import type { RegionDeps } from './panel-region.tsx';
import styles from './shell.module.css';

export type ShellProps = {
  /** The bar and the lines below it. */
  readonly top: ReactNode;
  readonly rail: ReactNode;
  readonly view: PageView;
  readonly deps: RegionDeps;
  readonly layout: Layout;
  readonly isNarrow: boolean;
  /** The panel in front, below all views. */
  readonly tab: BottomId | undefined;
  readonly onTab: (id: BottomId) => void;
  /** The panel in front, of a column with several. */
  readonly side: PanelId | undefined;
  readonly onSide: (id: PanelId) => void;
  /** The part in view in a narrow window. */
  readonly part: PartId | undefined;
  readonly onPart: (id: PartId) => void;
  /** Facts at the end of the tabs below. */
  readonly facts: ReactNode;
};

/** The window: a bar on top, a rail at the left, a view with its columns, and a panel below. It knows nothing about skills. */
export const Shell = (props: ShellProps) => (
  <div className={styles['shell']}>
    <div>{props.top}</div>
    <div className={styles['body']}>
      {props.rail}
      <main className={styles['main']}>{props.isNarrow ? <NarrowView {...props} /> : <WideView {...props} />}</main>
    </div>
  </div>
);

/** One part at a time: a phone, or a window at 200%. */
const NarrowView = ({ view, deps, side, onSide, tab, onTab, part, onPart, facts }: ShellProps) => (
  <Tabs<PartId>
    label="View sections"
    selected={part ?? narrowStartOf(view)}
    onSelect={onPart}
    keepsPanels
    tabs={[
      ...view.columns.map((column) => ({
        id: column.id,
        label: column.label,
        content: <ColumnContent column={column} deps={deps} side={side} onSide={onSide} />,
      })),
      {
        id: 'bottom' as const,
        label: 'Panel',
        content: <BottomPanel deps={deps} selected={tab} onSelect={onTab} end={facts} layout={undefined} />,
      },
    ]}
  />
);

const WideView = ({ view, deps, layout, side, onSide, tab, onTab, facts }: ShellProps) => {
  const startsWithPanel = 'startsWithPanel' in view && view.startsWithPanel;
  // Read once, so that the first image is the right one: afterwards the group knows the sizes.
  const [{ rows, size }] = useState(() =>
    tab === undefined && layout.isFoldedIn(view.id, startsWithPanel)
      ? { rows: undefined, size: BOTTOM_SIZE.folded }
      : { rows: layout.rows(), size: BOTTOM_SIZE.size },
  );
  useEffect(() => layout.enter(view.id, startsWithPanel), [layout, view, startsWithPanel]);
  // An address that names a tab opens it.
  useEffect(() => {
    if (tab !== undefined) layout.unfold('bottom');
  }, [layout, tab]);
  return (
    <Group
      orientation="vertical"
      {...(rows && { defaultLayout: rows })}
      onLayoutChanged={(sizes) => {
        layout.saveRows(sizes);
        layout.refresh();
      }}
    >
      <SizedPanel
        id="main"
        minSize={MAIN_MIN}
        collapsible
        panelRef={(handle) => layout.attach('main', handle)}
        onResize={layout.refresh}
      >
        <Columns key={view.id} view={view} layout={layout} deps={deps} side={side} onSide={onSide} />
      </SizedPanel>
      <Splitter label="Size of the Panel" />
      <SizedPanel
        id="bottom"
        collapsible
        collapsedSize={BOTTOM_SIZE.folded}
        defaultSize={size}
        minSize={BOTTOM_SIZE.minSize}
        panelRef={(handle) => layout.attach('bottom', handle)}
        onResize={layout.refresh}
      >
        <div className={styles['bottom']}>
          <BottomPanel deps={deps} selected={tab} onSelect={onTab} end={facts} layout={layout} />
        </div>
      </SizedPanel>
    </Group>
  );
};
