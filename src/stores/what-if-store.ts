/** The requests in front under another policy. Numbers come from the worker that holds the recording; a session is read as its journal. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import { exportJsonl } from '../model/event/jsonl.ts';
import type { Weighed } from '../model/instruments/avoidable.ts';
import type { SkillRent } from '../model/ledger/skill-rent.ts';
import type { BreakpointAxis } from '../model/whatif/axis.ts';
import type { WhatIfAnswer } from '../model/whatif/answer.ts';
import type { Plan } from '../model/whatif/planner.ts';
import type { Policy } from '../model/whatif/types.ts';
import { isOther } from '../model/whatif/difference.ts';
import type { BrowserRecording } from '../platform/worker/recording-browser.ts';
import type { RecordingsDeps, RecordingsStore } from './recordings-store.ts';
import type { SessionStore } from './session-types.ts';

export interface Ghost {
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
}

export interface WhatIfState {
  readonly policy: Policy;
  /** Of the policy, once it is known. */
  readonly answer: WhatIfAnswer | undefined;
  /** Forecasts that differ from what was recorded, by the key of their row. */
  readonly ghosts: ReadonlyMap<string, Ghost>;
  readonly plan: Plan | undefined;
  /** Of the request that is looked at, under the policy. */
  readonly axis: BreakpointAxis | undefined;
  /** What listed skills cost; nothing before it was asked for. */
  readonly skills: readonly SkillRent[] | undefined;
  /** What repairs save; nothing before it was asked for. */
  readonly weighed: Weighed | undefined;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly canUndo: boolean;
}

export interface WhatIfStore extends Pick<StoreApi<WhatIfState>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Asks for the forecast of the requests in front, with nothing changed at first. */
  readonly open: () => Promise<void>;
  /** Turns switches on, or off where a value is undefined. */
  readonly turn: (change: { readonly [K in keyof Policy]?: Policy[K] | undefined }) => Promise<void>;
  readonly undo: () => Promise<void>;
  /** Of this row the breakpoints are on the axis. */
  readonly look: (row: string | undefined) => Promise<void>;
  /** Of the source in front, which has so many requests now. */
  readonly rent: (requests: number) => Promise<void>;
  /** What the repairs of the source in front save, which has so many finished requests now. */
  readonly weigh: (requests: number) => Promise<void>;
  /** Everything off again. */
  readonly reset: () => void;
  /** Looks for the best breakpoints and turns them on. */
  readonly findBest: () => Promise<void>;
  /** A masked HTML file; nothing where there is nothing to report. */
  readonly report: () => Promise<string | undefined>;
}

export interface WhatIfDeps extends Pick<RecordingsDeps, 'open'> {
  readonly sessions: Pick<SessionStore, 'journal' | 'state'>;
  readonly recordings: RecordingsStore;
}

const NOTHING: WhatIfState = {
  policy: {},
  answer: undefined,
  ghosts: new Map(),
  plan: undefined,
  axis: undefined,
  skills: undefined,
  weighed: undefined,
  isBusy: false,
  problem: undefined,
  canUndo: false,
};

/** Of a session the rows have the ids of its requests, and a request that was sent again is its last attempt. */
const ghostsOf = (answer: WhatIfAnswer, source: BrowserRecording, isSession: boolean): ReadonlyMap<string, Ghost> => {
  const ids = new Map(source.calls.map(({ row, id }) => [row.key, id]));
  const ghosts = new Map<string, Ghost>();
  for (const request of answer.result.requests) {
    const { key, forecast } = request;
    const row = isSession ? ids.get(key) : key;
    if (!forecast || row === undefined || !isOther(request)) continue;
    const { read, written, uncached } = forecast;
    ghosts.set(row, { read, written, uncached });
  }
  return ghosts;
};

const clean = (policy: object): Policy =>
  Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));

