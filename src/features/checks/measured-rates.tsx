/** Rates that `lathe eval` has measured for the skill in front, with their intervals. */
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { JOURNALS, measuredRuns, measuredWords, type MeasuredRun } from '../../model/evals/measured.ts';
import type { QueryReport } from '../../model/evals/report.ts';
import type { Rate } from '../../model/evals/statistics/rates.ts';
import { rateWords } from '../../model/evals/words.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { SentenceWithCode } from '../../ui/code-text.tsx';
import styles from './measured-rates.module.css';
import type { ListingSource } from './use-listing.ts';

/** More rows than these say nothing more: trouble comes first. */
const MOST_ROWS = 200;

interface Known {
  readonly runs: readonly MeasuredRun[];
  readonly fault?: string;
}

/** Nothing until it is known. */
const useMeasured = (source: ListingSource, folder: string): Known | undefined => {
  const version = useSyncExternalStore(source.subscribe, () => source.getState().version);
  const [known, setKnown] = useState<Known & { readonly folder: string; readonly version: number }>();
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      const { project } = await source.input();
      const runs = project ? await measuredRuns(project.tree, folder) : [];
      if (!isOver) setKnown({ folder, version, runs });
    };
    read().catch((thrown: unknown) => {
      if (!isOver) setKnown({ folder, version, runs: [], fault: errorMessage(thrown) });
    });
    return () => {
      isOver = true;
    };
  }, [source, version, folder]);
  return known?.folder === folder ? known : undefined;
};

const interval = (rate: Rate | undefined): string => rateWords(rate, 'unknown');

const pickedWords = ({ picks, none }: QueryReport): string =>
  [...picks.map(({ skill, hits }) => `${skill} ${hits}`), ...(none > 0 ? [`no skill ${none}`] : [])].join(', ');

const COLUMNS = [
  { id: 'query', header: 'Query', cell: ({ query }: QueryReport) => query.query.slice(0, 200) },
  {
    id: 'rate',
    header: 'Right',
    isFigure: true,
    cell: ({ rate, cannotTell }: QueryReport) => (cannotTell ? 'can’t tell' : interval(rate)),
  },
  { id: 'runs', header: 'Runs', isFigure: true, cell: ({ runs }: QueryReport) => runs },
  { id: 'picked', header: 'Picked', cell: pickedWords },
] as const;

const Run = ({ run }: { readonly run: MeasuredRun }) => {
  const { overall, queries } = run.report;
  return (
    <section aria-label={`Measured rates, ${run.journal}`} className={styles['run']}>
      <p className={styles['answer']}>
        Right in {overall.right.hits} of {plural(overall.right.runs, 'run')}: {interval(overall.rate)}
      </p>
      <p className={styles['note']}>{measuredWords(run)}. Measured with the descriptions at that time.</p>
      <DataTable
        label={`Queries of ${run.suite}`}
        columns={COLUMNS}
        rows={queries.slice(0, MOST_ROWS)}
        rowKey={({ query }) => query.id}
      />
    </section>
  );
};

type MeasuredRatesProps = {
  readonly source: ListingSource;
  readonly folder: string;
  /** What stands in for rates until there are some. */
  readonly children: ReactNode;
};

export const MeasuredRates = ({ source, folder, children }: MeasuredRatesProps) => {
  const known = useMeasured(source, folder);
  if (known && known.runs.length > 0)
    return (
      <>
        {known.runs.map((run) => (
          <Run key={run.journal} run={run} />
        ))}
        {children}
      </>
    );
  return (
    <>
      {children}
      <p className={styles['none']}>
        {known?.fault !== undefined && `Can’t read the measured rates: ${known.fault}`}
        {known && known.fault === undefined && (
          <SentenceWithCode>
            {`No rates from the CLI yet. Run \`lathe eval\` to save some in \`${JOURNALS}\`.`}
          </SentenceWithCode>
        )}
      </p>
    </>
  );
};
