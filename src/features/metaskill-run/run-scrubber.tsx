/** A run on its time axis. Every recorded moment can be gone back to; the code, the values, and the drafts follow. */
import { type CSSProperties, type PointerEvent, type ReactNode, useRef } from 'react';
import { ticks, took } from '../../model/instruments/figures.ts';
import { type RunMoment, stepTo } from '../../model/instruments/run-moments.ts';
import type { RunItem } from '../../model/instruments/run-view.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useClock } from '../instruments/use-session.ts';
import styles from './run-scrubber.module.css';
import { momentWords, spentBudget } from './run-words.ts';
import { type KnownRun, knownRun, type RunNeeds, useLiveAsk, useRun } from './use-run.ts';

const LANES = ['ask', 'command', 'trace'] as const;

const at = (ms: number, span: number): CSSProperties => ({ left: `${Math.min(100, (ms / span) * 100)}%` });

const Bar = ({
  item,
  number,
  span,
  onPress,
}: {
  readonly item: RunItem;
  readonly number: number;
  readonly span: number;
  readonly onPress: () => void;
}) => {
  const { kind, label, durationMs = 0, ok } = item;
  const name = `${kind} ${number}${label === '' ? '' : `, ${label}`}${item.durationMs === undefined ? '' : `, ${took(durationMs)}`}${ok ? '' : ', failed'}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles['bar']}
      data-kind={kind}
      data-ok={ok}
      title={name}
      aria-label={`Go to ${name}`}
      style={{
        ...at(item.at, span),
        ...(kind !== 'trace' && { width: `${Math.max(0.6, (durationMs / span) * 100)}%` }),
      }}
      onClick={onPress}
    >
      {kind !== 'trace' && (
        <span>
          <span className={styles['kind']}>{kind} </span>
          {number}
        </span>
      )}
    </button>
  );
};

/** The moment at a place of the axis: the last one that had begun there. */
const momentAt = (moments: readonly RunMoment[], ms: number): number =>
  Math.max(
    0,
    moments.findLastIndex((moment) => moment.at <= ms),
  );

const goIn =
  (runDesk: RunNeeds['runDesk'], moments: readonly RunMoment[]) =>
  (to: number): void =>
    runDesk.goTo(to >= moments.length - 1 ? undefined : moments[to]?.id);

type HeadProps = RunNeeds & {
  readonly save: (name: string, text: string, type?: string) => void;
  readonly end: ReactNode;
};

/** The run as a file that anyone can scrub through without Lathe. */
const saveReplay = async ({ view, result }: KnownRun, save: HeadProps['save']): Promise<void> => {
  const { runReport } = await import('../../model/report/run-report.ts');
  const { html } = runReport(view.name, [{ ...view, result }]);
  save(`${view.name}-run-${view.number}.html`, html, 'text/html');
};

/** The step that is looked at, and the way to others. */
const Head = ({ end, save, ...needs }: HeadProps) => {
  const { runDesk } = needs;
  const shown = useRun(needs);
  const { view, moments, index, isPast, isBusy } = shown;
  const steps = moments.flatMap((item, place) => (item.kind === 'line' ? [] : [place]));
  const step = steps.findLastIndex((place) => place <= index);
  const go = goIn(runDesk, moments);
  return (
    <div className={styles['head']}>
      <h2 className={styles['title']}>
        {moments.length === 0
          ? 'Run steps'
          : `Step ${Math.max(0, step) + 1} of ${Math.max(1, steps.length)}: ${momentWords(moments, index)}`}
      </h2>
      {moments.length > 0 && (
        <span className={styles['about']}>Drag to any step. The code, the values, and the drafts follow.</span>
      )}
      <span className={styles['spring']} />
      {isPast ? (
        <Button onPress={() => runDesk.goTo(undefined)}>{isBusy ? 'Back to live' : 'Jump to end'}</Button>
      ) : (
        isBusy && <span className={styles['live']}>live</span>
      )}
      {view && !isBusy && (
        <Button look="link" onPress={() => void saveReplay(knownRun(shown, view), save)}>
          Save replay
        </Button>
      )}
      <IconButton
        label="Previous step"
        icon="chevron-left"
        disabledReason={index > 0 ? undefined : 'This is the first step.'}
        onPress={() => go(stepTo(moments, index, -1))}
      />
      <IconButton
        label="Next step"
        icon="chevron-right"
        disabledReason={index < moments.length - 1 ? undefined : 'This is the last step.'}
        onPress={() => go(stepTo(moments, index, 1))}
      />
      {end}
    </div>
  );
};

const Content = (needs: RunNeeds) => {
  const track = useRef<HTMLDivElement>(null);
  const shown = useRun(needs);
  const { view, moments, index, isBusy } = shown;
  const now = useClock(needs.sessions, isBusy);
  const call = useLiveAsk(needs.sessions, shown.run);
  if (!view)
    return (
      <p className={styles['empty']}>
        The run appears here on a time axis. Drag to any step. The code, the values, and the drafts follow.
      </p>
    );
  const { runDesk } = needs;
  const running = isBusy ? Math.max(0, now - view.startedAt) : 0;
  const moment = moments[index];
  // An ask is told when it ends: until then its line says when it began.
  const live = call ? moments.at(-1)?.at : undefined;
  const spent = isBusy ? undefined : spentBudget(knownRun(shown, view).result);
  const end = Math.max(1, running, ...moments.map((item) => item.at + (item.item?.durationMs ?? 0)));
  // What was refused took no time, and needs room for its name.
  const span = spent ? end * 1.25 : end;
  const go = goIn(runDesk, moments);
  const words = momentWords(moments, index);
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.width === 0 || event.buttons !== 1 || moments.length < 2) return;
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    go(share * span >= end * 0.995 ? moments.length - 1 : momentAt(moments, share * span));
  };
  return (
    <div className={styles['panel']}>
      <div
        className={styles['lanes']}
        role="presentation"
        onPointerDown={(event) => {
          if (event.target instanceof Element && event.target.closest('button')) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
      >
        {LANES.map((lane) => {
          const items = view.items.filter(({ kind }) => kind === lane);
          return (
            <div key={lane} className={styles['lane']}>
              <span className={styles['name']}>{lane}</span>
              <div className={styles['track']}>
                {items.length === 0 && live === undefined && <span className={styles['none']}>none</span>}
                {items.map((item, place) => (
                  <Bar
                    key={item.id}
                    item={item}
                    number={place + 1}
                    span={span}
                    onPress={() => go(moments.findIndex(({ id }) => id === item.id))}
                  />
                ))}
                {lane === 'ask' && live !== undefined && (
                  <span
                    className={styles['growing']}
                    style={{ ...at(live, span), width: `${Math.max(0.6, ((running - live) / span) * 100)}%` }}
                  >
                    {`ask ${items.length + 1}`}
                  </span>
                )}
                {spent?.kind === lane && (
                  <span className={styles['refused']} style={at(end, span)}>{`${lane} ${spent.most + 1} refused`}</span>
                )}
              </div>
            </div>
          );
        })}
        <div className={styles['axis']}>
          <div className={styles['track']}>
            {ticks(span, 6).map((tick) => (
              <span key={tick} style={at(tick, span)}>
                {tick === 0 ? '0 s' : took(tick)}
              </span>
            ))}
          </div>
        </div>
        <div className={styles['cursor']}>
          <div className={styles['track']} ref={track}>
            {moment && <span className={styles['hand']} style={at(moment.at, span)} />}
            <input
              type="range"
              aria-label="Moment of the run"
              aria-valuetext={moment ? `${words}, ${took(moment.at)}` : 'no steps yet'}
              min={0}
              max={Math.max(0, moments.length - 1)}
              value={Math.max(0, index)}
              disabled={moments.length < 2}
              onChange={(event) => go(Number(event.currentTarget.value))}
            />
          </div>
        </div>
      </div>
    </div>
  );
};

export const runScrubberContent = { Content, Head };