export const createWhatIfStore = ({ sessions, recordings, open }: WhatIfDeps): WhatIfStore => {
  const store = createStore<WhatIfState>(() => NOTHING);
  const { getState, setState } = store;
  let past: readonly Policy[] = [];
  let journal: { readonly of: string; readonly opened: BrowserRecording } | undefined;
  let asked = 0;
  let row: string | undefined;
  let rented = 0;
  let weighing: number | undefined;

  const forget = (): void => {
    asked++;
    past = [];
    weighing = undefined;
    setState(NOTHING);
  };
  let front = recordings.getState().shown?.id;
  recordings.subscribe(({ shown }) => {
    if (shown?.id === front) return;
    front = shown?.id;
    forget();
  });

  /** The session's journal is read again when it has grown. */
  const sessionSource = async (): Promise<BrowserRecording | undefined> => {
    const events = sessions.journal()?.events ?? [];
    const last = events.at(-1)?.id;
    if (last === undefined) return undefined;
    if (journal?.of === last) return journal.opened;
    journal?.opened[Symbol.dispose]();
    journal = undefined;
    const title = sessions.state()?.title ?? '';
    const name = `${title === '' ? 'session' : title}.jsonl`;
    const file = new File([exportJsonl(events, { content: 'all' })], name);
    const opened = await open([{ name, file }], { signal: new AbortController().signal, onProgress: () => undefined });
    journal = { of: last, opened };
    return opened;
  };
  const source = (): Promise<BrowserRecording | undefined> => {
    const { shown } = recordings.getState();
    return shown ? Promise.resolve(recordings.opened(shown.id)) : sessionSource();
  };

  /** Of a session the rows have the ids of its requests. */
  const axisOf = (from: BrowserRecording, policy: Policy): Promise<BreakpointAxis | undefined> => {
    const isSession = recordings.getState().shown === undefined;
    const key = isSession ? from.calls.findLast(({ id }) => id === row)?.row.key : row;
    return key === undefined ? Promise.resolve(undefined) : from.axis(policy, key);
  };

  const ask = async (policy: Policy): Promise<void> => {
    const own = ++asked;
    setState({ policy, isBusy: true, problem: undefined, canUndo: past.length > 0 });
    try {
      const isSession = recordings.getState().shown === undefined;
      const from = await source();
      const answer = await from?.whatIf(policy);
      const axis = from && answer && (await axisOf(from, policy));
      if (own !== asked) return;
      setState({
        answer,
        axis,
        ghosts: from && answer ? ghostsOf(answer, from, isSession) : new Map<string, Ghost>(),
        isBusy: false,
        ...(!answer && { problem: 'No requests yet. Send a message or open a recording.' }),
      });
    } catch (thrown) {
      if (own === asked) setState({ isBusy: false, problem: `Can’t forecast this: ${errorMessage(thrown)}.` });
    }
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    open: () => ask(getState().policy),
    turn: (change) => {
      const { policy } = getState();
      past = [...past, policy];
      return ask(clean({ ...policy, ...change }));
    },
    undo: async () => {
      const before = past.at(-1);
      if (before === undefined) return;
      past = past.slice(0, -1);
      setState({ plan: undefined });
      await ask(before);
    },
    look: async (key) => {
      if (key === row) return;
      row = key;
      const own = asked;
      const { answer, policy } = getState();
      if (!answer) return;
      const from = await source();
      const axis = from && (await axisOf(from, policy));
      if (own === asked && key === row) setState({ axis });
    },
    rent: async (requests) => {
      if (rented === requests && getState().skills) return;
      rented = requests;
      const { shown } = recordings.getState();
      const skills = await (await source())?.skills();
      if (recordings.getState().shown?.id === shown?.id) setState({ skills: skills ?? [] });
    },
    weigh: async (requests) => {
      if (weighing === requests) return;
      weighing = requests;
      const { shown } = recordings.getState();
      let repairs: Weighed['repairs'] = new Map();
      try {
        const from = await source();
        const found = (await from?.repairs()) ?? repairs;
        const ids = new Map(from?.calls.map(({ row: own, id }) => [own.key, id]));
        // Of a session the rows have the ids of its requests.
        repairs = shown ? found : new Map([...found].map(([key, repaired]) => [ids.get(key) ?? key, repaired]));
      } catch {
        // Without a forecast the verdicts are all that is known.
      }
      if (weighing === requests && recordings.getState().shown?.id === shown?.id)
        setState({ weighed: { requests, repairs } });
    },
    reset: () => {
      const { skills, weighed } = getState();
      const own = weighing;
      forget();
      weighing = own;
      setState({ skills, weighed });
    },
    findBest: async () => {
      const own = ++asked;
      const { policy } = getState();
      setState({ isBusy: true, problem: undefined });
      try {
        const plan = await (await source())?.plan(policy);
        if (own !== asked) return;
        setState({ plan });
        if (plan && !plan.isRecorded) past = [...past, policy];
        await ask(plan && !plan.isRecorded ? { ...policy, breakpoints: plan.breakpoints } : policy);
      } catch (thrown) {
        if (own === asked) setState({ isBusy: false, problem: `Can’t plan breakpoints: ${errorMessage(thrown)}.` });
      }
    },
    report: async () => (await source())?.report(),
  };
};
