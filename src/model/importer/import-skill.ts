/**
 * The assembly line: check zero → read → translate → generate → check → sign. Everything after the go is automatic; a sub-command that is
 * refused takes no other with it. The clock, the key, the model and the sandbox come in from outside.
 */
import type { Result } from '../../base/result.ts';
import { compareCodePoints, plural } from '../../base/text.ts';
import { admitFiles, leftOutNote, type LeftOut } from '../files/write-rules.ts';
import { scanSkill } from '../scan/scan-skill.ts';
import type { Alarm, SkillScan } from '../scan/types.ts';
import { digestFiles } from '../signing/digest.ts';
import type { Signer } from '../signing/types.ts';
import { findOverlap, runChecks, type DescriptionJudge } from './checks.ts';
import { executorPython } from './executor-python.ts';
import { declareCapabilities, generateFiles, manifestText } from './generate.ts';
import { plainManifest } from './plain-skill.ts';
import { bindingOf, readSource, type SourceFiles } from './read-source.ts';
import { questionFor } from './routing-words.ts';
import { translate, withSuffix } from './translate.ts';
import type {
  Authorisation,
  CatalogEntry,
  CheckResult,
  DeclaredCapability,
  ExecutorPlan,
  Override,
  ReadSource,
  Rejection,
  Wording,
} from './types.ts';
import { acceptWording, templateWording } from './wording.ts';

/** Asked for wording and for a judgement; an answer that does not come is no failure. */
export interface ImportModel {
  readonly name: string;
  readonly describe: (
    plan: ExecutorPlan,
    skill: string,
  ) => Promise<{ readonly it: string; readonly en: string; readonly affinity: readonly string[] } | undefined>;
  readonly judge: DescriptionJudge;
}

/** Runs the tests of manifests, all at once. */
export type SmokeRunner = (
  executors: readonly {
    readonly name: string;
    readonly manifest: string;
    readonly files: ReadonlyMap<string, Uint8Array>;
  }[],
) => Promise<ReadonlyMap<string, Result<number, string>>>;

export interface ImportDeps {
  /** ISO time to the second. */
  readonly now: () => string;
  readonly signer: Signer;
  readonly model?: ImportModel;
  readonly smoke?: SmokeRunner;
  /** Waited for: a page may want to draw. */
  readonly onStage?: (stage: Stage) => void | Promise<void>;
}

export interface ImportInput extends SourceFiles {
  /** An address, or the name of a folder or an archive. */
  readonly from: string;
  /** Where the source was unpacked: what is gone from it already. */
  readonly leftOut?: readonly LeftOut[];
  readonly catalog?: readonly CatalogEntry[];
  readonly overrides?: readonly Override[];
  readonly authorisation?: Authorisation;
}

export const STAGES = ['scan', 'read', 'translate', 'generate', 'check', 'sign'] as const;
export type StageId = (typeof STAGES)[number];

/** One card: what went in, what came out, what was refused and why. */
export interface Stage {
  readonly id: StageId;
  readonly status: 'done' | 'stopped' | 'failed' | 'skipped';
  readonly input: string;
  readonly output: string;
  readonly refused: readonly Rejection[];
}

export interface AcceptedExecutor {
  readonly name: string;
  readonly plan: ExecutorPlan;
  readonly wording: Wording;
  readonly capabilities: readonly DeclaredCapability[];
  readonly checks: readonly CheckResult[];
  readonly question: string;
}

export interface Layer {
  readonly id: 'L1' | 'L2' | 'L3' | 'L5' | 'L6' | 'guard' | 'audit';
  readonly state: 'active' | 'not run';
  readonly detail: string;
}

export interface ImportAudit {
  readonly ts: string;
  readonly skill: string;
  readonly version: string;
  readonly from: string;
  readonly source_sha256: string;
  readonly plans: number;
  readonly accepted: readonly string[];
  readonly rejected: readonly Rejection[];
  readonly alarms: readonly string[];
  readonly authorisation: Authorisation | null;
}

export interface ImportReport {
  readonly kind: 'executors' | 'plain' | 'stopped' | 'failed';
  readonly skill: string;
  readonly stages: readonly Stage[];
  readonly scan: SkillScan;
  readonly source?: ReadSource;
  readonly plans: readonly ExecutorPlan[];
  readonly accepted: readonly AcceptedExecutor[];
  readonly rejected: readonly Rejection[];
  readonly layers: readonly Layer[];
  /** Below the folder of the skill's executors, or of the plain skill. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly audit: ImportAudit;
  /** What may not be written, and is not in `files`. */
  readonly leftOut: readonly LeftOut[];
  /** Why nothing came of it. */
  readonly problem?: string;
}

