import type { ReactNode } from 'react';
import type { Explanation, PanelEntry } from '../../features/panel/panel.ts';
import { Legend } from '../../ui/legend.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { type Panel, type PanelId, PANELS } from '../views/registry.ts';
import type { Region } from '../views/views.ts';
import styles from './instruments.module.css';

/** What a panel has to show. */
export type Reading = {
  readonly id: PanelId;
  readonly content: ReactNode;
  /** The figure on the tab. */
  readonly count?: ReactNode;
};

const explain = ({ about, toCome, legend }: Explanation, label: string): ReactNode => (
  <div className={styles['explanation']}>
    <h3 className={styles['name']}>{label}</h3>
    <p className={styles['text']}>{about}</p>
    <p className={styles['empty']}>{toCome}</p>
    {legend && <Legend items={legend} />}
  </div>
);

/** A panel without readings explains itself. */
const EmptyPanel = ({ empty, label }: Pick<PanelEntry, 'empty' | 'label'>): ReactNode =>
  'columns' in empty ? (
    <div className={styles['overview']}>
      {empty.columns.map((faces) => (
        <div key={faces.map(({ panel }) => panel).join(' ')} className={styles['column']}>
          {faces.map((face) => (
            <Face key={face.panel} {...face} />
          ))}
        </div>
      ))}
    </div>
  ) : (
    explain(empty, label)
  );

const Face = ({ panel, label }: { readonly panel: string; readonly label?: string }) => {
  const entry = PANELS.find(({ id }) => id === panel);
  if (!entry || 'columns' in entry.empty) return null;
  const name = label ?? entry.label;
  return (
    <section className={styles['cell']} aria-label={name}>
      {explain(entry.empty, name)}
    </section>
  );
};

export type InstrumentsProps = {
  readonly region: Region<Panel>;
  readonly readings: readonly Reading[];
  readonly selected: PanelId | undefined;
  readonly onSelect: (id: PanelId) => void;
  /** Buttons at the end of the tabs. */
  readonly end: ReactNode;
  /** Puts something around the content of a panel, such as a guard. */
  readonly guard: (label: string, content: ReactNode) => ReactNode;
};

const tabOf = (panel: Panel, reading: Reading | undefined, guard: InstrumentsProps['guard']): Tab<PanelId> => {
  const { id, label, empty } = panel;
  const content = guard(label, reading ? reading.content : <EmptyPanel empty={empty} label={label} />);
  return {
    id,
    label,
    ...(reading?.count !== undefined && { count: reading.count }),
    // Faces are regions themselves.
    content:
      'columns' in empty ? (
        content
      ) : (
        <section className={styles['region']} aria-label={label}>
          {content}
        </section>
      ),
  };
};

/** A region with several panels, each behind its tab. */
export const Instruments = ({ region, readings, selected, onSelect, end, guard }: InstrumentsProps) => (
  <Tabs
    label={region.label}
    selected={selected}
    onSelect={onSelect}
    end={end}
    tabs={region.panels.map((panel) =>
      tabOf(
        panel,
        readings.find(({ id }) => id === panel.id),
        guard,
      ),
    )}
  />
);
