import { join, resolve } from 'node:path';
import { collectLog, type Log } from '../../base/log.ts';
import { nearest } from '../../base/nearest.ts';
import { sha256 } from '../../base/hash.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { plural } from '../../base/text.ts';
import type { SessionSettings } from '../../model/event/catalog.ts';
import { CLIENT_IDS, type ClientId, type Listing } from '../../model/clients/types.ts';
import { listingEffects, spoilable, standingsIn, unlisted } from '../../model/evals/listing-effect.ts';
import type { Suite, TriggerQuery } from '../../model/evals/suite/types.ts';
import type { PickableSkill } from '../../model/simulator/behaviour/pick-skill.ts';
import type { Shard } from '../../model/evals/run/plan.ts';
import type { RunEnd } from '../../model/evals/run/runner.ts';
import { proposeSuite } from '../../model/evals/suite/propose.ts';
import { proposalRequest, readProposal, withQueries } from '../../model/evals/suite/propose-with-model.ts';
import { writeTriggers } from '../../model/evals/suite/triggers-file.ts';
import { unknownNames } from '../../model/evals/suite/unknown-names.ts';
import { DIALECTS } from '../../model/library/types.ts';
import { volatileSegments } from '../../model/prompt/volatile.ts';
import {
  agentListing,
  NEW_SESSION,
  planIn,
  withListing,
  type PlannedFolder,
} from '../../model/workspace/session-plan.ts';
import { oneOf, parseArguments, textOf, wrongUse, type Values } from '../arguments.ts';
import { findConfig } from '../config-file.ts';
import { CONNECTION_OPTIONS, readConnection } from '../connection-options.ts';
import { openEval, type EvalOutcome, type EvalSetting } from '../eval-runner.ts';
import { findSuites } from '../eval-suites.ts';
import { compareJournals, mergeRuns } from '../eval-journals.ts';
import { exitCode, FORMATS, pathOf, printReports, say } from '../eval-print.ts';
import { FOLDER_OPTIONS, isFolder, openFolder } from '../folder-options.ts';
import { byWords, sumBills, type Bill, type SuiteReport } from '../output/eval-report.ts';
import { visible } from '../output/terminal-text.ts';
import { readNoise } from '../noise-option.ts';
import { findProject } from '../project-folder.ts';
import { openTerminal, plannedIn } from '../session-runner.ts';

/** As agentskills.io advises; a threshold of one's own is usually higher. */
const DEFAULT_THRESHOLD = 0.5;
const DEFAULT_PARALLEL = 4;
/** Enough for a decision; a run never needs the whole answer. */
const MOST_OUTPUT = 1024;

const numberOf = (
  values: Values,
  name: string,
  fallback: number | undefined,
  isRight: (value: number) => boolean,
  words: string,
): Result<number | undefined, string> => {
  const text = textOf(values, name);
  if (text === undefined) return ok(fallback);
  const value = Number(text);
  return text.trim() !== '' && isRight(value) ? ok(value) : err(`invalid --${name} '${text}'; expected ${words}`);
};

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 1000;

const shardOf = (text: string | undefined): Result<Shard | undefined, string> => {
  if (text === undefined) return ok(undefined);
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  return index !== undefined && count !== undefined && index >= 1 && index <= count && count <= 1000
    ? ok({ index, count })
    : err(`invalid --shard '${text}'; expected a part such as 2/5`);
};

const endWords = (end: RunEnd): string | undefined =>
  end.kind === 'done'
    ? undefined
    : end.kind === 'stopped'
      ? 'Stopped. Run the same command again to continue.'
      : end.message;

/** What a model writes beside the descriptions; nothing where no provider is named. */
const writtenQueries = async (
  skills: readonly PickableSkill[],
  name: string,
  values: Values,
  log: Log,
): Promise<Result<readonly TriggerQuery[], string>> => {
  const chosen = readConnection(values, 'simulator');
  if (!chosen.ok) return chosen;
  const { provider, model = NEW_SESSION.settings.model, connection } = chosen.value;
  const request = provider === 'simulator' ? undefined : proposalRequest(skills, name, model);
  if (!request) return ok([]);
  const terminal = openTerminal({ engine: undefined, log, connection });
  return readProposal(await terminal.client({ provider }).call(request, {}), skills, name);
};

