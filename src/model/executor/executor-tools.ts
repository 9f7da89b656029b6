/**
 * Accepted executors as tools of a session. One call: guard → declared capabilities → run in the sandbox → a form if credentials are missing
 * or expired, and once more → values of the vault masked → audit. The executors of a session are fixed when it starts (D36).
 */
import { type Json, isObject } from '../../base/json.ts';
import type { FileTree } from '../files/file-tree.ts';
import { sortedJson } from '../tool/canonical-json.ts';
import type { Tool, ToolContext, ToolOutput } from '../tool/types.ts';
import { argsHash, type AuditEntry } from './audit.ts';
import { isSafeVerb, isVerb } from '../importer/vocabulary.ts';
import { identityWords } from '../importer/identity.ts';
import { credentialOwner } from './credential-owner.ts';
import { createGuard, type Judge } from './guard.ts';
import { executorIdentity } from './installed-skills.ts';
import type { LoadedExecutor, ReadyExecutor } from './load-executors.ts';
import { namedFiles } from './named-files.ts';
import { failure, requestedForm, runExecutor, type RequestedForm, type ResultObject } from './run-executor.ts';
import { maskValues, secretsIn } from './secrets.ts';
import type { AskInputs, CredentialStore, CredentialValues, InputForm, PythonRunner } from './types.ts';

export interface ExecutorToolsDeps {
  readonly run: PythonRunner;
  readonly credentials: CredentialStore;
  /** Absent: nobody is there to fill in a form. */
  readonly askInputs?: AskInputs;
  readonly judge?: Judge;
  readonly audit: (entry: AuditEntry) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The open folder, to read from: a program gets copies of what its arguments name. */
  readonly folder?: FileTree;
  /** What the person asked for last. */
  readonly intent?: () => string;
}

const encoder = new TextEncoder();

const schemaOf = ({ manifest }: ReadyExecutor): Json => {
  const { required, properties = {} } = manifest.args;
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, { description, items, ...rest }]) => [
        name,
        { ...rest, description: description.en, ...(items !== undefined && { items: { type: items } }) },
      ]),
    ),
    required,
    additionalProperties: false,
  };
};

const oneOfWords = ({ manifest }: ReadyExecutor): string => {
  const groups = manifest.args.requires_one_of ?? [];
  return groups.length === 0
    ? ''
    : ` One of these is needed: ${groups.map((group) => group.split('|').join(', ')).join('; ')}.`;
};

/** Capabilities that no executor has in this version. */
const missingCapability = ({ manifest }: ReadyExecutor): string | undefined => {
  const network = manifest.capabilities?.find(({ name }) => name.startsWith('network:'));
  if (network)
    return `it needs the network${network.hint === '' ? '' : ` (${network.hint})`}, and executors don’t have network access in this version`;
  const processes = manifest.capabilities?.find(({ name }) => name.startsWith('processes:'));
  return processes ? 'it starts other programs, which executors can’t do in this version' : undefined;
};

const bindingsOf = ({ manifest }: ReadyExecutor): readonly string[] =>
  (manifest.required_credentials ?? []).map(({ binding }) => binding);

