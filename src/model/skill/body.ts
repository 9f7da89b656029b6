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

interface Fence {
  readonly start: number;
  readonly contentEnd: number;
}

/** A fence may stand in a quote or in a list item. */
const FENCE_PREFIX = /^[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/;
/** From the `](` of a link on: the target, in angle brackets or bare, perhaps with a title behind it. */
const LINK_TARGET = /\]\([ \t]*(?:<([^>\r\n]{1,1000})>|([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200}){0,5}))[^)\r\n]{0,300}\)/y;
const LINK_DEFINITION = /^ {0,3}\[[^\]\r\n]{1,200}\]:[ \t]*<?([^\s>]+)>?/gm;
const WIKI_LINK = /\[\[([^[\]|#\r\n]{1,100})(?:[|#][^[\]\r\n]{0,100})?\]\]/g;
const MENTION = /(?:scripts|references|assets)\/[\w./-]{0,200}[\w-]\.[A-Za-z0-9]+(?![\w*/{<-])/y;
/** What may stand before a path that starts at the skill's folder. */
const MENTION_START = /(?:^|[^\w./}-])(?:\.\/)?$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\r\n]*?)[ \t]*#*[ \t]*$/gm;
const HTML_ANCHOR = /<a[ \t]+(?:name|id)=["']([^"']+)["']/g;

const lineEndFrom = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return text.charCodeAt(end - 1) === 13 ? end - 1 : end;
};

const scanFences = (text: string, from: number): { fences: Fence[]; open: TextRange | undefined; marker: string } => {
  const fences: Fence[] = [];
  let open: { start: number; end: number; char: string; length: number } | undefined;
  const hasTildes = text.includes('~~~', from);
  // Fences are few and lines are many: go from mark to mark.
  for (let at = from; at < text.length; ) {
    let mark = text.indexOf('```', at);
    if (hasTildes) {
      const tilde = text.indexOf('~~~', at);
      if (tilde !== -1 && (mark === -1 || tilde < mark)) mark = tilde;
    }
    if (mark === -1) break;
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
      fences.push({ start: open.start, contentEnd: end });
      open = undefined;
    }
  }
  if (open) fences.push({ start: open.start, contentEnd: text.length });
  return {
    fences,
    open: open && { start: open.start, end: open.end },
    marker: open ? open.char.repeat(open.length) : '',
  };
};

/** Whether an offset lies in a fence or in inline code of its line. */
const makeInCode = (text: string, fences: readonly Fence[]): ((offset: number) => boolean) => {
  return (offset) => {
    if (fences.some((fence) => offset >= fence.start && offset < fence.contentEnd)) return true;
    let lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    // Runs of backticks pair up with the next run of the same length.
    while (lineStart < offset) {
      const tick = text.indexOf('`', lineStart);
      if (tick === -1 || tick >= offset) return false;
      let run = 1;
      while (text[tick + run] === '`') run++;
      const lineEnd = text.indexOf('\n', tick);
      let close = text.indexOf('`'.repeat(run), tick + run);
      while (close !== -1 && text[close + run] === '`') {
        let skip = close;
        while (text[skip] === '`') skip++;
        close = text.indexOf('`'.repeat(run), skip);
      }
      if (close === -1 || (lineEnd !== -1 && close > lineEnd)) lineStart = tick + run;
      else if (close > offset) return true;
      else lineStart = close + run;
    }
    return false;
  };
};

/** GitHub's anchors: lower case, punctuation dropped, spaces become hyphens, repeats get a number. */
export const headingSlug = (heading: string): string =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');

const collectSlugs = (text: string, from: number, fences: readonly Fence[]): ReadonlySet<string> => {
  const slugs = new Set<string>();
  const add = (slug: string): void => {
    let unique = slug;
    for (let repeat = 1; slugs.has(unique); repeat++) unique = `${slug}-${repeat}`;
    slugs.add(unique);
  };
  HEADING.lastIndex = from;
  for (let match = HEADING.exec(text); match; match = HEADING.exec(text)) {
    const { index } = match;
    if (!fences.some((fence) => index >= fence.start && index < fence.contentEnd)) add(headingSlug(match[2] ?? ''));
  }
  HTML_ANCHOR.lastIndex = from;
  for (let match = HTML_ANCHOR.exec(text); match; match = HTML_ANCHOR.exec(text)) slugs.add(match[1] ?? '');
  return slugs;
};

const countLines = (text: string, from: number): number => {
  if (from >= text.length) return 0;
  let count = 1;
  for (let index = text.indexOf('\n', from); index !== -1 && index < text.length - 1; index = text.indexOf('\n', index + 1)) {
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

/** Two offsets of one capture group: the match holds the group's text once, near its end. */
const groupRange = (match: RegExpExecArray, group: string): TextRange => {
  const start = match.index + match[0].lastIndexOf(group);
  return { start, end: start + group.length };
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
    if (match && target !== '' && !inCode(at)) links.push({ target, range: groupRange(match, target) });
  }
  if (text.includes(']: ', from) || text.includes(']:\t', from)) {
    LINK_DEFINITION.lastIndex = from;
    for (let match = LINK_DEFINITION.exec(text); match; match = LINK_DEFINITION.exec(text)) {
      const target = match[1] ?? '';
      if (!inCode(match.index)) links.push({ target, range: groupRange(match, target) });
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
