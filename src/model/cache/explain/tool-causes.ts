/** Causes 2, 3, 4 and 18 in the list of tools. */
import { isObject } from '../../../base/json.ts';
import { canonicalJson } from '../read-parts.ts';
import type { CacheBlock } from '../types.ts';
import type { Comparison } from './comparison.ts';
import { blockPosition, differenceOf, isSameButSpace, isSameValue, parsedText, spaceKind } from './text-difference.ts';
import type { Finding } from './types.ts';
import { volatileValueAt } from './volatile-value.ts';
import { changeText, withArticle, listText, quote } from './words.ts';

interface Tool {
  readonly block: CacheBlock;
  readonly name: string;
  readonly value: string;
}

const readTool = (block: CacheBlock): Tool => {
  const value = parsedText(block.text);
  const raw = isObject(value) ? value : {};
  const inner = isObject(raw['function']) ? raw['function'] : raw;
  const name = [inner['name'], raw['server_label'], raw['mcp_server_name'], raw['type']].find(
    (word) => typeof word === 'string',
  );
  return { block, name: typeof name === 'string' ? name : block.label, value: canonicalJson(value) };
};

const toolsOf = (blocks: readonly CacheBlock[]): Tool[] =>
  blocks.filter(({ label }) => label.startsWith('tools[')).map(readTool);

export const toolNames = (blocks: readonly CacheBlock[]): readonly string[] => toolsOf(blocks).map(({ name }) => name);

const sorted = (tools: readonly Tool[], key: 'value' | 'name'): string =>
  JSON.stringify(tools.map((tool) => tool[key]).toSorted());

const ANTHROPIC_ADVICE =
  'Fix the tools at the start of a session. Offer rare ones with defer_loading, or add them later with a tool_addition block.';
const OPENAI_ADVICE =
  'Fix the tools at the start of a session, and restrict them per turn with tool_choice (allowed_tools).';

/** Only the order differs. */
const orderFinding = (before: readonly Tool[], after: readonly Tool[]): Finding => {
  const at = after.findIndex((tool, index) => tool.value !== before[index]?.value);
  const [old, fresh] = [before[at], after[at]];
  return {
    cause: 'tool-order',
    position: blockPosition(fresh?.block.label ?? `tools[${at}]`, old?.block, fresh?.block),
    evidence: [
      `Both requests have the same ${after.length} tools in a different order. ${fresh?.block.label} was ${quote(old?.name ?? '')} and is now ${quote(fresh?.name ?? '')}.`,
    ],
    repair: `Send the tools in one fixed order, such as sorted by name. ${quote(fresh?.name ?? '')} and ${quote(old?.name ?? '')} changed places. Don’t rely on the order of a map or a set.`,
  };
};

const edited = (old: Tool, fresh: Tool): { readonly text: string; readonly position: Finding['position'] } => {
  const { position, texts } = differenceOf(old.block, fresh.block);
  const value = texts && volatileValueAt(texts.before, texts.after, position.offset, 0);
  const where = position.path === '' ? '' : ` in ${position.path}`;
  const what = value ? `: ${withArticle(value.kind)}, ${changeText(value.before, value.after)}` : '';
  return { text: `${quote(fresh.name)} was edited${where}${what}.`, position };
};

