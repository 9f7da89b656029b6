/** What all columns of Metaskills draw: one program, one run of it, and one moment of that run. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { joinPath } from '../../base/paths.ts';
import type { Json } from '../../base/json.ts';
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { type RunMoment, runMoments } from '../../model/instruments/run-moments.ts';
import { inputOfArgs, type RunView } from '../../model/instruments/run-view.ts';
import type { HostSkill } from '../../model/metaskill/host-types.ts';
import type { FilesStore } from '../../stores/files-types.ts';
import type { LiveCall, MetaskillRun, SessionStore } from '../../stores/session-types.ts';
import type { WorkspaceFacts } from '../../stores/workspace/workspace-facts.ts';
import { useSessions } from '../instruments/use-session.ts';
import type { RunDesk } from './run-desk.ts';
import { runsOf } from './runs-of.ts';

export type RunNeeds = {
  readonly sessions: SessionStore;
  readonly workspace: WorkspaceFacts;
  readonly files: FilesStore;
  readonly runDesk: RunDesk;
};

/** A run with what the page knows beside the journal. */
export type KnownRun = {
  readonly view: RunView;
  readonly input: Json | undefined;
  readonly result: string | undefined;
};

export type ShownRun = {
  readonly skills: readonly HostSkill[];
  readonly skill: HostSkill | undefined;
  /** Of the program, in the open folder. */
  readonly path: string | undefined;
  /** All of the session, oldest first. */
  readonly views: readonly RunView[];
  readonly live: readonly MetaskillRun[];
  readonly view: RunView | undefined;
  /** What the page holds of it, since it was opened. */
  readonly run: MetaskillRun | undefined;
  readonly isBusy: boolean;
  /** Anything runs in the session: another run has to wait. */
  readonly isTaken: boolean;
  readonly moments: readonly RunMoment[];
  /** The moment that is looked at; −1 while none exists. */
  readonly index: number;
  /** It was gone back to. */
  readonly isPast: boolean;
};

const NO_MOMENTS: readonly RunMoment[] = [];

/** The metaskills of the folder, as they would run: with what is being edited. */
const useMetaskills = ({ workspace, files }: Pick<RunNeeds, 'workspace' | 'files'>): readonly HostSkill[] => {
  const version = useStore(workspace, (facts) => facts.version);
  const documents = useStore(files, (state) => state.documents);
  return useMemo(
    () => workspace.metaskills(),
    // oxlint-disable-next-line react/exhaustive-deps -- the workspace reads what these two say has changed
    [workspace, version, documents],
  );
};

export const useRun = (needs: RunNeeds): ShownRun => {
  const { sessions, workspace, runDesk } = needs;
  const skills = useMetaskills(needs);
  const name = useStore(runDesk, (state) => state.name);
  const runId = useStore(runDesk, (state) => state.runId);
  const moment = useStore(runDesk, (state) => state.moment);
  const revision = useSessions(sessions, (state) => state.revision);
  const live = useSessions(sessions, (state) => state.runs);
  const status = useSessions(sessions, (state) => state.status);
  // oxlint-disable-next-line react/exhaustive-deps -- the journal behind the store changes with its revision
  const views = useMemo(() => runsOf(sessions), [sessions, revision]);
  const called = (wanted: string | undefined) => skills.find((item) => item.name === wanted);
  const skill = called(name) ?? called(views.at(-1)?.name) ?? skills[0];
  const own = views.filter((item) => item.name === skill?.name);
  const view = own.find(({ id }) => id === runId) ?? own.at(-1);
  const run = live.find(({ toolUseId }) => toolUseId === view?.id);
  const recorded = run?.recorded;
  const moments = useMemo(() => (view ? runMoments(view, recorded ?? []) : NO_MOMENTS), [view, recorded]);
  const at = moment === undefined ? -1 : moments.findIndex(({ id }) => id === moment);
  const item = skill && workspace.getState().view?.library.store.get(skill.name);
  return {
    skills,
    skill,
    path:
      item?.skill.metaskill && item.layer === 'project' ? joinPath(item.path, item.skill.metaskill.program) : undefined,
    views,
    live,
    view,
    run,
    isBusy: run !== undefined && run.status !== 'ended',
    isTaken: status === 'running' || status === 'starting',
    moments,
    index: at === -1 ? moments.length - 1 : at,
    isPast: at !== -1 && at < moments.length - 1,
  };
};

export const knownRun = ({ live }: Pick<ShownRun, 'live'>, view: RunView): KnownRun => {
  const inPage = live.find(({ toolUseId }) => toolUseId === view.id);
  return {
    view,
    input: inPage ? valueOr(parseJson(inPage.inputJson), undefined) : inputOfArgs(view.args),
    result: inPage?.outcome?.result ?? view.result,
  };
};

/** The request of its ask that is on its way. */
export const useLiveAsk = (sessions: SessionStore, run: MetaskillRun | undefined): LiveCall | undefined => {
  const calls = useSessions(sessions, (state) => state.live);
  if (!run || run.status === 'ended') return undefined;
  const state = sessions.state();
  return calls.findLast(({ turnId }) => state?.turnsById.get(turnId)?.nestedIn === run.toolUseId);
};

export const textOfLive = (call: LiveCall): string =>
  call.blocks
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('\n');
