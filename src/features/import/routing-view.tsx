import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { percent } from '../../base/figures.ts';
import { isTarget, NOTHING_PICKED, type RoutingRow } from '../../model/importer/routing-run.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './import-panel.module.css';
import type { InstalledExecutor } from './installed.ts';
import type { RoutingStore } from './routing-store.ts';

export type RoutingViewProps = {
  readonly store: RoutingStore;
  readonly installed: readonly InstalledExecutor[];
};

const REPEATS = [
  { value: '1', label: 'once' },
  { value: '3', label: '3 times' },
  { value: '5', label: '5 times' },
  { value: '10', label: '10 times' },
] as const;
const MUST = [
  { value: 'must', label: 'must pick' },
  { value: 'not', label: 'must not pick' },
] as const;

const rateText = (rate: number | undefined): string => (rate === undefined ? 'no response' : percent(rate));

/** Questions against what was picked: each cell says how often, the last column whether that is right. */
const Matrix = ({ rows }: { readonly rows: readonly RoutingRow[] }) => {
  const columns = [
    ...new Set(
      rows.flatMap((row) => [
        ...(row.accepts && row.accepts.length > 0 ? [] : [row.target]),
        ...row.cell.picks.map(({ name }) => name),
      ]),
    ),
  ].toSorted();
  return (
    // A wide matrix scrolls by itself, with the keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
    <div className={styles['matrix']} role="region" aria-label="Matrix of questions and picks" tabIndex={0}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Must pick</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name === NOTHING_PICKED ? 'nothing' : <code>{name}</code>}
              </th>
            ))}
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.question} ${row.target}`} data-status={row.cell.status}>
              <th scope="row">{row.question}</th>
              <td>
                {row.shouldPick ? '' : 'not '}
                <code>{row.target}</code>
              </td>
              {columns.map((name) => {
                const count = row.cell.picks.find((pick) => pick.name === name)?.count ?? 0;
                return (
                  <td key={name} data-target={isTarget(row, name)}>
                    {count === 0 ? '' : `${count}×`}
                  </td>
                );
              })}
              <td>
                {rateText(row.cell.rate)}{' '}
                <Badge tone={row.cell.status === 'passed' ? 'plain' : 'error'}>{row.cell.status}</Badge>
                {row.cell.errors > 0 ? ` ${row.cell.errors} requests failed` : ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const AddQuestion = ({ store }: { readonly store: RoutingStore }) => {
  const targets = useStore(store, (state) => state.targets);
  const [question, setQuestion] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [must, setMust] = useState<(typeof MUST)[number]['value']>('must');
  const [first] = targets;
  const target = chosen !== undefined && targets.includes(chosen) ? chosen : first;
  if (target === undefined) return null;
  const add = (): void => {
    void store.add({ question: question.trim(), target, shouldPick: must === 'must' });
    setQuestion('');
  };
  return (
    <div className={styles['edit']} role="group" aria-label="Your own question">
      <TextField label="Question" value={question} onChange={setQuestion} />
      <Select
        label="Skill or tool"
        options={targets.map((value) => ({ value, label: value }))}
        value={target}
        onChange={setChosen}
      />
      <Select label="Expected" options={MUST} value={must} onChange={setMust} />
      <Button onPress={add} {...(question.trim() === '' && { disabledReason: 'Enter a question first.' })}>
        Add question
      </Button>
    </div>
  );
};

/** Which tool or skill each question picks, asked several times of the chosen provider. */
export const RoutingView = ({ store, installed }: RoutingViewProps) => {
  const batteries = useStore(store, (state) => state.batteries);
  const chosen = useStore(store, (state) => state.chosen);
  const rows = useStore(store, (state) => state.rows);
  const total = useStore(store, (state) => state.total);
  const isRunning = useStore(store, (state) => state.isRunning);
  const problem = useStore(store, (state) => state.problem);
  const [repeats, setRepeats] = useState<(typeof REPEATS)[number]['value']>('3');
  useEffect(() => {
    void store.refresh(installed);
  }, [store, installed]);
  const battery = batteries.find(({ id }) => id === chosen);
  const passed = rows.filter(({ cell }) => cell.status === 'passed').length;
  const isOwn = battery?.id === 'own';
  return (
    <section className={styles['block']} aria-label="Routing assertions">
      <h3>Routing assertions</h3>
      <p className={styles['quiet']}>
        Does the model pick the right tool? Lathe asks the model each question several times and counts its picks.
      </p>
      <div className={styles['edit']}>
        <Select
          label="Questions"
          options={batteries.map(({ id, label, cases }) => ({ value: id, label: `${label} (${cases.length})` }))}
          value={chosen}
          onChange={store.choose}
        />
        <Select label="Ask each" options={REPEATS} value={repeats} onChange={setRepeats} />
        {isRunning ? (
          <Button onPress={store.stop}>Stop asking</Button>
        ) : (
          <Button
            look="primary"
            onPress={() => void store.run(Number(repeats))}
            {...((battery?.cases.length ?? 0) === 0 && { disabledReason: 'Add a question first.' })}
          >
            Ask
          </Button>
        )}
        <span role="status">
          {rows.length > 0 && `${passed} of ${rows.length} right${rows.length < total ? `, ${total} in all` : ''}`}
        </span>
      </div>
      {(problem ?? battery?.problem) !== undefined && (
        <p className={styles['problem']}>{problem ?? battery?.problem}</p>
      )}
      {rows.length > 0 ? (
        <Matrix rows={rows} />
      ) : (
        battery && (
          <ul className={styles['rows']} aria-label="Questions">
            {battery.cases.map(({ question, target, shouldPick }) => (
              <li key={`${question} ${target}`} className={styles['row']}>
                <span>{question}</span>
                <span className={styles['quiet']}>
                  {shouldPick ? 'must pick' : 'must not pick'} <code>{target}</code>
                </span>
                {isOwn && (
                  <Button look="quiet" onPress={() => void store.remove(question)}>
                    Remove
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )
      )}
      <AddQuestion store={store} />
    </section>
  );
};
