/** Generate: the files of one executor, from fixed templates. The same input gives the same bytes. */
import type { Capability } from '../scan/types.ts';
import { executorPython } from './executor-python.ts';
import { tomlTable } from './toml-text.ts';
import type {
  CredentialNeed,
  DeclaredCapability,
  ExecutorArgument,
  ExecutorPlan,
  GeneratedExecutor,
  ReadSource,
  Wording,
} from './types.ts';
import { isSafeVerb } from './vocabulary.ts';

export const IMPORTER_VERSION = '1.0.0';
const MANIFEST_FORMAT = '1.0';
const EXECUTOR_STANDARD = 'lathe.executor/1.0';
const TIMEOUT_SECONDS = 60;
const OUTPUT_BYTES = 262_144;

const encoder = new TextEncoder();

const JSON_TYPES: Readonly<Record<ExecutorArgument['type'], string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  date: 'string',
  datetime: 'string',
};

/** What the executor declares, from what check zero found in the scripts. */
export const declareCapabilities = (
  found: readonly Capability[],
  credentials: readonly CredentialNeed[],
): readonly DeclaredCapability[] => {
  const hosts = [
    ...new Set(
      found
        .filter(({ kind }) => kind === 'network')
        .flatMap(({ detail }) => /\s([\w.-]+\.\w+)$/.exec(detail)?.[1] ?? []),
    ),
  ].toSorted();
  const kinds = new Set(found.map(({ kind }) => kind));
  return [
    { name: 'files:own', hint: "the executor's own folder" },
    ...(kinds.has('files') ? [{ name: 'files:scratch', hint: 'a temporary folder' }] : []),
    ...(kinds.has('environment') || credentials.length > 0
      ? [{ name: 'environment:credentials', hint: credentials.map(({ binding }) => binding).join(', ') }]
      : []),
    ...(kinds.has('network') ? [{ name: 'network:http', hint: hosts.join(', ') }] : []),
    ...(kinds.has('processes') ? [{ name: 'processes:run', hint: '' }] : []),
  ];
};

const argumentTables = (args: readonly ExecutorArgument[]): string[] =>
  args.flatMap((arg) => [
    tomlTable(`[args.properties.${arg.name}]`, {
      type: JSON_TYPES[arg.type],
      ...(arg.type === 'date' && { format: 'date' }),
      ...(arg.type === 'datetime' && { format: 'date-time' }),
      ...(arg.type === 'array' && { items: arg.name === 'entries' ? 'object' : 'string' }),
      ...(arg.choices && { enum: arg.choices }),
      ...(arg.default !== undefined && { default: arg.default }),
    }),
    tomlTable(`[args.properties.${arg.name}.description]`, { it: arg.description.it, en: arg.description.en }),
  ]);

