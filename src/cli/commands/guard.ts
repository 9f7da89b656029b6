import { existsSync, readFileSync } from 'node:fs';
import { plural } from '../../base/text.ts';
import { changingValue, compareWithLock, tokensOf } from '../../model/guard/drift.ts';
import { LOCK_FILE, type LockedPrefix, readLock, writeLock } from '../../model/guard/lock-file.ts';
import { type CachedPrefix, prefixKey } from '../../model/guard/prefix.ts';
import { createNodeTokenizer } from '../../platform/tokenizer/node-tokenizer.ts';
import { parseArguments, textOf, wrongUse } from '../arguments.ts';
import { type GuardedRun, runGuarded } from '../guard-run.ts';
import { humanAdded, humanDrift, machinePrefixes } from '../output/guard-report.ts';
import { writeFile } from '../output/write-file.ts';
import { createPaint, visible, wantsColour } from '../output/terminal-text.ts';
import { readScenario } from '../scenario-file.ts';
import { jsonDocument } from '../output/json-document.ts';

const HELP = `usage: lathe guard [--lock FILE] [--update] [--scenario FILE] [--json] -- COMMAND [ARGUMENT…]

Runs a command, such as your agent's tests, against the simulator. Fails if the cached prefix of a request (its tools
and its system prompt) differs from the one in ${LOCK_FILE}, and shows what the difference costs.

  --update          write the prefixes of this run to the lock
  --lock FILE       default ${LOCK_FILE} here
  --scenario FILE   what the model says; \`lathe sim --help\` shows the format
  --json            one document on standard output; the command's own output goes to standard error

The command gets ANTHROPIC_BASE_URL, OPENAI_BASE_URL, and placeholder keys, so no request leaves this machine from a
client that reads them. LATHE_GUARD has the simulator's URL.

Exit codes: 0 nothing drifted, 1 a prefix drifted or the command failed, 2 usage error.
`;

/** Every prefix once, in an order that does not depend on which test ran first. */
const sorted = async (prefixes: readonly CachedPrefix[]): Promise<readonly LockedPrefix[]> => {
  const tokenizer = createNodeTokenizer();
  const locked: LockedPrefix[] = [];
  for (const prefix of prefixes) locked.push({ ...prefix, tokens: await tokensOf(tokenizer, prefix) });
  const key = ({ model, wire, tokens }: LockedPrefix): string =>
    `${model}\n${wire}\n${String(tokens).padStart(9, '0')}`;
  return locked
    .map((prefix) => ({ prefix, key: `${key(prefix)}\n${prefixKey(prefix)}` }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ prefix }) => prefix);
};

/** Why a run says nothing about prefixes. */
const emptyRun = ({ code, requests, refused, refusal }: GuardedRun): string | undefined => {
  if (code !== 0) return `the command failed with exit code ${code}`;
  if (requests === 0)
    return 'no request reached the simulator. Does your client read ANTHROPIC_BASE_URL or OPENAI_BASE_URL?';
  if (refused === requests) return `the simulator refused every request. The first answer was ${refusal}`;
  return undefined;
};

/** Runs a project's tests against the simulator, and compares the cached prefixes with the locked ones. */
export const guard = async (args: readonly string[]): Promise<number> => {
  const split = args.indexOf('--');
  const parsed = parseArguments(split === -1 ? args : args.slice(0, split), {
    lock: { type: 'string' },
    update: { type: 'boolean' },
    scenario: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (!parsed.ok) return wrongUse('guard', parsed.error);
  const { values, positionals } = parsed.value;
  if (values['help'] === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const command = split === -1 ? [] : args.slice(split + 1);
  if (positionals.length > 0 || command.length === 0)
    return wrongUse('guard', 'expected a command after --, such as `lathe guard -- npm test`');
  const file = textOf(values, 'lock') ?? LOCK_FILE;
  const isUpdate = values['update'] === true;
  const isJson = values['json'] === true;
  const scenario = readScenario(textOf(values, 'scenario'));
  if (!scenario.ok) return wrongUse('guard', scenario.error);
  const lock = existsSync(file) ? readLock(readFileSync(file, 'utf8')) : undefined;
  if (lock?.ok === false && !isUpdate)
    return wrongUse('guard', lock.error.map(({ line, message }) => `${file}:${line}: ${message}`).join('\n'));
  const locked = lock?.ok === true ? lock.value : undefined;
  const again = `lathe guard --update${file === LOCK_FILE ? '' : ` --lock ${file}`} -- ${command.join(' ')}`;

  let run: GuardedRun;
  try {
    run = await runGuarded({ command, scenario: scenario.value, output: isJson ? 'stderr' : 'inherit' });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return wrongUse('guard', `command not found: ${command[0]}`);
    if (code === 'EACCES') return wrongUse('guard', `no permission to run ${command[0]}`);
    throw thrown;
  }
  const tokenizer = createNodeTokenizer();
  const paint = createPaint(!isJson && wantsColour(process.stdout));
  const told = { lock: file, command: { exit_code: run.code }, requests: run.requests, refused: run.refused };
  const finish = (ok: boolean, text: string, more: Readonly<Record<string, unknown>>): number => {
    process.stdout.write(isJson ? jsonDocument({ ok, ...told, ...more }) : `\n${text}\n`);
    return ok ? 0 : 1;
  };

  const empty = emptyRun(run);
  if (empty !== undefined) {
    if (!isJson) process.stderr.write(`lathe guard: ${visible(empty)}\n`);
    return isJson ? finish(false, '', { problem: empty, prefixes: [] }) : 1;
  }
  if (isUpdate) {
    const changing = await changingValue(tokenizer, run.prefixes);
    if (changing)
      return finish(
        false,
        `${humanDrift(changing, paint)}\n\nTwo requests of this run differ here, so the next run would differ too. ${file} wasn't written.`,
        {
          problem: 'changing value',
          prefixes: machinePrefixes({ same: [], drifted: [changing], added: [], unused: [] }),
        },
      );
    const prefixes = await sorted(run.prefixes);
    writeFile(file, writeLock(prefixes));
    return finish(true, `Wrote ${plural(prefixes.length, 'prefix', 'prefixes')} to ${file}. Commit it.`, {
      written: prefixes.length,
      prefixes: machinePrefixes({ same: prefixes, drifted: [], added: [], unused: [] }),
    });
  }
  if (!locked) {
    const problem = `no ${file} to compare with yet. Run \`${again}\``;
    if (!isJson) process.stderr.write(`lathe guard: ${visible(problem)}\n`);
    return isJson ? finish(false, '', { problem, prefixes: [] }) : 1;
  }
  const compared = await compareWithLock(tokenizer, locked, run.prefixes);
  const { same, drifted, added, unused } = compared;
  const isFine = drifted.length + added.length === 0;
  const sum = [
    plural(run.requests, 'request'),
    `${plural(same.length, 'prefix', 'prefixes')} as locked`,
    ...(drifted.length > 0 ? [`${drifted.length} drifted`] : []),
    ...(added.length > 0 ? [`${added.length} new`] : []),
    ...(unused.length > 0 ? [`${unused.length} not sent in this run`] : []),
    ...(run.refused > 0 ? [`${plural(run.refused, 'request')} refused`] : []),
  ].join(', ');
  const blocks = [
    ...drifted.map((drift) => humanDrift(drift, paint)),
    ...added.map((prefix) => humanAdded(prefix, file, paint)),
    `${paint.bold(sum)}.${isFine ? '' : ` If you meant this: ${visible(again)}`}`,
  ];
  return finish(isFine, blocks.join('\n\n'), { prefixes: machinePrefixes(compared) });
};
