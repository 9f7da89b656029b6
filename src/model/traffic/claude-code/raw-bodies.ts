/**
 * The folder that Claude Code fills with `OTEL_LOG_RAW_API_BODIES=file:DIR`: a file for each request, one for each answer, and in
 * newer versions a list that joins them. Without the list, an answer belongs to the request whose messages are before it
 * in a later one; then to the one that its time fits (`SPEC.md`, RB1 to RB6).
 */
import { baseName } from '../../../base/paths.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { type Call, callWithBody, type Conversation } from '../call.ts';
import type { PlacedPiece } from '../recording/pieces.ts';
import type { SourceFault } from '../recording/types.ts';
import { readResponse } from '../recording/response.ts';
import { readUsage } from '../recording/usage.ts';
import { claudeSession } from './request-ids.ts';

const WIRE = 'anthropic-messages';

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

interface Request {
  readonly file: string;
  readonly body: JsonObject;
  readonly text: () => string;
  readonly at: number | undefined;
  readonly session: string | undefined;
  /** Of all its messages. */
  readonly whole: number;
  answer?: Answer;
  entry?: JsonObject;
  how?: string;
}

interface Answer {
  readonly file: string;
  readonly at: number | undefined;
  /** Undefined: the file is empty. */
  readonly message: JsonObject | undefined;
  isTaken: boolean;
}

/** What is said, without what changes when it is said again: marks of the cache, thoughts, who called. */
const plainBlock = (value: Json): Json => {
  if (!isObject(value)) return value;
  const { cache_control: _mark, caller: _caller, citations: _citations, ...rest } = value;
  return rest;
};
const isThought = (value: Json): boolean =>
  isObject(value) && (value['type'] === 'thinking' || value['type'] === 'redacted_thinking');
const plainContent = (content: Json | undefined): string =>
  JSON.stringify(
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : list(content)
          .filter((block) => !isThought(block))
          .map(plainBlock),
  );

/** Numbers for beginnings of conversations: equal beginnings have equal numbers. */
const createBeginnings = () => {
  const numbers = new Map<string, number>();
  const number = (key: string): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size + 1);
    return numbers.size;
  };
  // Bodies share the messages that they repeat.
  const plain = new WeakMap<JsonObject, number>();
  const numberOf = (message: JsonObject): number => {
    const found = plain.get(message) ?? number(plainContent(message['content']));
    plain.set(message, found);
    return found;
  };
  return {
    answer: (message: JsonObject): number => number(`answer ${numberOf(message)}`),
    next: (before: number, message: JsonObject): number =>
      number(`${before} ${text(message['role']) ?? ''} ${numberOf(message)}`),
    start: (session: string | undefined): number => number(`session ${session ?? ''}`),
  };
};

const NO_ANSWER = 'No response was recorded. The request failed, or it was still running.';
const EMPTY_ANSWER = 'The response file is empty, so its usage is unknown.';
const BY_TIME = 'Request and response were joined by their times.';
/** The file of a request is written beside its sending, and that of a fast answer can be finished before it. */
const LATE_REQUEST_MS = 500;

/** Answers that are asked for beside the conversation, by the program itself. */
const SIDE =
  /^(?:generate_session_title|prompt_suggestion|away_summary|side_question|web_fetch_apply|hook_prompt|extract_memories|quota_check|auto_dream)/;

const conversationOf = (session: string | undefined, source: string, id: string): Conversation | undefined =>
  SIDE.test(source)
    ? { id: `${session ?? ''}/${source}/${id}`, kind: 'side-call', ...(session !== undefined && { parent: session }) }
    : undefined;

interface RawBodies {
  readonly calls: readonly Call[];
  readonly faults: readonly SourceFault[];
}

const timeOf = (entry: JsonObject | undefined): number | undefined => {
  const at = Date.parse(text(entry?.['timestamp']) ?? '');
  return Number.isFinite(at) ? at : undefined;
};

const callOf = (request: Request, order: number): Call => {
  const { body, answer, entry, session, file } = request;
  const { betas: rawBetas } = body;
  const isWithheld = 'not_recorded' in body;
  const response = readResponse(answer?.message, WIRE);
  const usage = readUsage(response.usage, WIRE, false);
  const endedAt = timeOf(entry) ?? answer?.at;
  const startedAt = request.at ?? endedAt;
  const requestId = text(entry?.['request_id']) ?? (answer && /^(req_\w+)\./.exec(baseName(answer.file))?.[1]);
  const id = text(entry?.['message_id']) ?? response.id ?? (answer && baseName(answer.file));
  const version = /\bcc_version=(\d+\.\d+\.\d+)/.exec(JSON.stringify(body['system'] ?? ''))?.[1];
  const betas = list(rawBetas).filter((beta) => typeof beta === 'string');
  const notes = [
    ...(answer ? (answer.message ? [] : [EMPTY_ANSWER]) : [NO_ANSWER]),
    ...(request.how === undefined ? [] : [request.how]),
  ];
  const { usage: _usage, diagnostics: _said, failed, partial: _partial, ...kept } = response;
  const conversation = conversationOf(session, text(entry?.['query_source']) ?? '', baseName(file));
  const facts: Omit<Call, 'body'> = {
    ...(id !== undefined && { id }),
    ...(requestId !== undefined && { requestId }),
    provider: 'anthropic',
    wire: WIRE,
    model: text(body['model']) ?? text(entry?.['model']) ?? response.model ?? '',
    startedAt: startedAt ?? order,
    ...(startedAt === undefined && { isTimeless: true }),
    ...(endedAt !== undefined && startedAt !== undefined && { endedAt: Math.max(endedAt, startedAt) }),
    ...(usage && { usage, rawUsage: response.usage }),
    ...(answer?.message && { response: kept }),
    ...(failed === true && { failed }),
    ...(isWithheld && { known: 'absent' as const }),
    ...(session !== undefined && { sessionId: session }),
    ...(betas.length > 0 && { betas }),
    ...(notes.length > 0 && { notes }),
    source: { file, line: 1 },
    harness: { name: 'claude-code', ...(version !== undefined && { version }) },
    ...(conversation && { conversation }),
  };
  return callWithBody(facts, request.text);
};

