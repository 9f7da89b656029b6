/** What runs inside the git worker, in a browser and in Node alike. */
import { errorMessage } from '../../../base/errors.ts';
import './buffer-global.ts';
import type { RepositoryPlan } from '../../../model/sandbox/demo-history.ts';
import type { WorkerPort } from '../../worker/port.ts';
import { type ServedCall, serveRpc } from '../../worker/rpc-server.ts';
import { createCallOut, type CallOut } from '../call-out.ts';
import { NO_BYTES, type ProgramParams, type ProgramResult, type ProgressEvent } from '../protocol.ts';
import { fromByteText } from '../shell/remote-fs.ts';
import { normalPath } from '../shell/paths.ts';
import type { GitContext, GitOutput } from './context.ts';
import { diff } from './diff-command.ts';
import { branch, listFiles, revParse } from './list-commands.ts';
import { log } from './log-command.ts';
import { show } from './show-command.ts';
import { buildRepository } from './build-repository.ts';
import { GitFailure } from './git-failure.ts';
import { createObjectMemory, findTop, initRepository, openRepository, type ObjectMemory } from './repository.ts';
import { status } from './status.ts';
import { add, commit } from './write-commands.ts';

type GitCommand = (context: GitContext, args: readonly string[]) => Promise<GitOutput>;

const COMMANDS: Readonly<Record<string, GitCommand>> = {
  status,
  diff,
  log,
  show,
  add,
  commit,
  branch,
  'rev-parse': revParse,
  'ls-files': listFiles,
};
/** Settings that a command may bring along. */
const NAMED = /^user\.(?:name|email)=/i;

const NAMES = [...Object.keys(COMMANDS), 'init'].toSorted().join(', ');

const encoder = new TextEncoder();

const init = async (callOut: CallOut, cwd: string, args: readonly string[]): Promise<GitOutput> => {
  let name = 'main';
  let folder = cwd;
  let isQuiet = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '-b' || word === '--initial-branch') name = args[++at] ?? name;
    else if (word.startsWith('--initial-branch=')) name = word.slice(17);
    else if (word === '-q' || word === '--quiet') isQuiet = true;
    else if (word.startsWith('-')) throw new GitFailure(`error: unknown option \`${word.replace(/^-+/, '')}'`, 129);
    else folder = normalPath(word.startsWith('/') ? word : `${cwd}/${word}`);
  }
  const isThere = await callOut('stat', `${folder}/.git/HEAD`).then(
    () => true,
    () => false,
  );
  if (folder !== cwd) await callOut('makeFolder', folder, true);
  if (!isThere) await initRepository(callOut, folder, name);
  const said = `${isThere ? 'Reinitialized existing' : 'Initialized empty'} Git repository in ${folder}/.git/\n`;
  return { stdout: isQuiet ? '' : said };
};

const perform = async (params: ProgramParams, call: ServedCall, memory: ObjectMemory): Promise<GitOutput> => {
  const callOut = createCallOut(call);
  let [, ...words] = params.argv;
  let { cwd } = params;
  const settings = new Map<string, string>();
  // `-C DIR` as often as it comes; `--no-pager` means nothing here.
  for (;;) {
    if (words[0] === '-C') {
      const given = words[1] ?? '';
      cwd = normalPath(given.startsWith('/') ? given : `${cwd}/${given}`);
      const found = (await callOut('stat', cwd).catch(() => undefined)) as { readonly kind: string } | undefined;
      if (found?.kind !== 'folder')
        throw new GitFailure(
          `fatal: cannot change to '${given}': ${found ? 'Not a directory' : 'No such file or directory'}`,
        );
      words = words.slice(2);
    } else if (['--no-pager', '-P', '--no-optional-locks'].includes(words[0] ?? '')) words = words.slice(1);
    else if (words[0] === '-c' && NAMED.test(words[1] ?? '')) {
      const [name = '', value = ''] = (words[1] ?? '').split(/=(.*)/s);
      settings.set(name.toLowerCase(), value);
      words = words.slice(2);
    } else if (words[0] === '-c' && /^(?:color|core\.pager|core\.quotepath=true|advice)\b/.test(words[1] ?? ''))
      words = words.slice(2);
    else break;
  }
  const [name, ...args] = words;
  if (name === '--version' || name === 'version') return { stdout: 'git version 2.39.0 (sandbox)\n' };
  if (name === undefined || name === 'help' || name === '--help')
    return {
      stdout: `usage: git [-C <path>] <command> [<args>]\n\nIn the sandbox: ${NAMES}\n`,
      exitCode: name === undefined ? 1 : 0,
    };
  if (name === 'init') return init(callOut, cwd, args);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const what = name.startsWith('-') ? `the option ${name}` : `'${name}'`;
    throw new GitFailure(`git: ${what} is not available in the sandbox. Available: ${NAMES}`, 1);
  }
  const top = await findTop(callOut, cwd);
  if (top === undefined) throw new GitFailure('fatal: not a git repository (or any of the parent directories): .git');
  const onProgress = (progress: string): void => call.emit({ progress } satisfies ProgressEvent);
  const repository = openRepository(callOut, top, memory, onProgress);
  const named = { ...repository, config: async (path: string) => settings.get(path) ?? repository.config(path) };
  return command({ repository: named, cwd, now: params.now / 1000, stdin: params.stdin }, args);
};

export const serveGit = (port: WorkerPort): void => {
  const memory = createObjectMemory();
  serveRpc(port, {
    build: (plan, call) => buildRepository(createCallOut(call), '/workspace', plan as RepositoryPlan),
    run: async (given, call): Promise<ProgramResult> => {
      const params = given as ProgramParams;
      try {
        const { stdout, stderr = '', exitCode = 0 } = await perform(params, call, memory);
        const bytes = fromByteText(stdout);
        const isLong = bytes.length > params.outputLimit;
        return {
          exitCode,
          stdout: isLong ? bytes.slice(0, params.outputLimit) : bytes,
          stderr: encoder.encode(stderr),
          truncated: isLong,
        };
      } catch (thrown) {
        const isExpected = thrown instanceof GitFailure;
        const message = errorMessage(thrown);
        return {
          exitCode: isExpected ? thrown.exitCode : 128,
          stdout: NO_BYTES,
          stderr: encoder.encode(`${isExpected ? message : `fatal: ${message}`}\n`),
          truncated: false,
        };
      }
    },
  });
};
