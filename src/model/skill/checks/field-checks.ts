import { codePointLength, groupDigits } from '../../../base/text.ts';
import type { Field } from '../document.ts';
import { clientRulesOf, type ClientRules } from '../client-profiles.ts';
import { effectiveEntries, nodeValue, readField, readTools, splitTools, type FieldValue } from '../fields.ts';
import {
  CLAUDE_CODE_FIELDS,
  EXTENSION_FIELDS,
  KNOWN_TOOLS,
  METASKILL_FIELDS,
  nearest,
  SPEC_FIELDS,
} from '../known-names.ts';
import { DEFAULT_PROGRAM, findProgram } from '../metaskill-package.ts';
import { pythonRepr } from '../python-text.ts';
import type { ScalarType } from '../scalar-types.ts';
import type { Fix, TextRange } from '../types.ts';
import {
  editFix,
  moveToMetadata,
  quoteScalar,
  removeEntry,
  renameKeyFix,
  replaceRange,
  setValueFix,
  valueAsText,
  writeScalar,
} from '../yaml-edit.ts';
import type { MapEntry } from '../yaml-nodes.ts';
import { resolveAlias } from '../yaml-tree.ts';
import { say, type CheckContext } from './context.ts';

const COMPATIBILITY_LIMIT = 500;

const rangeOf = (field: Field): TextRange =>
  field.value.range.end > field.value.range.start ? field.value.range : field.key.range;

const removeFix = (context: CheckContext, field: Field, title: string, safety: Fix['safety']): Fix | undefined => {
  const edit = removeEntry(context.document, field);
  return edit && editFix(title, safety, [edit], context.document.input.fileName);
};

/** Any value can be written as a string; a collection only in a way that its author may see differently. */
const stringFix = (context: CheckContext, field: Field, value: FieldValue): Fix | undefined =>
  field.value.kind === 'alias'
    ? undefined
    : setValueFix(
        'Write it as one string',
        value.kind === 'typed' ? 'safe' : 'unsafe',
        context.document,
        field,
        quoteScalar(valueAsText(field.value)),
      );

const notString = (value: FieldValue): boolean =>
  value.kind === 'typed' || value.kind === 'map' || value.kind === 'seq';

export const checkLicense = (context: CheckContext): void => {
  const { field, value } = readField(context.document, 'license', context.typing);
  if (!field || !notString(value)) return;
  context.report(
    'license-type',
    rangeOf(field),
    say(context, 'The license must be a string.', 'license: must be a string'),
    [stringFix(context, field, value)],
  );
};

export const checkCompatibility = (context: CheckContext): void => {
  const { field, value } = readField(context.document, 'compatibility', context.typing);
  if (!field || value.kind === 'absent') return;
  const range = rangeOf(field);
  if (notString(value)) {
    const message = say(context, 'The compatibility note must be a string.', 'compatibility: must be a string');
    context.report('compatibility-type', range, message, [stringFix(context, field, value)]);
    if (value.kind !== 'typed' || context.profile === 'metis') return;
  }
  const text = value.kind === 'string' || value.kind === 'typed' ? value.text : '';
  const length = codePointLength(text);
  if (length > COMPATIBILITY_LIMIT) {
    const message = say(
      context,
      `The compatibility note has ${groupDigits(length)} characters. The limit is ${COMPATIBILITY_LIMIT}.`,
      `compatibility: must be <=500 chars (got ${length})`,
    );
    context.report('compatibility-length', range, message);
  } else if (text.trim() === '') {
    context.report('compatibility-empty', range, 'The compatibility note is empty.', [
      removeFix(context, field, 'Remove the field', 'safe'),
    ]);
  }
};

const PYTHON_TYPES: Readonly<Record<ScalarType, string>> = {
  string: 'str',
  null: 'NoneType',
  bool: 'bool',
  int: 'int',
  float: 'float',
  timestamp: 'date',
  merge: 'str',
  value: 'str',
};

const pythonType = (value: FieldValue): string => {
  switch (value.kind) {
    case 'map':
      return 'dict';
    case 'seq':
      return 'list';
    case 'typed':
      return value.type === 'timestamp' && /[Tt :]/.test(value.text) ? 'datetime' : PYTHON_TYPES[value.type];
    case 'null':
    case 'absent':
      return 'NoneType';
    case 'string':
      return 'str';
  }
};

/** A key as Python's `repr` shows it. */
const keyRepr = (entry: MapEntry, value: FieldValue): string => {
  if (value.kind === 'null' || value.kind === 'absent') return 'None';
  if (value.kind === 'typed') {
    const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value.text);
    if (value.type === 'timestamp' && date) return `datetime.date(${date.slice(1).map(Number).join(', ')})`;
    return value.type === 'bool' ? (/^(?:y|t|on)/i.test(value.text) ? 'True' : 'False') : value.text;
  }
  return pythonRepr(entry.name ?? '');
};