const encoder = new TextEncoder();

export const alarmKey = ({ rule, file, line }: Alarm): string => `${rule} ${file}:${line}`;

/** Files that the scripts can reach: all of the skill that is no prose. */
const reachable = (files: ReadonlyMap<string, Uint8Array>): readonly string[] =>
  [...files.keys()].toSorted(compareCodePoints);

const wordingFor = async (plan: ExecutorPlan, skill: string, model: ImportModel | undefined): Promise<Wording> => {
  const given = await model?.describe(plan, skill);
  return (given && acceptWording(given)) ?? templateWording(plan, skill);
};

/** Has passed the checks; the sandbox is still to be asked. */
interface Candidate {
  readonly manifest: string;
  readonly own: ReadonlyMap<string, Uint8Array>;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly accepted: AcceptedExecutor;
}

interface Draft {
  readonly plan: ExecutorPlan;
  readonly wording: Wording;
}

/** An executor that stands too close to another skill's gets its provider's name, once. */
const makeDraft = async (
  plan: ExecutorPlan,
  source: ReadSource,
  catalog: readonly CatalogEntry[],
  model: ImportModel | undefined,
): Promise<Draft> => {
  const wording = await wordingFor(plan, source.name, model);
  const foreign = catalog.filter(({ skill }) => skill !== source.name);
  if (plan.suffix !== undefined || !findOverlap(plan, wording.affinity, foreign)) return { plan, wording };
  const suffixed = withSuffix(plan, bindingOf(source.name));
  return { plan: suffixed, wording: await wordingFor(suffixed, source.name, model) };
};

const layersOf = (deps: ImportDeps, smoked: string): readonly Layer[] => [
  { id: 'L1', state: 'active', detail: 'signature and digest at every load' },
  { id: 'L2', state: 'active', detail: 'overlap with other executors' },
  { id: 'L3', state: 'active', detail: 'unused executors age by the dates in the audit' },
  { id: 'L5', state: deps.smoke ? 'active' : 'not run', detail: smoked },
  {
    id: 'L6',
    state: deps.model ? 'active' : 'not run',
    detail: deps.model
      ? `description and code were compared by ${deps.model.name}`
      : 'no model was asked; declared and found capabilities were compared instead',
  },
  { id: 'guard', state: 'active', detail: 'before every call' },
  { id: 'audit', state: 'active', detail: 'every call, with hashes of its arguments' },
];

/** Of an import that made no executors: what could not run says why. */
const idleLayers = (deps: ImportDeps, isPlain: boolean): readonly Layer[] =>
  layersOf(deps, '').map((layer) =>
    isPlain && layer.id === 'L1'
      ? layer
      : { id: layer.id, state: 'not run', detail: isPlain ? 'a plain skill has no executors' : 'nothing was imported' },
  );