const repairOf = (
  added: readonly Tool[],
  removed: readonly Tool[],
  changed: readonly Tool[],
  isMoved: boolean,
  isAnthropic: boolean,
): string => {
  const names = (tools: readonly Tool[]): string => listText(tools.map(({ name }) => quote(name)));
  const parts = [
    ...(added.length > 0 ? [`send ${names(added)} starting with the first request`] : []),
    ...(removed.length > 0 ? [`keep ${names(removed)} in the list`] : []),
    ...(changed.length > 0 ? [`keep the definition of ${names(changed)} unchanged`] : []),
    ...(isMoved ? ['send the tools in their old order'] : []),
  ].join(', ');
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}. ${isAnthropic ? ANTHROPIC_ADVICE : OPENAI_ADVICE}`;
};

const changedFinding = ({ current }: Comparison, before: readonly Tool[], after: readonly Tool[]): Finding => {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const fresh = new Map(after.map((tool) => [tool.name, tool]));
  const added = after.filter(({ name }) => !old.has(name));
  const removed = before.filter(({ name }) => !fresh.has(name));
  const changed = after.filter(({ name, value }) => old.has(name) && old.get(name)?.value !== value);
  const kept = (tools: readonly Tool[], others: ReadonlyMap<string, Tool>): string =>
    JSON.stringify(tools.filter(({ name }) => others.has(name)).map(({ name }) => name));
  const isMoved = kept(before, fresh) !== kept(after, old);
  const edits = changed.map((tool) => edited(old.get(tool.name) ?? tool, tool));
  const at = after.findIndex((tool, index) => tool.block.text !== before[index]?.block.text);
  const first = at === -1 ? undefined : after[at];
  const place = at === -1 ? after.length : at;
  const isEdit = first !== undefined && first.name === before[place]?.name;
  const names = (tools: readonly Tool[]): string => listText(tools.map(({ name }) => quote(name)));
  return {
    cause: 'tools-changed',
    position: isEdit
      ? (edits[changed.indexOf(first)]?.position ?? blockPosition(first.block.label, before[place]?.block, first.block))
      : blockPosition(first?.block.label ?? `tools[${place}]`, before[place]?.block, first?.block),
    evidence: [
      ...(added.length > 0 ? [`Added: ${names(added)}.`] : []),
      ...(removed.length > 0 ? [`Removed: ${names(removed)}.`] : []),
      ...edits.slice(0, 5).map(({ text }) => text),
      ...(isMoved ? ['The shared tools are in a different order too.'] : []),
      first?.block.tier === 'system'
        ? 'Web search and web fetch come first in the system prompt, so the cache loses that and the conversation. It keeps the other tools.'
        : 'Tools come first in the prompt, so the cache loses everything after them.',
    ],
    repair: repairOf(added, removed, changed, isMoved, current.facts.family === 'anthropic'),
  };
};

export const toolFinding = (comparison: Comparison): Finding => {
  const before = toolsOf(comparison.base.blocks);
  const after = toolsOf(comparison.current.blocks);
  const at = after.findIndex((tool, index) => tool.block.text !== before[index]?.block.text);
  const [old, fresh] = [before[at], after[at]];
  const isAligned = before.length === after.length && before.every((tool, index) => tool.name === after[index]?.name);
  if (isAligned && old && fresh) {
    const pairs = before.flatMap((tool, index) => {
      const other = after[index];
      return other && other.block.text !== tool.block.text ? [[tool, other] as const] : [];
    });
    if (pairs.every(([left, right]) => isSameValue(left.block, right.block)))
      return reserialised(old.block, fresh.block, `the definition of ${quote(fresh.name)}`);
    if (pairs.every(([left, right]) => isSameButSpace(left.block, right.block)))
      return whitespace(old.block, fresh.block);
  }
  if (before.length === after.length && sorted(before, 'value') === sorted(after, 'value'))
    return orderFinding(before, after);
  return changedFinding(comparison, before, after);
};

/** Cause 4: the same values in other bytes. */
export const reserialised = (before: CacheBlock, after: CacheBlock, what: string): Finding => ({
  cause: 'json-reserialised',
  position: differenceOf(before, after).position,
  evidence: [
    `${after.label} has the same JSON values in different bytes. The key order, a number’s format, an escape, or the spacing differs.`,
  ],
  repair: `Keep the first text of ${what} and send those bytes again, or always serialize with sorted keys. Parsing and rewriting JSON moves integer-like keys to the front and changes 1.0 and 1e3.`,
});

/** Cause 18: the same text but for white space. */
export const whitespace = (before: CacheBlock, after: CacheBlock): Finding => {
  const { position, texts } = differenceOf(before, after);
  const what = texts ? spaceKind(texts.before, texts.after) : 'whitespace';
  return {
    cause: 'whitespace-drift',
    position,
    evidence: [`${after.label} differs only in ${what}. Once normalized, both versions are the same.`],
    repair: `Normalize text once, where it enters the program (line endings to LF, no trailing spaces, Unicode NFC), then always send ${after.label} unchanged.`,
  };
};
