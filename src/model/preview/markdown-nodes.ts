/** Rendered Markdown as plain data, which a worker can send: names of elements, their properties, and text. SPEC.md MN. */
import { isObject } from '../../base/json.ts';

type Value = string | number | boolean | Readonly<Record<string, string>>;

export type MarkdownNode =
  | string
  | {
      readonly tag: string;
      readonly props: Readonly<Record<string, Value>>;
      readonly children: readonly MarkdownNode[];
    };

/** More elements in one piece, or deeper ones, take the page longer to draw than a person waits. */
const MOST_NODES = 4000;
const MOST_LEVELS = 80;

const isValue = (value: unknown): value is Value =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (isObject(value) && Object.values(value).every((each) => typeof each === 'string'));

/** What React's elements say, without React; nothing if there is more than a page should draw. */
export const toMarkdownNodes = (element: unknown): readonly MarkdownNode[] | undefined => {
  let count = 0;
  const read = (given: unknown, level: number): readonly MarkdownNode[] => {
    if (Array.isArray(given)) return given.flatMap((each) => read(each, level));
    if (typeof given === 'string') return given === '' ? [] : [given];
    if (!isObject(given) || !isObject(given['props'])) return [];
    count++;
    if (count > MOST_NODES || level > MOST_LEVELS) return [];
    const { children, ...props } = given['props'];
    const inner = read(children, level + 1);
    // A fragment has no name.
    if (typeof given['type'] !== 'string') return inner;
    const kept = Object.fromEntries(
      Object.entries(props).flatMap(([name, value]) => (isValue(value) ? [[name, value] as const] : [])),
    );
    return [{ tag: given['type'], props: kept, children: inner }];
  };
  let deepest = 0;
  const levels: [unknown, number][] = [[element, 0]];
  // Measured without recursion first: a stranger decides how deep it goes.
  for (let next = levels.pop(); next && deepest <= MOST_LEVELS; next = levels.pop()) {
    const [given, level] = next;
    deepest = Math.max(deepest, level);
    if (Array.isArray(given)) for (const each of given) levels.push([each, level]);
    else if (isObject(given) && isObject(given['props'])) levels.push([given['props']['children'], level + 1]);
  }
  if (deepest > MOST_LEVELS) return undefined;
  const nodes = read(element, 0);
  return count > MOST_NODES ? undefined : nodes;
};

export const countNodes = (nodes: readonly MarkdownNode[]): number => {
  let count = 0;
  const open: MarkdownNode[] = [...nodes];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count++;
    if (typeof next !== 'string') for (const child of next.children) open.push(child);
  }
  return count;
};
