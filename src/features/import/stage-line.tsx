import { STAGES, type Stage, type StageId } from '../../model/importer/import-report.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './import-panel.module.css';
import { visible } from './visible.ts';

const NAMES: Readonly<Record<StageId, string>> = {
  scan: 'Check zero',
  read: 'Read',
  translate: 'Translate',
  generate: 'Generate',
  check: 'Check',
  sign: 'Sign',
};

/** What a stage will do, while it has not. */
const ABOUT: Readonly<Record<StageId, string>> = {
  scan: 'Lists what the code can do before it runs.',
  read: 'Finds the commands in SKILL.md.',
  translate: 'Gives each command a name and typed arguments.',
  generate: 'Creates an executor for each command.',
  check: 'Tests each executor in the sandbox.',
  sign: 'Signs passing executors with this browser’s key.',
};

const ICONS: Readonly<Record<Stage['status'], IconName>> = {
  done: 'check',
  stopped: 'error',
  failed: 'error',
  skipped: 'info',
};
const WORDS: Readonly<Record<Stage['status'], string>> = {
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
  skipped: 'not needed',
};

interface Refused {
  readonly why: string;
  readonly names: readonly string[];
}

/** What was refused for the same reason is one line with a count. */
const together = (refused: Stage['refused']): readonly Refused[] => {
  const lines = new Map<string, string[]>();
  for (const { name, reasons } of refused) {
    const why = reasons.join('; ');
    lines.set(why, [...(lines.get(why) ?? []), name]);
  }
  return Array.from(lines, ([why, names]) => ({ why, names }));
};

export type StageLineProps = {
  readonly stages: readonly Stage[];
  readonly isRunning: boolean;
};

/** The assembly line: a card for each stage, filled as the stages run. */
export const StageLine = ({ stages, isRunning }: StageLineProps) => (
  <ol className={styles['line']} aria-label="Stages">
    {STAGES.map((id) => {
      const stage = stages.find((item) => item.id === id);
      const isNext = !stage && isRunning && STAGES[stages.length] === id;
      return (
        <li key={id} className={styles['card']} data-status={stage?.status ?? (isNext ? 'running' : 'waiting')}>
          <h3>
            {stage && <Icon name={ICONS[stage.status]} />}
            {NAMES[id]}
            <small>{stage ? WORDS[stage.status] : isNext ? 'running' : 'waiting'}</small>
          </h3>
          {!stage && <p>{ABOUT[id]}</p>}
          {stage && (
            <dl>
              <dt>in</dt>
              <dd>{stage.input}</dd>
              <dt>out</dt>
              <dd>{stage.output}</dd>
            </dl>
          )}
          {/* Alarms stand below in full. */}
          {stage && stage.refused.length > 0 && (
            <details open={stage.status !== 'done' && id !== 'scan'}>
              <summary>{stage.refused.length} refused</summary>
              <ul>
                {together(stage.refused).map(({ why, names }) => (
                  <li key={why}>
                    <code>{visible(names[0] ?? '')}</code> {visible(why)}
                    {names.length > 1 && <span title={visible(names.join('\n'))}>{` (${names.length} times)`}</span>}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </li>
      );
    })}
  </ol>
);
