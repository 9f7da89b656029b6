import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import { grouped, money } from '../../model/instruments/figures.ts';
import type { SessionSettings } from '../../model/event/catalog.ts';
import type { Offer } from '../../model/whatif/answer.ts';
import { type AxisBreakpoint, type BreakpointAxis, placementsOf, withOneMore } from '../../model/whatif/axis.ts';
import type { Policy } from '../../model/whatif/types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import type { WhatIfState, WhatIfStore } from '../../stores/what-if-store.ts';
import { Button } from '../../ui/button.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { type RequestStores, useShownRequests } from '../instruments/use-shown-requests.ts';
import styles from './what-if.module.css';

const savedText = (usd: number | undefined): string => {
  if (usd === undefined) return 'price unknown';
  if (Math.abs(usd) < 5e-7) return 'no savings';
  return usd > 0 ? `saves ${money(usd)}` : `costs ${money(-usd)} more`;
};

/** The answer in one sentence. */
const totalText = ({
  answer,
  policy,
  isBusy,
  problem,
}: Pick<WhatIfState, 'answer' | 'policy' | 'isBusy' | 'problem'>): string => {
  if (problem !== undefined) return problem;
  if (!answer) return isBusy ? 'Forecasting…' : 'See what these requests would have cost with other settings.';
  const { recorded, forecast, range } = answer.result;
  if (Object.keys(policy).length === 0) {
    const [best] = answer.offers.toSorted((a, b) => (b.saves ?? 0) - (a.saves ?? 0));
    return best && (best.saves ?? 0) > 5e-7
      ? `Best single change: ${best.label} (${savedText(best.saves)}).`
      : 'No single setting saves money.';
  }
  if (recorded.usd === undefined || forecast.usd === undefined) return 'The price is unknown.';
  const isWide = range !== undefined && range.high - range.low > 0.00005;
  const between = isWide ? ` (between ${money(range.low)} and ${money(range.high)})` : '';
  return `${money(forecast.usd)}${between} instead of ${money(recorded.usd)}: ${savedText(recorded.usd - forecast.usd)}.`;
};

export const WhatIfHead = ({
  whatIf,
  end,
  ...stores
}: RequestStores & { readonly whatIf: WhatIfStore; readonly end: ReactNode }) => {
  const answer = useStore(whatIf, (state) => state.answer);
  const policy = useStore(whatIf, (state) => state.policy);
  const isBusy = useStore(whatIf, (state) => state.isBusy);
  const problem = useStore(whatIf, (state) => state.problem);
  const canUndo = useStore(whatIf, (state) => state.canUndo);
  const { rows } = useShownRequests(stores);
  return (
    <div className={styles['line']}>
      <h2 className={styles['title']}>What if</h2>
      <p className={styles['answer']} aria-live="polite" data-busy={isBusy}>
        {rows.length === 0
          ? 'After the first request: its cost with other settings.'
          : totalText({ answer, policy, isBusy, problem })}
      </p>
      {rows.length > 0 && !answer && (
        <Button look="link" isDisabled={isBusy} onPress={() => void whatIf.open()}>
          Compare settings
        </Button>
      )}
      {answer && (
        <>
          <Button look="link" isDisabled={isBusy} onPress={() => void whatIf.findBest()}>
            Find best breakpoints
          </Button>
          <Button look="link" isDisabled={!canUndo || isBusy} onPress={() => void whatIf.undo()}>
            Undo
          </Button>
          <Button look="link" onPress={whatIf.reset}>
            Close
          </Button>
        </>
      )}
      {end}
    </div>
  );
};

const Switch = ({ offer, whatIf }: { readonly offer: Offer; readonly whatIf: WhatIfStore }) => (
  <span className={styles['switch']}>
    <ToggleChip
      isOn={offer.isOn}
      onChange={(isOn) => void whatIf.turn(isOn ? offer.change : { [offer.name]: undefined })}
    >
      {offer.label}
    </ToggleChip>
    <span className={styles['saving']} data-saves={(offer.saves ?? 0) > 5e-7}>
      {savedText(offer.saves)}
    </span>
  </span>
);

/** A size that the prefix is lifted to. */
const Padding = ({ policy, whatIf }: { readonly policy: Policy; readonly whatIf: WhatIfStore }) => {
  const { padding } = policy;
  const set = padding && 'tokens' in padding ? String(padding.tokens) : '';
  const take = (text: string): void => {
    const tokens = Math.min(1_000_000, Math.round(Number(text)));
    if (text !== set) void whatIf.turn({ padding: text !== '' && tokens > 0 ? { tokens } : undefined });
  };
  return (
    <label className={styles['switch']}>
      Pad prefix to
      <input
        key={set}
        type="number"
        min={1}
        max={1_000_000}
        step={1}
        defaultValue={set}
        placeholder="as recorded"
        className={styles['size']}
        onBlur={({ target }) => take(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take(event.currentTarget.value);
        }}
      />
      tokens
    </label>
  );
};

