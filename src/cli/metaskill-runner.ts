/** Runs metaskills of a folder with scripted answers and commands. */
import { admissionOf } from '../model/metaskill/policy.ts';
import { runMetaskill, type RunOutcome } from '../model/metaskill/host.ts';
import type { HostDeps, HostSkill } from '../model/metaskill/host-types.ts';
import type { ScriptedCommand } from '../model/metaskill/skill-tests.ts';
import { readWhole } from '../model/library/read-folder.ts';
import type { MetaskillPolicy } from '../model/library/types.ts';
import { readDocument } from '../model/skill/document.ts';
import { readSkill } from '../model/skill/skill.ts';
import { findProgram } from '../model/skill/metaskill-package.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import { createNodeEngine } from '../platform/worker/node-starlark.ts';
import type { EngineHost } from '../platform/worker/engine-host.ts';
import { SHIPPED } from './shipped.ts';

const DAY_MS = 86_400_000;

/** Milliseconds since 1970, fine enough for a short step. */
const fineClock = (): number => performance.timeOrigin + performance.now();

/** Lends the engine to some work. Its threads do not keep the process alive, so a timer does. */
export const withEngine = async <T>(work: (engine: EngineHost) => Promise<T>): Promise<T> => {
  const engine = createNodeEngine({
    wasm: SHIPPED.engine,
    thread: new URL('starlark-thread.js', SHIPPED.threads),
  });
  const alive = setInterval(() => {}, DAY_MS);
  try {
    return await work(engine);
  } finally {
    clearInterval(alive);
    engine.dispose();
  }
};

export interface Script {
  readonly answers: readonly string[];
  /** Results in turn, or whatever runs them. */
  readonly commands: readonly ScriptedCommand[] | HostDeps['command'] | undefined;
}

export interface RunArguments {
  /** A value, or the JSON text of an object, whose numbers then keep their digits. */
  readonly input: unknown;
  readonly max_ask_calls?: number;
  readonly max_command_calls?: number;
}

/** The folder of one skill as the host knows it; it counts as part of the project. */
export const openSkill = async (tree: FileTree, policy: MetaskillPolicy): Promise<HostSkill> => {
  const input = await readWhole(tree, '', 'SKILL.md');
  const document = readDocument(input);
  const { metaskill } = findProgram(document);
  const program = metaskill && input.files?.get(metaskill.program);
  const admission = admissionOf({ name: tree.name, layer: 'project', isForeign: false, policy });
  return {
    name: tree.name,
    metaskill,
    body: document.body,
    refusal: admission.kind === 'free' ? undefined : admission.refusal,
    readProgram: () =>
      Promise.resolve(
        program?.text === undefined
          ? { ok: false, reason: `can't read ${metaskill?.program ?? 'the program'}` }
          : { ok: true, text: program.text },
      ),
  };
};

/** Why a session would not load the skill. It can be run all the same: that is how one mends it. */
export const loadingFaults = async (tree: FileTree): Promise<readonly string[]> =>
  readSkill(await readWhole(tree, '', 'SKILL.md'), 'standard')
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

/** Each command gets the next result, whatever it says. */
export const scriptedCommands = (commands: readonly ScriptedCommand[] | undefined): HostDeps['command'] => {
  const results = commands?.values();
  return () => {
    const next = results?.next();
    if (!next || next.done) return Promise.resolve({ kind: 'failed', message: 'no commands available' });
    return Promise.resolve({ kind: 'exited', exitCode: next.value.exit_code, output: next.value.output });
  };
};

const usedUp = (count: number): string => {
  if (count === 0) return 'the scripted answers are used up: there are none';
  return count === 1 ? 'the one scripted answer is used up' : `the ${count} scripted answers are used up`;
};

const scripted = (script: Script): Pick<HostDeps, 'ask' | 'command'> => {
  const answers = script.answers.values();
  return {
    ask: () => {
      const next = answers.next();
      if (next.done) return Promise.reject(new Error(usedUp(script.answers.length)));
      return Promise.resolve({ answer: next.value, exhausted: false, turns: 1 });
    },
    command: typeof script.commands === 'function' ? script.commands : scriptedCommands(script.commands),
  };
};

export const runScripted = (
  engine: EngineHost,
  skill: HostSkill,
  args: RunArguments,
  script: Script,
  options: { readonly timeoutSeconds?: number; readonly onPrint?: (text: string) => void } = {},
): Promise<RunOutcome> =>
  runMetaskill(
    { name: skill.name, ...args },
    {
      engine,
      find: (name) => (name === skill.name ? skill : undefined),
      ...scripted(script),
      now: fineClock,
      ...(options.onPrint && { onPrint: options.onPrint }),
    },
    options.timeoutSeconds === undefined ? {} : { timeoutSeconds: options.timeoutSeconds },
  );

/** The most asks and commands that the program's loops allow; `null` where that cannot be known. */
export const worstCase = async (
  engine: EngineHost,
  skill: HostSkill,
): Promise<{ readonly ask: number | null; readonly command: number | null } | null> => {
  const program = skill.metaskill && (await skill.readProgram());
  if (!program?.ok) return null;
  const { facts } = await engine.analyse({ file: skill.metaskill?.program ?? '', text: program.text });
  return facts?.worst ? { ask: facts.worst.ask, command: facts.worst.command } : null;
};