export const importSkill = async (deps: ImportDeps, given: ImportInput): Promise<ImportReport> => {
  const admitted = admitFiles(given.files);
  // Refused files are not read either: a report of them would show what cannot be kept.
  const input: ImportInput = { ...given, files: admitted.ok ? admitted.value.files : new Map() };
  const leftOut = [...(given.leftOut ?? []), ...(admitted.ok ? admitted.value.leftOut : [])];
  const { catalog = [], overrides = [], authorisation } = input;
  const stages: Stage[] = [];
  const tell = async (stage: Stage): Promise<void> => {
    stages.push(stage);
    await deps.onStage?.(stage);
  };
  const at = deps.now();
  const scan = scanSkill({ name: input.name, files: input.files });
  const alarms = scan.alarms.map(alarmKey);
  const isAuthorised =
    authorisation !== undefined && alarms.every((key) => authorisation.alarms.includes(key)) && alarms.length > 0;

  const report = (rest: Partial<ImportReport> & Pick<ImportReport, 'kind'>): ImportReport => {
    const { source, accepted = [], rejected = [], plans = [] } = rest;
    const skill = source?.name ?? input.name;
    return {
      skill,
      stages,
      scan,
      plans,
      accepted,
      rejected,
      leftOut,
      layers: rest.layers ?? idleLayers(deps, rest.kind === 'plain'),
      files: new Map(),
      audit: {
        ts: at,
        skill,
        version: source?.version ?? '',
        from: input.from,
        source_sha256: source?.sourceSha256 ?? '',
        plans: plans.length,
        accepted: accepted.map(({ name }) => name),
        rejected,
        alarms,
        authorisation: authorisation ?? null,
      },
      ...rest,
    };
  };

  if (!admitted.ok) {
    await tell({
      id: 'scan',
      status: 'failed',
      input: plural(given.files.size, 'file'),
      output: 'nothing is written',
      refused: [{ name: input.name, reasons: [admitted.error] }],
    });
    return report({ kind: 'failed', problem: admitted.error });
  }
  const read = readSource(input);
  const note = leftOutNote(leftOut);
  const stopped = alarms.length > 0 && !isAuthorised;
  await tell({
    id: 'scan',
    status: stopped ? 'stopped' : 'done',
    input: plural(input.files.size, 'file'),
    output: `${plural(scan.capabilities.length, 'line')} that can do something, ${plural(alarms.length, 'alarm')}${isAuthorised ? `, let through by ${authorisation.by}` : ''}${note === undefined ? '' : `. ${note}`}`,
    refused: scan.alarms.map(({ rule, message, file, line }) => ({
      name: `${file}:${line}`,
      reasons: [`${message} [${rule}]`],
    })),
  });
  if (stopped)
    return report({
      kind: 'stopped',
      ...(read.ok && { source: read.value }),
      problem: 'Check zero has an alarm. Read the lines; importing past it needs your explicit authorisation.',
    });
  if (!read.ok) {
    await tell({
      id: 'read',
      status: 'failed',
      input: 'SKILL.md',
      output: '',
      refused: [{ name: 'SKILL.md', reasons: [read.error] }],
    });
    return report({ kind: 'failed', problem: read.error });
  }
  const source = read.value;
  await tell({
    id: 'read',
    status: 'done',
    input: `SKILL.md, ${plural(source.sections.length, 'section')}`,
    output: `${source.name} ${source.version}: ${plural(source.subCommands.length, 'sub-command')}, ${plural(source.credentials.length, 'credential')}`,
    refused: source.skippedLines.map(({ line, text, reason }) => ({
      name: `line ${line}: ${text}`,
      reasons: [reason],
    })),
  });
  if (source.subCommands.length === 0) {
    const plain = await plainManifest({
      source,
      files: input.files,
      from: input.from,
      importedAt: at,
      signer: deps.signer,
    });
    await tell({
      id: 'sign',
      status: 'done',
      input: plural(input.files.size, 'file'),
      output: 'a plain skill with a signed digest',
      refused: [],
    });
    return report({ kind: 'plain', source, files: plain });
  }

  const taken = new Set(catalog.filter(({ skill }) => skill !== source.name).map(({ name }) => name));
  const { plans, rejected: untranslated } = translate(source, taken, overrides);
  await tell({
    id: 'translate',
    status: 'done',
    input: plural(source.subCommands.length, 'sub-command'),
    output: plural(plans.length, 'executor'),
    refused: untranslated,
  });

  const scriptFiles = new Set(reachable(input.files).filter((path) => !/\.(?:md|markdown|txt)$/i.test(path)));
  const capabilities = declareCapabilities(
    scan.capabilities.filter(({ file }) => scriptFiles.has(file)),
    source.credentials,
  );
  const { credentials } = source;
  const drafts: Draft[] = [];
  for (const plan of plans) drafts.push(await makeDraft(plan, source, catalog, deps.model));
  const generated = drafts.map(({ plan, wording }) =>
    generateFiles({ plan, source, wording, credentials, capabilities }),
  );
  await tell({
    id: 'generate',
    status: 'done',
    input: plural(plans.length, 'plan'),
    output: `${plural(generated.length, 'executor')}, ${plural(generated.length * 4, 'file')}; wording by ${deps.model ? deps.model.name : 'fixed rules'}`,
    refused: [],
  });

  const accepted: AcceptedExecutor[] = [];
  const candidates: Candidate[] = [];
  const refused: Rejection[] = [];
  const signed = new Map<string, Uint8Array>();
  for (const [path, content] of input.files) signed.set(`source/${path}`, content);
  const sourcePaths = reachable(input.files).map((path) => `source/${path}`);
  const siblings = drafts.map(({ plan, wording }) => ({ name: plan.name, affinity: wording.affinity }));
  for (const executor of generated) {
    const { plan, wording } = executor;
    const question = questionFor(plan, wording.affinity);
    const judged = await deps.model?.judge({
      manifest: `${wording.en}\n${wording.it}`,
      code: scriptText(input.files, plan.source.script) + executorPython(plan, source.name, credentials),
    });
    const checks = runChecks({
      plan,
      source,
      wording,
      credentials,
      scan,
      scriptFiles,
      catalog,
      siblings,
      question,
      isAuthorised,
      ...(judged && { judged }),
    });
    const failure = checks.find(({ status }) => status === 'failed');
    if (failure) {
      refused.push({ name: plan.name, reasons: [`${failure.check}: ${failure.detail}`] });
      continue;
    }
    const own = new Map([...executor.files].map(([path, content]) => [`${plan.name}/${path}`, content] as const));
    const codeFiles = [...own.keys(), ...sourcePaths];
    const files = new Map([...own, ...[...input.files].map(([path, content]) => [`source/${path}`, content] as const)]);
    const digest = digestFiles(files, codeFiles);
    if (digest === undefined) throw new Error(`a file of ${plan.name} is not there`);
    const manifest = manifestText({
      plan,
      source,
      wording,
      credentials,
      capabilities,
      from: input.from,
      importedAt: at,
      codeFiles,
      digest,
    });
    candidates.push({
      manifest,
      own,
      files,
      accepted: { name: plan.name, plan, wording, capabilities, checks, question },
    });
  }
  const smoked =
    candidates.length === 0
      ? undefined
      : await deps.smoke?.(candidates.map(({ manifest, files, accepted: { name } }) => ({ name, manifest, files })));
  for (const { manifest, own, accepted: executor } of candidates) {
    const outcome = smoked?.get(executor.name);
    if (outcome && !outcome.ok) {
      refused.push({ name: executor.name, reasons: [`smoke: ${outcome.error}`] });
      continue;
    }
    for (const [path, content] of own) signed.set(path, content);
    signed.set(`${executor.name}/manifest.toml`, encoder.encode(manifest));
    accepted.push(executor);
  }
  await tell({
    id: 'check',
    status: 'done',
    input: plural(generated.length, 'executor'),
    output: `${accepted.length} passed all checks`,
    refused,
  });

  for (const { name } of accepted) {
    const manifest = signed.get(`${name}/manifest.toml`);
    if (manifest) signed.set(`${name}/manifest.toml.sig`, await deps.signer.sign(manifest));
  }
  await tell({
    id: 'sign',
    status: accepted.length > 0 ? 'done' : 'skipped',
    input: plural(accepted.length, 'manifest'),
    output: accepted.length > 0 ? `${plural(accepted.length, 'signature')}, Ed25519` : 'nothing to sign',
    refused: [],
  });
  const rejected = [...untranslated, ...refused];
  const isEmpty = accepted.length === 0;
  return report({
    kind: isEmpty ? 'failed' : 'executors',
    source,
    plans: drafts.map(({ plan }) => plan),
    accepted,
    rejected,
    layers: layersOf(
      deps,
      deps.smoke
        ? 'the tests of each manifest ran in the sandbox'
        : 'no sandbox was there; import again with one to run the tests',
    ),
    files: isEmpty ? new Map() : signed,
    ...(isEmpty && {
      problem:
        'No sub-command could become an executor. The reasons are on the cards; you can change the translation by hand.',
    }),
  });
};

const scriptText = (files: ReadonlyMap<string, Uint8Array>, path: string): string => {
  const content = files.get(path);
  return content ? `${new TextDecoder().decode(content)}\n` : '';
};

/** What is there already, from manifests that were verified. */
export const toCatalog = (
  manifests: readonly {
    readonly name: string;
    readonly affinity: readonly string[];
    readonly required_credentials?: readonly { readonly binding: string }[];
  }[],
  skill: string,
): readonly CatalogEntry[] =>
  manifests.map(({ name, affinity, required_credentials: needs = [] }) => ({
    name,
    skill,
    affinity,
    bindings: needs.map(({ binding }) => binding),
  }));
