/** What the rules need to know of a Markdown text: links, headings, code. Offsets are into the whole file. */
import { codePointLength, toLineFeeds } from '../../base/text.ts';
import type { TextRange } from './types.ts';

export interface BodyLink {
  readonly target: string;
  readonly range: TextRange;
}

export interface BodyFacts {
  /** Asked only near a limit: counting reads the whole text. */
  readonly codePoints: () => number;
  /** UTF-16 units: never less than the code points, never more than twice as many. */
  readonly length: number;
  readonly lineCount: number;
  /** The whole of the line that opens a code fence which never closes. */
  readonly openFence: TextRange | undefined;
  /** What would close it. */
  readonly openFenceMarker: string;
  /** Local and remote link targets, outside code. */
  readonly links: readonly BodyLink[];
  /** `[[name]]`, outside code. */
  readonly wikiLinks: readonly BodyLink[];
  /** Paths below `scripts/`, `references/`, `assets/` that the text names, also in code. */
  readonly mentions: () => readonly BodyLink[];
  readonly headingSlugs: () => ReadonlySet<string>;
}

/** A fence may be in a quote or in a list item. */
const FENCE_PREFIX = /^[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/;
/** From the `](` of a link on: the target, in angle brackets or bare, perhaps with a title after it. */
const LINK_TARGET =
  /\]\([ \t]*(?:<([^>\r\n]{1,1000})>|([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200}){0,5}))[^)\r\n]{0,300}\)/y;
