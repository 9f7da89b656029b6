import { useMemo, useRef, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { inputOfArgs, runOfSelection, runViews } from '../../model/instruments/run-view.ts';
import type { HostSkill } from '../../model/metaskill/host-types.ts';
import type { Analysis, Pause } from '../../model/starlark/messages.ts';
import { stopLine } from '../../model/starlark/stop-line.ts';
import type { Selection, SessionStore } from '../../stores/session-types.ts';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useSessions } from '../instruments/use-session.ts';
import { CompareRuns, type KnownRun } from './compare-runs.tsx';
import { Debugger, StepButtons } from './debugger.tsx';
import styles from './metaskill-run.module.css';
import { RunChoice } from './run-choice.tsx';
import { useRunDraft } from './run-draft.ts';
import { RunResult } from './run-result.tsx';
import { RunStart } from './run-start.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { SourceView } from './source-view.tsx';
import { useProgram } from './use-program.ts';

export type MetaskillRunPanelProps = {
  readonly store: SessionStore;
  /** Metaskills of the folder, as they would run: with what is being edited. */
  readonly skills: readonly HostSkill[];
  /** Which one is open in the editor. */
  readonly skill?: string | undefined;
  /** Its program is in front, not its text. */
  readonly isProgramOpen?: boolean;
  /** Grows when the editor asks for a run of it. */
  readonly wanted?: number;
  /** Says in which lines a program stops; nothing where the engine cannot be loaded. */
  readonly analyse?: (program: { readonly file: string; readonly text: string }) => Promise<Analysis | undefined>;
};

const useRuns = (store: SessionStore) => {
  const revision = useSessions(store, (state) => state.revision);
  return useMemo(() => {
    const state = store.state();
    return state && revision >= 0 ? runViews(state, store.journal()?.events ?? []) : [];
  }, [store, revision]);
};

const NOTHING_SELECTED: Selection = {};
const MOST_VALUES = 3;
const LONGEST_VALUE = 36;

/** What the names of the current line hold. */
const hintOf = (pause: Pause | undefined, source: string | undefined): string | undefined => {
  if (!pause || source === undefined) return undefined;
  const words = new Set(source.split('\n')[pause.range.line - 1]?.match(/[A-Za-z_]\w*/g));
  return pause.frames[0]?.variables
    .filter(({ name, type }) => words.has(name) && type !== 'unassigned')
    .slice(0, MOST_VALUES)
    .map(({ name, repr }) => `${name} = ${repr.length > LONGEST_VALUE ? `${repr.slice(0, LONGEST_VALUE - 1)}…` : repr}`)
    .join('  ');
};

