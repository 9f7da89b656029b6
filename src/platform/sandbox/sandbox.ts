/**
 * Runs programs over the opened folder, away from everything else. The host keeps the files and the clock; programs run in
 * workers and ask the host for files. A program that does not end is ended with its worker.
 *
 *   argv → which worker → worker runs it, asking for files and for other programs → exit code and output
 */
import { createEmitter } from '../../base/emitter.ts';
import { errorMessage } from '../../base/errors.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { CommandAnswer } from '../../model/metaskill/host-types.ts';
import type { RepositoryPlan } from '../../model/sandbox/demo-history.ts';
import { createOutputBuffer, OUTPUT_LIMIT } from '../../model/sandbox/output.ts';
import { notAvailable, runnerOf } from '../../model/sandbox/programs.ts';
import type { CommandRunner } from '../../model/tool/dispatcher.ts';
import { startCallClock, type After, type CallClock } from '../../model/tool/call-clock.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import type { Port } from '../worker/port.ts';
import { type RpcClient, WorkerCrash } from '../worker/rpc-client.ts';
import { answerTo, type Question } from './call-out.ts';
import { createPythonStarts } from './python/python-starts.ts';
import type { PythonParams, PythonResult } from './python/python-thread.ts';
import {
  failedWith,
  NO_BYTES,
  type OutputEvent,
  type ProgramParams,
  type ProgramResult,
  type ThreadKind,
} from './protocol.ts';
import { createSandboxFiles, FILE_CALLS, type SandboxFiles, WORKSPACE } from './sandbox-files.ts';
import { createThreads } from './threads.ts';