const createExecutorTool = (executor: ReadyExecutor, deps: ExecutorToolsDeps): Tool => {
  const { manifest } = executor;
  const { kind } = manifest.output;
  const guard = createGuard(deps.judge);
  const [verb = ''] = manifest.name.split('_');
  const owner = credentialOwner(executor);

  const valuesNow = (): Readonly<Record<string, CredentialValues>> =>
    Object.fromEntries(
      bindingsOf(executor).flatMap((binding) => {
        const values = deps.credentials.values(binding, owner);
        return values ? [[binding, values] as const] : [];
      }),
    );

  const runOnce = async (args: Json, context: ToolContext, round: number): Promise<ResultObject> => {
    const named = deps.folder ? await namedFiles(args, executor.files, deps.folder) : undefined;
    if (named && !named.ok) return failure(kind, 'invalid_args', named.error);
    return runExecutor({
      executor,
      args,
      ...(named && { named: named.value }),
      credentials: valuesNow(),
      run: deps.run,
      signal: context.signal,
      setWaiting: context.setWaiting,
      salt: `${context.toolUseId}\0${deps.now()}\0${round}`,
    });
  };

  /** Asks a person, keeps what they gave. False: they did not. */
  const fillIn = async (form: RequestedForm, reason: InputForm['reason'], context: ToolContext): Promise<boolean> => {
    if (!deps.askInputs) return false;
    context.setWaiting(true);
    try {
      const values = await deps.askInputs({
        executor: manifest.name,
        skill: identityWords(executorIdentity(executor)),
        owner,
        binding: form.binding,
        title: form.title,
        fields: form.dialog.map(({ var: name, prompt, schema }) => ({ name, prompt, kind: schema.kind })),
        reason,
        signal: context.signal,
      });
      return values !== undefined && (await deps.credentials.save(form.binding, values, owner)) === undefined;
    } finally {
      context.setWaiting(false);
    }
  };

  const formOf = (binding: string): RequestedForm | undefined => {
    const need = manifest.required_credentials?.find((item) => item.binding === binding);
    if (!need) return undefined;
    return {
      binding,
      title: binding,
      dialog: need.fields.map((name, index) => ({
        var: name,
        prompt: need.prompts[index] ?? name,
        schema: { kind: (need.kinds[index] ?? 'text') as 'api_key' | 'token' | 'file' | 'text' },
      })),
    };
  };

  const work = async (args: Json, context: ToolContext): Promise<ResultObject> => {
    const missing = missingCapability(executor);
    if (missing !== undefined) return failure(kind, 'capability_missing', `${manifest.name} cannot run: ${missing}`);
    const first = await runOnce(args, context, 0);
    const requested = requestedForm(first);
    if (requested) {
      // What is asked for is what was signed, whatever the script says.
      const form = formOf(requested.binding);
      if (!form) return failure(kind, 'unknown', `${manifest.name} asked for credentials that it does not declare`);
      const known = deps.credentials.list().find((item) => item.binding === form.binding);
      const reason = known && known.owner !== owner ? 'changed' : 'missing';
      return (await fillIn(form, reason, context)) ? runOnce(args, context, 1) : first;
    }
    const [binding] = bindingsOf(executor);
    if (first['error_class'] !== 'auth_required' || binding === undefined) return first;
    await deps.credentials.expire(binding, owner);
    const again = formOf(binding);
    return again && (await fillIn(again, 'expired', context)) ? runOnce(args, context, 1) : first;
  };

  const outcomeOf = (result: ResultObject): AuditEntry['outcome'] => {
    if (result['decision'] === 'needs_inputs') return 'needs_inputs';
    return result['ok'] === true ? 'ok' : 'error';
  };

  return {
    name: manifest.name,
    description: `${manifest.description.en}${oneOfWords(executor)}`,
    inputSchema: schemaOf(executor),
    sideEffects: isVerb(verb) && isSafeVerb(verb) ? 'read' : 'execute',
    requiresWorkspace: false,
    timeoutSeconds: manifest.execution.timeout_seconds * 2 + 30,
    run: async (input, context): Promise<ToolOutput> => {
      const started = deps.now();
      const verdict = await guard({
        name: manifest.name,
        args: input,
        knownArgs: Object.keys(manifest.args.properties ?? {}),
        ...(deps.intent && { intent: deps.intent() }),
      });
      const result = verdict.approved
        ? await work(input, context)
        : failure(kind, 'invalid_args', `${manifest.name} was stopped before it ran: ${verdict.reason}`);
      const text = maskValues(sortedJson(result), deps.credentials.secrets().flatMap(secretsIn));
      const errorClass = typeof result['error_class'] === 'string' ? result['error_class'] : undefined;
      await deps.audit({
        ts: started / 1000,
        skill_id: manifest.provenance.imported_from,
        skill_version: manifest.provenance.source_version,
        skill_sha: manifest.provenance.source_sha256.slice(0, 16),
        executor_name: manifest.name,
        args_sha: argsHash(input),
        outcome: verdict.approved ? outcomeOf(result) : 'refused',
        elapsed_ms: deps.now() - started,
        n_bytes_in: encoder.encode(sortedJson(input)).length,
        n_bytes_out: encoder.encode(text).length,
        ...(errorClass !== undefined && { error_class: errorClass }),
        guard: `${verdict.kind} ${verdict.score}`,
      });
      return {
        text,
        isError: result['ok'] !== true,
        metadata: {
          executor: manifest.name,
          skill: executor.skill,
          signed_by: executor.signedBy,
          guard: { approved: verdict.approved, kind: verdict.kind, score: verdict.score, reason: verdict.reason },
          arg_keys: isObject(input) ? Object.keys(input).toSorted() : [],
        },
      };
    },
  };
};

/** Tools for all executors that are ready, in the order of their names. */
export const executorTools = (executors: readonly LoadedExecutor[], deps: ExecutorToolsDeps): readonly Tool[] =>
  executors
    .filter((executor): executor is ReadyExecutor => executor.state === 'ready')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((executor) => createExecutorTool(executor, deps));
