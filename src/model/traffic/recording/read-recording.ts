/** Recorded calls from a file: a call per line, a HAR archive of a browser, or a session's journal. */
import { isObject, type Json, parseJson } from '../../../base/json.ts';
import { err, ok, type Result, valueOr } from '../../../base/result.ts';
import { keyId } from '../../provider/keys.ts';
import { WIRES } from '../../provider/types.ts';
import { z } from '../../zod.ts';
import type { Call } from '../call.ts';
import { readDiagnosis } from './diagnosis.ts';
import { isTranscript, readTranscript } from '../claude-code/read-transcript.ts';
import { callOfEntry } from './har.ts';
import { isJournal, readJournal } from './journal.ts';
import { isError, readResponse, speedOf } from './response.ts';
import type { Recording, RecordingFault } from './types.ts';
import { readUsage, usageNotes } from './usage.ts';
import { providerOf, wireOf } from './wire-of.ts';

/**
 * Clocks differ in their unit, and today's figures tell it: of 10 digits are seconds, of 16 microseconds, of 19 nanoseconds.
 * Smaller ones are milliseconds from any start.
 */
const inMilliseconds = (value: number): number => {
  if (value >= 1e9 && value < 1e11) return value * 1000;
  if (value >= 1e17) return value / 1e6;
  return value >= 1e14 ? value / 1000 : value;
};

const time = z.union([z.number(), z.string()]).transform((value, context) => {
  const isNumber = typeof value === 'number' || /^\d+(?:\.\d+)?$/.test(value);
  const ms = isNumber ? inMilliseconds(Number(value)) : Date.parse(value);
  if (Number.isFinite(ms)) return ms;
  context.addIssue({ code: 'custom', message: 'a time is an ISO date, or a number of milliseconds or seconds' });
  return z.NEVER;
});

/** What is taken as the provider wrote it (usage, response, diagnostics) is read elsewhere. */
const lineSchema = z.object({
  provider: z.string().nullish(),
  wire: z.enum(WIRES).nullish(),
  model: z.string().nullish(),
  body: z.union([z.string(), z.record(z.string(), z.unknown())], 'must be the request, as text or as an object'),
  started_at: time,
  first_byte_at: time.nullish(),
  ended_at: time.nullish(),
  key_id: z.union([z.string(), z.number()]).nullish(),
  session_id: z.union([z.string(), z.number()]).nullish(),
  betas: z.union([z.array(z.string()), z.string()]).nullish(),
  workspace_id: z.string().nullish(),
  status: z.number().nullish(),
});

const REWRITTEN =
  'The body was recorded as an object and written again: bytes that were lost on the way, such as spaces and the form of numbers, cannot be seen.';

/** A key that somebody wrote in full is kept as its fingerprint. */
const safeKeyId = (value: string | number): string => {
  const text = String(value);
  return /^(?:Bearer\s|sk-)/i.test(text) || text.length > 40 ? keyId(text) : text;
};

const describe = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  const isMissing = issue?.code === 'invalid_type' && issue.message.includes('undefined');
  const hint = path === 'body' || path === 'started_at' ? ' A line needs at least body and started_at.' : '';
  return `${path === '' ? '' : `${path}: `}${isMissing ? 'missing' : (issue?.message ?? 'not a recorded call')}.${hint}`;
};