export interface Wheel {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface SandboxDeps {
  /** Pending writes included: `PendingTree`. */
  readonly files: FileTree;
  readonly open: (kind: ThreadKind) => Port;
  readonly python: {
    /** Where Pyodide's files are; ends with a slash. */
    readonly indexUrl: string;
    /** pytest and what it needs; asked for when a program mentions pytest or imports one of them. */
    readonly wheels: () => Promise<readonly Wheel[]>;
  };
  /** Commits that are at `.git` instead of what the folder has there: the demo's. Asked for at the first program of git. */
  readonly history?: () => Promise<RepositoryPlan>;
  /** Below the opened folder, where programs start; by default the folder itself. */
  readonly workingFolder?: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
}

export interface SandboxState {
  readonly running: number;
  /** What takes long at the moment, such as loading Python. */
  readonly progress: string | undefined;
}

export interface RunRequest {
  readonly argv: readonly string[];
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Clocks pause while Python is loaded (D30). */
  readonly setWaiting?: (waiting: boolean) => void;
  readonly stdin?: Uint8Array;
  /** Called with what is written while a program runs, where it can be reported. */
  readonly onOutput?: (text: string) => void;
}

export interface Sandbox extends Disposable {
  /** For the dispatcher. Policy and approval have been asked before. */
  readonly run: CommandRunner;
  readonly execute: (request: RunRequest) => Promise<CommandAnswer>;
  readonly state: () => SandboxState;
  readonly subscribe: (listener: () => void) => Disposable;
}

/** Copied for a program of Python, which cannot wait for files. */
const PYTHON_FILES = { files: 5000, bytes: 96 * 1024 * 1024 } as const;
/** Room that a long standard output leaves for errors. */
const ERROR_ROOM = 8 * 1024;

class Ended extends Error {}

interface Job {
  readonly signal: AbortSignal;
  readonly setWaiting: (waiting: boolean) => void;
  readonly onEvent: (event: OutputEvent) => void;
  /** Workers that end when the job does. */
  readonly threads: Set<RpcClient>;
  /** File operations in progress. A job that ends waits for them, so nothing is written after its answer. */
  readonly fileWork: Set<Promise<unknown>>;
}

type ShellReply = ProgramResult | { readonly missing: readonly string[] };

const crashWords = (program: string, { crash }: WorkerCrash): string => {
  if (crash.kind === 'memory' || /memory|heap/i.test(crash.message))
    return `${program} needed more memory than there is and was ended`;
  if (crash.kind === 'stack') return `${program} went too deep and was ended`;
  return `${program} was ended: ${crash.message}`;
};

export const createSandbox = (deps: SandboxDeps): Sandbox => {
  const listeners = createEmitter<undefined>();
  let state: SandboxState = { running: 0, progress: undefined };
  const setState = (next: Partial<SandboxState>): void => {
    state = { ...state, ...next };
    listeners.emit(undefined);
  };
  const shells = createThreads(() => deps.open('shell'), 2);
  const gits = createThreads(() => deps.open('git'), 1);
  const python = createPythonStarts({
    open: () => deps.open('python'),
    indexUrl: deps.python.indexUrl,
    onProgress: (progress) => setState({ progress }),
    after: deps.after,
  });
  const scratch = createMemoryTree({}, 'tmp');
  const cwd =
    deps.workingFolder === undefined || deps.workingFolder === '' ? WORKSPACE : `${WORKSPACE}/${deps.workingFolder}`;

  const filesFor = createSandboxFiles({
    workspace: deps.files,
    scratch,
    repository: deps.history && createMemoryTree({}, '.git'),
    now: deps.now,
  });
  const files = { program: filesFor('program'), git: filesFor('git') };

  /** One call to a worker. Its questions are answered until it replies; an aborted job closes it. */
  const callThread = async (
    thread: RpcClient,
    method: string,
    params: unknown,
    job: Job,
    answer: (what: string, given: readonly unknown[]) => Promise<unknown>,
  ): Promise<unknown> => {
    job.threads.add(thread);
    const call = thread.call(method, params, (data) => {
      const event = data as Partial<Question & OutputEvent> & { readonly progress?: string };
      if (event.question !== undefined) {
        void answerTo(event as Question, answer).then((found) => call.push('answer', found));
      } else if (event.output !== undefined) job.onEvent(event as OutputEvent);
      else if (event.progress !== undefined) setState({ progress: event.progress === '' ? undefined : event.progress });
    });
    try {
      return await call.reply;
    } finally {
      job.threads.delete(thread);
    }
  };

  const fileAnswers =
    (seen: SandboxFiles, { signal, fileWork }: Job) =>
    async (what: string, given: readonly unknown[]): Promise<unknown> => {
      const name = FILE_CALLS.find((known) => known === what);
      if (name === undefined) throw new Error(`there is no ${what}`);
      if (signal.aborted) throw new Ended();
      const work = (seen[name] as (...params: readonly unknown[]) => Promise<unknown>)(...given);
      fileWork.add(work);
      try {
        return await work;
      } finally {
        fileWork.delete(work);
      }
    };

  const paramsOf = (
    argv: readonly string[],
    at: string,
    stdin: Uint8Array,
    env?: ProgramParams['env'],
  ): ProgramParams => ({
    argv,
    cwd: at,
    stdin,
    ...(env && { env }),
    now: deps.now(),
    outputLimit: OUTPUT_LIMIT * 4,
  });

  let history: Promise<unknown> | undefined;
  /** Once; one that fails is tried again by the next program. */
  const ensureHistory = async (thread: RpcClient, job: Job): Promise<void> => {
    if (!deps.history) return;
    const plan = deps.history;
    history ??= plan().then((commits) => callThread(thread, 'build', commits, job, fileAnswers(files.git, job)));
    try {
      await history;
    } catch (thrown) {
      history = undefined;
      throw thrown;
    }
  };

  const runGit = async (params: ProgramParams, job: Job): Promise<ProgramResult> => {
    const thread = gits.take();
    try {
      await ensureHistory(thread, job);
      return (await callThread(thread, 'run', params, job, fileAnswers(files.git, job))) as ProgramResult;
    } finally {
      gits.giveBack(thread);
      if (state.progress !== undefined) setState({ progress: undefined });
    }
  };

  const wantsWheels = (argv: readonly string[], sources: readonly { path: string; bytes: Uint8Array }[]): boolean => {
    if (argv.some((word) => word.includes('pytest'))) return true;
    const decoder = new TextDecoder();
    return sources.some(
      ({ path, bytes }) =>
        path.endsWith('.py') &&
        /^[ \t]*(?:import|from)\s+(?:pytest|pygments|packaging|pluggy|iniconfig)\b/m.test(decoder.decode(bytes)),
    );
  };

  const runPython = async (params: ProgramParams, job: Job): Promise<ProgramResult> => {
    const seen = files.program;
    const given = await seen.snapshot(PYTHON_FILES);
    job.setWaiting(true);
    let thread: RpcClient;
    let wheels: readonly Wheel[];
    try {
      wheels = wantsWheels(params.argv, given.files) ? await deps.python.wheels() : [];
      thread = await python.take();
    } finally {
      job.setWaiting(false);
    }
    if (job.signal.aborted) {
      thread.close();
      throw new Ended();
    }
    let result: PythonResult;
    try {
      const full: PythonParams = { ...params, files: given, wheels };
      result = (await callThread(thread, 'run', full, job, () =>
        Promise.reject(new Error('Python asks for nothing')),
      )) as PythonResult;
    } finally {
      thread.close();
      python.prepare();
    }
    const notes: string[] = [];
    if (given.left > 0)
      notes.push(
        `sandbox: ${given.left} files were not given to Python: the folder has more than ${PYTHON_FILES.files} files or ${PYTHON_FILES.bytes / 1024 / 1024} MB\n`,
      );
    for (const folder of result.madeFolders) {
      try {
        await seen.makeFolder(folder, true);
      } catch (thrown) {
        notes.push(`sandbox: ${folder} was not kept: ${errorMessage(thrown)}\n`);
      }
    }
    for (const { path, bytes } of result.changes) {
      try {
        if (bytes) await seen.write(path, bytes);
        else await seen.remove(path, false);
      } catch (thrown) {
        notes.push(`sandbox: ${path} was not kept: ${errorMessage(thrown)}\n`);
      }
    }
    const { exitCode, stdout, truncated } = result;
    const stderr = notes.length === 0 ? result.stderr : new TextEncoder().encode(notes.slice(0, 20).join(''));
    return { exitCode, stdout, stderr, truncated };
  };

  /** A program that another one asks for: its output is handed over instead of shown. */
  const runInside = async (
    argv: readonly string[],
    at: string,
    stdin: Uint8Array,
    env: ProgramParams['env'],
    job: Job,
  ): Promise<ProgramResult> => {
    const parts: Record<OutputEvent['output'], Uint8Array[]> = { stdout: [], stderr: [] };
    const own: Job = { ...job, onEvent: ({ output, bytes }) => void parts[output].push(bytes) };
    const params = paramsOf(argv, at, stdin, env);
    const runner = runnerOf(argv[0] ?? '');
    if (runner === 'shell') return failedWith(127, `${argv[0]}: command not found\n`);
    const result = await (runner === 'git' ? runGit(params, own) : runPython(params, own));
    const whole = (chunks: readonly Uint8Array[], last: Uint8Array): Uint8Array => {
      const joined = new Uint8Array([...chunks, last].reduce((sum, { length }) => sum + length, 0));
      let offset = 0;
      for (const chunk of [...chunks, last]) {
        joined.set(chunk, offset);
        offset += chunk.length;
      }
      return joined;
    };
    return { ...result, stdout: whole(parts.stdout, result.stdout), stderr: whole(parts.stderr, result.stderr) };
  };

  const runShell = async (params: ProgramParams, job: Job): Promise<ShellReply> => {
    const answers = fileAnswers(files.program, job);
    const thread = shells.take();
    try {
      return (await callThread(thread, 'run', params, job, (what, given) => {
        if (what !== 'program') return answers(what, given);
        const [argv, at, stdin, env] = given as readonly [readonly string[], string, Uint8Array, ProgramParams['env']];
        return runInside(argv, at, stdin, env, job);
      })) as ShellReply;
    } finally {
      shells.giveBack(thread);
    }
  };

  const execute = async (request: RunRequest): Promise<CommandAnswer> => {
    const { argv, timeoutSeconds, signal, stdin = NO_BYTES } = request;
    const program = argv[0] ?? '';
    if (argv.some((word) => word.includes('\0')))
      return { kind: 'failed', message: 'an argument holds a NUL character' };
    const output = createOutputBuffer();
    const controller = new AbortController();
    const threads = new Set<RpcClient>();
    const fileWork = new Set<Promise<unknown>>();
    let why = 'cancelled';
    const stop = (reason: string): void => {
      why = reason;
      controller.abort(reason);
      for (const thread of threads) thread.close();
    };
    const cancel = (): void => stop('cancelled');
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    let clock: CallClock | undefined;
    const decoder = new TextDecoder();
    const job: Job = {
      signal: controller.signal,
      threads,
      fileWork,
      setWaiting: (waiting) => {
        clock?.setWaiting(waiting);
        request.setWaiting?.(waiting);
      },
      onEvent: ({ bytes }) => {
        output.add(bytes);
        request.onOutput?.(decoder.decode(bytes, { stream: true }));
      },
    };
    const failed = (message: string): CommandAnswer => {
      const text = output.text();
      return { kind: 'failed', message, ...(text !== '' && { output: text }) };
    };
    setState({ running: state.running + 1 });
    clock = startCallClock(timeoutSeconds * 1000, deps, () => stop(`timed out after ${timeoutSeconds} s`));
    try {
      if (controller.signal.aborted) return failed(why);
      const aborted = new Promise<never>((_resolve, reject) => {
        controller.signal.addEventListener('abort', () => reject(new Ended()), { once: true });
      });
      const params = paramsOf(argv, cwd, stdin);
      const runner = runnerOf(program);
      const work =
        runner === 'git' ? runGit(params, job) : runner === 'python' ? runPython(params, job) : runShell(params, job);
      // Anyone who loses the race has been reported already.
      work.catch(() => {});
      const result = await Promise.race([work, aborted]);
      if ('missing' in result) return { kind: 'failed', message: notAvailable(program, result.missing) };
      const { stdout, stderr } = result;
      const room = OUTPUT_LIMIT - Math.min(stderr.length, ERROR_ROOM);
      output.add(stdout.length > room && stderr.length > 0 ? stdout.slice(0, room) : stdout);
      if (stdout.length > room || result.truncated) output.markCut();
      output.add(stderr);
      return {
        kind: 'exited',
        exitCode: result.exitCode,
        output: output.text(),
        ...(output.isCut() && { truncated: true }),
      };
    } catch (thrown) {
      if (controller.signal.aborted) return failed(why);
      return failed(
        thrown instanceof WorkerCrash
          ? crashWords(program, thrown)
          : `${program} could not be run: ${errorMessage(thrown)}`,
      );
    } finally {
      await Promise.allSettled(fileWork);
      clock.stop();
      signal.removeEventListener('abort', cancel);
      setState({ running: state.running - 1 });
    }
  };

  return {
    run: (request) => execute(request),
    execute,
    state: () => state,
    subscribe: listeners.subscribe,
    [Symbol.dispose]: () => {
      shells[Symbol.dispose]();
      gits[Symbol.dispose]();
      python[Symbol.dispose]();
    },
  };
};
