import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { Group, Panel as SizedPanel } from 'react-resizable-panels';
import { IconButton } from '../../ui/button.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import {
  type HelpTopic,
  type Panel as RegisteredPanel,
  type PanelId,
  type RegionId,
  VIEWS,
} from '../views/registry.ts';
import type { Region } from '../views/views.ts';
import { Instruments, type Reading } from './instruments.tsx';
import { DEFAULT_SIZES, type Foldable, type Layout, MIN_SIZES } from './layout.ts';
import styles from './shell.module.css';

/** What fills a region. */
export type RegionSlot = {
  readonly content: ReactNode;
  /** Small facts beside the heading. */
  readonly facts?: ReactNode;
  /** Buttons in the head. */
  readonly actions?: ReactNode;
  /** A head of its own, such as tabs, in place of the heading; it puts `end` at its end. */
  readonly head?: (end: ReactNode) => ReactNode;
};

export type ShellProps = {
  /** The bar and the lines below it. */
  readonly top: ReactNode;
  readonly bottom: ReactNode;
  readonly library: RegionSlot;
  readonly editor: RegionSlot;
  readonly session: RegionSlot;
  readonly readings: readonly Reading[];
  readonly layout: Layout;
  readonly isNarrow: boolean;
  /** The panel in front, of a region with several. */
  readonly tab: PanelId | undefined;
  readonly onTab: (id: PanelId) => void;
  /** The region in view in a narrow window. */
  readonly panel: RegionId | undefined;
  readonly onPanel: (id: RegionId) => void;
  /** The region that the tour is at. */
  readonly highlight: string | undefined;
  readonly onHelp: (topic: HelpTopic) => void;
  readonly onMaximise: () => void;
  readonly onRegionError: (region: string, thrown: unknown, details: string) => void;
  readonly onCopy: (text: string) => void;
};

const HelpButton = ({ topic, name, onHelp }: { topic: HelpTopic; name: string; onHelp: ShellProps['onHelp'] }) => (
  <IconButton label={`Help: ${name}`} icon="help" onPress={() => onHelp(topic)} />
);

const EnlargeButton = ({ layout, onPress }: { readonly layout: Layout; readonly onPress: () => void }) => {
  const isEnlarged = useSyncExternalStore(layout.subscribe, layout.isEnlarged);
  return (
    <IconButton
      label="Enlarge the instruments"
      tip={isEnlarged ? 'Show the other regions again' : 'Enlarge the instruments'}
      icon={isEnlarged ? 'restore' : 'maximise'}
      aria-pressed={isEnlarged}
      onPress={onPress}
    />
  );
};

const [VIEW] = VIEWS;
const [LIBRARY, EDITOR, SESSION, INSTRUMENTS] = VIEW.regions;

/** The window: a bar on top, four regions, a line below. It places things and knows nothing about skills. */
export const Shell = (props: ShellProps) => {
  const { layout, isNarrow, tab, onTab, onHelp, highlight, onRegionError, onCopy } = props;

  const guard = (name: string, content: ReactNode): ReactNode => (
    <ErrorBoundary
      key={name}
      name={name}
      onError={(thrown, details) => onRegionError(name, thrown, details)}
      onCopy={onCopy}
    >
      {content}
    </ErrorBoundary>
  );

  const region = ({ label, panels: [panel] }: Region<RegisteredPanel>, slot: RegionSlot): ReactNode => {
    const help = <HelpButton topic={panel.help} name={label} onHelp={onHelp} />;
    return (
      <div className={styles['region']} data-highlight={highlight === label}>
        <Panel
          name={label}
          head={slot.head?.(help)}
          facts={slot.facts}
          actions={
            <>
              {slot.actions}
              {help}
            </>
          }
        >
          {guard(label, slot.content)}
        </Panel>
      </div>
    );
  };

  const inFront = INSTRUMENTS.panels.find(({ id }) => id === tab) ?? INSTRUMENTS.panels[0];
  const instruments = (
    <div className={styles['region']} data-highlight={highlight === INSTRUMENTS.label}>
      <section className={styles['instruments']} aria-label={INSTRUMENTS.label} tabIndex={-1}>
        <Instruments
          region={INSTRUMENTS}
          readings={props.readings}
          selected={tab}
          onSelect={onTab}
          guard={guard}
          end={
            <>
              <HelpButton topic={inFront.help} name="this instrument" onHelp={onHelp} />
              {!isNarrow && <EnlargeButton layout={layout} onPress={props.onMaximise} />}
            </>
          }
        />
      </section>
    </div>
  );

  const regions = {
    library: region(LIBRARY, props.library),
    editor: region(EDITOR, props.editor),
    session: region(SESSION, props.session),
    instruments,
  };

  return (
    <div className={styles['shell']}>
      <div>{props.top}</div>
      <main className={styles['main']}>
        {isNarrow ? <NarrowRegions {...props} regions={regions} /> : <WideRegions layout={layout} regions={regions} />}
      </main>
      {props.bottom}
    </div>
  );
};

type Regions = Readonly<Record<RegionId, ReactNode>>;

/** One region at a time: a phone, or a window at 200 %. */
const NarrowRegions = ({ panel, onPanel, regions }: ShellProps & { readonly regions: Regions }) => (
  <Tabs
    label="Regions"
    selected={panel ?? 'editor'}
    onSelect={onPanel}
    keepsPanels
    tabs={VIEW.regions.map(({ id, label }) => ({ id, label, content: regions[id] }))}
  />
);

const WideRegions = ({ layout, regions }: { readonly layout: Layout; readonly regions: Regions }) => {
  // Read once: afterwards the library knows the sizes.
  const saved = useMemo(() => layout.saved, [layout]);
  const foldable = (name: Foldable) => ({
    id: name,
    collapsible: true,
    defaultSize: DEFAULT_SIZES[name],
    minSize: MIN_SIZES[name],
    panelRef: (handle: Parameters<Layout['attach']>[1]) => layout.attach(name, handle),
    onResize: layout.refresh,
  });
  return (
    <Group
      orientation="vertical"
      {...(saved.rows && { defaultLayout: saved.rows })}
      onLayoutChanged={(sizes) => layout.save('rows', sizes)}
    >
      <SizedPanel id="top" minSize={MIN_SIZES.top} collapsible panelRef={(handle) => layout.attach('top', handle)}>
        <Group
          {...(saved.columns && { defaultLayout: saved.columns })}
          onLayoutChanged={(sizes) => layout.save('columns', sizes)}
        >
          <SizedPanel {...foldable('library')} groupResizeBehavior="preserve-pixel-size">
            {regions.library}
          </SizedPanel>
          <Splitter label="Size of the Library" />
          <SizedPanel id="editor" minSize={MIN_SIZES.editor}>
            {regions.editor}
          </SizedPanel>
          <Splitter label="Size of the Session" />
          <SizedPanel {...foldable('session')} groupResizeBehavior="preserve-pixel-size">
            {regions.session}
          </SizedPanel>
        </Group>
      </SizedPanel>
      <Splitter label="Size of the Instruments" />
      <SizedPanel {...foldable('instruments')}>{regions.instruments}</SizedPanel>
    </Group>
  );
};
