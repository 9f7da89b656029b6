/** Forms of YAML that are valid and still not read alike by everybody. */
import type { Field, SkillDocument } from '../document.ts';
import { METASKILL_FIELDS } from '../known-names.ts';
import type { Fix, TextRange } from '../types.ts';
import { editFix, flowToBlock, quoteScalar, removeEntry, replaceRange, setValueFix } from '../yaml-edit.ts';
import type { MapNode, YamlNode } from '../yaml-nodes.ts';
import { columnOf, isMergeKey } from '../yaml-shape.ts';
import { stopsReader } from '../python-yaml.ts';
import { say, type CheckContext } from './context.ts';

/** Every mapping of the tree, the root first. Aliases are not followed. */
const eachMap = function* (node: YamlNode | undefined): Generator<MapNode> {
  if (node?.kind === 'map') {
    yield node;
    for (const entry of node.entries) {
      yield* eachMap(entry.key);
      yield* eachMap(entry.value);
    }
  } else if (node?.kind === 'seq') for (const item of node.items) yield* eachMap(item);
};

const eachNode = function* (node: YamlNode | undefined): Generator<YamlNode> {
  if (!node) return;
  yield node;
  if (node.kind === 'map') {
    for (const entry of node.entries) {
      yield* eachNode(entry.key);
      yield* eachNode(entry.value);
    }
  } else if (node.kind === 'seq') for (const item of node.items) yield* eachNode(item);
};

const duplicateCheck = (context: CheckContext): void => {
  const { document } = context;
  const maps = document.yaml?.hasNestedMaps === true ? eachMap(document.root) : document.root ? [document.root] : [];
  for (const map of maps) {
    const seen = new Map<string, MapNode['entries'][number]>();
    for (const entry of map.entries) {
      if (entry.name === undefined) continue;
      const earlier = seen.get(entry.name);
      seen.set(entry.name, entry);
      if (!earlier) continue;
      const field = { name: entry.name, key: earlier.key, value: earlier.value };
      const edit = map === document.root ? removeEntry(document, field) : undefined;
      const fix = edit && editFix(`Remove the earlier \`${entry.name}\``, 'unsafe', [edit], document.input.fileName);
      context.report(
        'yaml-duplicate-key',
        entry.key.range,
        `The key \`${entry.name}\` appears twice. The last one counts.`,
        [fix],
      );
    }
  }
};

/** The field whose value holds an offset. Fields are in order of position. */
const fieldAt = (document: SkillDocument, offset: number): Field | undefined => {
  const { fields } = document;
  let low = 0;
  let high = fields.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fields[middle]?.value.range.start ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  const field = fields[low - 1];
  return field && offset < field.value.range.end ? field : undefined;
};

const flowFix = (document: SkillDocument, owner: Field): Fix | undefined => {
  const edits = flowToBlock(document, owner);
  return edits && editFix('Write it in block style', 'safe', edits, document.input.fileName);
};

const flowCheck = (context: CheckContext): void => {
  const { document } = context;
  let reported: TextRange = { start: -1, end: -1 };
  // All flow collections of a field are rewritten together.
  let owner: Field | undefined;
  let fix: Fix | undefined;
  for (const node of eachNode(document.root)) {
    if ((node.kind !== 'map' && node.kind !== 'seq') || !node.flow || node.range.start < reported.end) continue;
    reported = node.range;
    const field = fieldAt(document, node.range.start);
    if (field !== owner) fix = field && flowFix(document, field);
    owner = field;
    const what = node.kind === 'map' ? '`{…}`' : '`[…]`';
    context.report('yaml-flow-style', node.range, `The reference validator refuses the flow style ${what}.`, [fix]);
  }
};

/** Anchor and tag are before the node that they belong to. */
const propertiesRange = (text: string, node: YamlNode): TextRange => {
  const { start } = node.range;
  const before = text.slice(Math.max(0, start - 200), start);
  let from = before.length;
  for (;;) {
    // A pattern for all of them at the same time would try every way to divide a row of such signs.
    const last = /[&!]\S*\s*$/.exec(before.slice(0, from));
    if (!last) break;
    from = last.index;
    if (!/\s/.test(before.charAt(from - 1))) break;
  }
  const found = before.slice(from);
  return found === ''
    ? node.range
    : { start: start - found.length, end: start - found.length + found.trimEnd().length };
};

const anchorCheck = (context: CheckContext): void => {
  const { document } = context;
  for (const node of eachNode(document.root)) {
    if (node.kind === 'alias')
      context.report('yaml-anchor', node.range, `The reference validator refuses the alias \`*${node.name}\`.`);
    else if (node.anchor !== undefined)
      context.report(
        'yaml-anchor',
        propertiesRange(document.text, node),
        `The reference validator refuses the anchor \`&${node.anchor}\`.`,
      );
    else if (node.tag !== undefined)
      context.report(
        'yaml-anchor',
        propertiesRange(document.text, node),
        `The reference validator refuses the tag \`${node.tag}\`.`,
      );
  }
};

