/** What a verdict is called, for people who have never heard of prompt caching. IDs are for programs. */

export interface VerdictWords {
  /** Three words at most. */
  readonly title: string;
  /** What it means, in one sentence. */
  readonly about: string;
}

/** `cold` is what journals from before call a start. */
const WORDS: Readonly<Record<string, VerdictWords>> = {
  hit: { title: 'Cache hit', about: 'The request read everything it could from the cache.' },
  cold: { title: 'First request', about: 'Nothing was cached yet. This request fills the cache.' },
  'chain-start': {
    title: 'First request',
    about: 'A conversation starts here. The next request reads what this one writes.',
  },
  compaction: { title: 'Compacted', about: 'The conversation continues from a summary, which has to be written once.' },
  'conversation-not-cached': {
    title: 'Not cached',
    about: 'The conversation comes after the last cache breakpoint, so every request pays for it in full.',
  },
  'shared-prefix-differs': {
    title: 'Different start',
    about: 'Another conversation has almost the same tools and system prompt, and could have shared them.',
  },
  'not-recorded': { title: 'Not recorded', about: 'The recording doesn’t hold what would tell the cause.' },
  'date-line': {
    title: 'Date in the prompt',
    about: 'The line with the date changed, and so did everything after it.',
  },
  'late-tool-list': {
    title: 'Tools arrived late',
    about: 'Tools were added after the first request, and tools come before everything else.',
  },
  'billing-header': {
    title: 'Billing header',
    about: 'A billing line comes before the system prompt and differs in every request.',
  },
  'volatile-value-in-system': {
    title: 'Changing value',
    about: 'A date, ID, or other changing value comes before the cache breakpoint.',
  },
  'tool-order': { title: 'Tools reordered', about: 'The same tools are in a different order.' },
  'tools-changed': {
    title: 'Tools changed',
    about: 'A tool was added, removed, or edited, and tools come before everything else.',
  },
  'json-reserialised': { title: 'JSON reformatted', about: 'The data is the same, but its bytes differ.' },
  'history-edited': { title: 'History edited', about: 'An earlier message was changed, removed, or inserted.' },
  'breakpoint-on-unique-block': {
    title: 'Breakpoint too late',
    about: 'The cache breakpoint comes after a block that is new in every request.',
  },
  'below-floor': { title: 'Too short to cache', about: 'The prefix is below this model’s cache floor.' },
  'ttl-expired': { title: 'Expired', about: 'The cache entry expired before this request.' },
  'lookback-overflow': { title: 'Too far back', about: 'The last entry is more than 20 blocks before the breakpoint.' },
  'parallel-requests': {
    title: 'Sent too early',
    about: 'The previous request hadn’t started responding, so its entry wasn’t readable yet.',
  },
  'model-or-key-switch': { title: 'Different cache', about: 'Each model, key, and API workspace has its own cache.' },
  'tier-parameter': { title: 'Parameter changed', about: 'A parameter that is part of the prompt changed.' },
  'thinking-or-effort-changed': { title: 'Thinking changed', about: 'Thinking or effort was set differently.' },
  'thinking-blocks-changed': { title: 'Thinking blocks changed', about: 'They differ from the ones the model sent.' },
  'gateway-effect': {
    title: 'Changed in transit',
    about: 'A gateway changed the request, its markers, or the provider.',
  },
  'marker-fault': { title: 'Marker error', about: 'The cache markers are missing or invalid.' },
  'per-user-data-first': { title: 'Sessions diverge', about: 'They differ before the text they could share.' },
  'whitespace-drift': { title: 'Whitespace changed', about: 'Only line endings, spaces, or Unicode form differ.' },
  'openai-cache-key': { title: 'Cache key changed', about: 'The cache key changed, so another machine answered.' },
  'provider-eviction': {
    title: 'Evicted',
    about: 'Nothing changed and the entry was still valid, but the provider dropped it.',
  },
  'usage-misread': { title: 'Usage misread', about: 'The counters mean something other than they seem to.' },
};

/** One cause for all that has a cache of its own: named by what it was, where that is known. */
const SWITCHES: Readonly<Record<string, VerdictWords>> = {
  model: { title: 'Model changed', about: 'Each model has its own cache, so nothing could be read.' },
  speed: { title: 'Speed changed', about: 'Fast and standard requests don’t share a cache.' },
  service_tier: { title: 'Service tier changed', about: 'Each service tier has its own cache.' },
};

const OTHER: VerdictWords = { title: 'Other cause', about: 'The cache did less than it could have.' };

/** `at` is the label of the place where the requests diverge. */
export const verdictWords = (cause: string, at?: string): VerdictWords => {
  const known = Object.hasOwn(WORDS, cause) ? WORDS[cause] : undefined;
  const named =
    cause === 'model-or-key-switch' && at !== undefined && Object.hasOwn(SWITCHES, at) ? SWITCHES[at] : known;
  return named ?? OTHER;
};
