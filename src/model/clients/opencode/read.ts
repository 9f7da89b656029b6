/** Frontmatter as opencode reads it: with a second try for values that hold a colon. */
import { BYTE_ORDER_MARK, readYaml, type Fields } from '../frontmatter.ts';

const OPEN = '---';
const CLOSE = '\n---';
const KEY_AND_VALUE = /^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$/;
/** Of what follows the first dashes. */
const LANGUAGES: ReadonlySet<string> = new Set(['', 'yaml', 'yml']);

/** The part between the dashes; to the end of the file where nothing closes it. */
const matterOf = (text: string): string | undefined => {
  if (!text.startsWith(OPEN) || text.startsWith('----')) return undefined;
  const rest = text.slice(OPEN.length);
  const end = rest.search(/\r?\n/);
  const raw = end === -1 ? '' : rest.slice(0, end);
  if (!LANGUAGES.has(raw.trim())) return undefined;
  const inner = raw.trim() === '' ? rest : rest.slice(raw.length);
  const close = inner.indexOf(CLOSE);
  return close === -1 ? inner : inner.slice(0, close);
};

const yamlOf = (text: string): Fields | undefined => {
  const matter = matterOf(text);
  if (matter === undefined) return undefined;
  const lines = matter.replaceAll('\r\n', '\n');
  const first = readYaml(lines, { asJsYaml: true });
  if (first.ok) return first.value;
  // Its reader takes a tab in front of a line for nothing.
  const second = readYaml(lines.replaceAll(/^\t+/gm, ''), { asJsYaml: true });
  return second.ok ? second.value : undefined;
};

/** A value with a colon becomes a literal block; what goes on below it becomes part of the block. */
const repaired = (text: string): string => {
  const [, matter] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  if (matter === undefined) return text;
  const lines = matter.split(/\r?\n/).flatMap((line) => {
    if (line.trim() === '' || line.trim().startsWith('#') || /^\s/.test(line)) return [line];
    const [, key, raw = ''] = KEY_AND_VALUE.exec(line) ?? [];
    const value = raw.trim();
    if (key === undefined || ['', '>', '|'].includes(value) || /^["']/.test(value) || !value.includes(':'))
      return [line];
    return [`${key}: |-`, `  ${value}`];
  });
  return text.replace(matter, () => lines.join('\n'));
};

/** Nothing where it cannot be read. */
export const readFields = (raw: string): Fields | undefined => {
  const text = raw.startsWith(BYTE_ORDER_MARK) ? raw.slice(1) : raw;
  return yamlOf(text) ?? yamlOf(repaired(text));
};
