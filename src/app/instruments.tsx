import type { ReactNode } from 'react';
import { Legend, type LegendItem } from '../ui/legend.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import styles from './instruments.module.css';

export type InstrumentsProps = {
  readonly problems?: ReactNode;
  /** The figure on the tab `Problems`. */
  readonly problemCount?: number | undefined;
};

/** An instrument without readings: what it would show, what fills it, and what its colours mean. */
type Instrument = {
  readonly name: string;
  readonly text: string;
  readonly empty: string;
  readonly legend?: readonly LegendItem[];
};

const prefix: Instrument = {
  name: 'Prefix',
  text: 'The request as a strip of segments in wire order, each as wide as its tokens, with the breakpoints and the floor of the cache.',
  empty: 'No request yet. The first request of a session fills it.',
  legend: [
    { label: 'tools', colour: 'origin-tools' },
    { label: 'persona', colour: 'origin-persona' },
    { label: 'instructions', colour: 'origin-instructions' },
    { label: 'skill index', colour: 'origin-index' },
    { label: 'padding: preloaded skill', colour: 'origin-preloaded', hatched: true },
    { label: 'padding: context', colour: 'origin-context', hatched: true },
    { label: 'volatile', colour: 'volatile' },
    { label: 'messages', colour: 'origin-message' },
  ],
};
const waterfall: Instrument = {
  name: 'Cache waterfall',
  text: 'One row per request, aligned at token 0: what the cache gave and took, and where the prefix stopped matching.',
  empty: 'No requests to compare. It starts with the first request of a session.',
  legend: [
    { label: 'read', colour: 'read' },
    { label: 'written', colour: 'write' },
    { label: 'uncached', colour: 'uncached' },
    { label: 'output', colour: 'output' },
  ],
};
const budget: Instrument = {
  name: 'Activation budget',
  text: 'The skills that the model loaded, and their tokens against the limits.',
  empty: 'No skill was activated. A session fills it.',
};
const events: Instrument = {
  name: 'Event stream',
  text: 'Every event of a session, in order.',
  empty: 'No events. A session fills it.',
};
const metaskill: Instrument = {
  name: 'Metaskill run',
  text: 'The steps, budgets and result of a metaskill, beside the line that is being executed.',
  empty: 'Nothing has run. A run of a metaskill fills it; this version cannot run one yet.',
};
const problems: Instrument = {
  name: 'Problems',
  text: 'All problems of the workspace, with their fixes.',
  empty: 'Nothing was checked. Opening a folder fills it.',
};

type CellProps = { readonly instrument: Instrument; readonly children?: ReactNode };

/** One instrument as a region; without readings it explains itself. */
const Cell = ({ instrument, children }: CellProps) => (
  <section className={styles['cell']} aria-label={instrument.name}>
    <h3 className={styles['name']}>{instrument.name}</h3>
    {children ?? (
      <>
        <p className={styles['text']}>{instrument.text}</p>
        <p className={styles['empty']}>{instrument.empty}</p>
        {instrument.legend && <Legend items={instrument.legend} />}
      </>
    )}
  </section>
);

const Overview = () => (
  <div className={styles['overview']}>
    <Cell instrument={prefix} />
    <Cell instrument={waterfall} />
    <div className={styles['column']}>
      <Cell instrument={budget} />
      <Cell instrument={{ ...events, name: 'Latest events' }} />
    </div>
  </div>
);

const tab = (instrument: Instrument, content?: ReactNode): Tab => ({
  id: instrument.name.toLowerCase().replaceAll(' ', '-'),
  label: instrument.name,
  content: <Cell instrument={instrument}>{content}</Cell>,
});

export const Instruments = (props: InstrumentsProps) => (
  <Tabs
    label="Instruments"
    tabs={[
      { id: 'overview', label: 'Overview', content: <Overview /> },
      tab(prefix),
      tab(waterfall),
      tab(budget),
      tab(events),
      tab(metaskill),
      { ...tab(problems, props.problems), ...(props.problemCount !== undefined && { count: props.problemCount }) },
    ]}
  />
);
