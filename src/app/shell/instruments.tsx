import type { ReactNode } from 'react';
import { Legend, type LegendItem } from '../../ui/legend.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import styles from './instruments.module.css';

/** An instrument with readings. It takes the place of the empty one with the same id. */
export type Instrument = {
  readonly id: string;
  /** The tab, and the accessible name of the region. */
  readonly label: string;
  readonly content: ReactNode;
  /** The figure on the tab. */
  readonly count?: ReactNode;
  /** The small face that `Overview` shows. */
  readonly summary?: ReactNode;
};

/** An instrument without readings: what it would show, what fills it, and what its colours mean. */
type EmptyInstrument = {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly empty: string;
  readonly legend?: readonly LegendItem[];
};

const EMPTY = [
  {
    id: 'prefix',
    label: 'Prefix',
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
  },
  {
    id: 'cache-waterfall',
    label: 'Cache waterfall',
    text: 'One row per request, aligned at token 0: what the cache gave and took, and where the prefix stopped matching.',
    empty: 'No requests to compare. It starts with the first request of a session.',
    legend: [
      { label: 'read', colour: 'read' },
      { label: 'written', colour: 'write' },
      { label: 'uncached', colour: 'uncached' },
      { label: 'output', colour: 'output' },
    ],
  },
  {
    id: 'activation-budget',
    label: 'Activation budget',
    text: 'The skills that the model loaded, and their tokens against the limits.',
    empty: 'No skill was activated. A session fills it.',
  },
  {
    id: 'event-stream',
    label: 'Event stream',
    text: 'Every event of a session, in order.',
    empty: 'No events. A session fills it.',
  },
  {
    id: 'metaskill-run',
    label: 'Metaskill run',
    text: 'The steps, budgets and result of a metaskill, beside the line that is being executed.',
    empty: 'Nothing has run. A run of a metaskill fills it.',
  },
  {
    id: 'problems',
    label: 'Problems',
    text: 'All problems of the workspace, with their fixes.',
    empty: 'Nothing was checked. Opening a folder fills it.',
  },
  {
    id: 'changes',
    label: 'Changes',
    text: 'What an agent has written, as differences, each to be applied to the folder or discarded.',
    empty: 'No changes wait. An agent that writes a file fills it.',
  },
  {
    id: 'log',
    label: 'Log',
    text: 'What happened behind the panels: skills that were skipped or hidden, files that were found again.',
    empty: 'No lines yet.',
  },
  {
    id: 'sandbox',
    label: 'Sandbox',
    text: 'A terminal inside the page. Its commands see a copy of the folder and no network.',
    empty: 'No command has run.',
  },
  {
    id: 'import',
    label: 'Import',
    text: 'Skills from elsewhere, with what they can do and what is alarming about them, before they are installed.',
    empty: 'Nothing to import.',
  },
  {
    id: 'settings',
    label: 'Settings',
    text: 'Appearance, what new sessions start with, and what this browser stores for you.',
    empty: 'The settings are being loaded.',
  },
] as const satisfies readonly EmptyInstrument[];

const emptyOf = (id: string): EmptyInstrument | undefined => EMPTY.find((instrument) => instrument.id === id);

/** An instrument without readings explains itself. */
const Explanation = ({ label, text, empty, legend }: Omit<EmptyInstrument, 'id'>) => (
  <div className={styles['explanation']}>
    <h3 className={styles['name']}>{label}</h3>
    <p className={styles['text']}>{text}</p>
    <p className={styles['empty']}>{empty}</p>
    {legend && <Legend items={legend} />}
  </div>
);

type OverviewProps = { readonly instruments: readonly Instrument[] };

const Overview = ({ instruments }: OverviewProps) => {
  const face = (id: string, label?: string) => {
    const empty = emptyOf(id);
    if (!empty) return null;
    const summary = instruments.find((instrument) => instrument.id === id)?.summary;
    const name = label ?? empty.label;
    return (
      <section className={styles['cell']} aria-label={name}>
        {summary ?? <Explanation {...empty} label={name} />}
      </section>
    );
  };
  return (
    <div className={styles['overview']}>
      {face('prefix')}
      {face('cache-waterfall')}
      <div className={styles['column']}>
        {face('activation-budget')}
        {face('event-stream', 'Latest events')}
      </div>
    </div>
  );
};

/** All tabs in order, with the readings that there are. */
export const allInstruments = (readings: readonly Instrument[]): readonly [Instrument, ...Instrument[]] => [
  readings.find(({ id }) => id === 'overview') ?? {
    id: 'overview',
    label: 'Overview',
    content: <Overview instruments={readings} />,
  },
  ...EMPTY.map((empty): Instrument => {
    const reading = readings.find(({ id }) => id === empty.id);
    return reading ?? { id: empty.id, label: empty.label, content: <Explanation {...empty} /> };
  }),
];

export type InstrumentsProps = {
  readonly instruments: readonly Instrument[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** Buttons at the end of the tabs. */
  readonly end: ReactNode;
  /** Puts something around the content of an instrument, such as a guard. */
  readonly guard: (instrument: Instrument, content: ReactNode) => ReactNode;
};

const tabOf = (instrument: Instrument, guard: InstrumentsProps['guard']): Tab => {
  const { id, label, count } = instrument;
  const content = guard(instrument, instrument.content);
  return {
    id,
    label,
    ...(count !== undefined && { count }),
    // The cells of the overview are regions themselves.
    content:
      id === 'overview' ? (
        content
      ) : (
        <section className={styles['region']} aria-label={label}>
          {content}
        </section>
      ),
  };
};

export const Instruments = ({ instruments, selected, onSelect, end, guard }: InstrumentsProps) => (
  <Tabs
    label="Instruments"
    selected={selected}
    onSelect={onSelect}
    end={end}
    tabs={allInstruments(instruments).map((instrument) => tabOf(instrument, guard))}
  />
);
