/** The metaskills of the folder, the runs of the one that is looked at, and the input of the next. */
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { took } from '../../model/instruments/figures.ts';
import { inputOfForm } from '../../model/instruments/run-form.ts';
import type { RunView } from '../../model/instruments/run-view.ts';
import type { MetaskillRun } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { useSessions } from '../instruments/use-session.ts';
import styles from './metaskill-list.module.css';
import { formOf } from './run-desk.ts';
import { ASKS, COMMANDS, RAW } from './run-draft.ts';
import { InputForm, TextArea } from './run-form.tsx';
import { knownRun, type RunNeeds, type ShownRun, useRun } from './use-run.ts';

/** How a run stands, with what it means for the color. */
const statusOf = (
  view: RunView | undefined,
  run: MetaskillRun | undefined,
  isWaiting: boolean,
): { readonly text: string; readonly tone: string } => {
  if (!view) return { text: 'not run', tone: 'none' };
  if (isWaiting) return { text: 'waiting for you', tone: 'warning' };
  if (run?.status === 'paused') return { text: 'paused', tone: 'warning' };
  if (view.status === undefined) return { text: 'running', tone: 'now' };
  if (view.status === 'error') return { text: 'error', tone: 'error' };
  return { text: view.status, tone: /^(?:exhausted|failed|stopped)/i.test(view.status) ? 'warning' : 'good' };
};

const usage = ({ asks, commands, durationMs }: RunView): string =>
  [
    `${asks.used} of ${asks.most} asks`,
    commands.used > 0 && `${commands.used} of ${commands.most} commands`,
    // A number and its unit are on one line.
    durationMs !== undefined && took(durationMs).replaceAll(' ', '\u00a0'),
  ]
    .filter((part) => part !== false)
    .join(', ');

const useWaiting = (needs: RunNeeds, run: MetaskillRun | undefined): boolean => {
  const approvals = useSessions(needs.sessions, (state) => state.approvals);
  return approvals.length > 0 && run !== undefined && run.status !== 'ended';
};