interface SmokeTest {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

const smokeTests = (plan: ExecutorPlan, credentials: readonly CredentialNeed[]): readonly SmokeTest[] => {
  const required = plan.args.filter(({ required: isNeeded }) => isNeeded);
  const sample = (arg: ExecutorArgument): unknown => {
    if (arg.choices) return arg.choices[0];
    const samples: Readonly<Record<ExecutorArgument['type'], unknown>> = {
      string: 'sample',
      integer: 1,
      number: 1,
      boolean: true,
      array: ['sample'],
      date: '2026-01-31',
      datetime: '2026-01-31T09:00:00+00:00',
    };
    return samples[arg.type];
  };
  const valid = Object.fromEntries([
    ...required.map((arg) => [arg.name, sample(arg)] as const),
    ...plan.requiresOneOf.map((group) => [group[0] ?? '', 'sample'] as const),
  ]);
  return [
    {
      name: 'rejects_unknown_args',
      input: { ...valid, '#unknown': 1 },
      expect: { ok: false, error_class: 'invalid_args' },
    },
    ...(required.length > 0 || plan.requiresOneOf.length > 0
      ? [{ name: 'rejects_missing_args', input: {}, expect: { ok: false, error_class: 'invalid_args' } }]
      : []),
    ...(credentials.length > 0
      ? [{ name: 'asks_for_credentials', input: valid, expect: { ok: true, decision: 'needs_inputs' } }]
      : []),
  ];
};

/** Everything but the bytes that are known only at the end: `digest` is filled in by signing. */
export interface ManifestInput {
  readonly plan: ExecutorPlan;
  readonly source: ReadSource;
  readonly wording: Wording;
  readonly credentials: readonly CredentialNeed[];
  readonly capabilities: readonly DeclaredCapability[];
  /** Where it was imported from. */
  readonly from: string;
  /** Of the skill's identity. */
  readonly origin: string;
  /** ISO time, to the second. */
  readonly importedAt: string;
  /** In the executor's folder, in the order of the digest. */
  readonly codeFiles: readonly string[];
  readonly digest: string;
}

const outputSchema = (plan: ExecutorPlan): string =>
  JSON.stringify({
    type: 'object',
    required: ['ok', plan.output],
    properties: { ok: { type: 'boolean' }, [plan.output]: { type: 'array' }, error_class: { type: 'string' } },
  });

export const manifestText = (input: ManifestInput): string => {
  const { plan, source, wording, credentials, capabilities } = input;
  return `${[
    tomlTable('', {
      manifest_format: MANIFEST_FORMAT,
      executor_standard: EXECUTOR_STANDARD,
      name: plan.name,
      version: '0.1.0',
      author: source.author,
      affinity: wording.affinity,
      revertible: plan.reverse !== undefined,
      reverse_pattern: plan.reverse,
    }),
    tomlTable('[execution]', {
      effect: isSafeVerb(plan.verb) ? 'read' : 'change',
      runtime: 'python',
      entry: `${plan.name}/${plan.name}.py`,
      timeout_seconds: TIMEOUT_SECONDS,
    }),
    tomlTable('[description]', { it: wording.it, en: wording.en }),
    tomlTable('[code]', { files: input.codeFiles, digest: input.digest }),
    tomlTable('[args]', {
      type: 'object',
      required: plan.args.filter(({ required }) => required).map(({ name }) => name),
      requires_one_of: plan.requiresOneOf.length > 0 ? plan.requiresOneOf.map((group) => group.join('|')) : undefined,
    }),
    ...argumentTables(plan.args),
    tomlTable('[output]', { kind: plan.output, record_kind: plan.recordKind, schema_inline: outputSchema(plan) }),
    ...(plan.output === 'entries'
      ? [tomlTable('[presentation]', { form: 'table', max_rows: 200, max_chars: 16_000 })]
      : []),
    ...capabilities.map(({ name, hint }) => tomlTable('[[capabilities]]', { name, hint })),
    ...credentials.map(({ binding, fields }) =>
      tomlTable('[[required_credentials]]', {
        binding,
        fields: fields.map(({ name }) => name),
        kinds: fields.map(({ kind }) => kind),
        prompts: fields.map(({ prompt }) => prompt),
      }),
    ),
    tomlTable('[provenance]', {
      synthesized: true,
      imported_from: input.from,
      source_identity: input.origin,
      source_version: source.version,
      source_subcommand: `${plan.source.domain} ${plan.source.action}`,
      source_script: plan.source.script,
      imported_at: input.importedAt,
      source_sha256: source.sourceSha256,
      importer_version: IMPORTER_VERSION,
    }),
    ...smokeTests(plan, credentials).map(({ name, input: given, expect }) =>
      tomlTable('[[tests]]', { name, input: JSON.stringify(given), expect: JSON.stringify(expect) }),
    ),
  ].join('\n\n')}\n`;
};

const languageState = (wording: Wording): string =>
  `${JSON.stringify({ version: 1, languages: { it: { state: wording.by }, en: { state: wording.by } } }, undefined, 2)}\n`;

/** What the sandbox lets the executor do. Nothing in it can be widened by the executor. */
const fenceProfile = (plan: ExecutorPlan, capabilities: readonly DeclaredCapability[]): string => {
  const names = new Set(capabilities.map(({ name }) => name));
  return `${JSON.stringify(
    {
      version: 1,
      executor: plan.name,
      runtime: 'python',
      network: false,
      processes: false,
      files: { own: 'read', scratch: names.has('files:scratch'), workspace: 'none' },
      credentials: names.has('environment:credentials'),
      timeout_seconds: TIMEOUT_SECONDS,
      output_bytes: OUTPUT_BYTES,
    },
    undefined,
    2,
  )}\n`;
};

export interface GenerateInput {
  readonly plan: ExecutorPlan;
  readonly source: ReadSource;
  readonly wording: Wording;
  readonly credentials: readonly CredentialNeed[];
  readonly capabilities: readonly DeclaredCapability[];
}

/** The files of the executor's folder, without the manifest and the skill's own files. */
export const generateFiles = ({
  plan,
  source,
  wording,
  credentials,
  capabilities,
}: GenerateInput): GeneratedExecutor => ({
  plan,
  wording,
  capabilities,
  credentials,
  files: new Map([
    [`${plan.name}.py`, encoder.encode(executorPython(plan, source.name, credentials))],
    ['manifest.lang_state.json', encoder.encode(languageState(wording))],
    ['fence.json', encoder.encode(fenceProfile(plan, capabilities))],
  ]),
});
