import { type FormEvent, useState } from 'react';
import type { RunControl } from '../../model/metaskill/host-types.ts';
import type { RunMoment } from '../../model/instruments/run-moments.ts';
import type { Pause, Variable } from '../../model/starlark/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './debugger.module.css';

export type DebuggerProps = {
  readonly pause: Pause;
  readonly control: RunControl;
};

/** A value with its parts, which are asked for when somebody opens it. */
const Value = ({
  variable,
  control,
  depth = 0,
}: {
  readonly variable: Variable;
  readonly control: RunControl;
  readonly depth?: number;
}) => {
  const [parts, setParts] = useState<readonly Variable[]>();
  const [problem, setProblem] = useState<string>();
  const { ref } = variable;
  const open = async (): Promise<void> => {
    if (ref === undefined) return;
    const answer = await control.expand(ref);
    if (answer.ok) setParts(answer.value);
    else setProblem(answer.message);
  };
  return (
    <li>
      <div className={styles['value']} style={{ paddingLeft: depth * 14 }}>
        {ref === undefined ? (
          <span className={styles['no-fold']} />
        ) : (
          <button
            type="button"
            className={styles['fold']}
            aria-label={parts ? `Close ${variable.name}` : `Open ${variable.name}`}
            aria-expanded={parts !== undefined}
            onClick={() => (parts ? setParts(undefined) : void open())}
          >
            <Icon name={parts ? 'chevron-down' : 'chevron-right'} />
          </button>
        )}
        <b>{variable.name}</b>
        <span className={styles['repr']} title={variable.repr}>
          {variable.repr}
        </span>
        <span className={styles['type']}>{variable.type}</span>
      </div>
      {problem !== undefined && <p className={styles['error']}>{problem}</p>}
      {parts && (
        <ul className={styles['values']}>
          {parts.map((part) => (
            <Value key={`${part.name} ${part.ref ?? part.repr}`} variable={part} control={control} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
};

const Evaluate = ({ control, frame }: { readonly control: RunControl; readonly frame: number }) => {
  const [expression, setExpression] = useState('');
  const [answers, setAnswers] = useState<
    readonly { readonly text: string; readonly answer: string; readonly ok: boolean }[]
  >([]);
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (expression.trim() === '') return;
    const result = await control.evaluate(frame, expression);
    const answer = result.ok ? result.value.repr : result.message;
    setAnswers((all) => [...all.slice(-9), { text: expression, answer, ok: result.ok }]);
    setExpression('');
  };
  return (
    <form className={styles['evaluate']} onSubmit={(event) => void ask(event)}>
      {answers.map(({ text, answer, ok }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same question may be asked twice
        <p key={index} className={styles['answer']} data-ok={ok}>
          <b>{text}</b> {answer}
        </p>
      ))}
      <input
        aria-label="Evaluate a name or an expression"
        placeholder="Evaluate a name, such as prompt"
        spellCheck={false}
        value={expression}
        onChange={(event) => setExpression(event.currentTarget.value)}
      />
    </form>
  );
};

/** The stack with its locals while a program is paused. */
export const Debugger = ({ pause, control }: DebuggerProps) => {
  const [chosen, setChosen] = useState(0);
  const frame = pause.frames[chosen] ?? pause.frames[0];
  return (
    <div className={styles['debugger']}>
      <div className={styles['columns']}>
        <ol className={styles['stack']} aria-label="Call stack">
          {pause.frames.map(({ name, range }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a frame is known by its depth
            <li key={index}>
              <button type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
                {name} <span>line {range.line}</span>
              </button>
            </li>
          ))}
        </ol>
        <section aria-label="Locals" className={styles['locals']}>
          <ul className={styles['values']}>
            {frame?.variables.map((variable) => (
              <Value key={`${variable.name} ${variable.ref ?? variable.repr}`} variable={variable} control={control} />
            ))}
          </ul>
          {frame?.variables.length === 0 && <p className={styles['reason']}>No locals here.</p>}
        </section>
      </div>
      <Evaluate control={control} frame={chosen} />
    </div>
  );
};

export type RecordedProps = {
  readonly moment: RunMoment | undefined;
  /** The run has recorded locals somewhere. */
  readonly hasRecords: boolean;
};

/** What the locals held at a moment that has passed. */
export const Recorded = ({ moment, hasRecords }: RecordedProps) => (
  <section aria-label="Locals" className={styles['locals']}>
    <h3 className={styles['heading']}>Locals{moment?.line === undefined ? '' : ` at line ${moment.line}`}</h3>
    {moment?.values && moment.values.length > 0 ? (
      <ul className={styles['values']}>
        {moment.values.map(({ name, repr, type }) => (
          <li key={name}>
            <div className={styles['value']}>
              <span className={styles['no-fold']} />
              <b>{name}</b>
              <span className={styles['repr']} title={repr}>
                {repr}
              </span>
              <span className={styles['type']}>{type}</span>
            </div>
          </li>
        ))}
      </ul>
    ) : (
      <p className={styles['reason']}>
        {hasRecords
          ? 'No values yet.'
          : 'Lathe records locals only while the page is open. This run comes from a saved session.'}
      </p>
    )}
  </section>
);
