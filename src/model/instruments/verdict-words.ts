import type { CauseId } from '../cache/explain/types.ts';

export { verdictWords } from '../event/verdict-words.ts';

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
