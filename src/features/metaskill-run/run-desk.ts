/**
 * What the three columns of Metaskills share: which program is looked at, which run of it, which moment of that run, and what was
 * entered for the next one. All of them always belong to one program.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { type FieldFault, type RunForm, runForm } from '../../model/instruments/run-form.ts';
import { runOfSelection, type RunView } from '../../model/instruments/run-view.ts';
import type { HostSkill } from '../../model/metaskill/host-types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { newDraft, readDraft, type RunDraft, withInput } from './run-draft.ts';
import { runsOf } from './runs-of.ts';

export interface RunDeskState {
  /** Of the metaskill; nothing: the one of the last run, else the first. */
  readonly name?: string | undefined;
  /** Nothing: the last run of that metaskill. */
  readonly runId?: string | undefined;
  /** Nothing: where the run is now, or its end. */
  readonly moment?: string | undefined;
  readonly comparedWith?: string | undefined;
  /** Why the last start came to nothing. */
  readonly refusal?: { readonly name: string; readonly text: string } | undefined;
  /** By metaskill, so that going to another one and back loses nothing. */
  readonly drafts: Readonly<Record<string, RunDraft>>;
  /** Shown since the last try to start; grows with each, so that the first faulty field gets the focus. */
  readonly faults?: { readonly name: string; readonly list: readonly FieldFault[]; readonly times: number } | undefined;
}

export interface RunDesk extends Pick<StoreApi<RunDeskState>, 'getState' | 'getInitialState' | 'subscribe'> {
  readonly chooseSkill: (name: string) => void;
  readonly chooseRun: (run: RunView) => void;
  readonly goTo: (moment: string | undefined) => void;
  readonly compareWith: (id: string | undefined) => void;
  readonly draftOf: (skill: HostSkill) => RunDraft;
  readonly change: (skill: HostSkill, edit: Partial<RunDraft>) => void;
  readonly takeInput: (skill: HostSkill, input: Json | undefined) => void;
  /** Asks for trust where its files need it. */
  readonly trust: (skill: HostSkill) => Promise<boolean>;
  readonly start: (name: string, how?: { readonly stops?: boolean; readonly asks?: number }) => Promise<void>;
}

export interface RunDeskDeps {
  readonly sessions: SessionStore;
  /** As they would run: with what is being edited. */
  readonly skills: () => readonly HostSkill[];
}

const FORMS = new WeakMap<HostSkill, RunForm>();
export const formOf = (skill: HostSkill): RunForm => {
  const known = FORMS.get(skill);
  if (known) return known;
  const made = runForm(skill.body);
  FORMS.set(skill, made);
  return made;
};

export const createRunDesk = ({ sessions, skills }: RunDeskDeps): RunDesk => {
  const store = createStore<RunDeskState>(() => ({ drafts: {} }));
  const { getState, setState } = store;
  const find = (name: string): HostSkill | undefined => skills().find((skill) => skill.name === name);
  const draftOf = (skill: HostSkill): RunDraft => getState().drafts[skill.name] ?? newDraft(formOf(skill));
  const lookAt = (name: string, runId?: string): void => setState({ name, runId, moment: undefined });
  const change = (skill: HostSkill, edit: Partial<RunDraft>): void =>
    setState(({ drafts }) => ({
      faults: undefined,
      drafts: { ...drafts, [skill.name]: { ...draftOf(skill), ...edit } },
    }));
  const trust = async (skill: HostSkill): Promise<boolean> => {
    const text = await skill.consent?.({}).catch(errorMessage);
    setState({ refusal: text === undefined ? undefined : { name: skill.name, text } });
    return text === undefined;
  };

  sessions.subscribe((state, before) => {
    const begun = state.runs.length > before.runs.length ? state.runs.at(-1) : undefined;
    if (begun) lookAt(begun.name);
    else if (state.selection !== before.selection) {
      const current = sessions.state();
      const run = current && runOfSelection(current, runsOf(sessions), state.selection);
      // Of several runs in a turn the one that is looked at stays.
      const shown = runsOf(sessions).find(({ id }) => id === getState().runId);
      const isThere = state.selection.eventId === undefined && shown !== undefined && shown.turnId === run?.turnId;
      if (run && !isThere) lookAt(run.name, run.id);
    }
  });

  return {
    ...store,
    chooseSkill: (name) => {
      if (getState().name !== name) lookAt(name);
    },
    chooseRun: ({ name, id, turnId }) => {
      lookAt(name, id);
      if (turnId !== undefined) sessions.select({ turnId });
    },
    goTo: (moment) => setState({ moment }),
    compareWith: (comparedWith) => setState({ comparedWith }),
    draftOf,
    change,
    takeInput: (skill, input) => change(skill, withInput(formOf(skill), input)),
    trust,
    start: async (name, { stops = false, asks } = {}) => {
      const skill = find(name);
      if (!skill) return;
      lookAt(name);
      const read = readDraft(formOf(skill), draftOf(skill));
      if ('faults' in read) {
        setState(({ faults }) => ({ faults: { name, list: read.faults, times: (faults?.times ?? 0) + 1 } }));
        return;
      }
      // Asked before there is a turn: what was declined leaves none behind.
      if (!(await trust(skill))) return;
      if (stops) sessions.stopOnEntry();
      const args = { name, ...read.run, ...(asks !== undefined && { max_ask_calls: asks }) };
      const outcome = await sessions.runMetaskill(args, find);
      // A run that never began left no event to show.
      if (!outcome.ok && outcome.steps.length === 0 && outcome.trace.length === 0)
        setState({ refusal: { name, text: outcome.result } });
    },
  };
};
