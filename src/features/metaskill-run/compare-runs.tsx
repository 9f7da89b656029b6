import type { Json } from '../../base/json.ts';
import { took } from '../../model/instruments/figures.ts';
import {
  compareSteps,
  compareValues,
  type ComparedStep,
  type ComparedValue,
  readEnvelope,
  type RunItem,
} from '../../model/instruments/run-view.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './metaskill-run.module.css';
import type { KnownRun } from './use-run.ts';

export type CompareRunsProps = {
  readonly a: KnownRun;
  readonly b: KnownRun;
  readonly onClose: () => void;
};

const stepText = (item: RunItem | undefined): string => {
  if (!item) return '–';
  const duration = item.durationMs === undefined ? '' : ` · ${took(item.durationMs)}`;
  return `${item.kind} ${item.label}${item.ok ? '' : ' (failed)'}${duration}`;
};

const fieldsOf = (result: string | undefined): Json | undefined => {
  if (result === undefined) return undefined;
  const { isError, message, fields } = readEnvelope(result);
  return isError ? { error: message } : Object.fromEntries(fields.filter(([key]) => key !== 'trace'));
};

const same = ({ isSame }: { readonly isSame: boolean }) =>
  isSame ? 'same' : <b className={styles['differs']}>differs</b>;
const cell = (text: string | undefined) => <span className={styles['cell']}>{text ?? '–'}</span>;

const VALUES: readonly DataColumn<ComparedValue>[] = [
  { id: 'name', header: 'Key', isMono: true, cell: ({ name }) => name },
  { id: 'a', header: 'Earlier', cell: ({ a }) => cell(a) },
  { id: 'b', header: 'Later', cell: ({ b }) => cell(b) },
  { id: 'same', header: 'Compared', cell: same },
];

const STEPS: readonly DataColumn<ComparedStep & { readonly number: number }>[] = [
  { id: 'number', header: 'Step', isFigure: true, cell: ({ number }) => number },
  { id: 'a', header: 'Earlier', isMono: true, cell: ({ a }) => stepText(a) },
  { id: 'b', header: 'Later', isMono: true, cell: ({ b }) => stepText(b) },
  { id: 'same', header: 'Compared', cell: same },
];

const Values = ({
  label,
  a,
  b,
}: {
  readonly label: string;
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}) => {
  const rows = compareValues(a, b);
  return (
    <section>
      <h3 className={styles['small']}>{label}</h3>
      {rows.length === 0 ? (
        <p className={styles['about']}>No data for this run.</p>
      ) : (
        <DataTable label={label} rows={rows} rowKey={({ name }) => name} columns={VALUES} />
      )}
    </section>
  );
};

/** Two runs side by side: what went in, what they did, what came out. */
export const CompareRuns = ({ a, b, onClose }: CompareRunsProps) => (
  <Dialog title={`Run ${a.view.number} and run ${b.view.number}`} isOpen onClose={onClose} size="large">
    <div className={styles['compare']}>
      <Values label="Input" a={a.input} b={b.input} />
      <section>
        <h3 className={styles['small']}>Steps</h3>
        <DataTable
          label="Steps"
          rows={compareSteps(a.view, b.view).map((step, index) => Object.assign({ number: index + 1 }, step))}
          rowKey={({ number }) => String(number)}
          columns={STEPS}
        />
      </section>
      <Values label="Result" a={fieldsOf(a.result)} b={fieldsOf(b.result)} />
    </div>
  </Dialog>
);
