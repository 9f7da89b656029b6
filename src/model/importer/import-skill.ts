/**
 * The assembly line: check zero → read → translate → generate → check → sign. Everything after the go is automatic; a sub-command that is
 * refused takes no other with it. The clock, the key, the model and the sandbox come in from outside.
 */
import { compareCodePoints, plural } from '../../base/text.ts';
import { admitFiles, leftOutNote } from '../files/write-rules.ts';
import { scanSkill } from '../scan/scan-skill.ts';
import { unfinishedScan } from '../scan/unfinished.ts';
import { checkExecutors } from './check-executors.ts';
import { findOverlap } from './checks.ts';
import { descriptionMark, scriptMark } from './content-marks.ts';
import { declareCapabilities, generateFiles } from './generate.ts';
import {
  alarmKey,
  type AcceptedExecutor,
  type ImportDeps,
  type ImportInput,
  type ImportModel,
  type ImportReport,
  type Stage,
} from './import-report.ts';
import { findTakeover, identityWords, originOf, type SkillIdentity } from './identity.ts';
import { idleLayers, layersOf } from './layers.ts';
import { plainManifest } from './plain-skill.ts';
import { bindingOf, readSource } from './read-source.ts';
import { credentialsOf } from './source-credentials.ts';
import { reachedFiles } from './runs-here.ts';
import { translate, withSuffix } from './translate.ts';
import type { CatalogEntry, ExecutorPlan, ReadSource, Rejection, Wording } from './types.ts';
import { acceptWording, templateWording } from './wording.ts';

/** Files that the scripts can reach: all of the skill that is no prose. */
const reachable = (files: ReadonlyMap<string, Uint8Array>): readonly string[] =>
  [...files.keys()].toSorted(compareCodePoints);

const wordingFor = async (plan: ExecutorPlan, skill: string, model: ImportModel | undefined): Promise<Wording> => {
  const given = await model?.describe(plan, skill);
  return (given && acceptWording(given)) ?? templateWording(plan, skill);
};

/** “Runs here: 2 of 5”: the others are signed as well, and say at every call what they lack. */
const runsHereWords = (accepted: readonly Pick<AcceptedExecutor, 'notHere'>[]): string =>
  accepted.length === 0
    ? ''
    : `Runs here: ${accepted.filter(({ notHere }) => notHere.length === 0).length} of ${accepted.length}.`;

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
  if (plan.suffix !== undefined || !findOverlap(plan, wording.affinity, catalog)) return { plan, wording };
  const suffixed = withSuffix(plan, bindingOf(source.name));
  return { plan: suffixed, wording: await wordingFor(suffixed, source.name, model) };
};