/** A first suite on stdout, to be edited. */
const propose = async (args: readonly string[], values: Values): Promise<number> => {
  const [folder, name, ...more] = args;
  if (folder === undefined || name === undefined || more.length > 0)
    return wrongUse('eval propose', 'expected a folder and a skill name', 'eval propose DIR SKILL');
  const { log } = collectLog();
  const opened = await openFolder(folder, values, log);
  if (!opened.ok) return wrongUse('eval propose', opened.error);
  const plan = await planIn(plannedIn(opened.value), NEW_SESSION, log);
  const skills = plan.workspace.library.store.list().map(({ skill }) => skill);
  const suite = proposeSuite(skills, name);
  if (!suite) {
    const meant = nearest(
      name,
      skills.map((skill) => skill.name),
    );
    return wrongUse(
      'eval propose',
      `skill not found: '${name}' in the session of ${folder}${meant === undefined ? '' : `. Did you mean ${meant}?`}`,
    );
  }
  const written = await writtenQueries(skills, name, values, log);
  if (!written.ok) return wrongUse('eval propose', written.error);
  process.stdout.write(writeTriggers(withQueries(suite, written.value)));
  return 0;
};

interface AgentListings {
  readonly client: ClientId;
  /** As the agent's budget leaves it. */
  readonly cut: Listing;
  readonly whole: Listing;
}

const agentListings = async (
  { library }: PlannedFolder,
  client: ClientId,
  settings: Pick<SessionSettings, 'model'>,
): Promise<Result<AgentListings, string>> => {
  const cut = await agentListing(library, client, settings);
  const whole = await agentListing(library, client, settings, true);
  if (!cut || !whole) return err('no folder to list');
  if (cut.text !== '') return ok({ client, cut, whole });
  return err(
    cut.entries.some(({ state }) => state !== 'hidden')
      ? `the exact text of ${cut.label}'s listing is unknown, so Lathe can't measure it`
      : `${cut.label} lists no skills from this folder. Run \`lathe agents\` to see where it looks.`,
  );
};

const wholeSetting = (listed: EvalSetting, { client, whole }: AgentListings): EvalSetting => ({
  ...listed,
  plan: withListing(listed.plan, client, whole.text),
  listing: whole,
  listingName: `${client}, whole`,
});

const placeOf = ({ skill: { name }, path }: { readonly skill: { readonly name: string }; readonly path: string }) => ({
  name,
  path,
});

