import { useState } from 'react';
import { plural } from '../../base/text.ts';
import { type BudgetView, budgetThreads, budgetView } from '../../model/instruments/budget-view.ts';
import { grouped, short } from '../../model/instruments/figures.ts';
import { MAIN_THREAD, type SessionState, type TurnState } from '../../model/session/state.ts';
import type { Selection, SessionStore } from '../../stores/session-types.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { useSessions } from '../instruments/use-session.ts';
import styles from './budget-panel.module.css';

type BudgetPanelProps = { readonly store: SessionStore };

type Choose = (turnId: string | undefined, eventId: string) => void;

type PartProps = {
  readonly view: BudgetView;
  readonly onChoose: Choose;
  /** The turn that is selected everywhere. */
  readonly turnId: string | undefined;
};

/** What happened in the selected turn is marked. */
const marked = (own: string | undefined, turnId: string | undefined) =>
  own !== undefined && own === turnId && { 'aria-current': true as const };

const Slots = ({ view, onChoose, turnId }: PartProps) => (
  <ol className={styles['slots']} aria-label="Slots">
    {view.slots.map((slot, index) =>
      slot ? (
        <li key={slot.eventId}>
          <button
            type="button"
            className={styles['slot']}
            onClick={() => onChoose(slot.turnId, slot.eventId)}
            {...marked(slot.turnId, turnId)}
          >
            <b>{slot.name}</b>
            {grouped(slot.tokens)} tokens
          </button>
        </li>
      ) : (
        // oxlint-disable-next-line react/no-array-index-key -- a free slot has nothing but its place
        <li key={`free ${index}`} className={styles['free']}>
          free
        </li>
      ),
    )}
  </ol>
);

/** Tokens against both limits. */
const Gauge = ({ view }: { readonly view: BudgetView }) => {
  const place = (tokens: number): string => `${Math.min(100, (tokens / view.cap) * 100)}%`;
  return (
    <div>
      <div
        className={styles['gauge']}
        role="meter"
        aria-label="Tokens of loaded skills"
        aria-valuemin={0}
        aria-valuemax={view.cap}
        aria-valuenow={view.tokens}
      >
        <span className={styles['fill']} data-level={view.level} style={{ width: place(view.tokens) }} />
        <span className={styles['warn']} style={{ left: place(view.warn) }} />
        <span className={styles['cap']} />
      </div>
      <div className={styles['scale']} aria-hidden="true">
        <span>{grouped(view.tokens)}</span>
        <span style={{ left: place(view.warn) }}>{short(view.warn)} warns</span>
        <span>{short(view.cap)} refuses</span>
      </div>
    </div>
  );
};

const Refused = ({ view, onChoose, turnId: selected }: PartProps) => (
  <ul className={styles['refused']} aria-label="Refused">
    {view.refused.map(({ name, cap, message, turnId, eventId }) => (
      <li key={eventId}>
        <button
          type="button"
          className={styles['refusal']}
          onClick={() => onChoose(turnId, eventId)}
          {...marked(turnId, selected)}
        >
          <b>{name}</b> {cap === 'count' ? 'all slots were taken' : 'it would have exceeded the token limit'}
        </button>
        <p className={styles['message']}>{message}</p>
      </li>
    ))}
  </ul>
);

const chooseIn =
  (store: SessionStore): Choose =>
  (turnId, eventId) =>
    store.select({ eventId, ...(turnId !== undefined && { turnId }) });

const headline = (view: BudgetView): string =>
  view.used === 0 ? 'No skills loaded yet' : `${view.used} of ${plural(view.slots.length, 'skill')} loaded`;

/** What the selected turn did to the budget. */
const turnSentence = (state: SessionState, view: BudgetView, { id, nestedIn }: TurnState): string => {
  const own = state.turns.filter((turn) => (turn.nestedIn === undefined) === (nestedIn === undefined));
  const number = own.findIndex((turn) => turn.id === id) + 1;
  const names = view.slots.flatMap((slot) => (slot?.turnId === id ? [slot.name] : []));
  const refused = view.refused.flatMap((item) => (item.turnId === id ? [item.name] : []));
  const loaded = names.length === 0 ? 'loaded no skill' : `loaded ${names.join(', ')}`;
  const denied = refused.length === 0 ? '' : `, and was refused ${refused.join(', ')}`;
  return `Selected: ${nestedIn === undefined ? 'turn' : 'ask'} ${number}. It ${loaded}${denied}.`;
};

