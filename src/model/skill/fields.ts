/** What a field's value is for the host of a profile. */
import type { Field, SkillDocument } from './document.ts';
import { EXTENSION_FIELDS, nearest, SPEC_FIELDS } from './known-names.ts';
import { scalarType, type ScalarType, type Typing } from './scalar-types.ts';
import type { Profile } from './types.ts';
import { isMergeKey } from './yaml-shape.ts';
import type { MapEntry, MapNode, YamlNode } from './yaml-nodes.ts';
import { resolveAlias } from './yaml-tree.ts';

export const typingOf = (profile: Profile): Typing => {
  switch (profile) {
    case 'strict':
      return 'none';
    case 'metis':
    case 'claude-upload':
      return '1.1';
    default:
      return '1.2';
  }
};

export type FieldValue =
  | { readonly kind: 'absent' }
  /** A scalar that the host takes for nothing: `name:`, `name: ~`. */
  | { readonly kind: 'null' }
  | { readonly kind: 'string'; readonly text: string }
  /** A scalar that the host does not take for a string. `text` is what is there. */
  | { readonly kind: 'typed'; readonly text: string; readonly type: ScalarType }
  | { readonly kind: 'map' | 'seq' };

export const nodeValue = (node: YamlNode, typing: Typing): FieldValue => {
  const real = resolveAlias(node);
  if (real === undefined) return { kind: 'null' };
  if (real.kind !== 'scalar') return { kind: real.kind === 'map' ? 'map' : 'seq' };
  // ruamel gives a lone `=` or `<<` a type of its own, the only scalars of strictyaml that are not text.
  if (typing === 'none' && real.style === 'plain' && (real.text === '=' || real.text === '<<')) {
    return { kind: 'typed', text: real.text, type: 'value' };
  }
  const type = scalarType(real, typing);
  if (type === 'null') return { kind: 'null' };
  // A lone `<<` is only special as a key.
  return type === 'string' || type === 'merge'
    ? { kind: 'string', text: real.text }
    : { kind: 'typed', text: real.text, type };
};

/**
 * The entries that a reader sees. PyYAML merges `<<` into the mapping, own keys first; strictyaml forgets what a merge key
 * brings; YAML 1.2 knows no merge keys. A repeated key counts once, with its last value.
 */
export const effectiveEntries = (map: MapNode, typing: Typing): readonly MapEntry[] =>
  mergeEntries(map, typing, typing === '1.1' ? new Map() : undefined);

/** `done`: a mapping that is merged in many places is worked out once. */
const mergeEntries = (
  map: MapNode,
  typing: Typing,
  done: Map<MapNode, readonly MapEntry[]> | undefined,
): readonly MapEntry[] => {
  const known = done?.get(map);
  if (known) return known;
  const own = new Map<string | undefined, MapEntry>();
  const merged: MapEntry[] = [];
  for (const entry of map.entries) {
    if (typing === '1.2' || !isMergeKey(entry.key)) {
      own.set(entry.name, entry);
      continue;
    }
    const target = done ? resolveAlias(entry.value) : undefined;
    for (const source of target?.kind === 'seq' ? target.items.map(resolveAlias) : [target]) {
      if (source?.kind === 'map') merged.push(...mergeEntries(source, typing, done));
    }
  }
  for (const entry of merged) if (!own.has(entry.name)) own.set(entry.name, entry);
  const entries = [...own.values()];
  done?.set(map, entries);
  return entries;
};

/** The loaders that type by YAML 1.1 hand the YAML over without its last line ending: a block at the end lacks one. */
const withoutLastBreak = (document: SkillDocument, node: YamlNode, value: FieldValue): FieldValue => {
  if (value.kind !== 'string' || node.kind !== 'scalar' || (node.style !== 'literal' && node.style !== 'folded'))
    return value;
  return node.range.end >= (document.split.yaml?.end ?? Infinity)
    ? { kind: 'string', text: value.text.replace(/\n$/, '') }
    : value;
};

export const readField = (
  document: SkillDocument,
  name: string,
  typing: Typing,
): { field: Field | undefined; value: FieldValue } => {
  let field = document.field(name);
  if (!field && typing === '1.1' && document.field('<<') && document.root) {
    const entry = effectiveEntries(document.root, typing).find((candidate) => candidate.name === name);
    field = entry && { name, key: entry.key, value: entry.value };
  }
  if (!field) return { field, value: { kind: 'absent' } };
  const value = nodeValue(field.value, typing);
  return { field, value: typing === '1.1' ? withoutLastBreak(document, field.value, value) : value };
};

/** The text of a field wherever there is one, whatever its type. */
export const fieldText = (document: SkillDocument, name: string, typing: Typing): string | undefined => {
  const { value } = readField(document, name, typing);
  return value.kind === 'string' || value.kind === 'typed' ? value.text : undefined;
};

/** A field that was probably meant to be `wanted`: no known name, and only a slip away from it. */
export const misspeltField = (document: SkillDocument, wanted: string): Field | undefined =>
  document.fields.find(
    ({ name }) => !SPEC_FIELDS.has(name) && !EXTENSION_FIELDS.has(name) && nearest(name, [wanted]) !== undefined,
  );

/** Splits at white space and commas, but not inside parentheses: `Bash(gh pr:*) Read`. */
export const splitTools = (text: string): string[] => {
  const tools: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of text) {
    if (depth === 0 && (char === ',' || /\s/.test(char))) {
      if (current !== '') tools.push(current);
      current = '';
      continue;
    }
    if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    current += char;
  }
  if (current.trim() !== '') tools.push(current.trim());
  return tools;
};

/** The tools of `allowed-tools` in any of its forms. */
export const readTools = (document: SkillDocument): string[] => {
  const field = document.field('allowed-tools');
  const node = field && resolveAlias(field.value);
  if (!node) return [];
  if (node.kind === 'scalar') return splitTools(node.text);
  if (node.kind === 'seq') {
    return node.items.flatMap((item) => {
      const real = resolveAlias(item);
      return real?.kind === 'scalar' && real.text.trim() !== '' ? [real.text.trim()] : [];
    });
  }
  return [];
};
