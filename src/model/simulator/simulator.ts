/**
 * A provider that needs no key: wire in, wire out. Its cache is the cache model itself, its words come from a scenario or
 * from the built-in behavior, and its time is its own.
 */
import { sha256 } from '../../base/hash.ts';
import { isObject, type JsonObject, parseJson } from '../../base/json.ts';
import { createGrowingParser } from '../../base/json-growing.ts';
import { silentLog, type Log } from '../../base/log.ts';
import { valueOr } from '../../base/result.ts';
import { createBlockCounter } from '../cache/block-tokens.ts';
import { createCacheModel, type CacheCall } from '../cache/engine.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheRequest } from '../cache/types.ts';
import { validateRequest } from '../cache/validate.ts';
import { modelFacts, type ModelBook, type ModelFacts } from '../provider/model-book.ts';
import type { Tokenizer, Wire } from '../provider/types.ts';
import { makeAnswer, type Answer } from './answer.ts';
import { anthropicMessage, anthropicStream } from './anthropic-wire.ts';
import { createBatches, isBatchPath, queryOf } from './batch/batches.ts';
import { builtinBehaviour } from './behaviour/decide.ts';
import { createJitter, type SimNoise } from './behaviour/noise.ts';
import { chatMessage, chatStream } from './chat-wire.ts';
import { checkHistory } from './check-responses.ts';
import { anthropicDiagnostics, createFingerprints, openaiDiagnostics, type Fingerprint } from './diagnostics.ts';
import {
  checkBody,
  CONVERSATIONS,
  ENDPOINTS,
  hideThinking,
  maxTokensOf,
  plainPath,
  signedAgain,
  stopSequencesOf,
  tooLong,
} from './endpoints.ts';
import { parseFaultHeader } from './faults.ts';
import { createIds, type Ids } from './ids.ts';
import { fieldsOf, textOf } from './json-read.ts';
import { anthropicModels, decoded, isServed, oneModel, openaiModels, pageOf } from './models.ts';
import { betasOf, checkVersion, headersOf, keyOf } from './request-headers.ts';
import { continuedFrom, createResponseMemory, type Continued } from './response-memory.ts';
import { responsesItems, responsesMessage, responsesStream, wholeResponse } from './responses-wire.ts';
import { playScenario, type Scenario } from './scenario.ts';
import { errorBody, faultError, invalid, noKey, notServed, unknownModel, type SimError } from './sim-error.ts';
import { createStored, isStoredPath } from './stored.ts';
import type { Streamed } from './stream.ts';
import type {
  SimBehaviour,
  SimClock,
  SimConversation,
  SimFault,
  SimReply,
  SimRequest,
  SimResponse,
  Simulator,
} from './types.ts';
import { withRounds, type SimUsage } from './usage.ts';

export interface SimulatorOptions {
  readonly tokenizer: Tokenizer;
  readonly clock: SimClock;
  readonly scenario?: Scenario;
  /** Instead of the built-in one. */
  readonly behaviour?: SimBehaviour;
  /** For the first requests to a model, one each; undefined is none. */
  readonly faults?: readonly (SimFault | undefined)[];
  /** Other seeds give other ids. */
  readonly idSeed?: string;
  readonly book?: ModelBook;
  /** Of its picks; absent: none. A header `x-lathe-draw` names the draw, else each new message of a person is one. */
  readonly noise?: SimNoise;
  /** Accepts what other servers have signed, so that a recorded conversation can continue. */
  readonly foreignSignatures?: boolean;
  /** How long a batch takes, of the simulator's time. Default 0: it has ended when it is asked for. */
  readonly batchMs?: number;
  /** One line per request. */
  readonly log?: Log;
}

/** The newest version that refuses nothing which this file has not refused already. */
const LENIENT_VERSION = '2023-06-01';
const ERROR_MS = 40;
/** How many earlier requests can be named for a diagnosis. */
const MOST_FINGERPRINTS = 500;

interface Context {
  readonly request: SimRequest;
  readonly wire: Wire;
  readonly ids: Ids;
  readonly requestId: string;
  /** Whose cache it is; made from the key, and not the key. */
  readonly scope: string;
  readonly startedAt: number;
  /** What this request continues from. */
  readonly from?: Continued;
}