/** The body as it was sent: the file adds the names of betas, which are a header. */
const withoutBetas = (body: JsonObject, source: () => string): (() => string) => {
  if (!('betas' in body)) return source;
  const { betas: _betas, ...rest } = body;
  return () => JSON.stringify(rest);
};

const folderOf = (file: string): string => file.slice(0, file.length - baseName(file).length);

export const joinRawBodies = (pieces: readonly PlacedPiece[]): RawBodies => {
  const beginnings = createBeginnings();
  const requests: Request[] = [];
  const answers: Answer[] = [];
  const entries: { readonly folder: string; readonly entry: JsonObject }[] = [];
  /** For an answer, the beginnings that were seen before it in a later request. */
  const saidAfter = new Map<number, number[]>();
  for (const { file, modifiedAt, piece } of pieces) {
    if (piece.kind === 'answer' || piece.kind === 'empty')
      answers.push({
        file,
        at: modifiedAt,
        message: piece.kind === 'answer' ? piece.message : undefined,
        isTaken: false,
      });
    else if (piece.kind === 'index') entries.push({ folder: folderOf(file), entry: piece.entry });
    if (piece.kind !== 'request') continue;
    const { body } = piece;
    const session = claudeSession(body);
    let whole = beginnings.start(session);
    for (const item of list(body['messages'])) {
      const message = isObject(item) ? item : {};
      if (message['role'] === 'assistant') {
        const said = beginnings.answer(message);
        saidAfter.set(said, [...(saidAfter.get(said) ?? []).slice(-8), whole]);
      }
      whole = beginnings.next(whole, message);
    }
    requests.push({ file, body, text: withoutBetas(body, piece.text), at: modifiedAt, session, whole });
  }
  const byFile = new Map(requests.map((request) => [request.file, request]));
  const answerByFile = new Map(answers.map((answer) => [answer.file, answer]));
  const faults: SourceFault[] = [];
  const join = (request: Request, answer: Answer, how?: string): void => {
    request.answer = answer;
    answer.isTaken = true;
    if (how !== undefined) request.how = how;
  };

  for (const { folder, entry } of entries) {
    const request = byFile.get(folder + baseName(text(entry['request_file']) ?? ''));
    if (!request) continue;
    request.entry = entry;
    const answer = answerByFile.get(folder + baseName(text(entry['response_file']) ?? ''));
    if (answer && !answer.isTaken && !request.answer) join(request, answer);
  }
  const byWhole = new Map<number, Request[]>();
  for (const request of requests) byWhole.set(request.whole, [...(byWhole.get(request.whole) ?? []), request]);
  for (const answer of answers) {
    if (answer.isTaken || !answer.message) continue;
    const before = saidAfter.get(beginnings.answer(answer.message)) ?? [];
    // Of equal tries the last one was answered.
    const tries = before.flatMap((whole) => byWhole.get(whole) ?? []).filter((request) => !request.answer);
    const request = tries.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)).at(-1);
    if (request) join(request, answer);
  }
  // In the order of time, so that each one leaves the later requests to those after it.
  for (const answer of answers.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))) {
    const { at } = answer;
    if (answer.isTaken || at === undefined) continue;
    const model = text(answer.message?.['model']);
    const open = requests.filter(
      (request) =>
        !request.answer &&
        request.at !== undefined &&
        request.at <= at + LATE_REQUEST_MS &&
        folderOf(request.file) === folderOf(answer.file) &&
        (model === undefined || text(request.body['model']) === model),
    );
    // The nearest before it that is the last of its kind: an earlier one was tried again.
    const request = open.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)).at(-1);
    if (request) join(request, answer, BY_TIME);
  }
  for (const { file, isTaken, message } of answers)
    if (!isTaken && message)
      faults.push({ file, line: 1, message: 'the request of this response is not in the folder.' });
  // Sent again since: this try has failed.
  const failed = new Set(
    requests.filter((request) =>
      (byWhole.get(request.whole) ?? []).some(
        (other) => other !== request && !request.answer && other.answer !== undefined,
      ),
    ),
  );
  const calls = requests.map((request, order) => {
    const call = callOf(request, order);
    return failed.has(request) ? Object.assign(call, { failed: true }) : call;
  });
  return { calls, faults };
};
