import { createGrowingList } from '../../base/growing-list.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Block, CanonicalRequest, Message, WirePlace, WireRequest } from './types.ts';
import type { ModelFacts } from './model-book.ts';
import {
  factsFor,
  goesTo,
  hasStaticMarkers,
  marker,
  objectInput,
  orderedTtls,
  resultsFirst,
  type WireOptions,
  wordsOf,
} from './wire-parts.ts';

const WIRE = 'anthropic-messages';
/** The provider's own limit. */
const MIN_BUDGET = 1024;
/** A failure that says nothing is refused. */
const SILENT_FAILURE = '(no output)';

const blockOf = (block: Block): Json => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: objectInput(block) };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        content: wordsOf(block.text, true) || (block.isError ? SILENT_FAILURE : ''),
        ...(block.isError && { is_error: true }),
      };
    case 'thinking':
    case 'opaque':
      return block.raw;
  }
};

/** What may carry a marker: a provider refuses one on thinking, and of unknown blocks nothing is known. */
const isMarkable = (block: Block): boolean => block.type !== 'thinking' && block.type !== 'opaque';

const budget = (request: CanonicalRequest, tokens: number): JsonObject | undefined => {
  const most = request.maxOutputTokens - 1;
  if (most < MIN_BUDGET) return undefined;
  return { type: 'enabled', budget_tokens: Math.min(Math.max(Math.floor(tokens), MIN_BUDGET), most) };
};

const ADAPTIVE: JsonObject = { type: 'adaptive', display: 'summarized' };

const thinkingOf = (request: CanonicalRequest, facts: ModelFacts): JsonObject | undefined => {
  const wanted = request.thinking;
  if (!wanted || facts.thinking === 'none') return undefined;
  if (wanted.mode === 'off') {
    if (facts.thinking === 'always') return undefined;
    return { type: facts.id === 'claude-sonnet-5-5' ? 'between_tools' : 'disabled' };
  }
  if (facts.thinking === 'budget') {
    return budget(request, wanted.mode === 'budget' ? wanted.tokens : request.maxOutputTokens / 2);
  }
  if (wanted.mode === 'budget' && facts.thinking === 'unknown') return budget(request, wanted.tokens);
  return ADAPTIVE;
};

const effortOf = (request: CanonicalRequest, facts: ModelFacts): JsonObject | undefined => {
  if (!request.effort || facts.thinking === 'none') return undefined;
  // The last models without adaptive thinking; those of them that know effort have a default for it.
  if (facts.thinking === 'budget' && !facts.defaultEffort) return undefined;
  return { effort: request.effort === 'minimal' ? 'low' : request.effort };
};

interface Written {
  readonly role: Message['role'];
  readonly content: readonly { readonly block: Block; readonly json: Json }[];
  readonly json: JsonObject;
  /** Where each block of the message went, by the number that the message had. */
  readonly number: number;
  readonly places: readonly (WirePlace | undefined)[];
}

const write = ({ role, content }: Message, number: number): Written => {
  const places: (WirePlace | undefined)[] = content.map(() => undefined);
  const written: { block: Block; json: Json }[] = [];
  for (const { block, index } of resultsFirst(content)) {
    if (!goesTo(WIRE, block)) continue;
    places[index] = { path: ['messages', number, 'content', written.length] };
    written.push({ block, json: blockOf(block) });
  }
  return { role, content: written, json: { role, content: written.map(({ json }) => json) }, number, places };
};

/** A conversation only grows: what was said is written once, as long as it keeps its place. */
const writtenMessages = createGrowingList<Message, Written>((message, _, before) => write(message, nextNumber(before)));
/** Of a message without content nothing is sent. */
const nextNumber = (before: Written | undefined): number =>
  before ? before.number + (before.content.length > 0 ? 1 : 0) : 0;
const placesIn = createGrowingList<Written, Written['places']>(({ places }) => places);
const jsonOf = createGrowingList<Written, JsonObject>(({ json }) => json);

const lastMarkable = (
  messages: readonly Written[],
): { readonly message: number; readonly block: number } | undefined => {
  const message = messages.findLastIndex(({ content }) => content.some(({ block }) => isMarkable(block)));
  const block = messages[message]?.content.findLastIndex((item) => isMarkable(item.block));
  return block === undefined ? undefined : { message, block };
};

const withMarker = (
  messages: readonly Written[],
  at: ReturnType<typeof lastMarkable>,
  cacheControl: JsonObject,
): readonly Json[] => {
  const whole = jsonOf(messages);
  const marked = at && messages[at.message];
  if (!marked) return whole;
  const content = marked.content.map(({ json }, index) =>
    index === at.block ? { ...(json as JsonObject), cache_control: cacheControl } : json,
  );
  return [...whole.slice(0, at.message), { role: marked.role, content }, ...whole.slice(at.message + 1)];
};

export const toAnthropic = (request: CanonicalRequest, options: WireOptions = {}): WireRequest => {
  const facts = factsFor(request, options);
  const { mode } = request.cache;
  const isStatic = hasStaticMarkers(mode);
  const stable = wordsOf(request.system.stable, true);
  const volatile = wordsOf(request.system.volatile, true);

  const written = writtenMessages(request.messages);
  const places = placesIn(written);
  const hasEmpty = nextNumber(written.at(-1)) < written.length;
  const messages = hasEmpty ? written.filter(({ content }) => content.length > 0) : written;
  const marked = mode === 'rolling' ? lastMarkable(messages) : undefined;
  const ttls = orderedTtls(request.cache.ttl, { system: isStatic && stable !== '', messages: marked !== undefined });

  const tools = request.tools.map(({ name, description, inputSchema }, index): Json => ({
    name,
    description,
    input_schema: inputSchema,
    ...(isStatic && index === request.tools.length - 1 && { cache_control: marker(ttls.tools) }),
  }));

  const system: Json[] = [];
  if (stable !== '') {
    system.push({ type: 'text', text: stable, ...(isStatic && { cache_control: marker(ttls.system) }) });
  }
  if (volatile !== '') system.push({ type: 'text', text: volatile });

  const thinking = thinkingOf(request, facts);
  const effort = effortOf(request, facts);
  const asksDiagnosis = request.previousResponseId !== undefined && facts.hasDiagnostics;
  return {
    wire: WIRE,
    path: '/v1/messages',
    body: {
      model: request.model,
      max_tokens: request.maxOutputTokens,
      ...(request.stream && { stream: true }),
      ...(thinking && { thinking }),
      ...(effort && { output_config: effort }),
      ...(mode === 'automatic' && { cache_control: marker(ttls.messages) }),
      ...(tools.length > 0 && { tools }),
      ...(system.length > 0 && { system }),
      messages: withMarker(messages, marked, marker(ttls.messages)),
      // Differs in every call, so it comes after everything that only grows.
      ...(asksDiagnosis && { diagnostics: { previous_message_id: request.previousResponseId ?? null } }),
    },
    places: {
      tools: tools.map((_, index) => ({ path: ['tools', index] })),
      stable: stable === '' ? undefined : { path: ['system', 0, 'text'] },
      volatile: volatile === '' ? undefined : { path: ['system', stable === '' ? 0 : 1, 'text'] },
      messages: places,
    },
  };
};