const Metaskills = ({ needs, shown }: { readonly needs: RunNeeds; readonly shown: ShownRun }) => {
  const { skills, skill, views, live } = shown;
  const active = live.find(({ status }) => status !== 'ended');
  const isWaiting = useWaiting(needs, active);
  return (
    <ul className={styles['list']} aria-label="Metaskills">
      {skills.map(({ name }) => {
        const last = views.findLast((view) => view.name === name);
        const run = live.find(({ toolUseId }) => toolUseId === last?.id);
        const { text, tone } = statusOf(last, run, isWaiting && run === active);
        return (
          <li key={name}>
            <button
              type="button"
              className={styles['row']}
              aria-current={name === skill?.name}
              onClick={() => needs.runDesk.chooseSkill(name)}
            >
              <span className={styles['name']}>{name}</span>
              <span className={styles['status']} data-tone={tone}>
                {text}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
};

const Runs = ({ needs, shown }: { readonly needs: RunNeeds; readonly shown: ShownRun }) => {
  const { skill, views, view, live } = shown;
  const isWaiting = useWaiting(needs, shown.run);
  const own = views.filter(({ name }) => name === skill?.name).toReversed();
  return (
    <section className={styles['section']} aria-label="Runs">
      <h3 className={styles['heading']}>Runs of {skill?.name}</h3>
      {own.length === 0 ? (
        <p className={styles['about']}>No runs yet. Select Run metaskill to start one.</p>
      ) : (
        <ul className={styles['list']}>
          {own.map((item) => {
            const run = live.find(({ toolUseId }) => toolUseId === item.id);
            const { text, tone } = statusOf(item, run, isWaiting && item === view);
            return (
              <li key={item.id}>
                <button
                  type="button"
                  className={styles['run']}
                  aria-current={item.id === view?.id}
                  onClick={() => needs.runDesk.chooseRun(item)}
                >
                  <b>Run {item.number}</b>
                  <span className={styles['status']} data-tone={tone}>
                    {text}
                  </span>
                  <small>{usage(item)}</small>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <CompareButton needs={needs} shown={shown} own={own} />
    </section>
  );
};

const CompareButton = ({
  needs,
  shown,
  own,
}: {
  readonly needs: RunNeeds;
  readonly shown: ShownRun;
  readonly own: readonly RunView[];
}) => {
  const at = own.findIndex(({ id }) => id === shown.view?.id);
  const other = own[at + 1] ?? own[at - 1];
  return other && at !== -1 ? (
    <Button onPress={() => needs.runDesk.compareWith(other.id)}>Compare with run {other.number}</Button>
  ) : null;
};

const Input = ({ needs, shown }: { readonly needs: RunNeeds; readonly shown: ShownRun }) => {
  const { runDesk } = needs;
  const { skill, view, isBusy } = shown;
  const faulty = useStore(runDesk, (state) => state.faults);
  const drafts = useStore(runDesk, (state) => state.drafts);
  const draft = skill && (drafts[skill.name] ?? runDesk.draftOf(skill));
  const place = useRef<HTMLElement>(null);
  const times = faulty?.times;
  useEffect(() => {
    // The field may be out of view.
    if (times !== undefined) place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [times]);
  if (!skill || !draft) return null;
  const form = formOf(skill);
  const faults = faulty?.name === skill.name ? faulty.list : [];
  const faultOf = (field: string): string | undefined => faults.find(({ name }) => name === field)?.message;
  const input = view && !isBusy ? knownRun(shown, view).input : undefined;
  return (
    <section className={styles['section']} aria-label="Input" ref={place}>
      <div className={styles['line']}>
        <h3 className={styles['heading']}>Input</h3>
        {form.state === 'fields' && (
          <ToggleChip
            isOn={draft.isRaw}
            onChange={(isRaw) => {
              const entered = inputOfForm(form, draft.values);
              const raw = isRaw && entered.ok ? { raw: JSON.stringify(entered.value, undefined, 2) } : {};
              runDesk.change(skill, { isRaw, ...raw });
            }}
          >
            JSON
          </ToggleChip>
        )}
      </div>
      {form.state === 'none' && !draft.isRaw && <p className={styles['about']}>This metaskill takes no input.</p>}
      {draft.isRaw ? (
        <TextArea
          label="Input as JSON"
          value={draft.raw}
          onChange={(raw) => runDesk.change(skill, { raw })}
          error={faultOf(RAW)}
          about={form.state === 'unknown' ? 'SKILL.md documents no input keys, so there is no form.' : ''}
          rows={7}
          isMono
        />
      ) : (
        <InputForm
          form={form}
          values={draft.values}
          onChange={(values) => runDesk.change(skill, { values })}
          faults={faults}
        />
      )}
      <div className={styles['limits']}>
        <TextField
          label="Max ask calls"
          value={draft.asks}
          onChange={(asks) => runDesk.change(skill, { asks })}
          description="Default: 5"
          error={faultOf(ASKS)}
          isMono
        />
        <TextField
          label="Max command calls"
          value={draft.commands}
          onChange={(commands) => runDesk.change(skill, { commands })}
          description="Default: 10"
          error={faultOf(COMMANDS)}
          isMono
        />
      </div>
      {input !== undefined && (
        <Button onPress={() => runDesk.takeInput(skill, input)}>Use the input of run {view?.number}</Button>
      )}
    </section>
  );
};

const Content = (needs: RunNeeds) => {
  const shown = useRun(needs);
  if (!shown.skill)
    return (
      <EmptyState title="No metaskills yet">
        A metaskill is a skill with a program, SKILL.star. Create one with New skill.
      </EmptyState>
    );
  return (
    <Scroll label="Metaskills">
      <Metaskills needs={needs} shown={shown} />
      <Runs needs={needs} shown={shown} />
      <Input needs={needs} shown={shown} />
    </Scroll>
  );
};

export const metaskillListContent = { Content };
