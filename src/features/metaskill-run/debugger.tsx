import { type FormEvent, useState } from 'react';
import type { RunControl } from '../../model/metaskill/host-types.ts';
import type { Pause, Variable } from '../../model/starlark/messages.ts';
import { Button } from '../../ui/button.tsx';
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

const REASONS: Readonly<Record<Pause['reason'], string>> = {
  breakpoint: 'at a breakpoint',
  step: 'after a step',
  entry: 'before its first line',
  pause: 'because you asked',
};

/** The stack with its locals while a program is paused. */
export const Debugger = ({ pause, control }: DebuggerProps) => {
  const [chosen, setChosen] = useState(0);
  const frame = pause.frames[chosen] ?? pause.frames[0];
  return (
    <div className={styles['debugger']}>
      <p className={styles['reason']}>
        Paused {REASONS[pause.reason]}, line {pause.range.line}. The time limit does not run.
        {pause.note !== undefined && <span className={styles['error']}> {pause.note}</span>}
      </p>
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

export type StepButtonsProps = {
  readonly isPaused: boolean;
  readonly control: RunControl | undefined;
};

/** Pause while it runs; continue and steps while it is paused. */
export const StepButtons = ({ isPaused, control }: StepButtonsProps) =>
  !control ? null : isPaused ? (
    <div className={styles['steps']} role="group" aria-label="Debugger">
      <Button look="primary" onPress={() => control.resume('continue')}>
        Continue
      </Button>
      <Button onPress={() => control.resume('stepOver')}>Step over</Button>
      <Button onPress={() => control.resume('stepIn')}>Step into</Button>
      <Button onPress={() => control.resume('stepOut')}>Step out</Button>
      <Button look="danger" onPress={control.cancel}>
        Stop
      </Button>
    </div>
  ) : (
    <div className={styles['steps']} role="group" aria-label="Debugger">
      <Button onPress={control.pause}>Pause</Button>
      <Button look="danger" onPress={control.cancel}>
        Stop
      </Button>
    </div>
  );