/** The suites in each skill's `evals` folder, one case for each query and repeat. */
export const evaluate = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    ...FOLDER_OPTIONS,
    ...CONNECTION_OPTIONS,
    dialect: { type: 'string' },
    client: { type: 'string' },
    noise: { type: 'string' },
    repeats: { type: 'string' },
    parallel: { type: 'string' },
    limit: { type: 'string' },
    threshold: { type: 'string' },
    shard: { type: 'string' },
    journal: { type: 'string' },
    dir: { type: 'string' },
    batch: { type: 'boolean' },
    fresh: { type: 'boolean' },
    partial: { type: 'boolean' },
    format: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (!parsed.ok) return wrongUse('eval', parsed.error);
  const { values, positionals } = parsed.value;
  const format = oneOf('format', values['format'] ?? (values['json'] === true ? 'json' : undefined), FORMATS, 'human');
  if (!format.ok) return wrongUse('eval', format.error);
  const threshold = numberOf(
    values,
    'threshold',
    DEFAULT_THRESHOLD,
    (value) => value >= 0 && value <= 1,
    'a rate from 0 to 1',
  );
  if (!threshold.ok) return wrongUse('eval', threshold.error);
  const [first, ...more] = positionals;
  const place = first !== undefined && isFolder(first) ? first : (textOf(values, 'dir') ?? '.');
  const config = values['threshold'] === undefined ? findConfig(place, findProject(place).top) : ok(undefined);
  if (!config.ok) return wrongUse('eval', config.error);
  const wanted = config.value?.file.triggerRate ?? threshold.value ?? DEFAULT_THRESHOLD;
  if (first === 'merge') return mergeRuns(more, values, format.value, wanted);
  if (first === 'propose') return propose(more, values);
  if (first === 'compare') return compareJournals(more, values, format.value);
  if (first === undefined || more.length > 0) return wrongUse('eval', 'expected one folder', 'eval DIR');
  if (!isFolder(first)) return wrongUse('eval', `folder not found: ${first}`);
  const repeats = numberOf(values, 'repeats', undefined, isCount, 'a number from 1 to 1000');
  if (!repeats.ok) return wrongUse('eval', repeats.error);
  const parallel = numberOf(
    values,
    'parallel',
    DEFAULT_PARALLEL,
    (value) => isCount(value) && value <= 64,
    'a number from 1 to 64',
  );
  if (!parallel.ok) return wrongUse('eval', parallel.error);
  const limit = numberOf(values, 'limit', undefined, (value) => value >= 0, 'an amount in USD');
  if (!limit.ok) return wrongUse('eval', limit.error);
  const shard = shardOf(textOf(values, 'shard'));
  if (!shard.ok) return wrongUse('eval', shard.error);
  const dialect = oneOf('dialect', values['dialect'], DIALECTS, 'metis');
  if (!dialect.ok) return wrongUse('eval', dialect.error);
  const client = values['client'] === undefined ? undefined : oneOf('client', values['client'], CLIENT_IDS, 'metis');
  if (client && !client.ok) return wrongUse('eval', client.error);
  const chosen = readConnection(values, 'simulator');
  if (!chosen.ok) return wrongUse('eval', chosen.error);
  const { provider, model, connection } = chosen.value;

  const noise = readNoise(textOf(values, 'noise'));
  if (!noise.ok) return wrongUse('eval', noise.error);
  if (values['batch'] === true && provider === 'openrouter')
    return wrongUse('eval', 'OpenRouter has no batch API. Leave out --batch, or use --provider anthropic or openai.');
  if (noise.value && provider !== 'simulator') return wrongUse('eval', '--noise is only for the simulator');

  const { suites, faults } = findSuites(first);
  for (const { file, line, severity, message } of faults)
    say(`${severity}: ${visible(file)}:${line}: ${visible(message)}`);
  if (faults.some(({ severity }) => severity === 'error')) return 2;
  if (suites.length === 0)
    return wrongUse('eval', `no suites below ${first}. Write one to evals/triggers.yaml in the folder of a skill.`);

  const { log, lines } = collectLog();
  const opened = await openFolder(first, values, log);
  if (!opened.ok) return wrongUse('eval', opened.error);
  const settings = {
    ...NEW_SESSION.settings,
    provider,
    max_output_tokens: MOST_OUTPUT,
    ...(model !== undefined && { model }),
  };
  const folder = plannedIn(opened.value);
  const own = await planIn(folder, { ...NEW_SESSION, settings, dialect: dialect.value, padding: 'off' }, log);
  const names = new Set(own.workspace.library.store.list().map(({ skill }) => skill.name));
  for (const { suite, file } of suites)
    for (const { line, severity, message } of unknownNames(suite, names))
      say(`${severity}: ${visible(file)}:${line}: ${visible(message)}`);
  const listings = client && (await agentListings(folder, client.value, settings));
  if (listings && !listings.ok) return wrongUse('eval', listings.error);
  const agent = listings?.value;
  const terminal = openTerminal({
    engine: undefined,
    log,
    connection,
    maxRetries: 0,
    ...(noise.value && { noise: noise.value }),
  });
  const volatile = volatileSegments({
    environment: {
      date: new Date(terminal.now()).toISOString().slice(0, 10),
      workspace: opened.value.tree.name,
      platform: process.platform,
    },
    user: undefined,
    memory: undefined,
  })
    .map(({ text }) => text)
    .join('');
  if (provider === 'simulator')
    say("The simulator picks by word overlap. Its rates don't describe a model. Use --provider for that.");

  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  const journals = resolve(textOf(values, 'journal') ?? join(first, '.lathe', 'evals'));
  const reports: SuiteReport[] = [];
  const ends: RunEnd[] = [];
  const { baseUrl, wire } = connection;
  const server = baseUrl === undefined ? undefined : [baseUrl, ...(wire ? [wire] : [])].join(' ');
  const part = [
    server === undefined ? '' : `-at-${sha256(server).slice(0, 8)}`,
    noise.value ? `-noise-${sha256(JSON.stringify(noise.value)).slice(0, 8)}` : '',
    shard.value ? `-${shard.value.index}-of-${shard.value.count}` : '',
  ].join('');
  const base = { terminal, settings, volatile, ...(server !== undefined && { server }) };
  const listed: EvalSetting = agent
    ? { ...base, plan: withListing(own, agent.client, agent.cut.text), listing: agent.cut, listingName: agent.client }
    : { ...base, plan: own, listingName: own.dialect ?? 'metis' };
  const standings = agent && standingsIn(agent.cut, own.workspace.library.store.list().map(placeOf));
  let spent: number | undefined = 0;
  const bills: Bill[] = [];

  /** One suite under one listing, with what is left of the money. */
  const runOne = async (setting: EvalSetting, suite: Suite, file: string): Promise<Result<EvalOutcome, string>> => {
    const opening = await openEval(
      setting,
      suite,
      { suite: file, journal: (digest) => join(journals, `${digest}${part}.jsonl`) },
      {
        ...(repeats.value !== undefined && { repeats: repeats.value }),
        ...(shard.value && { shard: shard.value }),
        parallel: parallel.value ?? DEFAULT_PARALLEL,
        // Where the cost of an earlier suite is unknown, no amount is left that could be kept.
        ...(limit.value !== undefined && { limitUsd: spent === undefined ? 0 : Math.max(0, limit.value - spent) }),
        threshold: wanted,
        isFresh: values['fresh'] === true,
        isBatch: values['batch'] === true,
        tell: say,
        signal: stop.signal,
      },
    );
    if (!opening.ok) return opening;
    const { cases, known, usd } = opening.value.estimate;
    say(
      `${visible(file)}${agent ? `, listing ${setting.listingName}` : ''}: ${plural(cases, 'case')}${known > 0 ? `, ${known} from an earlier run` : ''}; ${usd === undefined ? 'price unknown' : `prompts cost about $${usd.toFixed(4)}`}`,
    );
    const outcome = await opening.value.run();
    const { billedUsd, promptUsd } = outcome;
    bills.push({ estimated: usd, prompts: promptUsd, billed: billedUsd });
    spent = spent === undefined || billedUsd === undefined ? undefined : spent + billedUsd;
    if (outcome.tally.runs > known)
      say(
        `${visible(file)}: billed ${billedUsd === undefined ? 'an unknown amount' : `$${billedUsd.toFixed(4)}, answers included`}${promptUsd === undefined || usd === undefined ? '' : `; its prompts $${promptUsd.toFixed(4)}, estimated $${usd.toFixed(4)}`}`,
      );
    ends.push(outcome.end);
    return ok(outcome);
  };

  for (const { suite, file } of suites) {
    bills.length = 0;
    const ran = await runOne(listed, suite, file);
    if (!ran.ok) return wrongUse('eval', ran.error);
    const { report, end, tally } = ran.value;
    const cut = agent && standings && end.kind === 'done' && !shard.value ? spoilable(suite, standings) : undefined;
    const again = agent && cut ? await runOne(wholeSetting(listed, agent), cut, file) : undefined;
    if (again && !again.ok) return wrongUse('eval', again.error);
    const last = again?.value.end ?? end;
    const stopped = endWords(last);
    reports.push({
      file,
      path: pathOf(first, file),
      skill: suite.skill,
      report,
      threshold: wanted,
      by: byWords(provider, settings.model, noise.value !== undefined),
      bill: sumBills(bills),
      ...(stopped !== undefined && { stopped }),
      ...(agent &&
        standings && {
          agent: {
            client: agent.client,
            label: agent.cut.label,
            isExact: agent.cut.exact,
            unlisted: unlisted(suite, standings),
            effects: again && cut ? listingEffects(cut, standings, again.value.tally, tally) : [],
          },
        }),
    });
    if (last.kind !== 'done') break;
  }
  process.removeListener('SIGINT', onInterrupt);
  printReports(reports, format.value, lines);
  // A part proves nothing; `lathe eval merge` judges the whole.
  return shard.value ? (ends.some(({ kind }) => kind !== 'done') ? 2 : 0) : exitCode(reports, ends);
};
