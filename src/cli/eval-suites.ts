/** Suites on disk: every known file in an `evals` folder below a folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readSuite } from '../model/evals/suite/read-suite.ts';
import type { ReadSuite, SuiteFault } from '../model/evals/suite/types.ts';

const SUITE_FILES: ReadonlySet<string> = new Set([
  'triggers.yaml',
  'triggers.yml',
  'eval_queries.json',
  'trigger_eval.json',
  'trigger-eval.json',
  'trigger_evals.json',
  'trigger-evals.json',
  'trigger_tests.yaml',
  'evals.json',
  'promptfooconfig.yaml',
  'promptfooconfig.yml',
  'promptfooconfig.json',
]);

const findSuiteFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return basename(folder) === 'evals' && SUITE_FILES.has(entry.name) ? [path] : [];
      return entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules' ? findSuiteFiles(path) : [];
    });

export interface SuiteFile extends ReadSuite {
  /** Below the folder that was named. */
  readonly file: string;
}

export interface FoundSuites {
  readonly suites: readonly SuiteFile[];
  readonly faults: readonly (SuiteFault & { readonly file: string })[];
}

/** The skill of a suite is the folder that its `evals` folder is in, if that is a skill. */
export const findSuites = (folder: string): FoundSuites => {
  const suites: SuiteFile[] = [];
  const faults: (SuiteFault & { readonly file: string })[] = [];
  for (const path of findSuiteFiles(folder)) {
    const file = relative(folder, path).split(sep).join('/');
    const skillFolder = dirname(dirname(resolve(path)));
    const isSkill = existsSync(join(skillFolder, 'SKILL.md'));
    const read = readSuite(readFileSync(path, 'utf8'), isSkill ? basename(skillFolder) : undefined);
    if (read.ok) suites.push({ ...read.value, file });
    for (const fault of read.ok ? read.value.warnings : read.error) faults.push({ ...fault, file });
  }
  return { suites, faults };
};
