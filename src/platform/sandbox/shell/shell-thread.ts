/** What runs inside the shell worker, in a browser and in Node alike: just-bash's commands, each called by argv. */
import { Bash, getCommandNames, InMemoryFs, MountableFs, type BashExecResult, type Command } from 'just-bash/browser';
import { errorMessage } from '../../../base/errors.ts';
import { createCallOut, type CallOut } from '../call-out.ts';
import { ENVIRONMENT, failedWith, type ProgramParams, type ProgramResult } from '../protocol.ts';
import { type ServedCall, serveRpc } from '../../worker/rpc-server.ts';
import type { WorkerPort } from '../../worker/port.ts';
import { archiveCommands } from './archive-commands.ts';
import { plainCommands } from './plain-commands.ts';
import { createRemoteFs, fromByteText, toByteText } from './remote-fs.ts';

const MB = 1024 * 1024;
const encoder = new TextEncoder();

const LIMITS = {
  maxCallDepth: 100,
  maxCommandCount: 100_000,
  maxLoopIterations: 1_000_000,
  maxAwkIterations: 10_000_000,
  maxSedIterations: 1_000_000,
  maxJqIterations: 1_000_000,
  maxWorkUnits: 50_000_000,
  maxOutputSize: 64 * MB,
  maxStringLength: 64 * MB,
  maxLiveBytes: 512 * MB,
  maxExecDepth: 32,
} as const;

/** Built into a shell, and programs elsewhere. */
const BUILT_IN = ['test', '[', ':', 'cd', 'type', 'command'] as const;

/** Programs that other workers run, so that pipes reach them too. */
const ELSEWHERE = ['git', 'python3', 'python', 'pytest'] as const;

const available: readonly string[] = [
  ...new Set<string>([
    ...getCommandNames().filter((name) => name !== 'html-to-markdown'),
    ...[...archiveCommands, ...plainCommands].map(({ name }) => name),
    ...ELSEWHERE,
  ]),
].toSorted();

const isKnown = (program: string): boolean =>
  program.includes('/') || available.includes(program) || (BUILT_IN as readonly string[]).includes(program);

const elsewhere = (name: string, callOut: CallOut): Command => ({
  name,
  trusted: true,
  execute: async (args, { cwd, stdin, exportedEnv }) => {
    const result = (await callOut(
      'program',
      [name, ...args],
      cwd,
      fromByteText(stdin as unknown as string),
      exportedEnv,
    )) as ProgramResult;
    return {
      stdout: toByteText(result.stdout),
      stdoutKind: 'bytes',
      stdoutEncoding: 'binary',
      stderr: new TextDecoder().decode(result.stderr),
      exitCode: result.exitCode,
    };
  },
});

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const bytesOf = ({ stdout, stdoutKind, stdoutEncoding }: BashExecResult): Uint8Array =>
  stdoutKind === 'bytes' || stdoutEncoding === 'binary' ? fromByteText(stdout) : encoder.encode(stdout);

const run = async (params: ProgramParams, call: ServedCall): Promise<ProgramResult> => {
  const { argv, cwd, stdin, outputLimit } = params;
  const [program = '', ...args] = argv;
  const callOut = createCallOut(call);
  const controller = new AbortController();
  call.onCancel((reason) => controller.abort(reason));
  const fs = new MountableFs({
    // Many programs expect to find it; what is written to it is gone with the run.
    base: new InMemoryFs({ '/dev/null': '' }),
    mounts: [
      { mountPoint: '/workspace', filesystem: createRemoteFs('/workspace', callOut) },
      { mountPoint: '/tmp', filesystem: createRemoteFs('/tmp', callOut) },
    ],
  });
  const bash = new Bash({
    fs,
    cwd,
    env: { ...ENVIRONMENT, SHELL: '/bin/sh' },
    executionLimits: LIMITS,
    // The worker itself is the wall: it has no network and no files but those of the host.
    defenseInDepth: false,
    customCommands: [...archiveCommands, ...plainCommands, ...ELSEWHERE.map((name) => elsewhere(name, callOut))],
  });
  // Only the name is text that a shell reads, and it is quoted; the arguments are handed over as they are.
  const result = await bash.exec(quoted(program), {
    args,
    rawScript: true,
    stdin: toByteText(stdin),
    stdinKind: 'bytes',
    signal: controller.signal,
  });
  const stdout = bytesOf(result);
  const stderr = encoder.encode(result.stderr);
  const isLong = stdout.length > outputLimit || stderr.length > outputLimit;
  return {
    exitCode: result.exitCode,
    stdout: isLong ? stdout.slice(0, outputLimit) : stdout,
    stderr: isLong ? stderr.slice(0, outputLimit) : stderr,
    truncated: isLong,
  };
};

export const serveShell = (port: WorkerPort): void =>
  serveRpc(port, {
    run: async (params, call) => {
      const { argv } = params as ProgramParams;
      if (!isKnown(argv[0] ?? '')) return { missing: available };
      try {
        return await run(params as ProgramParams, call);
      } catch (thrown) {
        // A limit of the shell, reached in a place that does not expect it.
        return failedWith(2, `sandbox: ${errorMessage(thrown)}\n`);
      }
    },
  });
