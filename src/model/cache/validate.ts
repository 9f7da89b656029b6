/** What the provider refuses with a 400. */
import type { ModelFacts } from '../provider/model-book.ts';
import { automaticTarget, explicitAnthropic, markedBlocks } from './breakpoints.ts';
import { renderedBlocks } from './hash-chain.ts';
import { dotted, fault } from './read-parts.ts';
import type { CacheBlock, CacheRequest, RequestFault } from './types.ts';

const CURRENT_API_VERSION = '2026-10-21';

export const MAX_MARKERS = 4;

/** From this version of the API on; versions are dates and sort as text. */
const STRICT_VERSION = '2026-10-21';

const orderFault = (label: string): RequestFault =>
  fault(
    'ttl-order',
    `${dotted(label)}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. ` +
      'Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
  );

const markerFaults = (blocks: readonly CacheBlock[]): readonly RequestFault[] =>
  markedBlocks(blocks)
    .flatMap((at) => blocks[at] ?? [])
    .flatMap((block) => {
      if (block.unmarkable === 'thinking')
        return [
          fault(
            'marker-thinking',
            `${dotted(block.label)}.${block.kind}.cache_control: Extra inputs are not permitted`,
          ),
        ];
      if (block.unmarkable === 'empty')
        return [
          fault('marker-empty', `${dotted(block.label)}.text: cache_control cannot be set for empty text blocks`),
        ];
      return [];
    });

const breakpointFaults = (request: CacheRequest, blocks: readonly CacheBlock[]): readonly RequestFault[] => {
  const explicit = explicitAnthropic(blocks);
  const faults: RequestFault[] = [];
  if (explicit.length > MAX_MARKERS)
    faults.push(
      fault(
        'max-markers',
        `A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${explicit.length}.`,
      ),
    );
  const ttls = explicit.map(({ at, ttl }) => ({ ttl, label: blocks[at]?.label ?? '' }));
  const target = automaticTarget(blocks);
  const there = explicit.find(({ at }) => at === target);
  const { automatic } = request;
  if (automatic && there && there.ttl !== automatic.ttl)
    faults.push(
      fault(
        'automatic-ttl',
        `cache_control: ttl='${automatic.ttl}' conflicts with the cache_control of ${dotted(blocks[target]?.label ?? '')}, which has ttl='${there.ttl}'`,
      ),
    );
  if (automatic && !there && target >= 0) {
    if (explicit.length === MAX_MARKERS)
      faults.push(
        fault(
          'automatic-slot',
          `A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${MAX_MARKERS}, which leaves none for the top-level cache_control.`,
        ),
      );
    ttls.push({ ttl: automatic.ttl, label: blocks[target]?.label ?? '' });
  }
  const late = ttls.find(
    ({ ttl }, index) => ttl === '1h' && ttls.slice(0, index).some((earlier) => earlier.ttl === '5m'),
  );
  return late ? [...faults, orderFault(late.label)] : faults;
};

const typeOf = (text: string | undefined): unknown =>
  text?.startsWith('{') ? (JSON.parse(text) as { readonly type?: unknown }).type : undefined;

const isForced = (choice: string | undefined): boolean => ['any', 'tool'].includes(String(typeOf(choice)));

/** `max_tokens: 0` only fills the cache, so nothing that asks for output goes with it. */
const prewarmFaults = ({ params }: CacheRequest): readonly RequestFault[] => {
  if (params.get('max_tokens') !== '0') return [];
  const clash = (what: string): RequestFault => fault('prewarm', `max_tokens: 0 is not supported with ${what}`);
  return [
    ...(params.get('stream') === 'true' ? [clash('`stream`')] : []),
    ...(typeOf(params.get('thinking')) === 'enabled' ? [clash('`thinking.enabled`')] : []),
    ...(params.has('output_config.format') ? [clash('`output_config.format`')] : []),
    ...(isForced(params.get('tool_choice'))
      ? [clash(`tool_choice type '${String(typeOf(params.get('tool_choice')))}'`)]
      : []),
  ];
};

/** Models that take `role: "system"` inside a conversation, and those of which it is not known. */
const SYSTEM_ROLE = /^claude-(?:opus-(?:4-8|5|5-5)|fable-.*|mythos-.*|sonnet-5-5|haiku-5-5)$/;

