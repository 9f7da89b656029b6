/** What a run did: one sentence, its drafts, what to do, its budgets, steps, and result. Everything is of the moment that is looked at. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { plural } from '../../base/text.ts';
import { type Draft, runDrafts } from '../../model/instruments/run-drafts.ts';
import type { RunMoment } from '../../model/instruments/run-moments.ts';
import { droppedIn, type RunView } from '../../model/instruments/run-view.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Scroll } from '../../ui/panel.tsx';
import type { Editor } from '../editor/editor.ts';
import { useClock, useSessions } from '../instruments/use-session.ts';
import { CompareRuns } from './compare-runs.tsx';
import { Debugger, Recorded } from './debugger.tsx';
import styles from './metaskill-run.module.css';
import { RunBudgets } from './run-budgets.tsx';
import { RunDrafts } from './run-drafts.tsx';
import { RunResult } from './run-result.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { sentenceOf, spentBudget } from './run-words.ts';
import { type KnownRun, knownRun, type RunNeeds, type ShownRun, textOfLive, useLiveAsk, useRun } from './use-run.ts';

/** As a sentence says it; the tone is never the only sign. */
const Refusal = ({ needs, shown }: { readonly needs: RunNeeds; readonly shown: ShownRun }) => {
  const refusal = useStore(needs.runDesk, (state) => state.refusal);
  const { skill } = shown;
  if (!skill || refusal?.name !== skill.name) return null;
  return (
    <section className={styles['block']} aria-label="Not started">
      <p className={styles['lead']} data-tone="error">
        {skill.name} did not start
      </p>
      <p className={styles['failed']}>{refusal.text}</p>
      {skill.consent && (
        <div>
          <Button onPress={() => void needs.runDesk.trust(skill)}>Trust metaskill…</Button>
        </div>
      )}
    </section>
  );
};

/** Why it ended early, and what can be done about it, with a button that does it. */
const WhatToDo = ({
  needs,
  shown,
  current,
}: {
  readonly needs: RunNeeds;
  readonly shown: ShownRun;
  readonly current: KnownRun;
}) => {
  const spent = spentBudget(current.result);
  const { skill, isBusy } = shown;
  if (!spent || !skill || isBusy) return null;
  const more = Math.min(20, spent.most + 3);
  return (
    <section className={styles['block']} aria-label="What to do">
      <h3 className={styles['small']}>What to do</h3>
      <div className={styles['action']}>
        <div>
          <b>Stop when a draft is good enough</b>
          <p>Return as soon as a check passes, or when a draft repeats an earlier one.</p>
        </div>
      </div>
      {spent.kind === 'ask' && spent.most < 20 && (
        <div className={styles['action']}>
          <div>
            <b>Allow {more} asks</b>
            <p>Limit for the next run, up to 20.</p>
          </div>
          <Button
            onPress={() => {
              needs.runDesk.change(skill, { asks: String(more) });
              void needs.runDesk.start(skill.name, { asks: more });
            }}
          >
            Run again
          </Button>
        </div>
      )}
    </section>
  );
};

const counts = (moments: readonly RunMoment[], index: number) => {
  const of = (kind: RunMoment['kind']): number =>
    moments.slice(0, index + 1).filter((moment) => moment.kind === kind).length;
  return { asks: of('ask'), commands: of('command'), traces: of('trace') };
};

const droppedOf = (view: RunView, result: string | undefined): number => view.dropped ?? droppedIn(result) ?? 0;

const useUsed = (needs: RunNeeds, shown: ShownRun, isAsking: boolean) => {
  const { view, moments, index, isBusy, isPast, run } = shown;
  const now = useClock(needs.sessions, isBusy && run?.status !== 'paused');
  if (!view) return undefined;
  const dropped = droppedOf(view, run?.outcome?.result);
  const known = counts(moments, index);
  const at = moments[index];
  if (isPast) return { ...known, ms: at ? at.at + (at.item?.durationMs ?? 0) : 0 };
  const ms = view.durationMs ?? Math.max(at?.at ?? 0, run?.status === 'paused' ? 0 : now - view.startedAt);
  // An ask is spent when it begins, and told when it ends.
  const asks = Math.min(view.asks.most, view.asks.used + (isAsking ? 1 : 0));
  return { asks, commands: view.commands.used, traces: known.traces + dropped, ms };
};

/** Of the moment that is looked at: the last ask that had begun. */
const draftAt = (drafts: readonly Draft[], { moments, index, isPast }: ShownRun): string | undefined => {
  if (!isPast) return drafts.find(({ state }) => state === 'writing')?.id;
  return moments.slice(0, index + 1).findLast(({ kind }) => kind === 'ask')?.id;
};