/** Runs a metaskill, shows what it does line by line, and keeps what earlier runs did. */
export const MetaskillRunPanel = (props: MetaskillRunPanelProps) => {
  const { store, skills, skill: preferred, isProgramOpen = false, wanted = 0, analyse } = props;
  const views = useRuns(store);
  const live = useSessions(store, (state) => state.runs);
  const breakpoints = useSessions(store, (state) => state.breakpoints);
  const printed = useSessions(store, (state) => state.printed);
  const status = useSessions(store, (state) => state.status);
  const selection = useSessions(store, (state) => state.selection);
  // What was chosen last: here, by opening another program, or by a run that began.
  const [seen, setSeen] = useState({
    preferred,
    wanted,
    selection: NOTHING_SELECTED,
    newest: views.at(-1)?.id,
    name: isProgramOpen ? preferred : views.at(-1)?.name,
  });
  const setName = (name: string): void => setSeen((before) => ({ ...before, name }));
  const [refusal, setRefusal] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const [comparedWith, setComparedWith] = useState<string>();
  const [line, setLine] = useState<number>();
  const panel = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState<{ readonly skill: string; readonly text: string }>();

  const view = views.find(({ id }) => id === chosen) ?? views.at(-1);
  const run = live.find(({ toolUseId }) => toolUseId === view?.id);
  const isBusy = run !== undefined && run.status !== 'ended';
  const newest = views.at(-1);
  if (newest?.id !== seen.newest) {
    setSeen({ preferred, wanted, selection, newest: newest?.id, name: newest?.name ?? seen.name });
    setChosen(undefined);
  } else if (selection !== seen.selection) {
    const state = store.state();
    const selected = state && runOfSelection(state, views, selection);
    // Of several runs in a turn the one that is looked at stays.
    const isThere =
      selection.eventId === undefined && selected?.turnId !== undefined && view?.turnId === selected.turnId;
    setSeen({ ...seen, selection, name: (isThere ? undefined : selected?.name) ?? seen.name });
    if (selected && !isThere) setChosen(selected.id);
  } else if (preferred !== seen.preferred || wanted !== seen.wanted)
    setSeen({ ...seen, preferred, wanted, name: preferred ?? seen.name });
  const shownName = seen.name ?? preferred;
  const skill = skills.find((item) => item.name === shownName) ?? skills[0];
  const program = useProgram(skill);
  const draft = useRunDraft(skill);

  if (!skill)
    return (
      <EmptyState title="No metaskill in this folder">
        A metaskill is a skill with a program, SKILL.star, that asks, checks and asks again. The demo has several.
      </EmptyState>
    );
  /** Whether its files are trusted, after asking where they have to be (D27). */
  const trust = async (): Promise<boolean> => {
    const refused = await skill.consent?.({}).catch(errorMessage);
    setRefusal(refused);
    return refused === undefined;
  };
  const start = async (stops: boolean): Promise<void> => {
    const asked = draft.read();
    if (asked === undefined) {
      // The field may be out of view.
      requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    // Asked before there is a turn: what was declined leaves none behind.
    if (!(await trust())) return;
    setChosen(undefined);
    setName(skill.name);
    if (stops) store.stopOnEntry();
    const outcome = await store.runMetaskill({ name: skill.name, ...asked }, (called) =>
      skills.find((item) => item.name === called),
    );
    // A run that never began left no event to show.
    if (!outcome.ok && outcome.steps.length === 0 && outcome.trace.length === 0) setRefusal(outcome.result);
  };

  const known = (id: string): KnownRun | undefined => {
    const found = views.find((item) => item.id === id);
    if (!found) return undefined;
    const inPage = live.find(({ toolUseId }) => toolUseId === id);
    return {
      view: found,
      input: inPage ? valueOr(parseJson(inPage.inputJson), undefined) : inputOfArgs(found.args),
      result: inPage?.outcome?.result ?? found.result,
    };
  };
  const current = view && known(view.id);
  const compared = comparedWith === undefined ? undefined : known(comparedWith);
  const isShown = view?.name === skill.name;
  const source = run && isShown ? run.program.text : program && 'text' in program ? program.text : undefined;
  const points = breakpoints[skill.name] ?? [];
  const toggle = async (at: number): Promise<void> => {
    setMoved(undefined);
    if (points.some((point) => point.line === at)) {
      store.setBreakpoints(
        skill.name,
        points.filter((point) => point.line !== at),
      );
      return;
    }
    const file = skill.metaskill?.program ?? 'SKILL.star';
    const stop = stopLine(source === undefined ? undefined : await analyse?.({ file, text: source }), at);
    if (stop !== at)
      setMoved({
        skill: skill.name,
        text:
          stop === undefined
            ? `No code follows line ${at}, so no run would stop there.`
            : `Line ${at} has no code that runs: the breakpoint stands in line ${stop}.`,
      });
    // Others may have been set while the program was read.
    const now = store.getState().breakpoints[skill.name] ?? [];
    if (stop !== undefined && !now.some((point) => point.line === stop))
      store.setBreakpoints(skill.name, [...now, { line: stop }]);
  };
  const control = run && store.runControl(run.toolUseId);
  const lines = printed.filter(({ toolUseId }) => toolUseId === view?.id);

  return (
    <div ref={panel} className={styles['panel']}>
      <RunStart
        skills={skills}
        skill={skill}
        draft={draft}
        refusal={refusal}
        onTrust={skill.consent && (() => void trust())}
        isRunning={status === 'running' || status === 'starting'}
        onSkill={setName}
        onStart={(stops) => void start(stops)}
      />
      <div className={styles['middle']}>
        <header className={styles['bar']}>
          <span className={styles['file']}>{skill.metaskill?.program ?? 'SKILL.star'}</span>
          {isBusy && isShown && (
            <Badge tone={run.status === 'paused' ? 'warning' : 'accent'}>
              {run.status === 'paused'
                ? `paused, line ${run.line ?? ''}`
                : `running${run.line === undefined ? '' : `, line ${run.line}`}`}
            </Badge>
          )}
          <span className={styles['spring']} />
          <StepButtons isPaused={run?.status === 'paused'} control={control} />
        </header>
        <p className={styles['moved']} role="status">
          {moved?.skill === skill.name ? moved.text : ''}
        </p>
        {source === undefined ? (
          <p className={styles['about']}>
            {program && 'problem' in program
              ? `The program cannot be read: ${program.problem}`
              : 'The program is being read.'}
          </p>
        ) : (
          <SourceView
            file={skill.metaskill?.program ?? 'SKILL.star'}
            text={source}
            breakpoints={points}
            onToggle={(at) => void toggle(at)}
            line={isBusy && isShown ? run.line : line}
            isPaused={isBusy && run.status === 'paused'}
            hint={hintOf(run?.pause, source)}
          />
        )}
      </div>
      <div className={styles['side']}>
        {view && (
          <RunChoice
            views={views}
            view={view}
            live={live}
            comparedWith={comparedWith}
            onChoose={(id) => {
              setChosen(id);
              const other = views.find((item) => item.id === id);
              if (other) setName(other.name);
              if (other?.turnId !== undefined) store.select({ turnId: other.turnId });
            }}
            onCompare={setComparedWith}
            onTake={!isBusy && isShown && current?.input !== undefined ? () => draft.take(current.input) : undefined}
          />
        )}
        {run?.pause && control && (
          <Debugger key={`${run.pause.range.line} ${run.pause.reason}`} pause={run.pause} control={control} />
        )}
        {view ? (
          <RunTimeline run={view} onLine={setLine} />
        ) : (
          <EmptyState title="Nothing has run yet">
            Run shows what the program asks, commands and traces, line by line, and what it gives back.
          </EmptyState>
        )}
        {lines.length > 0 && (
          <section aria-label="Console">
            <h4 className={styles['small']}>Console</h4>
            <pre className={styles['console']}>
              {lines.map(({ text, line: at }) => `${at === undefined ? '' : `${at}: `}${text}`).join('\n')}
            </pre>
          </section>
        )}
        {current?.result !== undefined && <RunResult result={current.result} />}
        {view && !isBusy && view.status !== undefined && current?.result === undefined && (
          <p className={styles['about']}>
            Its result is kept only while the page is open. Steps and trace are in the journal.
          </p>
        )}
      </div>
      {current && compared && (
        <CompareRuns
          a={compared.view.number < current.view.number ? compared : current}
          b={compared.view.number < current.view.number ? current : compared}
          onClose={() => setComparedWith(undefined)}
        />
      )}
    </div>
  );
};