const metadataEntryCheck = (context: CheckContext, entry: MapEntry): void => {
  const { document, typing } = context;
  const file = document.input.fileName;
  const key = nodeValue(entry.key, typing);
  // As a key, a lone `=` is text for everybody.
  if (key.kind !== 'string' && !(key.kind === 'typed' && key.type === 'value')) {
    const message = say(
      context,
      'Metadata keys must be strings.',
      `metadata: keys must be strings, got ${keyRepr(entry, key)}`,
    );
    const quote =
      entry.key.kind === 'scalar' && entry.key.range.end > entry.key.range.start
        ? editFix('Put the key in quotes', 'safe', [replaceRange(entry.key.range, quoteScalar(entry.key.text))], file)
        : undefined;
    context.report('metadata-key-type', entry.key.range, message, [quote]);
    if (context.profile === 'metis') return;
  }
  const value = nodeValue(entry.value, typing);
  if (value.kind === 'string') return;
  const field: Field = { name: entry.name ?? '', key: entry.key, value: entry.value };
  const shown = entry.name ?? '';
  const range = rangeOf(field);
  const isScalar = value.kind === 'typed' && (value.type === 'bool' || value.type === 'int' || value.type === 'float');
  const asString = (title: string, safety: Fix['safety']): Fix | undefined =>
    entry.value.kind === 'alias' || document.field('metadata')?.value.kind !== 'map'
      ? undefined
      : setValueFix(title, safety, document, field, quoteScalar(valueAsText(entry.value)));
  if (isScalar || (value.kind === 'typed' && context.profile !== 'metis')) {
    context.report('metadata-value-coerced', range, `The value of \`${shown}\` isn’t a string. Put it in quotes.`, [
      asString('Put the value in quotes', 'safe'),
    ]);
    return;
  }
  const message = say(
    context,
    `The value of \`${shown}\` isn’t a string.`,
    `metadata[${key.kind === 'string' ? pythonRepr(entry.name ?? '') : keyRepr(entry, key)}]: values must be strings (got ${pythonType(value)})`,
  );
  context.report('metadata-value-type', range, message, [
    asString('Write the value as one string', value.kind === 'typed' || value.kind === 'null' ? 'safe' : 'unsafe'),
  ]);
};

export const checkMetadata = (context: CheckContext): void => {
  const { field, value } = readField(context.document, 'metadata', context.typing);
  if (!field || value.kind === 'null' || value.kind === 'absent') return;
  const node = resolveAlias(field.value);
  if (node?.kind !== 'map') {
    context.report(
      'metadata-type',
      rangeOf(field),
      say(context, 'Metadata must be a mapping.', 'metadata: must be a mapping'),
    );
    return;
  }
  for (const entry of effectiveEntries(node, context.typing)) metadataEntryCheck(context, entry);
};