const callOfLine = (value: unknown): Result<Call, string> => {
  if (!isObject(value)) return err('a line is a JSON object {provider, model, body, started_at, usage, …}.');
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return err(describe(parsed.error));
  const line = parsed.data;
  const body = typeof line.body === 'string' ? line.body : JSON.stringify(line.body);
  const request = typeof line.body === 'string' ? valueOr(parseJson(line.body), undefined) : (line.body as Json);
  if (!isObject(request)) return err('body is not a JSON object, so the request cannot be read.');
  const wire = line.wire ?? wireOf(line.provider ?? undefined, request);
  const model = line.model ?? (typeof request['model'] === 'string' ? request['model'] : undefined);
  if (model === undefined) return err('neither the line nor its body names a model.');
  const response = readResponse(value['response'], wire);
  const rawUsage = value['usage'] ?? response.usage;
  const usage = readUsage(rawUsage, wire, response.partial === true);
  const said =
    value['diagnostics'] !== undefined && value['diagnostics'] !== null
      ? value['diagnostics']
      : (value['prompt_cache_diagnostics'] ?? response.diagnostics ?? value['diagnostics']);
  const diagnosis = readDiagnosis(said);
  const betas = typeof line.betas === 'string' ? line.betas.split(',').map((beta) => beta.trim()) : line.betas;
  const failed = response.failed === true || (line.status ?? 200) >= 400 || isError(value['error']);
  const notes = [...(typeof line.body === 'string' ? [] : [REWRITTEN]), ...usageNotes(rawUsage, usage)];
  const speed = response.speed ?? speedOf(rawUsage);
  const { usage: _usage, diagnostics: _diagnostics, failed: _failed, partial: _partial, ...kept } = response;
  return ok({
    provider: line.provider ?? providerOf(wire),
    wire,
    model,
    // A body without a model is completed by the line, so that it can be read.
    body: typeof request['model'] === 'string' ? body : JSON.stringify({ model, ...request }),
    startedAt: line.started_at,
    ...(line.first_byte_at != null && { firstByteAt: line.first_byte_at }),
    ...(line.ended_at != null && { endedAt: line.ended_at }),
    ...(usage && { usage }),
    ...(isObject(rawUsage) && { rawUsage }),
    ...(diagnosis && { diagnosis }),
    response: {
      ...kept,
      ...(line.workspace_id != null && { workspaceId: line.workspace_id }),
      ...(speed !== undefined && { speed }),
    },
    ...(line.key_id != null && { keyId: safeKeyId(line.key_id) }),
    ...(line.session_id != null && { sessionId: String(line.session_id) }),
    ...(betas && betas.length > 0 && { betas }),
    ...(failed && { failed }),
    ...(notes.length > 0 && { notes }),
  });
};

const collect = (
  file: string,
  numbered: readonly (readonly [number, () => Result<Call | undefined, string>])[],
): Recording => {
  const calls: Call[] = [];
  const lines: number[] = [];
  const faults: RecordingFault[] = [];
  for (const [line, read] of numbered) {
    const call = read();
    if (!call.ok) faults.push({ line, message: call.error });
    else if (call.value) {
      calls.push(Object.assign(call.value, { source: { file, line } }));
      lines.push(line);
    }
  }
  return { calls, lines, faults };
};

const harEntries = (value: Json | undefined): readonly Json[] | undefined => {
  const log = isObject(value) ? value['log'] : undefined;
  const entries = isObject(log) ? log['entries'] : undefined;
  return Array.isArray(entries) ? (entries as readonly Json[]) : undefined;
};

const LINE_END = /\r\n|\n|\r/;

const readLines = (text: string, file: string): Recording =>
  collect(
    file,
    text.split(LINE_END).flatMap((line, index) => {
      if (line.trim() === '') return [];
      return [
        [
          index + 1,
          () => {
            const value = valueOr(parseJson(line), undefined);
            return value === undefined ? err('the line is not JSON.') : callOfLine(value);
          },
        ] as const,
      ];
    }),
  );

/** The line on which anything stands. */
const firstLine = (text: string): number => text.slice(0, text.search(/\S/)).split(LINE_END).length;

/** Bad lines are told with their number and do not stop the others. */
export const readRecording = (source: string, filename = ''): Recording => {
  const text = source.replace(/^\uFEFF/, '');
  if (text.trim() === '') return { calls: [], lines: [], faults: [{ line: 1, message: 'the file is empty.' }] };
  if (isJournal(text)) return readJournal(text, filename);
  if (isTranscript(text)) return readTranscript(text, filename);
  // A recording by lines is no JSON document once it has two of them, so this costs little.
  const whole = /^\s*[[{]/.test(text) ? valueOr(parseJson(text), undefined) : undefined;
  const entries = harEntries(whole);
  if (entries)
    return collect(
      filename,
      entries.map((entry, index) => [index + 1, () => callOfEntry(entry)] as const),
    );
  if (filename.toLowerCase().endsWith('.har'))
    return { calls: [], lines: [], faults: [{ line: 1, message: 'this is not a HAR file: it has no log.entries.' }] };
  if (Array.isArray(whole))
    return collect(
      filename,
      (whole as readonly Json[]).map((value, index) => [index + 1, () => callOfLine(value)] as const),
    );
  if (isObject(whole)) return collect(filename, [[firstLine(text), () => callOfLine(whole)]]);
  return readLines(text, filename);
};
