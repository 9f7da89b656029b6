/** Check: seven, in order; the first that fails ends an executor, and only that one. */
import type { Capability, SkillScan } from '../scan/types.ts';
import { schemaFaults } from '../tool/json-schema.ts';
import { descriptionMark, isSameDescription, isSameScript, type ScriptMark } from './content-marks.ts';
import { inputSchemaOf } from './input-schema.ts';
import { routeByWords } from './routing-words.ts';
import type { CatalogEntry, CheckId, CheckResult, CredentialNeed, ExecutorPlan, ReadSource, Wording } from './types.ts';
import { CHECKS } from './types.ts';
import { readName } from './vocabulary.ts';

const OVERLAP_LIMIT = 0.5;
const SUFFIXED_OVERLAP_LIMIT = 0.85;

/** Shared words over all words; nothing in common if one has none. */
export const jaccard = (a: readonly string[], b: readonly string[]): number => {
  const left = new Set(a.map((word) => word.toLowerCase()));
  const right = new Set(b.map((word) => word.toLowerCase()));
  if (left.size === 0 || right.size === 0) return 0;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared);
};

export interface Overlap {
  readonly with: string;
  readonly score: number;
  readonly shared: readonly string[];
}

/** The worst overlap with what is there already; nothing below the limit. */
export const findOverlap = (
  plan: ExecutorPlan,
  affinity: readonly string[],
  catalog: readonly CatalogEntry[],
): Overlap | undefined => {
  const limit = plan.suffix === undefined ? OVERLAP_LIMIT : SUFFIXED_OVERLAP_LIMIT;
  return catalog
    .map((entry) => ({
      with: entry.name,
      score: entry.name === plan.name ? 1 : jaccard(affinity, entry.affinity),
      shared: affinity.filter((word) => entry.affinity.includes(word)),
    }))
    .filter(({ score }) => score >= limit)
    .toSorted((a, b) => b.score - a.score)[0];
};

export interface DescriptionJudge {
  (input: {
    readonly manifest: string;
    readonly code: string;
  }): Promise<{ readonly aligned: boolean; readonly mismatch: string } | undefined>;
}

export interface CheckInput {
  readonly plan: ExecutorPlan;
  readonly source: ReadSource;
  readonly wording: Wording;
  readonly credentials: readonly CredentialNeed[];
  readonly scan: SkillScan;
  /** Files that the executor's script can reach. */
  readonly scriptFiles: ReadonlySet<string>;
  /** Executors of other skills. */
  readonly catalog: readonly CatalogEntry[];
  /** The others of the same skill. */
  readonly siblings: readonly { readonly name: string; readonly affinity: readonly string[] }[];
  readonly questions: readonly string[];
  /** Of the script that it runs, and of those that it may run. */
  readonly scriptMarks: readonly ScriptMark[];
  readonly isAuthorised: boolean;
  /** Of a model that was asked; absent where none exists. */
  readonly judged?: { readonly aligned: boolean; readonly mismatch: string };
}

const hostsIn = (found: readonly Capability[]): readonly { readonly host: string; readonly at: Capability }[] =>
  found
    .filter(({ kind }) => kind === 'network')
    .flatMap((at) => {
      const host = /\s([\w-]+(?:\.[\w-]+)+)$/.exec(at.detail)?.[1];
      return host === undefined ? [] : [{ host, at }];
    });

const where = ({ file, line }: Capability): string => `${file}:${line}`;

/** What the scripts do and the skill does not say. */
const undeclared = ({ source, scan, scriptFiles }: CheckInput): readonly string[] => {
  const found = scan.capabilities.filter(({ file }) => scriptFiles.has(file));
  const text = source.declared.text.toLowerCase();
  const names = (word: string): boolean => text.includes(word.toLowerCase());
  /** `api.copper.com` of a skill that speaks of Copper. */
  const isNamed = (host: string): boolean => {
    const label = host.split('.').at(-2) ?? '';
    return label.length > 3 && new RegExp(String.raw`\b${label}\b`).test(text);
  };
  const hosts = hostsIn(found)
    .filter(({ host }) => !names(host) && !names(host.split('.').slice(-2).join('.')) && !isNamed(host))
    .map(({ host, at }) => `${where(at)} talks to ${host}, which SKILL.md does not mention`);
  const silent = found.filter(
    ({ kind, detail }) =>
      kind === 'network' && !/\.\w+$/.test(detail) && !/\b(?:network|internet|online|api|https?)\b/.test(text),
  );
  const nets = silent.slice(0, 1).map((at) => `${where(at)} uses the network, which SKILL.md does not mention`);
  const programs = found
    .filter(({ kind }) => kind === 'processes')
    .filter(({ detail }) => {
      const program = detail.split(' ').at(-1) ?? '';
      return !names(program) && !source.declared.tools.some((tool) => /^bash/i.test(tool));
    })
    .slice(0, 1)
    .map((at) => `${where(at)} starts ${at.detail}, which SKILL.md does not mention`);
  const all = found.filter(({ kind, detail }) => kind === 'environment' && detail === 'all variables');
  const environment = all.slice(0, 1).map((at) => `${where(at)} reads all environment variables`);
  return [...hosts, ...nets, ...programs, ...environment];
};

