/** Routing assertions: batteries of questions, which one is chosen, and what came of asking it. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import { joinPath } from '../../base/paths.ts';
import { ok, valueOr } from '../../base/result.ts';
import type { ReadyExecutor } from '../../model/executor/load-executors.ts';
import { questionsFor } from '../../model/importer/routing-words.ts';
import {
  readEvalQueries,
  readOwnQuestions,
  runRouting,
  type Pick as PickTool,
  type RoutingCase,
  type RoutingRow,
} from '../../model/importer/routing-run.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { readText, type InstalledExecutor } from './installed.ts';

export interface Battery {
  readonly id: string;
  readonly label: string;
  readonly cases: readonly RoutingCase[];
  /** Why its file could not be read. */
  readonly problem?: string;
}

export interface RoutingState {
  readonly batteries: readonly Battery[];
  readonly chosen: string;
  readonly rows: readonly RoutingRow[];
  /** Of the run that the rows are from. */
  readonly repeats: number;
  readonly total: number;
  readonly isRunning: boolean;
  readonly problem: string | undefined;
  /** Names that a question can be about. */
  readonly targets: readonly string[];
}

export interface RoutingStore extends Pick<StoreApi<RoutingState>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Reads the batteries again, for the executors that there are now. */
  readonly refresh: (installed: readonly InstalledExecutor[]) => Promise<void>;
  readonly choose: (id: string) => void;
  /** A question of one's own; kept in the folder. */
  readonly add: (question: RoutingCase) => Promise<void>;
  readonly remove: (question: string) => Promise<void>;
  readonly run: (repeats: number) => Promise<void>;
  readonly stop: () => void;
}

export interface RoutingDeps {
  readonly tree: () => FileTree | undefined;
  /** Of the library: name, and folder in the tree. */
  readonly skills: () => readonly { readonly name: string; readonly path: string }[];
  /** Asks the chosen provider, or the simulator, with all skills and tools of a session that would start now. */
  readonly pick: () => Promise<PickTool>;
}

const EXECUTORS = 'executors';
const OWN = 'own';
const OWN_FILE = '.lathe/routing.json';
const EVALS = 'evals/eval_queries.json';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const activeOf = (installed: readonly InstalledExecutor[]): readonly ReadyExecutor[] =>
  installed.flatMap(({ executor, age }) =>
    executor.state === 'ready' && (age === undefined || age.state === 'active') ? [executor] : [],
  );

/** The queries of a skill, as its file has them; nothing if it has none. */
const evalBattery = (text: string, skill: string, accepts: readonly string[]): Battery | undefined => {
  if (text === '') return undefined;
  const read = readEvalQueries(text, skill);
  const base = { id: `skill:${skill}`, label: `${skill}: ${EVALS}` };
  return read.ok
    ? { ...base, cases: read.value.map((item) => ({ ...item, accepts })) }
    : { ...base, cases: [], problem: `${EVALS} of ${skill}: ${read.error}` };
};

export const createRoutingStore = (deps: RoutingDeps): RoutingStore => {
  const store = createStore<RoutingState>(() => ({
    batteries: [],
    chosen: EXECUTORS,
    rows: [],
    repeats: 0,
    total: 0,
    isRunning: false,
    problem: undefined,
    targets: [],
  }));
  const { getState, setState } = store;
  let running: AbortController | undefined;
  let installed: readonly InstalledExecutor[] = [];
  /** A person has chosen the battery; until then it is the first. */
  let isByHand = false;

  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      setState({ isRunning: false, problem: errorMessage(thrown) });
    }
  };

  const readBatteries = async (tree: FileTree): Promise<readonly Battery[]> => {
    const active = activeOf(installed);
    const imported = [...new Set(active.map(({ skill }) => skill))].map((skill) => {
      const own = active.filter((executor) => executor.skill === skill);
      const bytes = own[0]?.files.get(`source/${EVALS}`);
      return evalBattery(
        bytes ? decoder.decode(bytes) : '',
        skill,
        own.map(({ name }) => name),
      );
    });
    const written = await Promise.all(
      deps.skills().map(async ({ name, path }) => evalBattery(await readText(tree, joinPath(path, EVALS)), name, [])),
    );
    const text = await readText(tree, OWN_FILE);
    const own = text === '' ? ok([]) : readOwnQuestions(text);
    return [
      ...(active.length === 0
        ? []
        : [
            {
              id: EXECUTORS,
              label: 'Imported executors, three questions each',
              cases: active.flatMap(({ name, manifest }) =>
                questionsFor({ name }, manifest.affinity).map((question) => ({
                  question,
                  target: name,
                  shouldPick: true,
                })),
              ),
            },
          ]),
      ...[...imported, ...written].filter((battery) => battery !== undefined),
      {
        id: OWN,
        label: 'Your questions',
        cases: valueOr(own, []),
        ...(!own.ok && { problem: `${OWN_FILE}: ${own.error}` }),
      },
    ];
  };

  const refresh = async (): Promise<void> => {
    const tree = deps.tree();
    const batteries = tree ? await readBatteries(tree) : [];
    const targets = [
      ...activeOf(installed).map(({ name }) => name),
      ...deps.skills().map(({ name }) => name),
    ].toSorted();
    setState(({ chosen }) => ({
      batteries,
      targets,
      chosen: isByHand && batteries.some(({ id }) => id === chosen) ? chosen : (batteries[0]?.id ?? EXECUTORS),
    }));
  };

  const writeOwn = async (change: (cases: readonly RoutingCase[]) => readonly RoutingCase[]): Promise<void> => {
    const tree = deps.tree();
    const own = getState().batteries.find(({ id }) => id === OWN);
    if (!tree || !own) return;
    if (own.problem !== undefined) throw new Error(`${own.problem}. Fix the file and try again.`);
    const cases = change(own.cases).map(({ question, target, shouldPick }) => ({ question, target, shouldPick }));
    await tree.write(OWN_FILE, encoder.encode(`${JSON.stringify(cases, undefined, 2)}\n`));
    await refresh();
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    refresh: (now) => {
      installed = now;
      return guarded(refresh);
    },
    choose: (chosen) => {
      running?.abort();
      isByHand = true;
      setState({ chosen, rows: [], total: 0, isRunning: false, problem: undefined });
    },
    add: (question) =>
      guarded(async () => {
        isByHand = true;
        await writeOwn((cases) => [...cases.filter((item) => item.question !== question.question), question]);
        setState({ chosen: OWN, rows: [], total: 0 });
      }),
    remove: (question) => guarded(() => writeOwn((cases) => cases.filter((item) => item.question !== question))),
    run: (repeats) =>
      guarded(async () => {
        const { batteries, chosen } = getState();
        const battery = batteries.find(({ id }) => id === chosen);
        if (!battery || battery.cases.length === 0) return;
        running?.abort();
        const own = new AbortController();
        running = own;
        setState({ rows: [], repeats, total: battery.cases.length, isRunning: true, problem: undefined });
        await runRouting(battery.cases, await deps.pick(), {
          repeats,
          signal: own.signal,
          onRow: (row) => {
            if (running === own) setState(({ rows }) => ({ rows: [...rows, row] }));
          },
        });
        if (running === own) setState({ isRunning: false });
      }),
    stop: () => {
      running?.abort();
      setState({ isRunning: false });
    },
  };
};