/** The breakpoints of the chosen request in words. On the token axis of the waterfall they are dragged. */
const Breakpoints = ({ axis, whatIf }: { readonly axis: BreakpointAxis; readonly whatIf: WhatIfStore }) => {
  const { stops, breakpoints } = axis;
  const set = (next: readonly AxisBreakpoint[]): void => void whatIf.turn({ breakpoints: placementsOf(axis, next) });
  const more = withOneMore(axis);
  return (
    <section className={styles['breakpoints']} aria-label="Breakpoints">
      <span className={styles['note']}>Breakpoints</span>
      {breakpoints.map(({ stop, ttl }, index) => {
        const { name = '', tokens = 0 } = stops[stop] ?? {};
        return (
          <span key={stop} className={styles['switch']}>
            after {name} <span className={styles['saving']}>{grouped(tokens)}</span>
            <Button
              look="link"
              aria-label={`TTL of breakpoint ${index + 1}: ${ttl}`}
              tip="Change the TTL"
              onPress={() => set(breakpoints.with(index, { stop, ttl: ttl === '1h' ? '5m' : '1h' }))}
            >
              {ttl}
            </Button>
            <Button
              look="link"
              aria-label={`Remove breakpoint ${index + 1}`}
              onPress={() => set(breakpoints.toSpliced(index, 1))}
            >
              Remove
            </Button>
          </span>
        );
      })}
      {more && (
        <Button look="link" onPress={() => set(more)}>
          Add breakpoint
        </Button>
      )}
      {breakpoints.length > 0 && <span className={styles['note']}>Drag them on the token axis.</span>}
    </section>
  );
};

/** What the settings of a session of ours can take over. */
const settingsOf = (policy: Policy, settings: SessionSettings | undefined): Partial<SessionSettings> | undefined => {
  if (!settings) return undefined;
  const { cache } = settings;
  const { ttl, breakpoints, model } = policy;
  const mode = typeof breakpoints === 'string' ? breakpoints : undefined;
  if (ttl === undefined && mode === undefined && model === undefined) return undefined;
  const one = typeof ttl === 'string' ? { tools: ttl, system: ttl, messages: ttl } : ttl;
  return {
    ...(model !== undefined && { model }),
    cache: { mode: mode ?? cache.mode, ttl: { ...cache.ttl, ...one } },
  };
};

const Apply = ({ sessions, policy }: { readonly sessions: SessionStore; readonly policy: Policy }) => {
  const change = settingsOf(policy, sessions.state()?.settings);
  return change ? (
    <Button look="primary" onPress={() => sessions.change(change)}>
      Use in this session
    </Button>
  ) : null;
};

/** Switches with what each saves beside the others, and what to paste where somebody else's agent is to change. */
export const WhatIfPanel = ({
  whatIf,
  copy,
  ...stores
}: RequestStores & { readonly whatIf: WhatIfStore; readonly copy: (text: string, what: string) => void }) => {
  const answer = useStore(whatIf, (state) => state.answer);
  const policy = useStore(whatIf, (state) => state.policy);
  const plan = useStore(whatIf, (state) => state.plan);
  const axis = useStore(whatIf, (state) => state.axis);
  const { recording } = useShownRequests(stores);
  const models = useMemo(() => answer?.models ?? [], [answer]);
  if (!answer) return null;
  const isChanged = Object.keys(policy).length > 0;
  return (
    <div className={styles['panel']}>
      <div className={styles['switches']}>
        {answer.offers.map((offer) => (
          <Switch key={offer.label} offer={offer} whatIf={whatIf} />
        ))}
        <label className={styles['switch']}>
          Model
          <select
            value={policy.model ?? ''}
            onChange={({ target }) => void whatIf.turn({ model: target.value === '' ? undefined : target.value })}
          >
            <option value="">as recorded</option>
            {models.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
        {answer.closed.padding === undefined && <Padding policy={policy} whatIf={whatIf} />}
      </div>
      {axis && <Breakpoints axis={axis} whatIf={whatIf} />}
      {plan && (
        <p>
          {plan.isRecorded
            ? 'The recorded breakpoints are the best ones.'
            : `Best breakpoints: ${plan.breakpoints.map(({ at, ttl = '5m' }) => `${at} (${ttl})`).join(', ') || 'none'}. They save ${money(plan.saves)}.`}
        </p>
      )}
      {isChanged && answer.harness === 'lathe' && !recording ? (
        <Apply sessions={stores.sessions} policy={policy} />
      ) : (
        isChanged &&
        answer.advice.map(({ about, paste }) => (
          <p key={about + (paste ?? '')}>
            {about}
            {paste !== undefined && (
              <>
                {' '}
                <code>{paste}</code>{' '}
                <Button look="link" onPress={() => copy(paste, 'setting')}>
                  Copy setting
                </Button>
              </>
            )}
          </p>
        ))
      )}
      {answer.result.faults.map((fault) => (
        <p key={fault} role="alert">
          The provider refuses this: {fault}
        </p>
      ))}
      {[
        ...answer.result.notes,
        ...answer.switches.flatMap(({ moot }) => moot ?? []),
        ...new Set(Object.values(answer.closed)),
      ].map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
    </div>
  );
};
