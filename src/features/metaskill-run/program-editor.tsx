/** The editor of a program, which is its debugger: the same text, the same breakpoints, and where the run is. */
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import { inlineValues } from '../../model/instruments/run-moments.ts';
import type { RunControl } from '../../model/metaskill/host-types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { useSessions } from '../instruments/use-session.ts';
import type { Editor } from '../editor/editor.ts';
import { EditorBody, type EditorBodyProps } from '../editor/editor-panel.tsx';
import { isDirty } from '../editor/needs.ts';
import { debugKey, KEY_HELP } from './debug-keys.ts';
import styles from './program-editor.module.css';
import { forbiddenReason } from './run-reasons.ts';
import { spentBudget } from './run-words.ts';
import { knownRun, type RunNeeds, type ShownRun, textOfLive, useLiveAsk, useRun } from './use-run.ts';

type Needs = RunNeeds & { readonly editor: Editor };

/** Milliseconds at each line. */
const PACES = [
  { pace: 0, label: '1×', tip: 'Full speed' },
  { pace: 250, label: '½×', tip: 'Slow motion: a quarter of a second per line' },
  { pace: 900, label: '¼×', tip: 'Slower: almost a second per line' },
] as const;

const useDocument = (editor: Editor, path: string | undefined) => {
  const documents = useSyncExternalStore(editor.needs.subscribe, () => editor.needs.getState().documents);
  const active = useSyncExternalStore(editor.needs.subscribe, () => editor.needs.getState().active);
  return { document: documents.find((item) => item.path === path), isActive: active === path };
};

type Act = (how: 'start' | 'startPaused' | 'pause' | 'continue' | 'stepOver' | 'stepIn' | 'stepOut' | 'stop') => void;

const useActs = ({ runDesk, sessions }: RunNeeds, { skill, run, isTaken }: ShownRun): Act => {
  const control: RunControl | undefined = run && sessions.runControl(run.toolUseId);
  return (how) => {
    if (how === 'start' || how === 'startPaused') {
      if (skill && !isTaken && skill.refusal === undefined)
        void runDesk.start(skill.name, { stops: how === 'startPaused' });
      return;
    }
    if (!control) return;
    runDesk.goTo(undefined);
    if (how === 'stop') control.cancel();
    else if (how === 'pause') control.pause();
    else if (run?.status === 'paused') control.resume(how);
  };
};

const RunButtons = ({ shown, act }: { readonly shown: ShownRun; readonly act: Act }) => {
  const { run, isBusy, isTaken, skill } = shown;
  const isPaused = run?.status === 'paused';
  const reason = forbiddenReason(skill, isTaken);
  return (
    <div className={styles['buttons']} role="group" aria-label="Debugger">
      <Button
        look={isBusy ? 'plain' : 'primary'}
        icon="play"
        tip={`Run from the start (${KEY_HELP.run})`}
        disabledReason={reason}
        onPress={() => act('start')}
      >
        Run metaskill
      </Button>
      {isBusy ? (
        <>
          {isPaused ? (
            <Button look="primary" tip={KEY_HELP.run} onPress={() => act('continue')}>
              Continue
            </Button>
          ) : (
            <IconButton
              label="Pause"
              icon="pause"
              tip={`Pause before the next line (${KEY_HELP.pause})`}
              onPress={() => act('pause')}
            />
          )}
          {isPaused && (
            <>
              <IconButton
                label="Step over"
                icon="step-over"
                tip={`Step over (${KEY_HELP.stepOver})`}
                onPress={() => act('stepOver')}
              />
              <IconButton
                label="Step into"
                icon="step-into"
                tip={`Step into (${KEY_HELP.stepIn})`}
                onPress={() => act('stepIn')}
              />
              <IconButton
                label="Step out"
                icon="step-out"
                tip={`Step out (${KEY_HELP.stepOut})`}
                onPress={() => act('stepOut')}
              />
            </>
          )}
          <Button look="danger" icon="stop" tip={KEY_HELP.stop} onPress={() => act('stop')}>
            Stop
          </Button>
        </>
      ) : (
        <Button
          icon="step-over"
          tip={`Run and pause before the first line (${KEY_HELP.stepOver})`}
          disabledReason={reason}
          onPress={() => act('startPaused')}
        >
          Run and pause
        </Button>
      )}
    </div>
  );
};

const Speed = ({ sessions }: Pick<RunNeeds, 'sessions'>) => {
  const current = useSessions(sessions, (state) => state.pace);
  return (
    <div className={styles['speed']} role="group" aria-label="Speed">
      {PACES.map(({ pace, label, tip }) => (
        <ToggleChip key={pace} isOn={current === pace} onChange={() => sessions.setPace(pace)} tip={tip}>
          {label}
        </ToggleChip>
      ))}
    </div>
  );
};

export type ProgramHeadProps = Needs & { readonly end: ReactNode };

