/** What `lathe eval` has measured for a skill: the journals in the folder, with the suites beside the skill. */
import { joinPath } from '../../base/paths.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { FileTree } from '../files/file-tree.ts';
import { reportEval, type EvalReport } from './report.ts';
import { readJournal, type JournalHead } from './run/journal.ts';
import { tallyOf, type RunTally } from './run/tally.ts';
import { readSuite } from './suite/read-suite.ts';
import { MOST_BYTES, type Suite } from './suite/types.ts';

export interface MeasuredRun {
  /** Inside the folder. */
  readonly journal: string;
  readonly suite: string;
  readonly head: JournalHead;
  readonly report: EvalReport;
}

export const JOURNALS = '.lathe/evals';
const MOST_JOURNALS = 200;
/** 10,000 cases, and room. */
const MOST_JOURNAL_BYTES = 32_000_000;
/** As the exit code needs one, and no panel does. */
const NO_THRESHOLD = 0.5;

const textAt = async (tree: FileTree, path: string, most: number): Promise<string | undefined> => {
  const bytes = await tree.read(path, most);
  return bytes && bytes.length <= most ? new TextDecoder().decode(bytes) : undefined;
};

/** The suites beside a skill, by path. */
export const suitesIn = async (tree: FileTree, folder: string): Promise<ReadonlyMap<string, Suite>> => {
  const evals = joinPath(folder, 'evals');
  const entries = (await tree.list(evals)) ?? [];
  const suites = new Map<string, Suite>();
  for (const { name, kind, escapes } of entries) {
    if (kind !== 'file' || escapes === true || !/\.(?:ya?ml|json)$/.test(name)) continue;
    const path = joinPath(evals, name);
    const text = await textAt(tree, path, MOST_BYTES);
    const read = text === undefined ? undefined : readSuite(text, folder.split('/').at(-1));
    if (read?.ok === true) suites.set(path, read.value.suite);
  }
  return suites;
};

/** Of a journal whose command was run in a folder above or below, only the end of the path is the same. */
const isSuite = (path: string, named: string): boolean =>
  path === named || path.endsWith(`/${named}`) || named.endsWith(`/${path}`);

const reportOf = (suite: Suite, tally: RunTally): EvalReport => {
  const asked = new Set(tally.queries);
  const shown = { ...suite, queries: suite.queries.filter(({ id }) => asked.has(id)) };
  return reportEval(shown, tally, tally.runs, NO_THRESHOLD);
};

/** Runs of this skill's suites, the one with the most cases first. `folder`: of the skill. A journal that cannot be read counts for nothing. */
export const measuredRuns = async (tree: FileTree, folder: string): Promise<readonly MeasuredRun[]> => {
  const suites = await suitesIn(tree, folder);
  if (suites.size === 0) return [];
  const names = ((await tree.list(JOURNALS)) ?? [])
    .filter(({ kind, escapes, name }) => kind === 'file' && escapes !== true && name.endsWith('.jsonl'))
    .map(({ name }) => name)
    .toSorted(compareCodePoints)
    .slice(0, MOST_JOURNALS);
  const runs: MeasuredRun[] = [];
  for (const name of names) {
    const path = joinPath(JOURNALS, name);
    const text = await textAt(tree, path, MOST_JOURNAL_BYTES);
    const journal = text === undefined ? undefined : readJournal(text);
    if (journal?.ok !== true || journal.value.records.size === 0) continue;
    const { head } = journal.value;
    const found = [...suites].find(([file]) => isSuite(file, head.suite.replaceAll('\\', '/')));
    if (!found) continue;
    const report = reportOf(found[1], tallyOf(journal.value.records.values()));
    if (report.queries.length > 0) runs.push({ journal: path, suite: found[0], head, report });
  }
  return runs.toSorted((a, b) => b.report.overall.right.runs - a.report.overall.right.runs);
};

/** In one sentence: whose picks these are, and under what. */
export const measuredWords = ({ head }: MeasuredRun): string =>
  `${head.provider === 'simulator' ? `The simulator by word overlap${head.noise === undefined ? '' : ' with seeded noise'}, not a model` : `${head.model} (${head.provider})`}; listing ${head.listing}${head.shard ? `; part ${head.shard.index} of ${head.shard.count}` : ''}`;