export const createSimulator = (options: SimulatorOptions): Simulator => {
  const { tokenizer, clock, behaviour = builtinBehaviour, faults = [], idSeed = 'lathe', log = silentLog } = options;
  const count = createBlockCounter(tokenizer);
  const cache = createCacheModel({ apiVersion: LENIENT_VERSION, ...(options.book && { book: options.book }) });
  const scenario = playScenario(options.scenario);
  const fingerprint = createFingerprints();
  const parseBody = createGrowingParser('messages', 'input');
  const fingerprints = new Map<string, Fingerprint>();
  const lastRequests = new Map<Wire, CacheRequest>();
  const memory = createResponseMemory();
  let moved = 0;
  let requests = 0;
  let calls = 0;
  let draws = 0;

  const now = (): number => clock.now() + moved;

  const tell = (context: Context, status: number, rest: string): void =>
    log({
      level: status < 400 ? 'info' : 'warning',
      code: 'simulator.request',
      text: `${context.request.method} ${plainPath(context.request.path)} ${status} ${rest}`.trimEnd(),
    });

  const refuse = (context: Context, error: SimError): SimResponse => {
    tell(context, error.status, error.message);
    return {
      status: error.status,
      headers: {
        ...headersOf(context, 'application/json'),
        ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
      },
      chunks: [{ text: errorBody(context.wire, error, context.requestId), afterMs: ERROR_MS }],
      end: 'close',
      begun: () => undefined,
    };
  };

  const json = (context: Context, body: object): SimResponse => {
    tell(context, 200, '');
    return {
      status: 200,
      headers: headersOf(context, 'application/json'),
      chunks: [{ text: JSON.stringify(body), afterMs: ERROR_MS }],
      end: 'close',
      begun: () => undefined,
    };
  };

  const listModels = (context: Context, path: string): SimResponse => {
    const provider = context.wire === 'anthropic-messages' ? 'anthropic' : 'openai';
    if (path === '/v1/models') {
      if (provider === 'openai') return json(context, openaiModels(options.book));
      const list = anthropicModels(pageOf(context.request.path), options.book);
      return list ? json(context, list) : refuse(context, invalid('limit: Input should be between 1 and 1000'));
    }
    const id = decoded(path.slice('/v1/models/'.length));
    const model = oneModel(id, provider, options.book);
    return model
      ? json(context, model)
      : refuse(context, {
          status: 404,
          type: provider === 'anthropic' ? 'not_found_error' : 'invalid_request_error',
          ...(provider === 'anthropic'
            ? { message: `model: ${id}` }
            : { message: `The model '${id}' does not exist`, param: 'model', code: 'model_not_found' }),
        });
  };

  const remember = (id: string, print: Fingerprint): void => {
    fingerprints.set(id, print);
    const [oldest] = fingerprints.keys();
    if (fingerprints.size > MOST_FINGERPRINTS && oldest !== undefined) fingerprints.delete(oldest);
  };

  /** What the model will say to this, or the error that takes its place. */
  const decide = (context: Context, conversation: SimConversation): SimReply | SimError => {
    calls++;
    const header = context.request.headers['x-lathe-fault'];
    const asked = header === undefined ? undefined : parseFaultHeader(header);
    if (asked && !asked.ok) return invalid(asked.error);
    const queued = faults[calls - 1];
    const given = asked?.value ?? queued;
    // A request that fails anyway does not use up a rule of the scenario.
    const isEarly = given !== undefined && ['rate_limit', 'overloaded', 'server_error', 'hang'].includes(given.kind);
    const played = isEarly ? undefined : scenario.reply(conversation, calls);
    if (played === 'error')
      return invalid('scenario: no rule fits this request, and the scenario says `otherwise: error`.');
    const reply = isEarly ? { text: '', toolCalls: [] } : (played ?? behaviour(conversation));
    const fault = given ?? reply.fault;
    if (fault?.kind === 'refusal') return { text: 'I cannot help with that.', toolCalls: [], stop: 'refusal', fault };
    return fault ? { ...reply, fault } : reply;
  };

  const withNoise = (request: SimRequest, conversation: SimConversation): SimConversation => {
    if (!options.noise) return conversation;
    if (conversation.messages.at(-1)?.content.every(({ type }) => type !== 'tool_result') === true) draws++;
    return { ...conversation, jitter: createJitter(options.noise, request.headers['x-lathe-draw'] ?? `${draws}`) };
  };

  const wireAnswer = (
    context: Context,
    body: JsonObject,
    facts: ModelFacts,
    answer: Answer,
    usage: SimUsage,
    print: Fingerprint,
    fault: SimFault | undefined,
  ): Streamed => {
    const { wire, ids } = context;
    const model = textOf(body['model']);
    const isStream = body['stream'] === true;
    const created = Math.floor(context.startedAt / 1000);
    const kind = fault?.kind;
    switch (wire) {
      case 'anthropic-messages': {
        const id = ids.short('msg');
        const asked = fieldsOf(body['diagnostics'])['previous_message_id'];
        const previous = asked === null ? null : typeof asked === 'string' ? asked : undefined;
        const diagnostics = anthropicDiagnostics(fingerprints, previous, print);
        remember(id, print);
        const shown = fieldsOf(body['thinking'])['display'] === 'omitted' ? hideThinking(answer) : answer;
        const speed = body['speed'] === 'fast' ? 'fast' : 'standard';
        const parts = { id, model, answer: shown, usage, speed, diagnostics, fault: kind } as const;
        return isStream ? anthropicStream(parts) : anthropicMessage(parts);
      }
      case 'openai-responses': {
        const id = ids.hex('resp');
        const compared = fieldsOf(body['prompt_cache_options'])['comparison_response_id'];
        const diagnostics = openaiDiagnostics(
          fingerprints,
          typeof compared === 'string' ? compared : undefined,
          print,
          usage.read,
        );
        remember(id, print);
        const items = responsesItems(answer, body, ids.hex, kind);
        const { from = {}, scope, request } = context;
        const parts = { id, body, model, created, answer, usage, diagnostics, items, from, fault: kind };
        if (body['store'] !== false)
          memory.keep(id, { text: request.body, scope, output: items, response: wholeResponse(parts) }, from);
        return isStream ? responsesStream(parts) : responsesMessage(parts);
      }
      case 'openai-chat': {
        const id = ids.hex('chatcmpl').replace('_', '-');
        // Routers always tell; OpenAI tells a stream only when asked.
        const includeUsage = facts.family !== 'openai' || fieldsOf(body['stream_options'])['include_usage'] === true;
        const choices = typeof body['n'] === 'number' ? body['n'] : 1;
        const total = { ...usage, output: usage.output * choices, reasoning: usage.reasoning * choices };
        const parts = { id, model, created, answer, usage: total, choices, includeUsage, fault: kind };
        return isStream ? chatStream(parts) : chatMessage(parts);
      }
    }
  };

  const cacheCall = (context: Context, request: CacheRequest, tokens: readonly number[]): CacheCall => {
    const { headers } = context.request;
    const betas = headers['anthropic-beta'] === undefined ? {} : { betas: betasOf(headers) };
    return { request, tokens, startedAt: context.startedAt, scope: context.scope, ...betas };
  };

  /** `text` is the body as the cache reads it. */
  const complete = async (
    context: Context,
    text: string,
    body: JsonObject,
    counting: boolean,
  ): Promise<SimResponse> => {
    const { wire, request, ids } = context;
    const facts = modelFacts(textOf(body['model']), options.book);
    const model = textOf(body['model']);
    const isMisspelt = facts.family !== 'unknown' && !isServed(model, facts, options.book);
    const wrong = isMisspelt
      ? unknownModel(wire, model)
      : checkBody(wire, options.foreignSignatures === true ? signedAgain(body) : body, facts, {
          counting,
          betas: betasOf(request.headers),
        });
    if (wrong) return refuse(context, wrong);
    const read = readRequest(text, wire, lastRequests.get(wire));
    if (!read.ok) return refuse(context, invalid(read.error));
    lastRequests.set(wire, read.value);
    const version = request.headers['anthropic-version'];
    const [refused] = validateRequest(read.value, facts, version === undefined ? {} : { apiVersion: version });
    if (refused) return refuse(context, invalid(refused.message));
    const tokens = await count(read.value, facts);
    const call = cacheCall(context, read.value, tokens);
    if (counting) {
      const { promptTokens } = cache.predict(call);
      return json(
        context,
        wire === 'anthropic-messages'
          ? {
              input_tokens: promptTokens,
              ...(isObject(body['context_management']) && {
                context_management: { original_input_tokens: promptTokens },
              }),
            }
          : { object: 'response.input_tokens', input_tokens: promptTokens },
      );
    }
    const conversation = withNoise(request, CONVERSATIONS[wire](body, facts));
    const reply = decide(context, conversation);
    if ('status' in reply) return refuse(context, reply);
    const { fault } = reply;
    if (fault?.kind === 'rate_limit' || fault?.kind === 'overloaded' || fault?.kind === 'server_error')
      return refuse(context, faultError(wire, fault.kind, fault.retryAfter));
    if (fault?.kind === 'hang') {
      tell(context, 0, 'never answers');
      return {
        status: 200,
        headers: headersOf(context, 'application/json'),
        chunks: [],
        end: 'hang',
        begun: () => undefined,
      };
    }
    const sent = cache.send(call);
    const { prediction } = sent;
    if (facts.contextWindow !== undefined && prediction.promptTokens > facts.contextWindow) {
      sent.failed();
      return refuse(context, tooLong(wire, prediction.promptTokens, facts.contextWindow));
    }
    const isPrewarm = fieldsOf(body['prompt_cache_options'])['prewarm'] === true;
    const maxTokens = maxTokensOf(wire, body);
    const answer: Answer = isPrewarm
      ? { blocks: [], stop: 'end_turn', output: 0, reasoning: 0 }
      : await makeAnswer(reply, conversation, tokenizer, {
          maxTokens,
          stopSequences: stopSequencesOf(body),
          factor: facts.tokenFactor,
          toolId: () => (wire === 'anthropic-messages' ? ids.short('toolu') : ids.short('call')),
          serverToolId: () => ids.short('srvtoolu'),
        });
    const counted: SimUsage = { ...prediction.usage, output: answer.output, reasoning: answer.reasoning };
    const usage = wire === 'anthropic-messages' ? withRounds(counted, answer) : counted;
    const print = fingerprint(read.value, tokens, context.scope, context.startedAt);
    const streamed = wireAnswer(context, body, facts, answer, usage, print, fault);
    const writes = Object.values(usage.writes).reduce((sum: number, one) => sum + (one ?? 0), 0);
    tell(
      context,
      200,
      `${facts.id} read ${usage.read} write ${writes} input ${usage.uncached} output ${usage.output}${fault ? ` fault ${fault.kind}` : ''}`,
    );
    const isStream = body['stream'] === true;
    return {
      status: 200,
      headers: headersOf(context, isStream ? 'text/event-stream; charset=utf-8' : 'application/json'),
      ...streamed,
      begun: () => sent.answered(now()),
    };
  };

  const keptReply = async (context: Context, path: string): Promise<SimResponse> => {
    const { request, scope, ids } = context;
    const { method, headers, body, origin = 'http://simulator.invalid' } = request;
    const call = { method, path, query: queryOf(request.path), headers, body, scope, origin, ids };
    const reply = isStoredPath(path) ? stored.handle(call) : await batches.handle(call);
    if (!reply) return refuse(context, notServed(request.method, path));
    if ('error' in reply) return refuse(context, reply.error);
    if ('body' in reply) return json(context, reply.body);
    tell(context, 200, '');
    return {
      status: 200,
      headers: headersOf(context, 'application/x-jsonl'),
      chunks: reply.lines.map((text) => ({ text, afterMs: 0 })),
      end: 'close',
      begun: () => undefined,
    };
  };

  const handle = async (request: SimRequest): Promise<SimResponse> => {
    const path = plainPath(request.path);
    const endpoint = ENDPOINTS.get(path);
    // Both providers have a list of models at the same path; only one has these headers.
    const isAnthropic =
      path.startsWith('/v1/messages') ||
      request.headers['anthropic-version'] !== undefined ||
      request.headers['x-api-key'] !== undefined;
    const ids = createIds(`${idSeed}\n${++requests}`);
    const wire = endpoint?.wire ?? (isAnthropic ? 'anthropic-messages' : 'openai-chat');
    const key = keyOf(request.headers, wire);
    const context: Context = {
      request,
      wire,
      ids,
      requestId: ids.short('req'),
      scope: sha256(key).slice(0, 12),
      startedAt: now(),
    };
    if (isBatchPath(path) || isStoredPath(path))
      return key === '' ? refuse(context, noKey(context.wire)) : keptReply(context, path);
    const isModels = path === '/v1/models' || path.startsWith('/v1/models/');
    const method = isModels ? 'GET' : 'POST';
    if (!endpoint && !isModels) return refuse(context, notServed(request.method, path));
    if (request.method !== method)
      return refuse(context, {
        status: 405,
        type: 'invalid_request_error',
        message: `Method Not Allowed: use ${method}`,
      });
    if (key === '') return refuse(context, noKey(context.wire));
    if (!endpoint) return listModels(context, path);
    const wrongVersion = checkVersion(request.headers, endpoint.wire);
    if (wrongVersion) return refuse(context, wrongVersion);
    const body = valueOr(parseBody(request.body), undefined);
    if (!isObject(body))
      return refuse(
        context,
        invalid(
          endpoint.wire === 'anthropic-messages'
            ? 'The request body is not valid JSON: it must be one JSON object.'
            : 'We could not parse the JSON body of your request. The API expects a JSON payload.',
        ),
      );
    if (endpoint.wire !== 'openai-responses') return complete(context, request.body, body, endpoint.counting);
    const twice = checkHistory(body);
    if (twice) return refuse(context, twice);
    const text = memory.expand(request.body, body, context.scope);
    if (!text.ok) return refuse(context, text.error);
    const expanded = text.value === request.body ? body : fieldsOf(valueOr(parseJson(text.value), undefined));
    return complete({ ...context, from: continuedFrom(body) }, text.value, expanded, endpoint.counting);
  };

  const stored = createStored(memory, now);
  const batches = createBatches({ now, batchMs: options.batchMs ?? 0 }, handle);

  return {
    handle,
    now,
    advance: (ms) => {
      moved += Math.max(0, ms);
    },
    entries: () => cache.entries(now()),
    reset: () => {
      cache.clear();
      scenario.reset();
      fingerprints.clear();
      lastRequests.clear();
      memory.clear();
      batches.clear();
      moved = 0;
      requests = 0;
      calls = 0;
      draws = 0;
    },
  };
};