/** Which skills the model has loaded, what room is left, and what was refused. */
const BudgetPanel = ({ store }: BudgetPanelProps) => {
  useSessions(store, ({ revision }) => revision);
  const selection = useSessions(store, (sessions) => sessions.selection);
  const [thread, setThread] = useState<string>(MAIN_THREAD);
  const [followed, setFollowed] = useState<Selection>();
  const [isTable, setIsTable] = useState(false);
  const state = store.state();
  const events = store.journal()?.events ?? [];
  if (!state)
    return (
      <EmptyState title="No session yet">
        A session has three slots for skills. Each skill that the model loads uses one slot and its own tokens. Lathe
        refuses a load that exceeds either limit.
      </EmptyState>
    );
  const { turnId } = selection;
  const turn = turnId === undefined ? undefined : state.turnsById.get(turnId);
  if (followed !== selection) {
    setFollowed(selection);
    // An ask has a budget of its own: selecting it shows that one.
    if (turn) setThread(turn.thread);
  }
  const threads = budgetThreads(state);
  const current = threads.some(({ id }) => id === thread) ? thread : MAIN_THREAD;
  const view = budgetView(state, events, current);
  const choose = chooseIn(store);
  return (
    <div className={styles['panel']}>
      <header className={styles['head']}>
        <div>
          <h3 className={styles['title']}>{headline(view)}</h3>
          <p className={styles['sub']}>
            A loaded skill stays in the conversation, and you pay for it in every turn. The limit is three skills and{' '}
            {grouped(view.cap)} tokens.
          </p>
          {turn && <p className={styles['turn']}>{turnSentence(state, view, turn)}</p>}
        </div>
        <div className={styles['controls']}>
          {threads.length > 1 && (
            <Select
              label="Conversation"
              options={threads.map(({ id, label }) => ({ value: id, label }))}
              value={current}
              onChange={setThread}
            />
          )}
          <ToggleChip isOn={isTable} onChange={setIsTable}>
            Table
          </ToggleChip>
        </div>
      </header>
      {isTable ? (
        <DataTable
          label="Skills and states"
          rowKey={({ name, state: how }) => `${name} ${how}`}
          rows={[
            ...view.slots.flatMap((slot) =>
              slot ? [{ name: slot.name, tokens: slot.tokens, state: 'activated' }] : [],
            ),
            ...view.preloaded.map(({ name, tokens }) => ({ name, tokens, state: 'preloaded' })),
            ...view.refused.map(({ name, cap }) => ({ name, tokens: undefined, state: `refused: ${cap}` })),
          ]}
          columns={[
            { id: 'name', header: 'Skill', isMono: true, cell: ({ name }) => name },
            { id: 'state', header: 'State', cell: ({ state: how }) => how },
            {
              id: 'tokens',
              header: 'Tokens',
              isFigure: true,
              cell: ({ tokens }) => (tokens === undefined ? '–' : grouped(tokens)),
            },
          ]}
        />
      ) : (
        <div className={styles['columns']}>
          <div className={styles['column']}>
            <Slots view={view} onChoose={choose} turnId={turnId} />
            <Gauge view={view} />
          </div>
          <div className={styles['column']}>
            <h4 className={styles['small']}>Already in the prompt</h4>
            {view.preloaded.length === 0 ? (
              <p className={styles['sub']}>No skill is preloaded. Padding puts whole skills into the stable prompt.</p>
            ) : (
              <ul className={styles['preloaded']}>
                {view.preloaded.map(({ name, tokens }) => (
                  <li key={name}>
                    {name} <span>{tokens === undefined ? '' : grouped(tokens)}</span>
                  </li>
                ))}
              </ul>
            )}
            <p className={styles['sub']}>
              They use no slot. If the model asks for one, it gets a pointer instead of the body.
            </p>
          </div>
          <div className={styles['column']}>
            <h4 className={styles['small']}>Refused</h4>
            {view.refused.length === 0 ? (
              <p className={styles['sub']}>No skill was refused.</p>
            ) : (
              <Refused view={view} onChoose={choose} turnId={turnId} />
            )}
          </div>
        </div>
      )}
    </div>
  );
};

/** In the head of the session: slots and gauge. Details opens all of it. */
export const BudgetHead = ({ store }: BudgetPanelProps) => {
  useSessions(store, ({ revision }) => revision);
  const { turnId } = useSessions(store, (sessions) => sessions.selection);
  const [isOpen, setIsOpen] = useState(false);
  const state = store.state();
  const view = state && budgetView(state, store.journal()?.events ?? []);
  const last = view?.refused.at(-1);
  return (
    <section className={styles['budget']} aria-label="Activation budget" data-open={isOpen} tabIndex={-1}>
      <header className={styles['budget-head']}>
        <h3 className={styles['small']}>Activation budget</h3>
        <p className={styles['sub']}>{view ? `${view.used} of ${view.slots.length} skills` : ''}</p>
        {view && (
          <ToggleChip isOn={isOpen} onChange={setIsOpen}>
            Details
          </ToggleChip>
        )}
      </header>
      {isOpen ? (
        <BudgetPanel store={store} />
      ) : view ? (
        <>
          <Slots view={view} onChoose={chooseIn(store)} turnId={turnId} />
          <Gauge view={view} />
          {last && (
            <p className={styles['message']}>
              <b>{last.name}</b> was refused: {last.cap === 'count' ? 'all slots were taken' : 'too many tokens'}.
            </p>
          )}
        </>
      ) : (
        <ol className={styles['slots']} aria-label="Slots">
          {['first', 'second', 'third'].map((slot) => (
            <li key={slot} className={styles['free']}>
              free
            </li>
          ))}
        </ol>
      )}
    </section>
  );
};
