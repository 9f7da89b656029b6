/** One run of an executor's program: request in, one JSON object out. */
import { sha256 } from '../../base/hash.ts';
import { isObject, type Json, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { Files } from '../signing/digest.ts';
import { z } from '../zod.ts';
import type { ReadyExecutor } from './load-executors.ts';
import { maskValues, secretsIn } from './secrets.ts';
import type { CredentialValues, PythonRunner } from './types.ts';

export type ResultObject = { readonly [key: string]: Json };

const formSchema = z.object({
  binding: z.string(),
  title: z.string(),
  dialog: z.array(
    z.object({
      var: z.string(),
      prompt: z.string(),
      schema: z.object({ kind: z.enum(['api_key', 'token', 'file', 'text']) }),
    }),
  ),
});
export type RequestedForm = z.infer<typeof formSchema>;

export const failure = (kind: 'entries' | 'results', errorClass: string, error: string): ResultObject => ({
  ok: false,
  [kind]: [],
  error_class: errorClass,
  error,
});

const ERROR_CLASSES = [
  'auth_required',
  'rate_limited',
  'not_found',
  'capability_missing',
  'missing_dependency',
  'invalid_args',
  'server_error',
  'unknown',
] as const;

export interface RunInput {
  readonly executor: ReadyExecutor;
  readonly args: Json;
  /** Copies of what the arguments name. */
  readonly named?: Files;
  readonly credentials: Readonly<Record<string, CredentialValues>>;
  readonly run: PythonRunner;
  readonly signal: AbortSignal;
  readonly setWaiting: (waiting: boolean) => void;
  /** Different each time. */
  readonly salt: string;
}

/** The answer is the last line that starts with the nonce: whatever else a script prints is not an answer. */
export const answerLine = (output: string, nonce: string): Json | undefined => {
  const line = output.split('\n').findLast((row) => row.startsWith(nonce));
  if (line === undefined) return undefined;
  return valueOr(parseJson(line.slice(nonce.length)), undefined);
};

export const runExecutor = async ({
  executor,
  args,
  named = new Map(),
  credentials,
  run,
  signal,
  setWaiting,
  salt,
}: RunInput): Promise<ResultObject> => {
  const { manifest, files } = executor;
  const { kind } = manifest.output;
  const nonce = `lathe-${sha256(`${salt}\0${manifest.name}`).slice(0, 24)} `;
  const answer = await run({
    // Its own come last: no copy takes the place of a verified file.
    files: new Map([...named, ...files]),
    entry: manifest.execution.entry,
    stdin: JSON.stringify({ args, credentials, nonce }),
    timeoutSeconds: manifest.execution.timeout_seconds,
    signal,
    setWaiting,
  });
  if (answer.kind === 'failed') return failure(kind, 'unknown', `the program could not run: ${answer.message}`);
  const result = answerLine(answer.output, nonce);
  if (result === undefined) {
    // Masked before it is cut: half of a value is no longer found afterwards.
    const values = Object.values(credentials).flatMap((fields) => Object.values(fields).flatMap(secretsIn));
    const tail = maskValues(answer.output.trim().split('\n').at(-1) ?? '', values);
    return failure(
      kind,
      'unknown',
      `the program ended with ${answer.exitCode} without a result${tail === '' ? '' : `: ${tail.slice(0, 300)}`}`,
    );
  }
  if (!isObject(result) || typeof result['ok'] !== 'boolean' || !Array.isArray(result[kind]))
    return failure(kind, 'unknown', `the result doesn’t have the declared form: ok and ${kind}`);
  const errorClass = result['error_class'];
  // It goes into the audit, where no text of a script may be.
  return errorClass === undefined || ERROR_CLASSES.some((known) => known === errorClass)
    ? result
    : { ...result, error_class: 'unknown' };
};

export const requestedForm = (result: ResultObject): RequestedForm | undefined => {
  if (result['decision'] !== 'needs_inputs') return undefined;
  const parsed = formSchema.safeParse(result['needs_inputs']);
  return parsed.success ? parsed.data : undefined;
};