const passed = (check: CheckId, detail: string): CheckResult => ({ check, status: 'passed', detail });
const failed = (check: CheckId, detail: string): CheckResult => ({ check, status: 'failed', detail });

const RUN: Readonly<Record<CheckId, (input: CheckInput) => CheckResult>> = {
  name: ({ plan, source }) => {
    const read = readName(plan.name, plan.suffix ?? source.name);
    return read.ok ? passed('name', `${read.parts.verb} + ${read.parts.object}`) : failed('name', read.reason);
  },
  contract: ({ plan }) => {
    const names = plan.args.map(({ name }) => name);
    const bad = names.find((name) => !/^[a-z][a-z0-9_]*$/.test(name));
    if (bad !== undefined) return failed('contract', `“${bad}” isn’t a valid argument name`);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) return failed('contract', `there are two arguments ${twice}`);
    const lost = plan.requiresOneOf.flat().find((name) => !names.includes(name));
    if (lost !== undefined) return failed('contract', `${lost} is required but isn’t an argument`);
    const faults = schemaFaults(inputSchemaOf(plan));
    return faults.length === 0
      ? passed('contract', `${names.length} arguments, gives ${plan.output}`)
      : failed('contract', faults.join('; '));
  },
  capabilities: ({ plan, scan, scriptFiles, isAuthorised }) => {
    if (!scriptFiles.has(plan.source.script))
      return failed('capabilities', `the script ${plan.source.script} is not in the skill`);
    if (!plan.source.script.endsWith('.py'))
      return failed('capabilities', `${plan.source.script} isn’t Python, and executors run in the Python sandbox`);
    const persistent = scan.capabilities.find(({ kind, file }) => kind === 'persistence' && scriptFiles.has(file));
    if (persistent && !isAuthorised)
      return failed('capabilities', `${where(persistent)} persists after the call: ${persistent.detail}`);
    const kinds = [...new Set(scan.capabilities.filter(({ file }) => scriptFiles.has(file)).map(({ kind }) => kind))];
    return passed('capabilities', kinds.length === 0 ? 'computation only' : kinds.join(', '));
  },
  credentials: ({ credentials, catalog }) => {
    const taken = credentials.find(({ binding }) => catalog.some((entry) => entry.bindings.includes(binding)));
    if (taken) return failed('credentials', `another skill uses the credential name ${taken.binding}`);
    return passed(
      'credentials',
      credentials.length === 0 ? 'none needed' : credentials.map(({ binding }) => binding).join(', '),
    );
  },
  overlap: ({ plan, wording, catalog, source, scriptMarks }) => {
    // The suffix rewrites the words, so content is compared by what it is.
    const sameScript = catalog.find((entry) => scriptMarks.some((own) => isSameScript(own, entry.scriptMark)));
    if (sameScript) return failed('overlap', `the same script as ${sameScript.name} of ${sameScript.skill}`);
    const mark = descriptionMark(source.description);
    const sameText = catalog.find((entry) => isSameDescription(mark, entry.descriptionMark));
    if (sameText) return failed('overlap', `the same description as the skill ${sameText.skill}`);
    const found = findOverlap(plan, wording.affinity, catalog);
    return found
      ? failed(
          'overlap',
          `too close to ${found.with} (${found.score.toFixed(3)}): ${found.shared.slice(0, 4).join(', ')}`,
        )
      : passed('overlap', `nothing at ${plan.suffix === undefined ? OVERLAP_LIMIT : SUFFIXED_OVERLAP_LIMIT} or above`);
  },
  'description-code': (input) => {
    const { judged } = input;
    if (judged && !judged.aligned)
      return failed('description-code', `the description does not fit the code: ${judged.mismatch}`);
    const differences = input.isAuthorised ? [] : undeclared(input);
    const [first] = differences;
    if (first !== undefined) return failed('description-code', first);
    if (judged) return passed('description-code', 'a model confirmed that they match');
    return {
      check: 'description-code',
      status: 'not run',
      detail: 'no model was asked; Lathe compared the scripts with SKILL.md, and they match',
    };
  },
  routing: ({ plan, wording, siblings, catalog, questions }) => {
    const others = [...siblings, ...catalog].filter(({ name }) => name !== plan.name);
    const asked = questions.map((question) => ({
      question,
      picked: routeByWords(question, [{ name: plan.name, affinity: wording.affinity }, ...others]),
    }));
    const wrong = asked.find(({ picked }) => picked !== plan.name);
    return wrong
      ? failed('routing', `“${wrong.question}” would go to ${wrong.picked ?? 'no executor'}`)
      : passed('routing', questions.map((question) => `“${question}”`).join(' '));
  },
};

export const runChecks = (input: CheckInput): readonly CheckResult[] => {
  const results: CheckResult[] = [];
  let isOver = false;
  for (const check of CHECKS) {
    if (isOver) {
      results.push({ check, status: 'not run', detail: 'an earlier check failed' });
      continue;
    }
    const result = RUN[check](input);
    results.push(result);
    isOver = result.status === 'failed';
  }
  return results;
};
