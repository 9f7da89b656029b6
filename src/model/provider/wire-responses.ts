import type { Json, JsonObject } from '../../base/json.ts';
import type { Block, CanonicalRequest, Message, Ttl, WirePlace, WireRequest } from './types.ts';
import type { ModelFacts } from './model-book.ts';
import { factsFor, goesTo, hasStaticMarkers, resultsFirst, type WireOptions } from './wire-parts.ts';

const WIRE = 'openai-responses';

/** Lifetimes here are other ones, and minimums: the shortest that holds for at least as long as was asked. */
const lifetime = (ttl: Ttl): '30m' | '12h' => (ttl === '1h' ? '12h' : '30m');

/** Of the older models only these think; others refuse whatever has to do with it. */
const REASONERS = /^(?:o\d|gpt-5(?!-chat)|codex)/;
const reasons = (facts: ModelFacts): boolean => facts.caching !== 'openai-prefix' || REASONERS.test(facts.id);

const reasoningOf = (request: CanonicalRequest, facts: ModelFacts): JsonObject | undefined => {
  if (facts.thinking === 'none' || !reasons(facts)) return undefined;
  const { thinking, effort } = request;
  if (thinking?.mode === 'off') return { effort: 'none' };
  if (!thinking && !effort) return undefined;
  return { ...(effort && { effort }), ...(thinking && { summary: 'auto' }) };
};

interface CacheFields {
  readonly breakpoint: JsonObject | undefined;
  readonly options: JsonObject | undefined;
}

/**
 * The modes mean what they mean elsewhere: `static` keeps the stable part and nothing else, so the provider's own
 * breakpoint is turned off; `rolling` leaves it on; `automatic` has only that one; `off` has none.
 */
const cacheOf = (request: CanonicalRequest, facts: ModelFacts): CacheFields => {
  if (facts.caching !== 'openai-breakpoints') return { breakpoint: undefined, options: undefined };
  const { mode, ttl } = request.cache;
  const whole = lifetime(ttl.messages);
  const own = lifetime(ttl.system);
  const isImplicit = mode === 'rolling' || mode === 'automatic';
  const asks = facts.hasDiagnostics && typeof request.previousResponseId === 'string';
  const options: JsonObject = {
    ...(!isImplicit && { mode: 'explicit' }),
    ...(isImplicit && whole === '12h' && { ttl: whole }),
    ...(asks && { comparison_response_id: request.previousResponseId ?? null }),
  };
  const inherited = isImplicit ? whole : '30m';
  return {
    breakpoint: hasStaticMarkers(mode) ? { mode: 'explicit', ...(own !== inherited && { ttl: own }) } : undefined,
    options: Object.keys(options).length > 0 ? options : undefined,
  };
};

const partOf = (block: Block, role: Message['role']): Json | undefined => {
  if (block.type === 'text') return { type: role === 'user' ? 'input_text' : 'output_text', text: block.text };
  if (block.type !== 'image') return undefined;
  return { type: 'input_image', detail: 'auto', image_url: `data:${block.mediaType};base64,${block.data}` };
};

const itemOf = (block: Block): Json => {
  switch (block.type) {
    case 'tool_use':
      return {
        type: 'function_call',
        call_id: block.id,
        name: block.name,
        arguments: typeof block.input === 'string' ? block.input : JSON.stringify(block.input),
      };
    case 'tool_result':
      return { type: 'function_call_output', call_id: block.toolUseId, output: block.text };
    case 'thinking':
    case 'opaque':
      return block.raw;
    case 'text':
    case 'image':
      throw new Error('is a part of a message');
  }
};

export const toResponses = (request: CanonicalRequest, options: WireOptions = {}): WireRequest => {
  const facts = factsFor(request, options);
  const cache = cacheOf(request, facts);
  const { stable, volatile } = request.system;

  const tools = request.tools.map(({ name, description, inputSchema }): Json => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }));

  const input: Json[] = [];
  const system: Json[] = [];
  if (stable !== '') {
    system.push({
      type: 'input_text',
      text: stable,
      ...(cache.breakpoint && { prompt_cache_breakpoint: cache.breakpoint }),
    });
  }
  if (volatile !== '') system.push({ type: 'input_text', text: volatile });
  if (system.length > 0) input.push({ type: 'message', role: 'developer', content: system });

  const places = request.messages.map(({ role, content }): (WirePlace | undefined)[] => {
    const found: (WirePlace | undefined)[] = content.map(() => undefined);
    let open: { readonly parts: Json[]; readonly phase: string | undefined } | undefined;
    for (const { block, index } of resultsFirst(content)) {
      if (!goesTo(WIRE, block)) continue;
      const part = partOf(block, role);
      if (part === undefined) {
        open = undefined;
        found[index] = { path: ['input', input.length] };
        input.push(itemOf(block));
        continue;
      }
      const phase = block.type === 'text' && role === 'assistant' ? block.phase : undefined;
      if (open?.phase !== phase) open = undefined;
      if (!open) {
        open = { parts: [], phase };
        input.push({ type: 'message', role, ...(phase !== undefined && { phase }), content: open.parts });
      }
      found[index] = { path: ['input', input.length - 1, 'content', open.parts.length] };
      open.parts.push(part);
    }
    return found;
  });

  const reasoning = reasoningOf(request, facts);
  return {
    wire: WIRE,
    path: '/responses',
    body: {
      model: request.model,
      max_output_tokens: request.maxOutputTokens,
      ...(request.stream && { stream: true }),
      // Nothing is kept at the provider, so thinking travels with the request.
      store: false,
      ...(reasons(facts) && { include: ['reasoning.encrypted_content'] }),
      ...(reasoning && { reasoning }),
      prompt_cache_key: request.cacheKey,
      ...(tools.length > 0 && { tools }),
      input,
      // Differs in every call, so it comes after everything that only grows.
      ...(cache.options && { prompt_cache_options: cache.options }),
    },
    places: {
      tools: tools.map((_, index) => ({ path: ['tools', index] })),
      stable: stable === '' ? undefined : { path: ['input', 0, 'content', 0, 'text'] },
      volatile: volatile === '' ? undefined : { path: ['input', 0, 'content', stable === '' ? 0 : 1, 'text'] },
      messages: places,
    },
  };
};
