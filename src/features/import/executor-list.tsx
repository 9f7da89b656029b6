import { useState } from 'react';
import type { ImportReport } from '../../model/importer/import-report.ts';
import {
  ARGUMENT_TYPES,
  type ArgumentType,
  type ExecutorPlan,
  type Override,
  type SubCommand,
} from '../../model/importer/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import styles from './import-panel.module.css';
import { visible } from './visible.ts';

type EditProps = {
  readonly command: SubCommand;
  readonly plan: ExecutorPlan | undefined;
  readonly override: Override | undefined;
  readonly onOverride: (change: Override) => void;
};

const TYPE_OPTIONS = ARGUMENT_TYPES.map((value) => ({ value, label: value }));

/** The translation by hand. Every change runs the checks again. */
const EditTranslation = ({ command, plan, override, onOverride }: EditProps) => {
  const [name, setName] = useState(override?.name ?? plan?.name ?? '');
  const { domain, action } = command;
  const change = (rest: Omit<Override, 'domain' | 'action'>): void =>
    onOverride({ domain, action, ...override, ...rest });
  const changeArgument = (arg: string, rest: { readonly type?: ArgumentType; readonly required?: boolean }): void =>
    change({ args: { ...override?.args, [arg]: { ...override?.args?.[arg], ...rest } } });
  return (
    <div className={styles['edit']}>
      <TextField label="Executor name, such as read_events" value={name} onChange={setName} isMono />
      <Button onPress={() => change({ name: name.trim() })}>Check again</Button>
      {plan?.args.map((arg) => (
        <div key={arg.name} className={styles['argument']} role="group" aria-label={arg.name}>
          <code>{arg.name}</code>
          <Select
            label={`Type of ${arg.name}`}
            options={TYPE_OPTIONS}
            value={arg.type}
            onChange={(type) => changeArgument(arg.name, { type })}
          />
          <Toggle isOn={arg.required} onChange={(required) => changeArgument(arg.name, { required })}>
            required
          </Toggle>
        </div>
      ))}
    </div>
  );
};

export type ExecutorListProps = {
  readonly report: ImportReport;
  readonly overrides: readonly Override[];
  readonly onOverride: (change: Override) => void;
  readonly onClear: () => void;
};

/** Every sub-command with what became of it; each can be opened and translated by hand. */
export const ExecutorList = ({ report, overrides, onOverride, onClear }: ExecutorListProps) => {
  const [open, setOpen] = useState<string>();
  const commands = report.source?.subCommands ?? [];
  return (
    <section className={styles['block']} aria-label="Executors">
      <h3>
        Executors
        {report.accepted.length > 0 && (
          <span className={styles['quiet']}>
            Runs here: {report.accepted.filter(({ notHere }) => notHere.length === 0).length} of{' '}
            {report.accepted.length}
          </span>
        )}
        {overrides.length > 0 && (
          <Button look="quiet" onPress={onClear}>
            Undo manual settings
          </Button>
        )}
      </h3>
      <ul className={styles['rows']}>
        {commands.map((command) => {
          const key = `${command.domain} ${command.action}`;
          const isOf = ({ source }: ExecutorPlan): boolean =>
            source.domain === command.domain && source.action === command.action;
          const plan = report.plans.find(isOf);
          const accepted = report.accepted.find((item) => isOf(item.plan));
          const rejection = report.rejected.find(({ name }) => name === key || name === plan?.name);
          const override = overrides.find(
            ({ domain, action }) => domain === command.domain && action === command.action,
          );
          return (
            <li key={key}>
              <div className={styles['row']}>
                <code>{key}</code>
                <span aria-hidden="true">→</span>
                <span className={styles['result']}>
                  {accepted ? (
                    <code>{accepted.name}</code>
                  ) : (
                    <span className={styles['refused']}>{rejection?.reasons.join('; ') ?? 'not translated'}</span>
                  )}
                  {accepted && accepted.notHere.length > 0 && (
                    <span
                      className={styles['refused']}
                    >{`doesn’t run here: ${visible(accepted.notHere.join('; '))}`}</span>
                  )}
                  {plan?.isOverridden === true && <Badge tone="accent">by hand</Badge>}
                </span>
                <Button
                  look="quiet"
                  aria-pressed={open === key}
                  onPress={() => setOpen(open === key ? undefined : key)}
                >
                  {open === key ? 'Close' : 'Inspect'}
                </Button>
              </div>
              {open === key && (
                <>
                  {accepted && (
                    <ul className={styles['checks']} aria-label={`Checks of ${accepted.name}`}>
                      {accepted.checks.map(({ check, status, detail }) => (
                        <li key={check} className={styles['entry']} data-status={status}>
                          <strong>{check}</strong> <span className={styles['quiet']}>{status}</span>{' '}
                          <span>{detail}</span>
                        </li>
                      ))}
                      <li className={styles['wording']}>{accepted.wording.en}</li>
                    </ul>
                  )}
                  <ul className={styles['examples']}>
                    {command.examples.map((example) => (
                      <li key={example}>
                        <code>{example}</code>
                      </li>
                    ))}
                  </ul>
                  <EditTranslation command={command} plan={plan} override={override} onOverride={onOverride} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
};
