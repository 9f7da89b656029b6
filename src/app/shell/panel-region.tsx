import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Legend } from '../../ui/legend.tsx';
import { Panel as UiPanel } from '../../ui/panel.tsx';
import type { HelpTopic, Panel, PanelId } from '../views/registry.ts';
import styles from './panel-region.module.css';

/** What a panel has to show. */
export type PanelSlot = {
  readonly content: ReactNode;
  /** The number on the tab. */
  readonly count?: ReactNode;
  /** Small facts beside the heading. */
  readonly facts?: ReactNode;
  /** Buttons in the head. */
  readonly actions?: ReactNode;
  /** A head of its own, such as tabs, in place of the heading; it puts `end` at its end. */
  readonly head?: (end: ReactNode) => ReactNode;
};
export type PanelSlots = Readonly<Partial<Record<PanelId, PanelSlot>>>;

/** What a region needs of the window around it. */
export interface RegionDeps {
  readonly slots: PanelSlots;
  /** The region that the tour is at. */
  readonly highlight: string | undefined;
  readonly onHelp: (topic: HelpTopic) => void;
  readonly onError: (region: string, thrown: unknown, details: string) => void;
  readonly onCopy: (text: string) => void;
}

/** A panel without content explains itself. */
const EmptyPanel = ({ empty: { about, toCome, legend } }: Pick<Panel, 'empty'>): ReactNode => (
  <div className={styles['explanation']}>
    <p className={styles['text']}>{about}</p>
    <p className={styles['empty']}>{toCome}</p>
    {legend && <Legend items={legend} />}
  </div>
);

export const HelpButton = ({
  panel: { help, label },
  onHelp,
}: { readonly panel: Panel } & Pick<RegionDeps, 'onHelp'>) => (
  <IconButton label={`Help: ${label}`} icon="help" onPress={() => onHelp(help)} />
);

type PanelRegionProps = {
  readonly panel: Panel;
  readonly deps: RegionDeps;
  /** A tab names it already: of its head, only facts and buttons are left. */
  readonly isBare?: boolean;
};

/** One panel as a region: its head, its content, and what is shown when that breaks. */
export const PanelRegion = ({ panel, deps, isBare = false }: PanelRegionProps) => {
  const { label, empty } = panel;
  const slot = deps.slots[panel.id];
  const help = <HelpButton panel={panel} onHelp={deps.onHelp} />;
  const bare =
    slot?.facts || slot?.actions ? (
      <div className={styles['bare']}>
        {slot.facts}
        <span className={styles['spring']} />
        {slot.actions}
      </div>
    ) : (
      <></>
    );
  const head = isBare ? bare : slot?.head?.(help);
  return (
    <div
      className={styles['region']}
      data-panel={panel.id}
      data-highlight={deps.highlight === label}
      data-waiting={slot === undefined}
    >
      <UiPanel
        name={label}
        head={head}
        facts={slot?.facts}
        actions={
          <>
            {slot?.actions}
            {help}
          </>
        }
      >
        <ErrorBoundary
          name={label}
          onError={(thrown, details) => deps.onError(label, thrown, details)}
          onCopy={deps.onCopy}
        >
          {slot ? slot.content : <EmptyPanel empty={empty} />}
        </ErrorBoundary>
      </UiPanel>
    </div>
  );
};
