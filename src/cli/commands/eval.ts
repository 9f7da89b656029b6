import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { collectLog } from '../../base/log.ts';
import { nearest } from '../../base/nearest.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { plural } from '../../base/text.ts';
import { compareRuns } from '../../model/evals/compare-runs.ts';
import { reportEval } from '../../model/evals/report.ts';
import { mergeJournals, readJournal, type EvalJournal } from '../../model/evals/run/journal.ts';
import type { Shard } from '../../model/evals/run/plan.ts';
import type { RunEnd } from '../../model/evals/run/runner.ts';
import { proposeSuite } from '../../model/evals/suite/propose.ts';
import { writeTriggers } from '../../model/evals/suite/triggers-file.ts';
import { DIALECTS } from '../../model/library/types.ts';
import { volatileSegments } from '../../model/prompt/volatile.ts';
import { NEW_SESSION, planIn } from '../../model/workspace/session-plan.ts';
import { oneOf, parseArguments, textOf, wrongUse, type Values } from '../arguments.ts';
import { CONNECTION_OPTIONS, readConnection } from '../connection-options.ts';
import { openEval } from '../eval-runner.ts';
import { findSuites, type SuiteFile } from '../eval-suites.ts';
import { FOLDER_OPTIONS, isFolder, openFolder } from '../folder-options.ts';
import { comparisonJson, humanComparison } from '../output/eval-comparison.ts';
import { evalJson, githubEval, humanEval, junitEval, type SuiteReport } from '../output/eval-report.ts';
import { createPaint, visible, wantsColour } from '../output/terminal-text.ts';
import { openTerminal, plannedIn } from '../session-runner.ts';

const FORMATS = ['human', 'json', 'junit', 'github'] as const;
type Format = (typeof FORMATS)[number];

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
  return text.trim() !== '' && isRight(value) ? ok(value) : err(`--${name} is ${words}; “${text}” is not`);
};

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 1000;

