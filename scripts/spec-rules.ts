/**
 * Rules and who shows them. A rule is an id in bold (`- **CAP2** …`) or at the beginning of a row of a table (`| CAP2 | …`) of a
 * `SPEC.md`; a test names the rules that it shows at the start of its title: `it('CAP2, CAP3: …')`.
 */
import { type ESTree, parseSync, Visitor } from 'vite';

const ID = '[A-Z]{1,5}[0-9]+[a-z]?';
const LIST = new RegExp(`^${ID}(?:(?:, |–)(?:${ID}|[0-9]+))*`);
const ROW = /^\|\s*([^|]+?)\s*\|/;
const BOLD = /\*\*([^*]+)\*\*/g;
/** As a rule begins, `CAP2: text`, but without the form of one. */
const LOOSE = new RegExp(`(?:^|[ (])(${ID}): `, 'gm');

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
    const row = ROW.exec(line)?.[1];
    const texts = row === undefined ? [...line.matchAll(BOLD)].map(([, text = '']) => text) : [row];
    return texts.flatMap(idsOf);
  });

/** Ids that a text speaks of as of rules, though no reader of rules finds them. */
export const looseRules = (markdown: string): readonly string[] => {
  const rules = rulesOf(markdown);
  return [...markdown.matchAll(LOOSE)].map(([, id = '']) => id).filter((id) => !rules.includes(id));
};

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

export interface NamedRules {
  /** That titles begin with. */
  readonly inTitles: ReadonlySet<string>;
  /**
   * With those of tables: where titles are put together from one, its texts that are an id, or begin with one as a title does, count.
   */
  readonly all: ReadonlySet<string>;
}

/** The rules that a test file names. */
export const namedRules = (path: string, source: string): NamedRules => {
  const { program } = parseSync(path, source);
  const inTitles = new Set<string>();
  const texts: string[] = [];
  let hasTable = false;
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!isTestCall(callee)) return;
      if (title?.type === 'Literal' && typeof title.value === 'string') {
        for (const id of namedIn(title.value)) inTitles.add(id);
        hasTable ||= /^[%$]/.test(title.value);
      } else if (title?.type === 'TemplateLiteral') {
        const start = title.quasis[0]?.value.cooked ?? '';
        for (const id of namedIn(start)) inTitles.add(id);
        hasTable ||= start === '';
      } else if (title?.type === 'Identifier') hasTable = true;
    },
    Literal({ value }) {
      if (typeof value === 'string') texts.push(value);
    },
  });
  visitor.visit(program);
  const listed = hasTable ? texts.flatMap((text) => idsOf(text).concat(namedIn(text))) : [];
  return { inTitles, all: new Set([...inTitles, ...listed]) };
};
