import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { collectLog } from '../../base/log.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { answersSchema, commandsSchema } from '../../model/metaskill/skill-tests.ts';
import { issueInWords } from '../../model/schema-words.ts';
import type { z } from '../../model/zod.ts';
import { METASKILL_POLICIES } from '../../model/library/types.ts';
import type { RunOutcome } from '../../model/metaskill/host.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import type { EngineHost } from '../../platform/worker/engine-host.ts';
import { oneOf, parseArguments, wrongUse, type Values } from '../arguments.ts';
import { CONNECTION_OPTIONS, readConnection } from '../connection-options.ts';
import { loadingFaults, openSkill, runScripted, withEngine, worstCase } from '../metaskill-runner.ts';
import { visible } from '../output/terminal-text.ts';
import type { Workshop } from '../sandbox-run.ts';

/** Both files are read alike, and an error says what they hold. */
const readJson = <T>(file: string, holds: string, schema: z.ZodType<T>): Result<T, string> => {
  if (!existsSync(file)) return err(`file not found: ${file}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    return err(`${file}: ${errorMessage(thrown)}; it must hold ${holds}`);
  }
  const data = parseJson(text);
  if (!data.ok) return err(`${file}: ${data.error}; it must hold ${holds}`);
  const parsed = schema.safeParse(data.value, { reportInput: true });
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  const [index, ...rest] = issue?.path ?? [];
  const place = typeof index === 'number' ? [`item ${index + 1}`, ...rest.map(String)].join(', ') : 'the file';
  return err(`${file}: ${place}: ${issue ? issueInWords(issue) : 'not understood'}; it must hold ${holds}`);
};

const wholeNumber = (name: string, value: Values[string]): Result<number | undefined, string> => {
  if (value === undefined) return ok(undefined);
  const number = Number(value);
  return Number.isSafeInteger(number) && value !== ''
    ? ok(number)
    : err(`invalid --${name} '${String(value)}'; expected a whole number`);
};

const ANSWERS_HOLD = 'a JSON array of strings, such as ["yes", "no"]';
const COMMANDS_HOLD = 'a JSON array such as [{"exit_code": 0, "output": "done"}]';

/** Lines stay lines; nothing else in them may steer the terminal. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** An object stays text, so that the program gets its numbers as they were written. */
const parseInput = (text: Values[string]): Result<unknown, string> => {
  if (typeof text !== 'string') return ok(undefined);
  const value = parseJson(text);
  if (!value.ok) return err(`invalid --input: ${value.error}. Expected JSON such as '{"key": "value"}'`);
  return ok(isObject(value.value) ? text : value.value);
};

/** `null` is what cannot be known from the program's loops. */
const most = (count: number | null | undefined): string =>
  typeof count === 'number' ? String(count) : 'an unbounded number of';

/** `--sandbox` loads what runs commands; nothing else does. */
const openWorkshop = async (folder: string, allow: Values[string]): Promise<Workshop> => {
  const { createWorkshop } = await import('../sandbox-run.ts');
  return createWorkshop(folder, typeof allow === 'string' ? allow : undefined);
};

/** Runs one metaskill. Exit code 1 if and only if the result is an `error:`. */
export const run = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    ...CONNECTION_OPTIONS,
    input: { type: 'string' },
    answers: { type: 'string' },
    commands: { type: 'string' },
    'max-ask-calls': { type: 'string' },
    'max-command-calls': { type: 'string' },
    policy: { type: 'string' },
    timeout: { type: 'string' },
    sandbox: { type: 'boolean' },
    allow: { type: 'string' },
    folder: { type: 'string' },
    apply: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('run', parsed.error);
  const { values, positionals } = parsed.value;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    return wrongUse('run', 'expected one skill', 'run SKILLDIR --input JSON');
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return wrongUse('run', `folder not found: ${folder}`);
  if (!existsSync(join(folder, 'SKILL.md'))) return wrongUse('run', `no SKILL.md in ${folder}`);
  const chosen = readConnection(values, 'simulator');
  if (!chosen.ok) return wrongUse('run', chosen.error);
  if (values['answers'] !== undefined && values['provider'] !== undefined)
    return wrongUse('run', "--answers and --provider can't be used together");
  const policy = oneOf('policy', values['policy'], METASKILL_POLICIES, 'local');
  const input = parseInput(values['input']);
  const asks = wholeNumber('max-ask-calls', values['max-ask-calls']);
  const commandCalls = wholeNumber('max-command-calls', values['max-command-calls']);
  const timeout = wholeNumber('timeout', values['timeout']);
  const answers =
    typeof values['answers'] === 'string' ? readJson(values['answers'], ANSWERS_HOLD, answersSchema) : ok(undefined);
  const commands =
    typeof values['commands'] === 'string'
      ? readJson(values['commands'], COMMANDS_HOLD, commandsSchema)
      : ok(undefined);
  for (const result of [policy, input, asks, commandCalls, timeout, answers, commands])
    if (!result.ok) return wrongUse('run', result.error);
  if (!policy.ok || !input.ok || !asks.ok || !commandCalls.ok || !timeout.ok || !answers.ok || !commands.ok) return 2;
  if (timeout.value !== undefined && (timeout.value < 1 || timeout.value > 3600))
    return wrongUse('run', 'invalid --timeout; expected 1 to 3600 seconds');

  const isSandboxed = values['sandbox'] === true;
  for (const name of ['allow', 'folder', 'apply'] as const)
    if (values[name] !== undefined && !isSandboxed) return wrongUse('run', `--${name} needs --sandbox`);
  if (isSandboxed && commands.value) return wrongUse('run', "--commands and --sandbox can't be used together");
  const workFolder = typeof values['folder'] === 'string' ? values['folder'] : '.';
  if (isSandboxed && (!existsSync(workFolder) || !statSync(workFolder).isDirectory()))
    return wrongUse('run', `folder not found: ${workFolder}`);

  const isJson = values['json'] === true;
  const tree = createNodeTree(folder);
  const skill = await openSkill(tree, policy.value);
  const request = {
    input: input.value,
    ...(asks.value !== undefined && { max_ask_calls: asks.value }),
    ...(commandCalls.value !== undefined && { max_command_calls: commandCalls.value }),
  };
  const options = {
    ...(timeout.value !== undefined && { timeoutSeconds: timeout.value }),
    onPrint: (text: string) => process.stderr.write(`${visibleLines(text)}\n`),
  };
  const { log, lines } = collectLog();
  const faults = await loadingFaults(tree);
  if (faults.length > 0)
    log({
      level: 'warning',
      code: 'skill.invalid',
      text: `A session wouldn't load this skill: ${faults.join(' ')} Run \`lathe check\` for details.`,
    });
  const workshop = isSandboxed ? await openWorkshop(workFolder, values['allow']) : undefined;
  const perform = async (engine: EngineHost): Promise<RunOutcome> => {
    if (answers.value) {
      const script = { answers: answers.value, commands: workshop ? workshop.alone() : commands.value };
      return runScripted(engine, skill, request, script, options);
    }
    const [{ runAnswered }, { folderAlone }] = await Promise.all([
      import('../answered-run.ts'),
      import('../session-runner.ts'),
    ]);
    const around = { folder: workshop?.folder ?? folderAlone(tree), policy: policy.value, chosen: chosen.value };
    const runner = workshop ? workshop.inSession : commands.value;
    return runAnswered(engine, skill, around, request, runner, options);
  };
  const { outcome, worst } = await withEngine(async (engine) => ({
    worst: await worstCase(engine, skill),
    outcome: await perform(engine),
  }));
  const ended = workshop && (await workshop.end(values['apply'] === true));
  if (ended && !isJson) for (const line of ended.lines) process.stderr.write(`${visible(line)}\n`);
  if (!isJson && process.stderr.isTTY)
    process.stderr.write(
      `Worst case, from its loops: ${most(worst?.ask)} \`ask\` calls, ${most(worst?.command)} \`command\` calls.\n`,
    );
  for (const text of outcome.notes) log({ level: 'warning', code: 'metaskill.limit', text });
  if (!isJson) for (const { level, text } of lines) process.stderr.write(`${level}: ${visible(text)}\n`);
  const { result, steps, printed } = outcome;
  const trace = outcome.trace.map((entry): unknown => JSON.parse(entry));
  process.stdout.write(
    isJson
      ? `${JSON.stringify({ result, ok: outcome.ok, steps, trace, printed, worst, ...(ended && { changes: ended.changes }), log: lines }, undefined, 2)}\n`
      : // Another program gets the string as it is.
        `${process.stdout.isTTY ? visibleLines(result) : result}\n`,
  );
  return outcome.ok ? 0 : 1;
};