const LINK_DEFINITION = /^ {0,3}\[[^\]\r\n]{1,200}\]:[ \t]*<?([^\s>]+)>?/gm;
const WIKI_LINK = /\[\[([^[\]|#\r\n]{1,100})(?:[|#][^[\]\r\n]{0,100})?\]\]/g;
const MENTION = /(?:scripts|references|assets)\/[\w./-]{0,200}[\w-]\.[A-Za-z0-9]+(?![\w*/{<-])/y;
/** What may be before a path that starts at the skill's folder. */
const MENTION_START = /(?:^|[^\w./}-])(?:\.\/)?$/;
const HEADING = /^ {0,3}#{1,6}[ \t]+([^\r\n]*)/gm;
const HTML_ANCHOR = /<a[ \t]+(?:name|id)=["']([^"']+)["']/g;

const lineEndFrom = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text.charCodeAt(end - 1) === 13 ? end - 1 : end;
};

const scanFences = (
  text: string,
  from: number,
): { fences: TextRange[]; open: TextRange | undefined; marker: string } => {
  const fences: TextRange[] = [];
  let open: { start: number; end: number; char: string; length: number } | undefined;
  const nextMark = (marker: string, at: number): number => {
    const found = text.indexOf(marker, at);
    return found === -1 ? text.length : found;
  };
  let ticks = nextMark('```', from);
  let tildes = nextMark('~~~', from);
  // Fences are few and lines are many: go from mark to mark.
  for (let at = from; at < text.length;) {
    if (ticks < at) ticks = nextMark('```', at);
    if (tildes < at) tildes = nextMark('~~~', at);
    const mark = Math.min(ticks, tildes);
    if (mark === text.length) break;
    const char = text[mark] ?? '';
    let length = 3;
    while (text[mark + length] === char) length++;
    const start = text.lastIndexOf('\n', mark - 1) + 1;
    const end = lineEndFrom(text, mark);
    at = end;
    if (!FENCE_PREFIX.test(text.slice(Math.max(start, from), mark))) continue;
    const info = text.slice(mark + length, end);
    if (!open) {
      // An info string with a backtick makes it inline code, not a fence.
      if (char === '`' && info.includes('`')) continue;
      open = { start: Math.max(start, from), end, char, length };
    } else if (char === open.char && length >= open.length && info.trim() === '') {
      fences.push({ start: open.start, end });
      open = undefined;
    }
  }
  if (open) fences.push({ start: open.start, end: text.length });
  return {
    fences,
    open: open && { start: open.start, end: open.end },
    marker: open ? open.char.repeat(open.length) : '',
  };
};

/** Inline code of one line: a run of backticks pairs up with the next run of the same length. */
const codeSpans = (text: string, start: number, end: number): TextRange[] => {
  // The line alone: looking for a backtick in a string without any would go to its end from every line.
  const line = text.slice(start, end);
  const runs: { at: number; length: number; twin: number }[] = [];
  for (let at = line.indexOf('`'); at !== -1;) {
    let length = 1;
    while (line[at + length] === '`') length++;
    runs.push({ at: start + at, length, twin: -1 });
    at = line.indexOf('`', at + length);
  }
  const nextOf = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (!run) continue;
    run.twin = nextOf.get(run.length) ?? -1;
    nextOf.set(run.length, index);
  }
  const spans: TextRange[] = [];
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    const twin = run && runs[run.twin];
    if (!run || !twin) continue;
    spans.push({ start: run.at, end: twin.at + twin.length });
    index = run.twin;
  }
  return spans;
};

/** Whether one of the ascending ranges holds an offset. */
const holds = (ranges: readonly TextRange[], offset: number): boolean => {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return offset < (ranges[low - 1]?.end ?? 0);
};

/** Whether an offset is in a fence or in inline code of its line. */
const makeInCode = (text: string, fences: readonly TextRange[]): ((offset: number) => boolean) => {
  // Links come in order, often many on a line.
  let line: TextRange = { start: 0, end: 0 };
  let spans: readonly TextRange[] = [];
  return (offset) => {
    if (holds(fences, offset)) return true;
    if (offset < line.start || offset >= line.end) {
      const end = text.indexOf('\n', offset);
      line = { start: text.lastIndexOf('\n', offset - 1) + 1, end: end === -1 ? text.length : end };
      spans = codeSpans(text, line.start, line.end);
    }
    return holds(spans, offset);
  };
};

/** GitHub's anchors: lower case, punctuation dropped, spaces become hyphens, repeats get a number. */
export const headingSlug = (heading: string): string =>
  heading
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
    .replace(/<[^>]{0,200}>/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');

/** Without the hashes that may close a heading. */
const headingText = (content: string): string => {
  const text = content.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trimEnd();
};

const collectSlugs = (text: string, from: number, fences: readonly TextRange[]): ReadonlySet<string> => {
  const slugs = new Set<string>();
  const repeats = new Map<string, number>();
  const add = (slug: string): void => {
    let unique = slug;
    let repeat = repeats.get(slug) ?? 0;
    while (slugs.has(unique)) unique = `${slug}-${++repeat}`;
    repeats.set(slug, repeat);
    slugs.add(unique);
  };
  HEADING.lastIndex = from;
  for (let match = HEADING.exec(text); match; match = HEADING.exec(text)) {
    if (!holds(fences, match.index)) add(headingSlug(headingText(match[1] ?? '')));
  }
  HTML_ANCHOR.lastIndex = from;
  for (let match = HTML_ANCHOR.exec(text); match; match = HTML_ANCHOR.exec(text)) slugs.add(match[1] ?? '');
  return slugs;
};

const countLines = (text: string, from: number): number => {
  if (from >= text.length) return 0;
  let count = 1;
  for (
    let index = text.indexOf('\n', from);
    index !== -1 && index < text.length - 1;
    index = text.indexOf('\n', index + 1)
  ) {
    count++;
  }
  return count;
};

const findMentions = (text: string, from: number): BodyLink[] => {
  const mentions: BodyLink[] = [];
  for (let at = text.indexOf('s/', from); at !== -1; at = text.indexOf('s/', at + 2)) {
    const folder = /(?:scripts|references|assets)$/.exec(text.slice(Math.max(from, at - 10), at + 1))?.[0];
    if (folder === undefined) continue;
    const start = at + 1 - folder.length;
    MENTION.lastIndex = start;
    const match = MENTION.exec(text);
    if (!match || !MENTION_START.test(text.slice(Math.max(from, start - 3), start))) continue;
    mentions.push({ target: match[0], range: { start, end: start + match[0].length } });
  }
  return mentions;
};

/** Where a target stands: the first place behind what ends the link's text. A title further on may repeat it. */
const targetRange = (match: RegExpExecArray, target: string, behind: string): TextRange => {
  const start = match.index + match[0].indexOf(target, match[0].indexOf(behind) + behind.length);
  return { start, end: start + target.length };
};

export const scanBody = (text: string, from: number): BodyFacts => {
  const { fences, open, marker } = scanFences(text, from);
  const inCode = makeInCode(text, fences);
  const links: BodyLink[] = [];
  const wikiLinks: BodyLink[] = [];

  for (let at = text.indexOf('](', from); at !== -1; at = text.indexOf('](', at + 2)) {
    LINK_TARGET.lastIndex = at;
    const match = LINK_TARGET.exec(text);
    const target = match?.[1] ?? match?.[2] ?? '';
    if (match && target !== '' && !inCode(at)) links.push({ target, range: targetRange(match, target, '](') });
  }
  if (text.includes(']: ', from) || text.includes(']:\t', from)) {
    LINK_DEFINITION.lastIndex = from;
    for (let match = LINK_DEFINITION.exec(text); match; match = LINK_DEFINITION.exec(text)) {
      const target = match[1] ?? '';
      if (!inCode(match.index)) links.push({ target, range: targetRange(match, target, ']:') });
    }
  }
  if (text.includes('[[', from)) {
    WIKI_LINK.lastIndex = from;
    for (let match = WIKI_LINK.exec(text); match; match = WIKI_LINK.exec(text)) {
      const target = (match[1] ?? '').trim();
      // `[[x]](y)` is an ordinary link, `[[ -f x ]]` is shell.
      if (target === '' || text[match.index + match[0].length] === '(' || inCode(match.index)) continue;
      wikiLinks.push({ target, range: { start: match.index, end: match.index + match[0].length } });
    }
  }

  let slugs: ReadonlySet<string> | undefined;
  let codePoints: number | undefined;
  let mentions: readonly BodyLink[] | undefined;
  return {
    codePoints: () => (codePoints ??= codePointLength(toLineFeeds(text.slice(from)))),
    length: text.length - from,
    lineCount: countLines(text, from),
    openFence: open,
    openFenceMarker: marker,
    links,
    wikiLinks,
    mentions: () => (mentions ??= findMentions(text, from)),
    headingSlugs: () => (slugs ??= collectSlugs(text, from, fences)),
  };
};
