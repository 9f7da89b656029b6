/** A value that changes, said in the conversation instead of the system prompt (WIF8). */
import { isObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { blockText } from '../cache/block-tokens.ts';
import type { Item, Step } from './types.ts';

/** Strings that share less than this are different prompts, not one with a value in it. */
const ALIKE = 0.5;

export interface Movable {
  /** Of the system block. */
  readonly label: string;
  /** What it said in the first and in the last request. */
  readonly before: string;
  readonly after: string;
}

/** Labels are counted inside a kind of conversation: sub-agents have prompts of their own. */
const familyOf = (step: Step, { block }: Item): string => `${step.chain.kind} ${block.label}`;

const isSystemText = ({ block }: Item): boolean => block.tier === 'system' && block.kind === 'text';

interface Family {
  readonly label: string;
  readonly texts: readonly string[];
  readonly stable: ReadonlySet<string>;
}

const linesOf = (text: string): readonly string[] => text.split('\n');

/** Lines that every form of a block has, or nothing where they are different prompts. */
const familiesOf = (steps: readonly Step[]): ReadonlyMap<string, Family> => {
  const texts = new Map<string, { label: string; texts: Set<string> }>();
  for (const step of steps)
    for (const item of step.items.filter(isSystemText)) {
      const key = familyOf(step, item);
      const known = texts.get(key) ?? { label: item.block.label, texts: new Set<string>() };
      texts.set(key, known);
      known.texts.add(blockText(item.block));
    }
  const families = new Map<string, Family>();
  for (const [key, { label, texts: found }] of texts) {
    if (found.size < 2) continue;
    const all = [...found];
    const sets = all.map((text) => new Set(linesOf(text)));
    const stable = new Set([...(sets[0] ?? [])].filter((line) => sets.every((lines) => lines.has(line))));
    const kept = [...stable].reduce((sum, line) => sum + line.length, 0);
    const longest = Math.max(...all.map(({ length }) => length));
    // A short block that is all value moves as a whole.
    if (kept >= longest * ALIKE || (kept === 0 && longest < 400)) families.set(key, { label, texts: all, stable });
  }
  return families;
};

const valueOf = (text: string, { stable }: Family): string =>
  linesOf(text)
    .filter((line) => !stable.has(line))
    .join('\n');

/** Blocks of the system prompt with a value that could be moved. */
export const movables = (steps: readonly Step[]): readonly Movable[] => {
  const found = new Map<string, Movable>();
  for (const family of familiesOf(steps).values()) {
    const values = family.texts.map((text) => valueOf(text, family)).filter((value) => value !== '');
    const [before = '', after = ''] = [values[0], values.at(-1)];
    if (values.length > 0 && !found.has(family.label)) found.set(family.label, { label: family.label, before, after });
  }
  return [...found.values()];
};

/** The same block with another text. Its size is not on any bill. */
const retold = (
  { block, origin, count: before, measured }: Item,
  text: string,
  count: (text: string) => number,
): Item => {
  const value = valueOr(parseJson(block.text), undefined);
  const raw = isObject(value) ? { ...value, text } : text;
  return {
    ...(origin !== undefined && { origin }),
    ...(measured !== undefined && measured > 0 && { was: { count: before, measured } }),
    block: { ...block, text: JSON.stringify(raw) },
    count: count(text),
  };
};

interface Said {
  readonly message: number;
  readonly value: string;
}

const saying = ({ message, value }: Said, count: (text: string) => number): Item => {
  const text = JSON.stringify({ type: 'text', text: value });
  const label = `messages[${message}].content[moved]`;
  return {
    block: { tier: 'messages', label, kind: 'text', role: 'user', text, start: 0, end: 0, message },
    count: count(value),
  };
};

/** Behind their messages; a marker at the end of a message stays at its end. */
const withSaid = (items: readonly Item[], said: readonly Said[], make: (one: Said) => Item): readonly Item[] => {
  let all = [...items];
  for (const one of said) {
    const at = all.findLastIndex(({ block }) => block.message === one.message);
    const last = all[at];
    if (!last) continue;
    const { marker, ...plain } = last.block;
    const added = make(one);
    all = [
      ...all.slice(0, at),
      marker ? { ...last, block: plain } : last,
      marker ? { ...added, block: { ...added.block, marker } } : added,
      ...all.slice(at + 1),
    ];
  }
  return all;
};

const lastMessage = ({ items }: Step): number | undefined =>
  items.findLast(({ block }) => block.tier === 'messages' && block.role === 'user')?.block.message;

/** Every request says the value at the end of its own last message, where it stays in later requests. */
export const withMoved = (
  steps: readonly Step[],
  labels: readonly string[] | undefined,
  count: (text: string) => number,
): readonly Step[] => {
  if (!labels || labels.length === 0) return steps;
  const families = familiesOf(steps);
  const spoken = new Map<string, readonly Said[]>();
  const retellings = new Map<string, Item>();
  const sayings = new Map<string, Item>();
  return steps.map((step) => {
    const values: string[] = [];
    const items = step.items.flatMap((item): readonly Item[] => {
      const family =
        isSystemText(item) && labels.includes(item.block.label) ? families.get(familyOf(step, item)) : undefined;
      if (!family) return [item];
      const text = blockText(item.block);
      const value = valueOf(text, family);
      if (value === '') return [item];
      values.push(value);
      const rest = linesOf(text)
        .filter((line) => family.stable.has(line))
        .join('\n');
      if (rest.trim() === '') return [];
      const key = `${item.block.label} ${item.block.marker?.ttl ?? ''} ${rest}`;
      const made = retellings.get(key) ?? retold(item, rest, count);
      retellings.set(key, made);
      return [made];
    });
    const message = lastMessage(step);
    if (values.length === 0 || message === undefined) return step;
    const before = (spoken.get(step.chain.id) ?? []).filter((said) => said.message <= message);
    const said = before.some((one) => one.message === message)
      ? before
      : [...before, { message, value: values.join('\n') }];
    spoken.set(step.chain.id, said);
    const make = (one: Said): Item => {
      const key = `${one.message} ${one.value}`;
      const known = sayings.get(key) ?? saying(one, count);
      sayings.set(key, known);
      return known;
    };
    return { ...step, items: withSaid(items, said, make) };
  });
};
