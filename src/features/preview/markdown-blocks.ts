/** A long text in pieces that are rendered one by one, so that typing in one leaves the others alone. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Definitions and footnotes reach from one piece into another. */
const REACHES = /^ {0,3}\[[^\]\n]+\]:/m;

/** Split before headings, outside code. Joined by nothing, the pieces are the text. */
export const markdownBlocks = (text: string): readonly string[] => {
  if (REACHES.test(text)) return [text];
  const blocks: string[] = [];
  let start = 0;
  let fence = '';
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(at, next);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (mark !== undefined) fence = mark;
    else if (/^#{1,6}[ \t]/.test(line) && at > start) {
      blocks.push(text.slice(start, at));
      start = at;
    }
    at = next;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
};

/** Of one paragraph. The renderer compares marks with each other, so its time is their number squared. */
const MOST_MARKS = 400;
/** Quotes and lists inside each other, in one line. */
const MOST_LEVELS = 30;
const MOST_IN_PIECE = 60_000;
const MOST_IN_ALL = 150_000;

const STARTS_PARAGRAPH = /^[ \t]*(?:[-*+#|]|\d{1,9}[.)]|$)/;

/** Whether rendering a piece would hold the page. Read once, line by line. */
const isCostly = (block: string): boolean => {
  if (block.length > MOST_IN_PIECE) return true;
  let marks = 0;
  for (const line of block.split('\n')) {
    if (STARTS_PARAGRAPH.test(line)) marks = 0;
    marks += line.match(/[[\]*_`~<&\\:@]/g)?.length ?? 0;
    const levels = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/.exec(line)?.[0] ?? '';
    if (marks > MOST_MARKS || levels.replace(/[\s\d]/g, '').length > MOST_LEVELS) return true;
  }
  return false;
};

export interface MarkdownPiece {
  readonly text: string;
  /** Too long or too intricate to be rendered without holding the page. */
  readonly isLeftOut: boolean;
}

/** The pieces of a text, and which of them stay unrendered. */
export const markdownPieces = (text: string): readonly MarkdownPiece[] => {
  let rendered = 0;
  return markdownBlocks(text).map((block) => {
    const isLeftOut = rendered + block.length > MOST_IN_ALL || isCostly(block);
    if (!isLeftOut) rendered += block.length;
    return { text: block, isLeftOut };
  });
};

interface Node {
  readonly type: string;
  value?: string;
  url?: string;
  children?: Node[];
}

/** Addresses of our own, which no browser opens. */
export const SKILL_URL = 'lathe-skill:';

const WIKI = /\[\[([^[\]|#\r\n]{1,100})\]\]/g;

const withLinks = (text: string): Node[] => {
  const parts: Node[] = [];
  let done = 0;
  for (const match of text.matchAll(WIKI)) {
    const name = (match[1] ?? '').trim();
    if (name === '') continue;
    if (match.index > done) parts.push({ type: 'text', value: text.slice(done, match.index) });
    parts.push({ type: 'link', url: SKILL_URL + encodeURIComponent(name), children: [{ type: 'text', value: name }] });
    done = match.index + match[0].length;
  }
  if (done < text.length) parts.push({ type: 'text', value: text.slice(done) });
  return parts;
};

/** A remark plugin: `[[name]]` in text, not in code, is a link to that skill. */
export const remarkSkillLinks = () => (tree: Node) => {
  const walk = (node: Node): void => {
    if (!node.children || node.type === 'link') return;
    node.children = node.children.flatMap((child) =>
      child.type === 'text' && child.value !== undefined && child.value.includes('[[')
        ? withLinks(child.value)
        : [child],
    );
    for (const child of node.children) walk(child);
  };
  walk(tree);
};
