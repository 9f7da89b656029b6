/** The text of a SKILL.md whose folder was renamed: where `name` was the folder's, it is the new one. */

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n[^]*?(?=^---[ \t]*\r?$)/m;
const NAME_LINE = /^(name:[ \t]*)(["']?)([^\r\n"'#]*?)\2([ \t]*(?:#[^\r\n]*)?)$/m;

export const renamedText = (text: string, before: string, after: string): string => {
  const [head] = FRONTMATTER.exec(text) ?? [];
  if (head === undefined || !text.startsWith(head)) return text;
  const changed = head.replace(NAME_LINE, (line, key: string, quote: string, name: string, rest: string) =>
    name === before ? `${key}${quote}${after}${quote}${rest}` : line,
  );
  return changed + text.slice(head.length);
};
