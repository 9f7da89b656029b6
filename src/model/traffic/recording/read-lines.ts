/** Recorded calls, a call per line; and documents of JSON: a HAR archive of a browser, a cassette, a list of calls. */
import { isObject, type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { err, ok, type Result, valueOr } from '../../../base/result.ts';
import { keyId } from '../../provider/keys.ts';
import { createRequestReading } from '../../cache/read-request.ts';
import { type Wire, WIRES } from '../../provider/types.ts';
import { z } from '../../zod.ts';
import { type Call, callWithBody } from '../call.ts';
import { captureFault, isCaptureHeader } from '../capture/capture-line.ts';
import { claudeConversation } from '../claude-code/request-ids.ts';
import { codexConversation } from '../codex/conversation.ts';
import { createShapeReader, type ShapeReader } from './body-shape.ts';
import { readDiagnosis } from './diagnosis.ts';
import { jsonInteractions, readJsonCassette } from '../cassette/read-cassette.ts';
import { callOfEntry } from './har.ts';
import { createJsonElements } from './json-elements.ts';
import { pieceOf } from './pieces.ts';
import { isError, readResponse, speedOf } from './response.ts';
import { createSharedTexts } from './shared-texts.ts';
import type { SharedValues } from '../shared-values.ts';
import type { Recording, RecordingFault, RecordingReader } from './types.ts';
import { readUsage, usageNotes } from './usage.ts';
import { providerOf, wireOf } from './wire-of.ts';

/**
 * Clocks differ in their unit, and today's numbers tell it: of 10 digits are seconds, of 16 microseconds, of 19 nanoseconds.
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
  agent_id: z.string().nullish(),
  betas: z.union([z.array(z.string()), z.string()]).nullish(),
  workspace_id: z.string().nullish(),
  status: z.number().nullish(),
});

const REWRITTEN =
  'The recording has this body as an object, so Lathe can’t see original bytes such as spaces and number formats.';

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

/** What lines of one file have in common: bodies begin like the previous one, and are kept as what is new. */
interface Bodies {
  readonly shapeOf: ShapeReader;
  /** The request as it is read for its cache, right away: later the body would have to be written out for it. */
  readonly read: (body: string, wire: Wire) => Pick<Call, 'request'>;
  readonly keep: (text: string) => () => string;
}

const createBodies = (): Bodies => {
  const readBody = createRequestReading();
  return {
    shapeOf: createShapeReader(),
    keep: createSharedTexts().keep,
    read: (body, wire) => {
      const read = readBody(body, wire);
      // What is wrong with it is said with the verdict.
      return read.ok ? { request: () => read.value } : {};
    },
  };
};

/** What is written otherwise than `JSON.stringify` writes it. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\(?:u(?!00[01])|\/)/;

/** The body as it is in a line that is written without spaces: writing it again takes longer than all the rest. */
const bodyIn = (line: string, value: JsonObject): string | undefined => {
  const members = Object.entries(value).map(([key, member]) =>
    key === 'body' ? '' : `${JSON.stringify(key)}:${JSON.stringify(member)}`,
  );
  const at = members.indexOf('');
  const head = `{${members.slice(0, at).concat('"body":').join(',')}`;
  const tail = `${members.with(at, '').slice(at).join(',')}}`;
  if (!line.startsWith(head) || !line.endsWith(tail)) return undefined;
  const body = line.slice(head.length, line.length - tail.length);
  return ESCAPED.test(body) ? undefined : body;
};

/** `text` is the line as it was recorded, where it is known. */
const callOfLine = (value: unknown, { shapeOf, keep, read }: Bodies, text?: string): Result<Call, string> => {
  if (!isObject(value)) return err('a line is a JSON object {provider, model, body, started_at, usage, …}.');
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return err(describe(parsed.error));
  const line = parsed.data;
  const body =
    typeof line.body === 'string'
      ? line.body
      : ((text === undefined ? undefined : bodyIn(text, value)) ?? JSON.stringify(line.body));
  const request = typeof line.body === 'string' ? shapeOf(line.body) : (line.body as Json);
  if (!isObject(request)) return err('body isn’t a JSON object, so Lathe can’t read the request.');
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
  const facts: Omit<Call, 'body'> = {
    provider: line.provider ?? providerOf(wire),
    wire,
    model,
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
    ...claudeConversation(request),
    ...codexConversation(request),
    ...(line.session_id != null && { sessionId: String(line.session_id) }),
    ...(line.agent_id != null && { conversation: { id: line.agent_id, kind: 'sub-agent' as const } }),
    ...(betas && betas.length > 0 && { betas }),
    ...(failed && { failed }),
    ...(notes.length > 0 && { notes }),
  };
  // A body without a model is completed by the line, so that it can be read.
  const sent = typeof request['model'] === 'string' ? body : JSON.stringify({ model, ...request });
  return ok(callWithBody({ ...facts, ...read(sent, wire) }, keep(sent)));
};

interface Collected extends Recording {
  readonly add: (line: number, read: Result<Call | undefined, string>) => void;
}

/** Bad lines are reported with their number and do not stop the others. */
const collect = (file: string): Collected => {
  const calls: Call[] = [];
  const faults: RecordingFault[] = [];
  return {
    calls,
    faults,
    add: (line, read) => {
      if (!read.ok) faults.push({ line, message: read.error });
      else if (read.value) calls.push(Object.assign(read.value, { source: { file, line } }));
    },
  };
};

export const createLineReader = (file: string): RecordingReader => {
  const { add, calls, faults } = collect(file);
  const bodies = createBodies();
  let number = 0;
  return {
    add: (line) => {
      number++;
      if (line.trim() === '') return;
      const value = valueOr(parseJson(line), undefined);
      if (number === 1 && value !== undefined && isCaptureHeader(value)) {
        const fault = captureFault(value);
        if (fault !== undefined) add(1, err(fault));
        return;
      }
      add(number, value === undefined ? err('the line is not JSON.') : callOfLine(value, bodies, line));
    },
    end: () => ({ calls: [...calls], faults: [...faults] }),
    canGrow: () => true,
  };
};

/** Archives repeat the bodies of a conversation as lines do. */
const keptEntry = (entry: Json, { read, keep }: Bodies): Result<Call | undefined, string> => {
  const found = callOfEntry(entry);
  if (!found.ok || !found.value) return found;
  const { body, ...facts } = found.value;
  return ok(callWithBody({ ...facts, ...read(body, facts.wire) }, keep(body)));
};

const CUT = 'the file ends in the middle. The requests before this one were read.';

/** Lists that are too long to be read as a whole: entry by entry. Undefined where the document is no such list. */
export const createListReader = (head: string, file: string): RecordingReader | undefined => {
  const isArchive = /^\s*\{\s*"log"\s*:\s*\{/.test(head);
  if (!isArchive && !/^\s*\[\s*\{/.test(head)) return undefined;
  const { add, calls, faults } = collect(file);
  const bodies = createBodies();
  let number = 0;
  const elements = createJsonElements(isArchive ? ['log', 'entries'] : [], (element) => {
    const value = parseJson(element);
    number++;
    if (!value.ok) add(number, err('the entry is not JSON.'));
    else add(number, isArchive ? keptEntry(value.value, bodies) : callOfLine(value.value, bodies));
  });
  return {
    add: (line) => elements.add(`${line}\n`),
    addPart: (part) => {
      elements.add(part);
      return true;
    },
    end: () => ({
      calls: [...calls],
      faults: elements.end() ? [...faults] : [...faults, { line: number + 1, message: CUT }],
    }),
  };
};

const harEntries = (value: Json | undefined): readonly Json[] | undefined => {
  const log = isObject(value) ? value['log'] : undefined;
  const entries = isObject(log) ? log['entries'] : undefined;
  return Array.isArray(entries) ? (entries as readonly Json[]) : undefined;
};

/** The line on which anything stands. */
const firstLine = (text: string): number => text.slice(0, text.search(/\S/)).split('\n').length;

/** A file that is one document of JSON, or nothing that anybody knows: then it is reported line by line. */
export const readDocument = (text: string, file: string, shared: SharedValues): Recording => {
  const whole = /^\s*[[{]/.test(text) ? valueOr(parseJson(text), undefined) : undefined;
  const { add, calls, faults } = collect(file);
  const entries = harEntries(whole);
  const bodies = createBodies();
  const interactions = jsonInteractions(whole);
  const piece = pieceOf(text.trim(), whole, shared);
  if (entries) entries.forEach((entry, index) => add(index + 1, keptEntry(entry, bodies)));
  else if (interactions) return readJsonCassette(interactions, file);
  else if (isHarName(file))
    add(
      1,
      err(
        whole === undefined
          ? 'this HAR file is not whole JSON. It may end in the middle: export it again.'
          : 'this is not a HAR file: it has no log.entries.',
      ),
    );
  else if (Array.isArray(whole))
    (whole as readonly Json[]).forEach((value, index) => add(index + 1, callOfLine(value, bodies)));
  else if (piece) return { calls: [], pieces: [piece], faults: [] };
  else if (isObject(whole)) add(firstLine(text), callOfLine(whole, bodies));
  else {
    const reader = createLineReader(file);
    for (const line of text.split('\n')) reader.add(line);
    return reader.end();
  }
  return { calls, faults };
};

export const isHarName = (file: string): boolean => file.toLowerCase().endsWith('.har');
