/** Tools in a fixed order, or the same list from the first request on (WIF7). */
import { isObject, parseJson } from '../../base/json.ts';
import { compareCodePoints } from '../../base/text.ts';
import { valueOr } from '../../base/result.ts';
import type { Item, Step, ToolPolicy } from './types.ts';

const NAMES = new WeakMap<object, string>();

const toolName = ({ block }: Item): string => {
  const known = NAMES.get(block);
  if (known !== undefined) return known;
  const tool = valueOr(parseJson(block.text), undefined);
  const named = isObject(tool) && isObject(tool['function']) ? tool['function'] : tool;
  const name = isObject(named) && typeof named['name'] === 'string' ? named['name'] : block.text;
  NAMES.set(block, name);
  return name;
};

/** Web search and web fetch are rendered after the others, wherever they are in the list. */
const isListed = ({ block }: Item): boolean => block.tier === 'tools';

/** The marker stays after the last tool. */
const inPlace = (step: Step, tools: readonly Item[]): Step => {
  const before = step.items.filter(isListed);
  const ttl = before.find(({ block }) => block.marker)?.block.marker;
  const listed = tools.map((item, index): Item => {
    const { marker: _marker, ...block } = item.block;
    const isLast = index === tools.length - 1;
    return { ...item, block: { ...block, label: `tools[${index}]`, ...(isLast && ttl && { marker: ttl }) } };
  });
  return { ...step, items: [...listed, ...step.items.filter((item) => !isListed(item))] };
};

const isSame = (left: readonly Item[], right: readonly Item[]): boolean =>
  left.length === right.length && left.every(({ block }, index) => block.text === right[index]?.block.text);

export const withTools = (steps: readonly Step[], policy: ToolPolicy | undefined): readonly Step[] => {
  if (policy === undefined) return steps;
  const lists = new Map<string, Map<string, Item>>();
  if (policy === 'frozen')
    for (const { chain, items } of steps) {
      const list = lists.get(chain.id) ?? new Map<string, Item>();
      lists.set(chain.id, list);
      // The first form of a tool is the one that stays.
      for (const item of items.filter(isListed)) if (!list.has(toolName(item))) list.set(toolName(item), item);
    }
  return steps.map((step) => {
    const own = step.items.filter(isListed);
    const tools =
      policy === 'sorted'
        ? own.toSorted((a, b) => compareCodePoints(toolName(a), toolName(b)))
        : [...(lists.get(step.chain.id)?.values() ?? [])];
    return own.length === 0 || isSame(own, tools) ? step : inPlace(step, tools);
  });
};
