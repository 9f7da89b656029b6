/** Code fences of a Markdown text, line by line: no pattern runs from one fence to the end of the text. */

export interface Fence {
  /** Blanks and quote marks in front of the fence. */
  readonly prefix: string;
  /** The first word after the marks. */
  readonly tag: string;
  /** Of the whole, from its first line to the end of its last one. */
  readonly start: number;
  readonly end: number;
  /** Of the code. */
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
}

const MARKS = /([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})/y;

export const findFences = (text: string): readonly Fence[] => {
  const fences: Fence[] = [];
  let open: { start: number; prefix: string; marks: string; tag: string; from: number } | undefined;
  const close = (to: number, end: number, isClosed: boolean): void => {
    if (open)
      fences.push({ prefix: open.prefix, tag: open.tag, start: open.start, end, from: open.from, to, isClosed });
    open = undefined;
  };
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    MARKS.lastIndex = at;
    const found = MARKS.exec(text);
    const [, prefix = '', marks = ''] = found ?? [];
    if (found) {
      const rest = text.slice(MARKS.lastIndex, end);
      if (!open) {
        // Marks after the first ones make it code in a line, not a fence.
        if (!(marks.startsWith('`') && rest.includes('`')) && newline !== -1)
          open = { start: at, prefix, marks, tag: /^[ \t]*(\S*)/.exec(rest)?.[1] ?? '', from: newline + 1 };
      } else if (marks.startsWith(open.marks) && rest.trim() === '') close(at, end, true);
    }
    at = end + 1;
  }
  close(text.length, text.length, false);
  return fences;
};

/** Blanks in place of some fences, so that every offset stays the same. */
export const blankFences = (text: string, isBlanked: (fence: Fence) => boolean): string => {
  const parts: string[] = [];
  let done = 0;
  for (const fence of findFences(text)) {
    if (!fence.isClosed || !isBlanked(fence)) continue;
    parts.push(text.slice(done, fence.start), text.slice(fence.start, fence.end).replace(/[^\r\n]/g, ' '));
    done = fence.end;
  }
  parts.push(text.slice(done));
  return parts.join('');
};
