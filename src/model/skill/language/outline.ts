import { readDocument } from '../document.ts';
import { resolveAlias } from '../yaml-tree.ts';
import type { TextRange } from '../types.ts';

export interface OutlineItem {
  readonly name: string;
  /** A few words beside the name. */
  readonly detail: string;
  readonly kind: 'frontmatter' | 'field' | 'heading';
  readonly range: TextRange;
  /** Of the name. */
  readonly nameRange: TextRange;
  readonly children: readonly OutlineItem[];
}

interface Open {
  readonly level: number;
  readonly item: Omit<OutlineItem, 'range' | 'children'>;
  readonly start: number;
  readonly children: OutlineItem[];
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\r\n]*)$/;

/** Without the hashes that may close a heading. */
const headingName = (text: string): string => {
  const name = text.trimEnd();
  return name.slice(0, name.length - (/(?<!#)#+$/.exec(name)?.[0].length ?? 0)).trimEnd();
};

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

const headings = (text: string, from: number): { level: number; name: string; start: number; end: number }[] => {
  const found: { level: number; name: string; start: number; end: number }[] = [];
  let fence = '';
  for (let start = from; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, next).replace(/(?<![\r\n])[\r\n]+$/, '');
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (mark !== undefined) fence = mark;
    else {
      const heading = HEADING.exec(line);
      if (heading)
        found.push({
          level: (heading[1] ?? '').length,
          name: headingName(heading[2] ?? ''),
          start,
          end: start + line.length,
        });
    }
    start = next;
  }
  return found;
};

const firstLine = (text: string): string => {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

export const outlineOf = (text: string): readonly OutlineItem[] => {
  const { fields, split, bodyRange } = readDocument({ content: text, fileName: 'SKILL.md' });
  const items: OutlineItem[] = [];
  if (split.yaml) {
    const { start, end } = split.yaml;
    items.push({
      name: 'Frontmatter',
      detail: `${fields.length} fields`,
      kind: 'frontmatter',
      range: { start: split.openingLineStart, end },
      nameRange: { start: split.openingLineStart, end: start },
      children: fields.map(({ name, key, value }) => {
        const node = resolveAlias(value);
        return {
          name,
          detail: node?.kind === 'scalar' ? firstLine(node.text) : '',
          kind: 'field' as const,
          range: { start: key.range.start, end: Math.max(key.range.end, value.range.end) },
          nameRange: key.range,
          children: [],
        };
      }),
    });
  }
  const open: Open[] = [];
  const close = (level: number, end: number): void => {
    for (let last = open.at(-1); last && last.level >= level; last = open.at(-1)) {
      open.pop();
      const item = { ...last.item, range: { start: last.start, end }, children: last.children };
      (open.at(-1)?.children ?? items).push(item);
    }
  };
  for (const { level, name, start, end } of headings(text, bodyRange.start)) {
    close(level, start);
    open.push({ level, start, children: [], item: { name, detail: '', kind: 'heading', nameRange: { start, end } } });
  }
  close(1, text.length);
  return items;
};