export const ProgramHead = ({ end, ...needs }: ProgramHeadProps) => {
  const shown = useRun(needs);
  const act = useActs(needs, shown);
  const { document } = useDocument(needs.editor, shown.path);
  const { skill } = shown;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // What is asked in a dialog comes first.
      if (window.document.querySelector('[role=dialog]')) return;
      const key = debugKey(event, shown.isBusy, shown.run?.status === 'paused');
      if (!key) return;
      event.preventDefault();
      event.stopPropagation();
      if (key !== 'nothing') act(key);
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  });
  return (
    <div className={styles['head']}>
      <h2 className={styles['title']}>{skill?.name ?? 'Editor'}</h2>
      {skill && <span className={styles['file']}>{skill.metaskill?.program ?? 'SKILL.star'}</span>}
      {document && isDirty(document) && (
        <>
          <Badge label="Unsaved edits. A run uses the text shown here.">edited</Badge>
          <Button onPress={() => void needs.editor.save()}>Save</Button>
        </>
      )}
      <span className={styles['spring']} />
      {skill && <RunButtons shown={shown} act={act} />}
      {skill && <Speed sessions={needs.sessions} />}
      {end}
    </div>
  );
};

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0;

/** What stands below the line: the ask that is on its way, or why the run ended there. */
const useMessage = (needs: RunNeeds, shown: ShownRun): string | undefined => {
  const { run, view, isPast } = shown;
  const call = useLiveAsk(needs.sessions, run);
  if (isPast || !run || !view) return undefined;
  if (call) {
    const text = textOfLive(call);
    return text === '' ? 'Waiting for the model…' : `The model is responding: ${wordsIn(text)} words so far`;
  }
  const spent = run.status === 'ended' ? spentBudget(knownRun(shown, view).result) : undefined;
  if (spent) return `Stopped here. All ${spent.most} ${spent.kind} calls are used, and this is call ${spent.most + 1}.`;
  if (run.outcome && !run.outcome.ok)
    return run.outcome.result.replace(/^error: (?:metaskill '[^']*': )?/, '').split('\n')[0];
  return undefined;
};

/** Puts the moment into the editor, and takes it away when another program is looked at. */
const useMarks = (needs: Needs, shown: ShownRun, text: string | undefined): void => {
  const { editor } = needs;
  const { path, run, view, moments, index, isPast, isBusy } = shown;
  const message = useMessage(needs, shown);
  const marks = useMemo(() => {
    if (!view || text === undefined || (run && run.program.text !== text)) return undefined;
    const moment = moments[index];
    const isFailed = !isPast && !isBusy && view.status === 'error';
    const line =
      isBusy && !isPast ? (run?.line ?? moment?.line) : isFailed ? (run?.line ?? moment?.line) : moment?.line;
    if (line === undefined) return undefined;
    const tone = isFailed ? ('failed' as const) : isPast || !isBusy ? ('past' as const) : ('now' as const);
    const values = inlineValues(text, moments, index);
    return { line, tone, values, ...(message !== undefined && { message }) };
  }, [view, run, text, moments, index, isPast, isBusy, message]);
  useEffect(() => {
    if (path !== undefined) editor.showMoment(path, marks);
  }, [editor, path, marks]);
  // Only where another program is looked at: between two moments of one, the marks stay, or they would flicker.
  useEffect(() => {
    if (path === undefined) return undefined;
    return () => editor.showMoment(path, undefined);
  }, [editor, path]);
};

const OldText = ({ shown, text }: { readonly shown: ShownRun; readonly text: string | undefined }) => {
  const { run, view, isBusy } = shown;
  if (!run || !view || text === undefined || run.program.text === text) return null;
  return (
    <p className={styles['note']} role="status">
      {isBusy
        ? `Run ${view.number} uses the text from before your edit, so its lines aren’t marked.`
        : `Run ${view.number} used an earlier text, so its lines aren’t marked. Run again to see them.`}
    </p>
  );
};

export type ProgramBodyProps = Needs & Pick<EditorBodyProps, 'theme' | 'preview'>;

export const ProgramBody = ({ theme, preview, ...needs }: ProgramBodyProps) => {
  const { editor } = needs;
  const shown = useRun(needs);
  const { path, skill } = shown;
  const { document, isActive } = useDocument(editor, path);
  const text = document?.kind === 'text' ? document.text : undefined;
  useMarks(needs, shown, text);
  useEffect(() => {
    if (path !== undefined && !isActive) editor.open(path);
  }, [editor, path, isActive]);
  if (!skill)
    return (
      <EmptyState title="No metaskill in this folder">
        A metaskill is a skill with a program, SKILL.star, that asks, checks, and asks again. The demo has several.
      </EmptyState>
    );
  if (path === undefined)
    return (
      <EmptyState title="This program isn’t in the open folder">
        {skill.name} is from another folder. You can run it. To edit it or step through it, open its folder.
      </EmptyState>
    );
  return (
    <>
      <OldText shown={shown} text={text} />
      {isActive ? (
        <EditorBody editor={editor} theme={theme} preview={preview} />
      ) : (
        <p className={styles['note']}>Reading the program…</p>
      )}
    </>
  );
};
