/** From bytes to text, and where the frontmatter is. */

export interface DecodedText {
  readonly text: string;
  /** Byte offset of the first sequence that is not UTF-8. */
  readonly invalidAt: number | undefined;
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    strictDecoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** The longest prefix that is UTF-8 ends where the first bad sequence starts; a sequence has at most four bytes. */
const firstInvalidByte = (bytes: Uint8Array): number => {
  let low = 0;
  let high = bytes.length;
  const valid = (end: number): boolean => {
    for (let cut = 0; cut < 4 && cut <= end; cut++) if (isUtf8(bytes.subarray(0, end - cut))) return true;
    return false;
  };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (valid(middle)) low = middle;
    else high = middle - 1;
  }
  for (let cut = 0; cut < 4 && cut <= low; cut++) if (isUtf8(bytes.subarray(0, low - cut))) return low - cut;
  return low;
};

export const decodeText = (content: string | Uint8Array): DecodedText => {
  if (typeof content === 'string') return { text: content, invalidAt: undefined };
  try {
    return { text: strictDecoder.decode(content), invalidAt: undefined };
  } catch {
    return { text: lenientDecoder.decode(content), invalidAt: firstInvalidByte(content) };
  }
};

export type FrontmatterFault =
  /** There is no line that opens frontmatter. */
  | { readonly kind: 'missing' }
  /** The opening line is there, after a BOM, blank lines or text. `end` is where the opening line starts. */
  | { readonly kind: 'not-first'; readonly before: 'bom' | 'blank' | 'text'; readonly end: number }
  /** A line that was meant as a delimiter but is not exactly `---`. */
  | { readonly kind: 'delimiter'; readonly which: 'opening' | 'closing'; readonly start: number; readonly end: number }
  | { readonly kind: 'unclosed'; readonly start: number; readonly end: number };

export interface FrontmatterSplit {
  readonly faults: readonly FrontmatterFault[];
  /** Where the YAML is, the delimiter lines excluded. Absent when none exists. */
  readonly yaml: { readonly start: number; readonly end: number } | undefined;
  /** Delimiter lines that carry trailing spaces (allowed, but not everywhere). */
  readonly paddedDelimiters: readonly { readonly start: number; readonly end: number }[];
  readonly openingLineStart: number;
  readonly closingLineStart: number | undefined;
  /** Where the body starts, blank lines skipped. */
  readonly bodyStart: number;
}

interface Line {
  readonly start: number;
  /** Without the line ending. */
  readonly end: number;
  readonly next: number;
}

const lineAt = (text: string, start: number): Line => {
  let end = start;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit === 10) return { start, end, next: end + 1 };
    if (unit === 13) return { start, end, next: text.charCodeAt(end + 1) === 10 ? end + 2 : end + 1 };
  }
  return { start, end, next: end };
};

const OPENING = /^--- *$/;
/** Nobody looks after the closing `---`. */
const CLOSING = /^---[ \t]*$/;
/** What people write instead of `---`, at the start of a line. */
const LOOSE_CLOSE = /^(?:---|[ \t]+---[ \t]*$|\.\.\.[ \t]*$|[—–]+[ \t]*$)/u;
const LOOSE_OPEN = /^(?:-{3,}|[ \t]+---[ \t]*$|[—–]+[ \t]*$)/u;
const KEY_LINE = /^ *(?:\? \S|(?:[A-Za-z_][\w-]*|"[^"]*"|'[^']*')[ \t]*:(?:[ \t]|$))/;
/** Text before frontmatter is looked through this far; beyond it, `---` is a rule of the body. */
const SEARCHED_LINES = 40;

const skipBlank = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) === 10 || text.charCodeAt(at) === 13)) at++;
  return at;
};

/** Finds the line that opens frontmatter although it is not the first one. */
const findLateOpening = (text: string, from: number): { line: Line; before: 'blank' | 'text' } | undefined => {
  let before: 'blank' | 'text' = 'blank';
  let line = lineAt(text, from);
  for (let count = 0; count < SEARCHED_LINES && line.next > line.start; count++) {
    const content = text.slice(line.start, line.end);
    if (OPENING.test(content)) {
      // Behind blank lines it can be nothing else; behind text it may be a rule, unless a key follows.
      if (before === 'blank') return { line, before };
      const following = lineAt(text, line.next);
      if (KEY_LINE.test(text.slice(following.start, following.end))) return { line, before };
    }
    if (content.trim() !== '') before = 'text';
    line = lineAt(text, line.next);
  }
  return undefined;
};

export const splitFrontmatter = (text: string): FrontmatterSplit => {
  const faults: FrontmatterFault[] = [];
  const padded: { start: number; end: number }[] = [];
  const none = (): FrontmatterSplit => ({
    faults,
    yaml: undefined,
    paddedDelimiters: [],
    openingLineStart: 0,
    closingLineStart: undefined,
    bodyStart: skipBlank(text, text.startsWith('\uFEFF') ? 1 : 0),
  });

  const top = text.startsWith('\uFEFF') ? 1 : 0;
  let open = lineAt(text, top);
  let yamlStart = open.next;
  const first = text.slice(open.start, open.end);
  if (OPENING.test(first)) {
    if (top === 1) faults.push({ kind: 'not-first', before: 'bom', end: 1 });
  } else if (LOOSE_OPEN.test(first)) {
    const glued = /^---(?=[A-Za-z_][\w-]*[ \t]*:)/.exec(first);
    if (glued) yamlStart = open.start + 3;
    faults.push({ kind: 'delimiter', which: 'opening', start: open.start, end: glued ? yamlStart : open.end });
  } else {
    const late = findLateOpening(text, top);
    if (!late) {
      faults.push({ kind: 'missing' });
      return none();
    }
    faults.push({ kind: 'not-first', before: late.before, end: late.line.start });
    open = late.line;
    yamlStart = open.next;
  }
  if (open.end > open.start + 3 && OPENING.test(text.slice(open.start, open.end))) {
    padded.push({ start: open.start + 3, end: open.end });
  }

  let indented: Line | undefined;
  for (let line = lineAt(text, yamlStart); ; line = lineAt(text, line.next)) {
    if (line.start >= text.length) break;
    const content = text.slice(line.start, line.end);
    if (LOOSE_CLOSE.test(content)) {
      const exact = CLOSING.test(content);
      if (exact || content.startsWith('---')) {
        // Text glued to the closing line is the start of the body.
        const glued = /^---[^-\s]/.test(content);
        const closeEnd = glued ? line.start + 3 : line.end;
        if (!exact) faults.push({ kind: 'delimiter', which: 'closing', start: line.start, end: closeEnd });
        else if (line.end > line.start + 3) padded.push({ start: line.start + 3, end: line.end });
        return {
          faults,
          yaml: { start: yamlStart, end: line.start },
          paddedDelimiters: padded,
          openingLineStart: open.start,
          closingLineStart: line.start,
          bodyStart: skipBlank(text, glued ? closeEnd : line.next),
        };
      }
      indented ??= line;
    }
    if (line.next === line.start || line.next >= text.length) break;
  }
  if (indented) {
    faults.push({ kind: 'delimiter', which: 'closing', start: indented.start, end: indented.end });
    return {
      faults,
      yaml: { start: yamlStart, end: indented.start },
      paddedDelimiters: padded,
      openingLineStart: open.start,
      closingLineStart: indented.start,
      bodyStart: skipBlank(text, indented.next),
    };
  }
  faults.push({ kind: 'unclosed', start: open.start, end: open.end });
  return { ...none(), openingLineStart: open.start };
};
