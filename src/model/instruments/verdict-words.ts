import type { CauseId } from '../cache/explain/types.ts';
import { verdictWords } from '../event/verdict-words.ts';

export { verdictWords };

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

interface SegmentPlace {
  readonly name: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** `MEMORY.md, line 9`. */
export const segmentName = ({ name, file, line }: SegmentPlace): string =>
  `${file ?? name}${line === undefined ? '' : `, line ${line}`}`;

interface Told {
  readonly cause: string;
  readonly position: { readonly label: string; readonly segment?: SegmentPlace | undefined } | null;
}

/** What the notch points at, in a few words: the file, the block, or what happened. */
export const notchName = ({ cause, position }: Told): string => {
  if (position && isAboutContent(cause)) return position.segment ? segmentName(position.segment) : position.label;
  return verdictWords(cause, position?.label).title;
};