export const importSkill = async (deps: ImportDeps, given: ImportInput): Promise<ImportReport> => {
  const admitted = admitFiles(given.files);
  // Refused files are not read either: a report of them would show what cannot be kept.
  const input: ImportInput = { ...given, files: admitted.ok ? admitted.value.files : new Map() };
  const leftOut = [...(given.leftOut ?? []), ...(admitted.ok ? admitted.value.leftOut : [])];
  const { overrides = [], authorisation } = input;
  const stages: Stage[] = [];
  const tell = async (stage: Stage): Promise<void> => {
    stages.push(stage);
    await deps.onStage?.(stage);
  };
  const at = deps.now();
  const toScan = { name: input.name, files: input.files };
  const scan = deps.scan ? ((await deps.scan(toScan)) ?? unfinishedScan(toScan)) : scanSkill(toScan);
  const alarms = scan.alarms.map(alarmKey);
  const isAuthorised =
    authorisation !== undefined && alarms.every((key) => authorisation.alarms.includes(key)) && alarms.length > 0;

  let replaced: ImportReport['audit']['replaced'];
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
        ...(replaced && { replaced }),
      },
      ...rest,
    };
  };

  if (!admitted.ok) {
    await tell({
      id: 'scan',
      status: 'failed',
      input: plural(given.files.size, 'file'),
      output: 'nothing was written',
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
    output: `${plural(scan.capabilities.length, 'line')} that can do something, ${plural(alarms.length, 'alarm')}${isAuthorised ? `, approved by ${authorisation.by}` : ''}${note === undefined ? '' : `. ${note}`}`,
    refused: scan.alarms.map(({ rule, message, file, line }) => ({
      name: `${file}:${line}`,
      reasons: [`${message} [${rule}]`],
    })),
  });
  if (stopped)
    return report({
      kind: 'stopped',
      ...(read.ok && { source: read.value }),
      problem: 'Check zero raised an alarm. Read the lines. Importing anyway needs your explicit approval.',
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
  // What has the name now is replaced, in whatever letters: it is no other skill.
  const ownName = source.name.toLowerCase();
  const catalog = (input.catalog ?? []).filter(({ skill }) => skill.toLowerCase() !== ownName);
  await tell({
    id: 'read',
    status: 'done',
    input: `SKILL.md, ${plural(source.sections.length, 'section')}`,
    output: `${source.name} ${source.version}: ${plural(source.subCommands.length, 'sub-command')}, ${plural(source.credentials.length, 'credential')}`,
    refused: source.skippedLines.map(({ line, page, text, reason }) => ({
      name: line === 0 ? text : `${page === undefined ? 'line ' : `${page}:`}${line}: ${text}`,
      reasons: [reason],
    })),
  });
  const identity: SkillIdentity = {
    name: source.name,
    author: source.author,
    origin: originOf(input.from, input.files) ?? '',
  };
  const takeover = findTakeover(identity, input.files, (await deps.installed?.(source.name)) ?? []);
  const { replacement } = input;
  const isAgreed = replacement !== undefined && (replacement.key === undefined || replacement.key === takeover?.key);
  if (takeover && !isAgreed) {
    await tell({
      id: 'translate',
      status: 'stopped',
      input: source.name,
      output: 'another skill has this name',
      refused: [
        { name: 'installed', reasons: [identityWords(takeover.installed)] },
        { name: 'incoming', reasons: [identityWords(takeover.incoming)] },
      ],
    });
    return report({
      kind: 'question',
      source,
      takeover,
      problem: `Another skill is already called ${source.name}. Installed: ${identityWords(takeover.installed)}. Incoming: ${identityWords(takeover.incoming)}. Lathe replaces it only if you agree.`,
    });
  }
  if (takeover && replacement)
    replaced = {
      by: replacement.by,
      at: replacement.at,
      installed: identityWords(takeover.installed),
      incoming: identityWords(takeover.incoming),
    };
  if (source.subCommands.length === 0 || input.asPlain === true) {
    const plain = await plainManifest({
      source,
      files: input.files,
      from: input.from,
      origin: identity.origin,
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

  const taken = new Set(catalog.map(({ name }) => name));
  const { plans, rejected: untranslated } = translate(source, taken, overrides);
  await tell({
    id: 'translate',
    status: 'done',
    input: plural(source.subCommands.length, 'sub-command'),
    output: plural(plans.length, 'executor'),
    refused: untranslated,
  });

  const scriptFiles = new Set(reachable(input.files).filter((path) => !/\.(?:md|markdown|txt)$/i.test(path)));
  const codeOf = (paths: ReadonlySet<string>): string =>
    [...paths].map((path) => new TextDecoder().decode(input.files.get(path))).join('\n');
  const needsOf = (paths: ReadonlySet<string>): ReadSource['credentials'] =>
    credentialsOf(
      source,
      scan.capabilities.filter(({ file }) => paths.has(file)),
      codeOf(paths),
    );
  const credentials = needsOf(new Set([...scriptFiles].filter((path) => path.endsWith('.py'))));
  /** An executor declares what its own script can reach, not what another script of the skill does. */
  const needOf = ({ source: { script } }: ExecutorPlan) => {
    const reached = script.endsWith('.py') ? reachedFiles(script, input.files) : scriptFiles;
    // One form for the skill: who needs some of what the code reads is asked for all of it.
    const own = needsOf(reached) === source.credentials ? source.credentials : credentials;
    const capabilities = declareCapabilities(
      scan.capabilities.filter(({ file }) => reached.has(file)),
      own,
    );
    return { credentials: own, capabilities };
  };
  const drafts: Draft[] = [];
  const crowded: Rejection[] = [];
  for (const plan of plans) {
    const draft = await makeDraft(plan, source, catalog, deps.model);
    // A suffix can be what another one has as its qualifier: one folder, one executor.
    if (drafts.some((other) => other.plan.name === draft.plan.name))
      crowded.push({
        name: `${plan.source.domain} ${plan.source.action}`,
        reasons: [`name collision with ${draft.plan.name} of the same skill`],
      });
    else drafts.push(draft);
  }
  const generated = drafts.map(({ plan, wording }) => generateFiles({ plan, source, wording, ...needOf(plan) }));
  await tell({
    id: 'generate',
    status: 'done',
    input: plural(plans.length, 'plan'),
    output: `${plural(generated.length, 'executor')}, ${plural(generated.length * 4, 'file')}; wording by ${deps.model ? deps.model.name : 'fixed rules'}`,
    refused: crowded,
  });

  const checked = await checkExecutors(deps, {
    generated,
    source,
    scan,
    scriptFiles,
    catalog,
    isAuthorised,
    files: input.files,
    from: input.from,
    origin: identity.origin,
    importedAt: at,
  });
  const { accepted, refused } = checked;
  const signed = new Map(checked.files);
  await tell({
    id: 'check',
    status: 'done',
    input: plural(generated.length, 'executor'),
    output: `${accepted.length} passed all checks. ${runsHereWords(accepted)}`.trim(),
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
  const rejected = [...untranslated, ...crowded, ...refused];
  const isEmpty = accepted.length === 0;
  return report({
    kind: isEmpty ? 'failed' : 'executors',
    source: { ...source, credentials },
    plans: drafts.map(({ plan }) => plan),
    accepted,
    rejected,
    layers: layersOf(
      deps,
      deps.smoke
        ? 'the tests of each manifest ran in the sandbox'
        : 'no sandbox was available; import again with one to run the tests',
    ),
    files: isEmpty ? new Map() : signed,
    ...(isEmpty && {
      problem:
        'No subcommand could become an executor. The cards explain why. Edit the translation by hand, or install it as a plain skill.',
    }),
  });
};

/** What is there already, from manifests that were verified. */
export const toCatalog = (
  executors: readonly {
    readonly manifest: {
      readonly name: string;
      readonly affinity: readonly string[];
      readonly required_credentials?: readonly { readonly binding: string }[];
      readonly provenance: { readonly source_script: string };
    };
    /** As they lie in the folder of the skill's executors. */
    readonly files: ReadonlyMap<string, Uint8Array>;
  }[],
  skill: string,
): readonly CatalogEntry[] =>
  executors.map(({ manifest: { name, affinity, required_credentials: needs = [], provenance }, files }) => {
    const script = scriptMark(files.get(`source/${provenance.source_script}`));
    const read = readSource({
      name: skill,
      files: new Map([['SKILL.md', files.get('source/SKILL.md') ?? new Uint8Array()]]),
    });
    const description = read.ok ? descriptionMark(read.value.description) : undefined;
    return {
      name,
      skill,
      affinity,
      bindings: needs.map(({ binding }) => binding),
      ...(script !== undefined && { scriptMark: script }),
      ...(description !== undefined && { descriptionMark: description }),
    };
  });
