/** `[[name]]` in Markdown as a link to that skill. */

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
