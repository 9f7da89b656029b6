/** A command that talks to the simulator instead of a provider, and the cached prefixes that it sent. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createMasker } from '../model/masking/masker.ts';
import { type CachedPrefix, prefixKey, prefixOf } from '../model/guard/prefix.ts';
import { createSimulator } from '../model/simulator/simulator.ts';
import type { Scenario } from '../model/simulator/scenario.ts';
import type { Simulator } from '../model/simulator/types.ts';
import { endpointOf } from '../model/traffic/recording/wire-of.ts';
import { startSimServer } from '../platform/provider/node-sim-server.ts';
import { createNodeTokenizer } from '../platform/tokenizer/node-tokenizer.ts';

export interface GuardedRun {
  /** Of the command; 128 and more: a signal ended it. */
  readonly code: number;
  readonly requests: number;
  /** Answered with an error. */
  readonly refused: number;
  /** Of the first one. */
  readonly refusal: string | undefined;
  readonly prefixes: readonly CachedPrefix[];
}

export interface GuardedRunOptions {
  readonly command: readonly string[];
  readonly scenario: Scenario | undefined;
  /** Where the command writes what it would write to standard output. */
  readonly output: 'inherit' | 'stderr';
}

/** Any key will do for the simulator, and a real one must not leave by a client that reads no base URL. */
const KEY = 'lathe-guard';

/** What clients of both providers read. */
const environment = (url: string): Readonly<Record<string, string | undefined>> => ({
  LATHE_GUARD: url,
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_URL: url,
  ANTHROPIC_API_KEY: KEY,
  ANTHROPIC_AUTH_TOKEN: undefined,
  CLAUDE_CODE_USE_BEDROCK: undefined,
  CLAUDE_CODE_USE_VERTEX: undefined,
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_BASE: `${url}/v1`,
  OPENAI_API_KEY: KEY,
  OPENROUTER_API_KEY: KEY,
  // A proxy could not reach this machine's own address.
  NO_PROXY: [process.env['NO_PROXY'], '127.0.0.1'].filter(Boolean).join(','),
  no_proxy: [process.env['no_proxy'], '127.0.0.1'].filter(Boolean).join(','),
});

/** For the shell that Windows needs to start npm and its kin. */
const quoted = (word: string): string => (/^[\w./:=@-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`);

const runCommand = async (
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  output: GuardedRunOptions['output'],
): Promise<number> => {
  const isWindows = process.platform === 'win32';
  const stdio = ['inherit', output === 'inherit' ? 'inherit' : 2, 'inherit'] as const;
  const options = { stdio: [...stdio], env: { ...process.env, ...env }, shell: isWindows };
  const child = isWindows
    ? spawn([program, ...args].map(quoted).join(' '), options)
    : spawn(program, [...args], options);
  // Ctrl+C goes to both; the command decides when it ends, and the report comes after it.
  const wait = (): void => undefined;
  process.on('SIGINT', wait);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    process.off('SIGINT', wait);
  }
};

/** Rejects with ENOENT where there is no such command. */
export const runGuarded = async ({ command, scenario, output }: GuardedRunOptions): Promise<GuardedRun> => {
  const simulator = createSimulator({
    tokenizer: createNodeTokenizer(),
    clock: { now: () => Date.now() },
    ...(scenario && { scenario }),
  });
  const masker = createMasker();
  const prefixes = new Map<string, CachedPrefix>();
  let requests = 0;
  let refused = 0;
  let refusal: string | undefined;

  const note = (body: string, path: string, status: number, answer: string): void => {
    const endpoint = endpointOf(`http://127.0.0.1${path}`);
    if (!endpoint) return;
    requests++;
    if (status >= 400) {
      refused++;
      refusal ??= `${status}: ${answer.slice(0, 300)}`;
      return;
    }
    const read = prefixOf(body, endpoint.wire);
    if (!read.ok) return;
    const parts = read.value.parts.map(({ at, json }) => ({ at, json: masker.mask(json) }));
    const prefix = { ...read.value, parts };
    const key = prefixKey(prefix);
    if (!prefixes.has(key)) prefixes.set(key, prefix);
  };
  const noting: Simulator = {
    ...simulator,
    handle: async (request) => {
      const answer = await simulator.handle(request);
      note(request.body, request.path, answer.status, answer.status >= 400 ? (answer.chunks[0]?.text ?? '') : '');
      return answer;
    },
  };
  const server = await startSimServer({ simulator: noting, port: 0, speed: 0 });
  try {
    const code = await runCommand(command, environment(server.url), output);
    return { code, requests, refused, refusal, prefixes: [...prefixes.values()] };
  } finally {
    await server.close();
  }
};
