import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { Block, CanonicalRequest, Message, WirePlace, WireRequest } from './types.ts';
import {
  goesTo,
  hasStaticMarkers,
  marker,
  objectInput,
  orderedTtls,
  resultsFirst,
  takesNewLimit,
  type WireOptions,
  wordsOf,
} from './wire-parts.ts';

const WIRE = 'openai-chat';
const BETWEEN = '\n\n';

interface ChatPart {
  readonly json: JsonObject;
  readonly index: number;
}

/** One message of the wire while it is written. */
interface Draft {
  readonly role: string;
  readonly parts: ChatPart[];
  /** Fields beside `content`. */
  readonly rest: { [key: string]: Json };
}

const partOf = (block: Block): JsonObject | undefined => {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type !== 'image') return undefined;
  return { type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${block.data}` } };
};

const toolCall = (block: Block & { readonly type: 'tool_use' }): Json => ({
  id: block.id,
  type: 'function',
  // Templates of local servers parse it, so it has to be JSON.
  function: { name: block.name, arguments: JSON.stringify(objectInput(block)) },
});

interface Drafted {
  readonly drafts: readonly Draft[];
  /** Of every block that is no part: its path below the draft. */
  readonly paths: readonly {
    readonly index: number;
    readonly draft: number;
    readonly path: readonly (string | number)[];
  }[];
}

const draftsOf = ({ role, content }: Message, isClaude: boolean): Drafted => {
  const drafts: Draft[] = [];
  const paths: { index: number; draft: number; path: (string | number)[] }[] = [];
  let open: Draft | undefined;
  for (const { block, index } of resultsFirst(content)) {
    if (!goesTo(WIRE, block, isClaude)) continue;
    if (block.type === 'tool_result') {
      drafts.push({
        role: 'tool',
        parts: [{ json: { type: 'text', text: wordsOf(block.text, isClaude) }, index }],
        rest: { tool_call_id: block.toolUseId },
      });
      continue;
    }
    if (!open) {
      open = { role, parts: [], rest: {} };
      drafts.push(open);
    }
    const draft = drafts.length - 1;
    const part = partOf(block);
    if (part) open.parts.push({ json: part, index });
    else if (block.type === 'tool_use') {
      const calls = (open.rest['tool_calls'] ?? []) as readonly Json[];
      paths.push({ index, draft, path: ['tool_calls', calls.length] });
      open.rest['tool_calls'] = [...calls, toolCall(block)];
    } else if (block.type !== 'image' && block.type !== 'text' && isObject(block.raw)) {
      // Thinking is in fields of the message, such as `reasoning_details`.
      Object.assign(open.rest, block.raw);
      const key = Object.keys(block.raw)[0];
      if (key !== undefined) paths.push({ index, draft, path: [key] });
    }
  }
  return { drafts, paths };
};

const textOf = (part: ChatPart): string => {
  const text = part.json['text'];
  return typeof text === 'string' ? text : '';
};

/** Many servers take an array only from a person, and only where text alone does not do. */
const needsArray = ({ role, parts }: Draft): boolean =>
  role === 'user' && (parts.length > 1 || parts.some(({ json }) => json['type'] !== 'text'));

interface Written {
  readonly json: JsonObject;
  /** Of every part, below the message. */
  readonly places: readonly { readonly index: number; readonly place: WirePlace }[];
}

const write = (draft: Draft, asArray: boolean, marked: JsonObject | undefined): Written => {
  const { role, parts, rest } = draft;
  // A string part may not be empty, the result of a tool may.
  const isFull = parts.length > 0 && parts.every(({ json }) => json['text'] !== '');
  if (isFull && (asArray || needsArray(draft))) {
    const last = parts.length - 1;
    return {
      json: {
        role,
        content: parts.map(({ json }, at) => (marked && at === last ? { ...json, cache_control: marked } : json)),
        ...rest,
      },
      places: parts.map(({ index }, at) => ({ index, place: { path: ['content', at] } })),
    };
  }
  let text = '';
  const places = parts.map((part) => {
    const from = text.length;
    text += textOf(part);
    return { index: part.index, place: { path: ['content'], from, to: text.length } };
  });
  // Some servers refuse `null` where there are no calls.
  const isSilent = parts.length === 0 && rest['tool_calls'] !== undefined;
  return { json: { role, content: isSilent ? null : text, ...rest }, places };
};

/** Only routers know these; a local server might refuse what it does not know. */
const routerFields = (request: CanonicalRequest): JsonObject => {
  const { thinking, effort } = request;
  const reasoning: JsonObject = {
    ...(thinking?.mode === 'off' && { enabled: false }),
    ...(thinking?.mode === 'adaptive' && !effort && { enabled: true }),
    ...(thinking?.mode === 'budget' && { max_tokens: thinking.tokens }),
    ...(thinking?.mode !== 'off' && thinking?.mode !== 'budget' && effort && { effort }),
  };
  return {
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(request.sessionId !== undefined && { session_id: request.sessionId }),
    ...(request.model.startsWith('openai/') && { prompt_cache_key: request.cacheKey }),
  };
};

const serverFields = ({ stream, effort, thinking }: CanonicalRequest): JsonObject => ({
  ...(stream && { stream_options: { include_usage: true } }),
  ...(thinking?.mode === 'off' ? { reasoning_effort: 'none' } : effort && { reasoning_effort: effort }),
});

export const toChat = (request: CanonicalRequest, options: WireOptions = {}): WireRequest => {
  const isRouter = options.provider === 'openrouter';
  const isClaude = isRouter && request.model.startsWith('anthropic/');
  const { mode } = request.cache;
  const isStatic = isClaude && hasStaticMarkers(mode);
  const stable = wordsOf(request.system.stable, isClaude);
  const volatile = wordsOf(request.system.volatile, isClaude);
  const drafted = request.messages.map((message) => draftsOf(message, isClaude));
  const last =
    mode === 'rolling' && isClaude ? drafted.flatMap(({ drafts }) => drafts).findLast(isMarkable) : undefined;
  const ttls = orderedTtls(request.cache.ttl, { system: isStatic && stable !== '', messages: last !== undefined });

  const tools = request.tools.map(({ name, description, inputSchema }, index): Json => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
    ...(isStatic && index === request.tools.length - 1 && { cache_control: marker(ttls.tools) }),
  }));

  const hasBoth = stable !== '' && volatile !== '';
  const hasSystem = stable !== '' || volatile !== '';
  const messages: Json[] = [];
  if (hasSystem && isClaude) {
    const content: Json[] = [];
    if (stable !== '') {
      content.push({ type: 'text', text: stable, ...(isStatic && { cache_control: marker(ttls.system) }) });
    }
    if (volatile !== '') content.push({ type: 'text', text: volatile });
    messages.push({ role: 'system', content });
  } else if (hasSystem) {
    messages.push({ role: 'system', content: stable + (hasBoth ? BETWEEN : '') + volatile });
  }
  const systemPlace = (text: string, at: number, from: number): WirePlace | undefined => {
    if (text === '') return undefined;
    if (isClaude) return { path: ['messages', 0, 'content', at, 'text'] };
    return { path: ['messages', 0, 'content'], from, to: from + text.length };
  };

  const places = request.messages.map(({ content }, m): (WirePlace | undefined)[] => {
    const found: (WirePlace | undefined)[] = content.map(() => undefined);
    const base = messages.length;
    const { drafts, paths } = drafted[m] ?? { drafts: [], paths: [] };
    for (const { index, draft, path } of paths) found[index] = { path: ['messages', base + draft, ...path] };
    for (const [at, draft] of drafts.entries()) {
      const { json, places: own } = write(draft, isClaude, draft === last ? marker(ttls.messages) : undefined);
      for (const { index, place } of own) {
        found[index] = { ...place, path: ['messages', base + at, ...place.path] };
      }
      messages.push(json);
    }
    return found;
  });

  return {
    wire: WIRE,
    path: '/chat/completions',
    body: {
      model: request.model,
      [takesNewLimit(request.model) ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens,
      ...(request.stream && { stream: true }),
      ...(isRouter ? routerFields(request) : serverFields(request)),
      ...(isClaude && mode === 'automatic' && { cache_control: marker(ttls.messages) }),
      ...(tools.length > 0 && { tools }),
      messages,
    },
    places: {
      tools: tools.map((_, index) => ({ path: ['tools', index] })),
      stable: systemPlace(stable, 0, 0),
      volatile: systemPlace(volatile, stable === '' ? 0 : 1, hasBoth ? stable.length + BETWEEN.length : 0),
      messages: places,
    },
  };
};

const isMarkable = ({ parts }: Draft): boolean => {
  const part = parts.at(-1);
  return part !== undefined && part.json['text'] !== '';
};
