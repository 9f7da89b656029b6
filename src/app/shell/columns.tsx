import { Fragment, useMemo } from 'react';
import { Group, Panel as SizedPanel } from 'react-resizable-panels';
import { Splitter } from '../../ui/splitter.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useWidth } from '../../ui/use-width.ts';
import type { PageView, Panel, PanelId } from '../views/registry.ts';
import type { Column } from '../views/views.ts';
import styles from './columns.module.css';
import type { Layout, PanelHandle } from './layout.ts';
import { HelpButton, PanelRegion, type RegionDeps } from './panel-region.tsx';

export type ColumnProps = {
  readonly column: Column<Panel>;
  readonly deps: RegionDeps;
  /** The panel in front, of those that are shown one at a time. */
  readonly side: PanelId | undefined;
  readonly onSide: (id: PanelId) => void;
};

/** From here on two panels have room beside each other. */
const BESIDE = 700;

const TabbedColumn = ({ column, deps, side, onSide }: ColumnProps) => {
  const [box, width] = useWidth<HTMLDivElement>();
  const inFront = column.panels.find(({ id }) => id === side) ?? column.panels[0];
  return (
    <div ref={box} className={styles['tabbed']}>
      {width >= BESIDE ? (
        column.panels.map((panel) => <PanelRegion key={panel.id} panel={panel} deps={deps} />)
      ) : (
        <Tabs
          label={column.label}
          selected={inFront.id}
          onSelect={onSide}
          end={<HelpButton panel={inFront} onHelp={deps.onHelp} />}
          tabs={column.panels.map((panel) => ({
            id: panel.id,
            label: panel.tab ?? panel.label,
            content: <PanelRegion panel={panel} deps={deps} isBare />,
          }))}
        />
      )}
    </div>
  );
};

/** The panels of a column: one below the other, or one at a time. */
export const ColumnContent = (props: ColumnProps) => {
  const { column, deps } = props;
  if (column.arrange === 'tabs') return <TabbedColumn {...props} />;
  return (
    <div className={styles['stack']} data-column={column.id} data-single={column.panels.length === 1}>
      {column.panels.map((panel) => (
        <PanelRegion key={panel.id} panel={panel} deps={deps} />
      ))}
    </div>
  );
};

export type ColumnsProps = Omit<ColumnProps, 'column'> & { readonly view: PageView; readonly layout: Layout };

/** From here on a window is wide. */
const WIDE = 1800;

/** The columns of a view, with what can be dragged between them. */
export const Columns = ({ view, layout, ...props }: ColumnsProps) => {
  // Read once: afterwards the group knows the sizes.
  const saved = useMemo(() => layout.columnsOf(view.id), [layout, view]);
  const columns: readonly Column<Panel>[] = view.columns;
  const sized = (column: Column<Panel>) => {
    const { id, minSize } = column;
    if (id === 'center') return { id, minSize };
    const size = (window.innerWidth >= WIDE ? column.wideSize : undefined) ?? column.size ?? minSize;
    return {
      id,
      minSize,
      defaultSize: size,
      collapsible: true,
      groupResizeBehavior: 'preserve-pixel-size' as const,
      panelRef: (handle: PanelHandle | null) => layout.attach(id, handle, { size, minSize }),
      onResize: layout.refresh,
    };
  };
  return (
    <Group
      {...(saved && { defaultLayout: saved })}
      onLayoutChanged={(sizes) => {
        layout.saveColumns(view.id, sizes);
        layout.refresh();
      }}
    >
      {columns.map((column, index) => (
        <Fragment key={column.id}>
          {index > 0 && (
            // Named after the column that can be put away.
            <Splitter label={`Size of the ${(column.id === 'center' ? columns[index - 1] : column)?.label ?? ''}`} />
          )}
          <SizedPanel {...sized(column)}>
            <ColumnContent column={column} {...props} />
          </SizedPanel>
        </Fragment>
      ))}
    </Group>
  );
};