const roleFaults = ({ roles }: CacheRequest, facts: ModelFacts): readonly RequestFault[] => {
  if (!roles.includes('system')) return [];
  return roles.flatMap((role, index) => {
    if (role !== 'system') return [];
    const path = `messages.${index}.role`;
    // Of models outside the book nothing is known, and they have no floor.
    if (facts.floor !== undefined && !SYSTEM_ROLE.test(facts.id))
      return [fault('system-role-model', `${path}: 'system' is not supported on ${facts.id}`)];
    if (index === 0) return [fault('system-role-first', `${path}: the first message cannot have the role 'system'`)];
    // Several in a row are one.
    const before = roles.slice(0, index).findLast((one) => one !== 'system');
    const next = roles.slice(index).find((one) => one !== 'system');
    if (before !== 'user' || (next !== undefined && next !== 'assistant'))
      return [
        fault(
          'system-role-place',
          `${path}: a 'system' message must follow a 'user' message, and be the last or precede an 'assistant' message`,
        ),
      ];
    return [];
  });
};

const SAMPLING = ['temperature', 'top_p', 'top_k'];
/** Forced tool use is refused by these. */
const NO_FORCED_TOOLS = /^claude-(?:opus-5-5|sonnet-5-5|fable-5-1|mythos-5-1)$/;
const THINKING_ON = /^claude-sonnet-5-5$/;

/** Found while the body was read; older versions of the API take them. */
const STRICT_RULES: ReadonlySet<string> = new Set(['assistant-document', 'user-citations']);

const samplingFaults = ({ params }: CacheRequest): readonly RequestFault[] =>
  SAMPLING.filter((name) => params.has(name)).map((name) =>
    fault('sampling', `${name}: Extra inputs are not permitted`),
  );

const modelFaults = ({ params }: CacheRequest, facts: ModelFacts): readonly RequestFault[] => {
  const faults: RequestFault[] = [];
  if (isForced(params.get('tool_choice')) && NO_FORCED_TOOLS.test(facts.id))
    faults.push(fault('forced-tools', `tool_choice.type: 'any' and 'tool' are not supported on ${facts.id}`));
  const isAlwaysOn = facts.thinking === 'always' || THINKING_ON.test(facts.id);
  if (isAlwaysOn && typeOf(params.get('thinking')) === 'disabled')
    faults.push(fault('thinking-always-on', `thinking.type: 'disabled' is not supported on ${facts.id}`));
  return faults;
};

const isOpenAiMarked = (block: CacheBlock): boolean => block.marker?.ttl === '30m' || block.marker?.ttl === '12h';

const openaiFaults = (request: CacheRequest, facts: ModelFacts): readonly RequestFault[] => {
  const { params, wire } = request;
  if (facts.caching === 'openai-prefix') {
    const marked = request.blocks.find(isOpenAiMarked);
    const unsupported = (rule: string, name: string): RequestFault =>
      fault(rule, `Unsupported parameter: '${name}' is not supported with this model.`);
    return [
      ...(params.has('prompt_cache_options') ? [unsupported('options-unsupported', 'prompt_cache_options')] : []),
      ...(marked ? [unsupported('breakpoint-unsupported', `${marked.label}.prompt_cache_breakpoint`)] : []),
    ];
  }
  const choices = (name: string, allowed: readonly string[], rule: string): readonly RequestFault[] => {
    const value = params.get(name);
    if (value === undefined || allowed.some((choice) => JSON.stringify(choice) === value)) return [];
    const listed = allowed.map((choice) => `'${choice}'`).join(' and ');
    return [
      fault(rule, `Invalid value: ${value.replaceAll('"', "'")} for '${name}'. Supported values are: ${listed}.`),
    ];
  };
  return [
    ...choices('prompt_cache_options.mode', ['implicit', 'explicit'], 'options-mode'),
    ...choices('prompt_cache_options.ttl', wire === 'openai-chat' ? ['30m'] : ['30m', '12h'], 'options-ttl'),
  ];
};

interface ValidateOptions {
  readonly apiVersion?: string;
  /** Those of the request that are rendered, if they are known already. */
  readonly rendered?: readonly CacheBlock[];
}

/** In the order in which they are reported; the first is the one that an answer has. `apiVersion` is Anthropic's header. */
export const validateRequest = (
  request: CacheRequest,
  facts: ModelFacts,
  options: ValidateOptions = {},
): readonly RequestFault[] => {
  if (facts.caching === 'unknown') return [];
  if (facts.caching !== 'anthropic') return [...request.faults, ...openaiFaults(request, facts)];
  const blocks = options.rendered ?? renderedBlocks(request, facts).map((index) => request.blocks[index] as CacheBlock);
  const isStrict = (options.apiVersion ?? CURRENT_API_VERSION) >= STRICT_VERSION;
  const read = isStrict ? request.faults : request.faults.filter(({ rule }) => !STRICT_RULES.has(rule));
  const markers = [...read, ...markerFaults(request.blocks), ...breakpointFaults(request, blocks)];
  if (request.wire !== 'anthropic-messages') return markers;
  return [
    ...markers,
    ...prewarmFaults(request),
    ...(isStrict ? samplingFaults(request) : []),
    ...modelFaults(request, facts),
    ...roleFaults(request, facts),
  ];
};