const toolName = (tool: string): string => tool.replace(/\(.*$/s, '');

export const checkAllowedTools = (context: CheckContext): void => {
  const { document, profile } = context;
  const { field, value } = readField(document, 'allowed-tools', context.typing);
  if (!field || value.kind === 'absent' || value.kind === 'null') return;
  const file = document.input.fileName;
  const range = rangeOf(field);
  const tools = readTools(document);
  const asString = (): Fix | undefined =>
    setValueFix('Write it as a string with spaces', 'safe', document, field, writeScalar(tools.join(' ')));
  const metisText = 'allowed-tools: must be a space-separated string';
  if (value.kind === 'seq') {
    const node = resolveAlias(field.value);
    const odd = node?.kind === 'seq' && node.items.some((item) => nodeValue(item, context.typing).kind !== 'string');
    const splits = tools.some((tool) => splitTools(tool).length !== 1);
    const fix =
      field.value.kind === 'alias' || odd || splits
        ? undefined
        : tools.length === 0
          ? removeFix(context, field, 'Remove the empty field', 'safe')
          : asString();
    const message = odd
      ? 'An entry in the tool list isn’t a string.'
      : 'The tools are a YAML list. The specification requires a string with spaces.';
    context.report(odd ? 'allowed-tools-type' : 'allowed-tools-list', range, say(context, message, metisText), [fix]);
    if (profile === 'metis') return;
  } else if (value.kind === 'map' || (value.kind === 'typed' && profile !== 'strict')) {
    context.report('allowed-tools-type', range, say(context, 'The tool list must be a string.', metisText));
    return;
  } else if (
    value.kind === 'string' &&
    splitTools(value.text).join(' ') !== value.text.split(/\s+/).filter(Boolean).join(' ')
  ) {
    context.report(
      'allowed-tools-comma',
      range,
      'The tools are separated by commas. The specification requires spaces.',
      [asString()],
    );
  }
  // The tools are in the source in this order; quotes and list marks lie between them.
  const { start } = field.value.range;
  const source = document.text.slice(start, field.value.range.end);
  let from = 0;
  for (const tool of tools) {
    const found = source.indexOf(tool, from);
    const isFound = found !== -1;
    if (isFound) from = found + tool.length;
    const name = toolName(tool);
    const place = isFound ? { start: start + found, end: start + found + name.length } : range;
    const replaceBy = (title: string, text: string): Fix | undefined =>
      isFound ? editFix(title, 'manual', [replaceRange(place, text)], file) : undefined;
    if (tool === '*' || /^Bash(?:\(\*?(?::\*)?\))?$/.test(tool)) {
      const narrow = tool === 'Bash' ? replaceBy('Narrow it: `Bash(git:*)`', 'Bash(git:*)') : undefined;
      context.report(
        'allowed-tools-unrestricted',
        isFound ? { start: start + found, end: start + from } : range,
        `\`${tool}\` allows every command without asking.`,
        [narrow],
      );
    } else if (!KNOWN_TOOLS.includes(name) && !/^mcp__|[/*:.]|^[a-z][a-z0-9-]*$/.test(name)) {
      const meant = nearest(name, KNOWN_TOOLS);
      const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
      const fix = meant === undefined ? undefined : replaceBy(`Use \`${meant}\``, meant);
      context.report('allowed-tools-unknown', place, `No known agent has a tool named \`${name}\`.${hint}`, [fix]);
    }
  }
};

/** Fields that say how a skill behaves, and do nothing in this client. Those that only describe it do no harm. */
const checkClientFields = (context: CheckContext, { label, reads, ignoresRest }: ClientRules): void => {
  for (const { name, key } of context.document.fields) {
    const isPlain = SPEC_FIELDS.has(name) && name !== 'allowed-tools';
    if (isPlain || name === '<<' || reads.includes(name)) continue;
    const isKnown = SPEC_FIELDS.has(name) || EXTENSION_FIELDS.has(name);
    const effect = name === 'disable-model-invocation' ? ' and lists the skill' : '';
    const message = ignoresRest
      ? `${label} ignores the field \`${name}\`${effect}.`
      : `Whether ${label} reads the field \`${name}\` is unknown.`;
    context.report(isKnown ? 'field-extension' : 'field-unknown', key.range, message);
  }
};

export const checkUnknownFields = (context: CheckContext): void => {
  const { document, profile } = context;
  const client = clientRulesOf(profile);
  if (client) {
    checkClientFields(context, client);
    return;
  }
  const saysDefault = findProgram(document).metaskill?.program === DEFAULT_PROGRAM;
  // What a misspelt field was meant to be, each only once: two fields renamed alike would be one too many.
  let missing: Set<string> | undefined;
  for (const field of document.fields) {
    const { name } = field;
    if (SPEC_FIELDS.has(name)) continue;
    // Merge keys are reported as such; strictyaml drops what they bring.
    if (name === '<<' && field.key.kind === 'scalar' && field.key.style === 'plain') continue;
    if (profile === 'claude-code' && CLAUDE_CODE_FIELDS.has(name)) continue;
    if (METASKILL_FIELDS.has(name) && (profile === 'standard' || profile === 'metaskill')) continue;
    const edits = moveToMetadata(document, field);
    const move = edits && editFix(`Move \`${name}\` to metadata`, 'unsafe', edits, document.input.fileName);
    const remove = removeFix(context, field, `Remove \`${name}\``, 'manual');
    const hosts = EXTENSION_FIELDS.get(name);
    if (METASKILL_FIELDS.has(name) && saysDefault) {
      const drop = removeFix(context, field, `Remove \`${name}\`, which repeats the default`, 'safe');
      context.report(
        'field-extension',
        field.key.range,
        `Only metaskill hosts know the field \`${name}\`, and it repeats the default.`,
        [drop, move],
      );
      continue;
    }
    if (hosts !== undefined) {
      context.report('field-extension', field.key.range, `Only some agents know the field \`${name}\` (${hosts}).`, [
        move,
        remove,
      ]);
      continue;
    }
    missing ??= new Set([...SPEC_FIELDS, ...METASKILL_FIELDS].filter((known) => !document.field(known)));
    const meant = nearest(name, missing);
    if (meant !== undefined) missing.delete(meant);
    const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
    const rename = meant === undefined ? undefined : renameKeyFix(document, field, meant);
    context.report(
      'field-unknown',
      field.key.range,
      `No specification has the field \`${name}\`.${hint}`,
      rename ? [rename, move, remove] : [move, remove],
    );
    if (!/^x[_-]/.test(name)) {
      context.report(
        'MS-unknown-unprefixed-extension-field',
        field.key.range,
        `The extension field \`${name}\` has no prefix such as \`x_\`.`,
      );
    }
  }
};
