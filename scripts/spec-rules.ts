/**
 * Rules and who shows them. A rule is an id that begins a list item (`- **CAP2** …`) or a row of a table (`| CAP2 | …`) of a `SPEC.md`;
 * a test names the rules that it shows at the start of its title: `it('CAP2, CAP3: …')`.
 */
import { type ESTree, parseSync, Visitor } from 'vite';

const ID = '[A-Z]{1,5}[0-9]+[a-z]?';
const LIST = new RegExp(`^${ID}(?:(?:, |–)(?:${ID}|[0-9]+))*`);
const BEGINNINGS = [/^\s*- \*\*([^*]+)\*\*/, /^\|\s*([^|]+?)\s*\|/];

/** The ids of `CAP2`, `CAP2, CAP3`, `CAP2–CAP5` and `CAP2–5`; none if it is anything else. */
const idsOf = (text: string): readonly string[] => {
  if (LIST.exec(text)?.[0] !== text) return [];
  return text.split(', ').flatMap((part) => {
    const [first = '', last] = part.split('–');
    const [, prefix = '', from = ''] = /^([A-Z]+)([0-9]+)/.exec(first) ?? [];
    if (last === undefined) return [first];
    const to = Number(last.replace(/^[A-Z]+/, ''));
    return Array.from(
      { length: to - Number(from) + 1 },
      (_, index) => `${prefix}${String(Number(from) + index).padStart(from.length, '0')}`,
    );
  });
};

/** The rules of a `SPEC.md`, in its order. */
export const rulesOf = (markdown: string): readonly string[] =>
  markdown.split('\n').flatMap((line) => {
    const text = BEGINNINGS.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
    return text === undefined ? [] : idsOf(text);
  });

/** The rules that a title begins with. */
const namedIn = (title: string): readonly string[] => {
  const [list = ''] = LIST.exec(title) ?? [];
  return title.startsWith(`${list}:`) ? idsOf(list) : [];
};

/** `it`, `it.each(…)`, `describe.skipIf(…)`, `test.describe` and the like. */
const isTestCall = (callee: ESTree.Expression): boolean => {
  if (callee.type === 'Identifier') return ['it', 'test', 'describe'].includes(callee.name);
  if (callee.type === 'MemberExpression') return isTestCall(callee.object);
  if (callee.type === 'CallExpression') return isTestCall(callee.callee);
  return false;
};

/**
 * The rules that the titles of a test file name. Where titles are put together from a table, its texts that are an id, or begin with one
 * as a title does, are named too.
 */
export const namedRules = (path: string, source: string): ReadonlySet<string> => {
  const { program } = parseSync(path, source);
  const named = new Set<string>();
  const texts: string[] = [];
  let hasTable = false;
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!isTestCall(callee)) return;
      if (title?.type === 'Literal' && typeof title.value === 'string') {
        for (const id of namedIn(title.value)) named.add(id);
        hasTable ||= /^[%$]/.test(title.value);
      } else if (title?.type === 'TemplateLiteral') {
        const start = title.quasis[0]?.value.cooked ?? '';
        for (const id of namedIn(start)) named.add(id);
        hasTable ||= start === '';
      } else if (title?.type === 'Identifier') hasTable = true;
    },
    Literal({ value }) {
      if (typeof value === 'string') texts.push(value);
    },
  });
  visitor.visit(program);
  if (hasTable) for (const text of texts) for (const id of [...idsOf(text), ...namedIn(text)]) named.add(id);
  return named;
};