const Shown = ({
  needs,
  shown,
}: {
  readonly needs: RunNeeds & { readonly editor: Editor };
  readonly shown: ShownRun;
}) => {
  const { sessions, runDesk } = needs;
  const { view, run, isPast, isBusy, moments, index, path } = shown;
  const printed = useSessions(sessions, (state) => state.printed);
  const approvals = useSessions(sessions, (state) => state.approvals);
  const comparedWith = useStore(runDesk, (state) => state.comparedWith);
  const call = useLiveAsk(sessions, run);
  const used = useUsed(needs, shown, call !== undefined);
  const current = view && knownRun(shown, view);
  const text = call && !isPast ? textOfLive(call) : undefined;
  const until = isPast ? moments.slice(0, index + 1).flatMap(({ item }) => item ?? []) : view?.items;
  const drafts = useMemo(
    () => (until ? runDrafts({ items: until }, current?.input, text === undefined ? undefined : { text }) : []),
    // oxlint-disable-next-line react/exhaustive-deps -- what these three are made of
    [view, isPast, index, text, current?.input],
  );
  const facts = path === undefined ? undefined : needs.editor.getView().checked.get(path)?.analysis?.facts;
  if (!view || !current || !used) return null;
  const control = run && sessions.runControl(run.toolUseId);
  const isWaiting = isBusy && approvals.length > 0;
  const all = view.items.length === 0 ? [] : runDrafts(view, current.input);
  const sentence = sentenceOf(view, run, current.result, call ? drafts : all, isWaiting);
  const other = shown.views.find(({ id }) => id === comparedWith);
  const lines = printed.filter(({ toolUseId }) => toolUseId === view.id);
  const isPaused = run?.pause !== undefined && control !== undefined && !isPast;
  return (
    <>
      <section className={styles['block']} aria-label="Verdict">
        <p className={styles['lead']} data-tone={sentence.tone} role="status">
          {sentence.text}
        </p>
        <p className={styles['about']}>{sentence.sub}</p>
        {view.notes.map((note) => (
          <p key={note} className={styles['about']}>
            {note}
          </p>
        ))}
        {drafts.length > 0 && (drafts.at(-1)?.words.length ?? 0) > 0 && (
          <ul className={styles['chips']} aria-label="Words of the input in the last draft">
            {drafts.at(-1)?.words.map(({ word, isFound }) => (
              <li key={word} data-found={isFound}>
                {isFound ? '✓' : '–'} {word}
              </li>
            ))}
          </ul>
        )}
      </section>
      {isPaused && (
        <section className={styles['block']} aria-label="Paused">
          <Debugger key={`${run.pause.range.line} ${run.pause.reason}`} pause={run.pause} control={control} />
        </section>
      )}
      {drafts.length > 0 && (
        <div className={styles['block']}>
          <RunDrafts drafts={drafts} shown={draftAt(drafts, shown)} />
        </div>
      )}
      {!isPast && <WhatToDo needs={needs} shown={shown} current={current} />}
      <div className={styles['block']}>
        <RunBudgets
          view={view}
          used={used}
          dropped={droppedOf(view, current.result)}
          facts={facts}
          isOver={!isBusy && !isPast}
        />
      </div>
      {!isPaused && moments.length > 0 && (
        <section className={styles['block']} aria-label="Values">
          <Recorded moment={moments[index]} hasRecords={moments.some(({ values }) => values !== undefined)} />
        </section>
      )}
      <section className={styles['block']}>
        <h3 className={styles['small']}>Steps</h3>
        <RunTimeline
          run={view}
          result={current.result}
          current={moments[index]?.id}
          onItem={(id) => runDesk.goTo(id)}
        />
      </section>
      {lines.length > 0 && (
        <section className={styles['block']} aria-label="Console">
          <h3 className={styles['small']}>Console</h3>
          <pre className={styles['console']}>
            {lines.map((item) => `${item.line === undefined ? '' : `${item.line}: `}${item.text}`).join('\n')}
          </pre>
        </section>
      )}
      <div className={styles['block']}>
        {current.result !== undefined && !isPast ? (
          <RunResult result={current.result} />
        ) : (
          <section aria-label="Result">
            <h3 className={styles['small']}>Result</h3>
            <p className={styles['about']}>
              {isPast
                ? `No result at this step. It appears at the end, ${plural(moments.length - 1 - index, 'recorded moment')} later.`
                : view.status === undefined
                  ? 'The result appears when run() returns.'
                  : 'The result is available only while the page is open. The session has the steps and the trace.'}
            </p>
          </section>
        )}
      </div>
      {other && other.id !== view.id && (
        <CompareRuns
          a={other.number < view.number ? knownRun(shown, other) : current}
          b={other.number < view.number ? current : knownRun(shown, other)}
          onClose={() => runDesk.compareWith(undefined)}
        />
      )}
    </>
  );
};

const Content = (needs: RunNeeds & { readonly editor: Editor }) => {
  const shown = useRun(needs);
  return (
    <Scroll label="Metaskill run">
      <Refusal needs={needs} shown={shown} />
      {shown.view ? (
        <Shown needs={needs} shown={shown} />
      ) : (
        <EmptyState title="No runs yet">Select Run metaskill to watch its drafts, budgets, and result.</EmptyState>
      )}
    </Scroll>
  );
};

export const metaskillRunContent = { Content };