const mergeKeyCheck = (context: CheckContext): void => {
  for (const map of eachMap(context.document.root)) {
    for (const entry of map.entries) {
      if (!isMergeKey(entry.key)) continue;
      context.report('yaml-merge-key', entry.key.range, 'Only some agents read merge keys.');
    }
  }
};

/** strictyaml: the mappings that are values of one mapping start in the same column. */
const indentationCheck = (context: CheckContext): void => {
  const { document } = context;
  for (const map of eachMap(document.root)) {
    let column: number | undefined;
    for (const entry of map.entries) {
      if (entry.value.kind !== 'map' || entry.value.flow || isMergeKey(entry.key)) continue;
      const here = columnOf(document.text, entry.value.range.start);
      if (column !== undefined && here !== column) {
        context.report(
          'yaml-indentation',
          entry.value.range,
          'This mapping has different indentation than the previous one.',
        );
        return;
      }
      column = here;
    }
  }
};

/** Forms that the simple reader of a metaskill host takes wrongly. */
const portabilityCheck = (context: CheckContext): void => {
  const { document } = context;
  for (const field of document.fields) {
    if (field.name !== 'name' && field.name !== 'description' && !METASKILL_FIELDS.has(field.name)) continue;
    const { value } = field;
    if (value.kind !== 'scalar') continue;
    const source = document.text.slice(value.range.start, value.range.end);
    const rest = /^[^\r\n]*/.exec(document.text.slice(value.range.end))?.[0] ?? '';
    const isBlock = value.style === 'folded' || (value.style === 'literal' && /^\|[-+0-9]/.test(source));
    const hasEscape = value.style === 'double' && /\\(?!")/.test(source);
    const hasComment = value.style !== 'literal' && value.style !== 'folded' && /^[ \t]+#/.test(rest);
    if (!isBlock && !hasEscape && !hasComment) continue;
    const form = isBlock ? 'the block header' : hasEscape ? 'the escape' : 'the comment';
    const text = value.text.replace(/\s+/g, ' ').trim();
    const quoted = quoteScalar(text);
    // A comment stays after the value, so a rewrite would not help there.
    const fix =
      hasComment || quoted.includes('\\')
        ? undefined
        : setValueFix('Write it on one quoted line', 'safe', document, field, quoted);
    context.report(
      'MS-yaml-portability',
      value.range,
      `A metaskill host would read ${form} of \`${field.name}\` as part of its text.`,
      [fix],
    );
  }
};

export const checkYamlForms = (context: CheckContext, isMetaskill: boolean): void => {
  const { document } = context;
  const isAsked = !context.isLoading || context.profile === 'metis';
  for (const problem of isAsked ? document.pythonProblems : []) {
    const { message, range, kind, places = [range], quoted } = problem;
    if (!stopsReader(problem, context.profile) && context.profile === 'strict') continue;
    const isTab = kind === 'tab';
    const file = document.input.fileName;
    const fix = isTab
      ? editFix(
          'Replace tabs with spaces',
          'safe',
          places.map((place) => replaceRange(place, ' ')),
          file,
        )
      : quoted === undefined
        ? undefined
        : editFix('Put the value in quotes', 'safe', [replaceRange(range, quoteScalar(quoted))], file);
    context.report(
      isTab ? 'yaml-tab' : 'yaml-construct',
      range,
      say(context, message, `yaml parse error: ${message}`),
      [fix],
    );
    if (context.profile === 'metis') return;
  }
  const unindented = document.yaml?.unindentedQuotes ?? [];
  if (unindented.length > 0) {
    const edits = unindented.map((offset) => replaceRange({ start: offset, end: offset }, '  '));
    context.report(
      'yaml-quote-indent',
      { start: unindented[0] ?? 0, end: unindented[0] ?? 0 },
      'Quoted text continues on a line that isn’t indented.',
      [editFix('Indent the lines', 'safe', edits, document.input.fileName)],
    );
  }
  if (!document.root) return;
  duplicateCheck(context);
  if (context.isLoading) return;
  if (document.yaml?.hasFlow === true && context.isOn('yaml-flow-style')) flowCheck(context);
  if (document.yaml?.hasProperties === true) anchorCheck(context);
  if (document.field('<<') ?? document.yaml?.hasNestedMaps) mergeKeyCheck(context);
  if (document.yaml?.hasNestedMaps === true && context.isOn('yaml-indentation')) indentationCheck(context);
  if (isMetaskill || context.profile === 'metaskill') portabilityCheck(context);
};