const shardOf = (text: string | undefined): Result<Shard | undefined, string> => {
  if (text === undefined) return ok(undefined);
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  return index !== undefined && count !== undefined && index >= 1 && index <= count && count <= 1000
    ? ok({ index, count })
    : err(`--shard is a part such as 2/5; “${text}” is not`);
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const print = (reports: readonly SuiteReport[], format: Format, log: readonly unknown[]): void => {
  const paint = createPaint(wantsColour(process.stdout));
  const text = {
    human: () => reports.map((report) => humanEval(report, paint)).join('\n'),
    json: () => evalJson(reports, log),
    junit: () => junitEval(reports),
    github: () => githubEval(reports),
  }[format]();
  process.stdout.write(text);
};

const endWords = (end: RunEnd): string | undefined =>
  end.kind === 'done'
    ? undefined
    : end.kind === 'stopped'
      ? 'Stopped. Run the same command again to go on.'
      : end.message;

/** Noise is no failure: only an interval that excludes the threshold is. */
const exitCode = (reports: readonly SuiteReport[], ends: readonly RunEnd[]): number =>
  ends.some(({ kind }) => kind === 'failed')
    ? 2
    : reports.some(({ report }) => report.overall.proof === 'below')
      ? 1
      : 0;

const readFiles = (files: readonly string[]): Result<readonly EvalJournal[], string> => {
  const read: EvalJournal[] = [];
  for (const file of files) {
    if (!existsSync(file) || !statSync(file).isFile()) return err(`there is no file ${file}`);
    const journal = readJournal(readFileSync(file, 'utf8'));
    if (!journal.ok) return err(`${file}: ${journal.error}`);
    read.push(journal.value);
  }
  return ok(read);
};

/** The suite that a journal names. */
const suiteIn = (folder: string | undefined, name: string): Result<SuiteFile, string> => {
  const found = findSuites(folder ?? '.').suites.find(({ file }) => file === name);
  return found
    ? ok(found)
    : err(`there is no suite ${name} in ${folder ?? 'this folder'}. Name its folder with --dir.`);
};

const merge = (files: readonly string[], values: Values, format: Format, threshold: number): number => {
  const parts = readFiles(files);
  if (!parts.ok) return wrongUse('eval merge', parts.error);
  const merged = mergeJournals(parts.value, values['partial'] === true);
  if (!merged.ok) return wrongUse('eval merge', merged.error);
  const { head, records } = merged.value;
  const found = suiteIn(textOf(values, 'dir'), head.suite);
  if (!found.ok) return wrongUse('eval merge', found.error);
  const { file, suite } = found.value;
  const report = reportEval(suite, [...records.values()], records.size, threshold);
  const reports = [{ file, skill: suite.skill, report, threshold }];
  print(reports, format, []);
  return exitCode(reports, []);
};

/** Exit 1 only where the second is proven to be worse. */
const compare = (files: readonly string[], values: Values, format: Format): number => {
  if (files.length !== 2)
    return wrongUse('eval compare', 'two journals, please: `lathe eval compare BEFORE.jsonl AFTER.jsonl`');
  const read = readFiles(files);
  if (!read.ok) return wrongUse('eval compare', read.error);
  const [before, after] = read.value as [EvalJournal, EvalJournal];
  if (before.head.suite !== after.head.suite)
    return wrongUse(
      'eval compare',
      `the journals are of different suites: ${before.head.suite} and ${after.head.suite}`,
    );
  const found = suiteIn(textOf(values, 'dir'), after.head.suite);
  if (!found.ok) return wrongUse('eval compare', found.error);
  const comparison = compareRuns(found.value.suite, [...before.records.values()], [...after.records.values()]);
  process.stdout.write(
    format === 'json'
      ? `${JSON.stringify({ comparison: comparisonJson(comparison) }, undefined, 2)}\n`
      : humanComparison(comparison, createPaint(wantsColour(process.stdout))),
  );
  return comparison.overall?.verdict === 'worse' ? 1 : 0;
};

/** A first suite on stdout, to be edited. */
const propose = async (args: readonly string[], values: Values): Promise<number> => {
  const [folder, name, ...more] = args;
  if (folder === undefined || name === undefined || more.length > 0)
    return wrongUse('eval propose', 'a folder and the name of a skill, please: `lathe eval propose DIR SKILL`');
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
      `a session in ${folder} loads no skill “${name}”${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  }
  process.stdout.write(writeTriggers(suite));
  return 0;
};

/** The suites in each skill's `evals` folder, one case for each query and repeat. */
export const evaluate = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, {
    ...FOLDER_OPTIONS,
    ...CONNECTION_OPTIONS,
    dialect: { type: 'string' },
    repeats: { type: 'string' },
    parallel: { type: 'string' },
    limit: { type: 'string' },
    threshold: { type: 'string' },
    shard: { type: 'string' },
    journal: { type: 'string' },
    dir: { type: 'string' },
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
  const wanted = threshold.value ?? DEFAULT_THRESHOLD;
  const [first, ...more] = positionals;
  if (first === 'merge') return merge(more, values, format.value, wanted);
  if (first === 'propose') return propose(more, values);
  if (first === 'compare') return compare(more, values, format.value);
  if (first === undefined || more.length > 0) return wrongUse('eval', 'exactly one folder, please: `lathe eval DIR`');
  if (!isFolder(first)) return wrongUse('eval', `there is no folder ${first}`);
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
  const chosen = readConnection(values, 'simulator');
  if (!chosen.ok) return wrongUse('eval', chosen.error);
  const { provider, model, connection } = chosen.value;

  const { suites, faults } = findSuites(first);
  for (const { file, line, severity, message } of faults)
    say(`${severity}: ${visible(file)}:${line}: ${visible(message)}`);
  if (faults.some(({ severity }) => severity === 'error')) return 2;
  if (suites.length === 0)
    return wrongUse(
      'eval',
      `there is no suite below ${first}. Write one to evals/triggers.yaml in the folder of a skill.`,
    );

  const { log, lines } = collectLog();
  const opened = await openFolder(first, values, log);
  if (!opened.ok) return wrongUse('eval', opened.error);
  const settings = {
    ...NEW_SESSION.settings,
    provider,
    max_output_tokens: MOST_OUTPUT,
    ...(model !== undefined && { model }),
  };
  const plan = await planIn(
    plannedIn(opened.value),
    { ...NEW_SESSION, settings, dialect: dialect.value, padding: 'off' },
    log,
  );
  const terminal = openTerminal({ engine: undefined, log, connection });
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
    say('The simulator picks by word overlap. Its rates say nothing about a model; use --provider for those.');

  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  const journals = resolve(textOf(values, 'journal') ?? join(first, '.lathe', 'evals'));
  const reports: SuiteReport[] = [];
  const ends: RunEnd[] = [];
  for (const { suite, file } of suites) {
    const part = shard.value ? `-${shard.value.index}-of-${shard.value.count}` : '';
    const opening = await openEval(
      { terminal, plan, settings, volatile },
      suite,
      { suite: file, journal: (digest) => join(journals, `${digest}${part}.jsonl`) },
      {
        ...(repeats.value !== undefined && { repeats: repeats.value }),
        ...(shard.value && { shard: shard.value }),
        parallel: parallel.value ?? DEFAULT_PARALLEL,
        ...(limit.value !== undefined && { limitUsd: limit.value }),
        threshold: wanted,
        isFresh: values['fresh'] === true,
        signal: stop.signal,
      },
    );
    if (!opening.ok) return wrongUse('eval', opening.error);
    const { cases, known, usd } = opening.value.estimate;
    say(
      `${visible(file)}: ${plural(cases, 'case')}${known > 0 ? `, ${known} from an earlier run` : ''}; ${usd === undefined ? 'price unknown' : `prompts cost about $${usd.toFixed(4)}`}`,
    );
    const { report, end } = await opening.value.run();
    ends.push(end);
    const stopped = endWords(end);
    reports.push({ file, skill: suite.skill, report, threshold: wanted, ...(stopped !== undefined && { stopped }) });
    if (end.kind !== 'done') break;
  }
  process.removeListener('SIGINT', onInterrupt);
  print(reports, format.value, lines);
  // A part proves nothing; `lathe eval merge` judges the whole.
  return shard.value ? (ends.some(({ kind }) => kind === 'failed') ? 2 : 0) : exitCode(reports, ends);
};
