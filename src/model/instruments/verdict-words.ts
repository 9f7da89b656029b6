/** What a verdict is called, for people who have never heard of prompt caching. */
import type { CauseId } from '../cache/explain/types.ts';

export interface VerdictWords {
  /** Two or three words. */
  readonly title: string;
  /** What it means, in one sentence. */
  readonly about: string;
}

/** `cold` is what journals from before call a start. */
const WORDS: Readonly<Record<CauseId | 'cold', VerdictWords>> = {
  hit: { title: 'Read', about: 'Everything that could be read from the cache was read.' },
  cold: { title: 'First request', about: 'There was nothing to read yet: this request fills the cache.' },
  'chain-start': {
    title: 'First request',
    about: 'A conversation starts here; what it writes, the next request reads.',
  },
  compaction: { title: 'Compacted', about: 'The conversation goes on from a summary, which has to be written once.' },
  'conversation-not-cached': {
    title: 'Not cached',
    about: 'The conversation lies behind the last breakpoint, so it is paid in full with every request.',
  },
  'shared-prefix-differs': {
    title: 'Other beginning',
    about: 'Another conversation has nearly the same tools and system prompt, and could have shared them.',
  },
  'not-recorded': { title: 'Not recorded', about: 'What would tell why is not in the recording.' },
  'date-line': { title: 'Date line', about: 'The line with the date changed, and everything behind it with it.' },
  'late-tool-list': { title: 'Late tools', about: 'Tools were added after the first request; tools come first.' },
  'billing-header': {
    title: 'Billing header',
    about: 'A line for accounting stands before the system prompt and is another one with every request.',
  },
  'volatile-value-in-system': {
    title: 'Changing value',
    about: 'A date, an id or another value that is new every time comes before text that could be read again.',
  },
  'tool-order': { title: 'Tools reordered', about: 'The same tools came in another order.' },
  'tools-changed': { title: 'Tools changed', about: 'A tool was added, removed or edited; tools come first.' },
  'json-reserialised': { title: 'JSON rewritten', about: 'The same data was written with other bytes.' },
  'history-edited': { title: 'History edited', about: 'An earlier message was changed, removed or inserted.' },
  'breakpoint-on-unique-block': {
    title: 'Breakpoint too late',
    about: 'The breakpoint stands behind a block that is new in every request.',
  },
  'below-floor': { title: 'Too short', about: 'The prefix is shorter than what this model caches.' },
  'ttl-expired': { title: 'Lapsed', about: 'The entry had lived out its time when the request came.' },
  'lookback-overflow': {
    title: 'Too far back',
    about: 'The last entry lies more than twenty blocks before the breakpoint.',
  },
  'parallel-requests': {
    title: 'Sent too early',
    about: 'The request before had not begun to answer, so its entry could not be seen yet.',
  },
  'model-or-key-switch': { title: 'Other cache', about: 'Another model, key or workspace has a cache of its own.' },
  'tier-parameter': { title: 'Parameter changed', about: 'A parameter that is part of the prompt changed.' },
  'thinking-or-effort-changed': { title: 'Thinking changed', about: 'Thinking or effort was set differently.' },
  'thinking-blocks-changed': { title: 'Thoughts lost', about: 'Thinking blocks did not come back as they were sent.' },
  'gateway-effect': { title: 'Gateway', about: 'Something between here and the provider dropped the markers.' },
  'marker-fault': { title: 'Marker fault', about: 'The markers of this request are missing or not allowed.' },
  'per-user-data-first': {
    title: 'Sessions differ',
    about: 'This session and the one before part at a place that stands before what they could share.',
  },
  'whitespace-drift': { title: 'Whitespace', about: 'Only line ends, spaces or the form of letters differ.' },
  'openai-cache-key': { title: 'Cache key', about: 'The cache key changed, so another machine answered.' },
  'provider-eviction': { title: 'Evicted', about: 'Everything is equal and in time: the provider let the entry go.' },
  'usage-misread': { title: 'Usage misread', about: 'The counters mean something else than they seem to.' },
};

const isKnown = (cause: string): cause is keyof typeof WORDS => Object.hasOwn(WORDS, cause);

export const verdictWords = (cause: string): VerdictWords =>
  isKnown(cause) ? WORDS[cause] : { title: cause, about: 'The cache did less than it could have.' };

/** What is said about the content of a request has a place in it; everything else is about time, markers or where it went. */
const ABOUT_CONTENT: ReadonlySet<string> = new Set<CauseId>([
  'volatile-value-in-system',
  'tool-order',
  'tools-changed',
  'json-reserialised',
  'history-edited',
  'breakpoint-on-unique-block',
  'thinking-blocks-changed',
  'per-user-data-first',
  'whitespace-drift',
  'shared-prefix-differs',
  'date-line',
  'late-tool-list',
  'billing-header',
]);

export const isAboutContent = (cause: string): boolean => ABOUT_CONTENT.has(cause);
