/** Hover, signature help and definitions of a program. */
import {
  BUILTINS,
  CONSTANTS,
  DICT_METHODS,
  HOST_FUNCTIONS,
  LIST_METHODS,
  STRING_METHODS,
  type DialectEntry,
} from '../../../model/starlark/dialect.ts';
import { SCOPES, type Analysis, type SourceRange } from '../../../model/starlark/messages.ts';
import type { TextRange } from '../../../model/skill/types.ts';
import { signatureOf, type Known } from './complete.ts';
import { enclosing, scanStarlark, tokenAt, tokenBefore } from './scan.ts';

const byName = (...lists: readonly (readonly DialectEntry[])[]): ReadonlyMap<string, DialectEntry> =>
  new Map(lists.flat().map((entry) => [entry.name, entry]));

const GLOBALS = byName(HOST_FUNCTIONS, BUILTINS, CONSTANTS);
const METHODS = byName(DICT_METHODS, LIST_METHODS, STRING_METHODS);

type OwnFunction = Extract<Analysis['outline']['symbols'][number], { kind: 'function' }>;

const ownFunction = (name: string, known: Known): OwnFunction | undefined => {
  const walk = (symbols: readonly Analysis['outline']['symbols'][number][]): OwnFunction | undefined => {
    for (const symbol of symbols) {
      if (symbol.kind !== 'function') continue;
      if (symbol.name === name) return symbol;
      const inner = walk(symbol.children);
      if (inner) return inner;
    }
    return undefined;
  };
  return walk(known.analysis?.outline.symbols ?? []);
};

export interface StarHover {
  /** Markdown. */
  readonly text: string;
  readonly range: TextRange;
}

const code = (text: string): string => `\`\`\`starlark\n${text}\n\`\`\``;

export const hoverStarlark = (text: string, offset: number, known: Known): StarHover | undefined => {
  const tokens = scanStarlark(text);
  const token = tokenAt(tokens, offset);
  if (token?.kind !== 'name') return undefined;
  const range = { start: token.start, end: token.end };
  if (tokenBefore(tokens, token.start)?.text === '.') {
    const method = METHODS.get(token.text);
    return method && { text: `${code(method.signature)}\n\n${method.doc}`, range };
  }
  const own = ownFunction(token.text, known);
  if (own) return { text: `${code(`def ${signatureOf(own)}`)}${own.doc === '' ? '' : `\n\n${own.doc}`}`, range };
  const entry = GLOBALS.get(token.text);
  if (entry) return { text: `${code(entry.signature)}\n\n${entry.doc}`, range };
  const binding = known.analysis?.outline.bindings.find(({ name, range: at }) => name === token.text && at);
  return binding?.range && { text: `\`${token.text}\`, bound on line ${binding.range.line}`, range };
};

export interface StarSignature {
  readonly label: string;
  readonly doc: string;
  /** Parts of the label. */
  readonly params: readonly string[];
  readonly active: number;
}

/** The parameters between the outermost parentheses. */
const paramsOf = (signature: string): readonly string[] => {
  const inside = signature.slice(signature.indexOf('(') + 1, signature.lastIndexOf(')'));
  const params: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of inside) {
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (char === ',' && depth === 0) {
      params.push(current.trim());
      current = '';
    } else current += char;
  }
  if (current.trim() !== '') params.push(current.trim());
  return params;
};

export const signatureAt = (text: string, offset: number, known: Known): StarSignature | undefined => {
  const tokens = scanStarlark(text);
  for (const { bracket, name, isMethod, index, start } of enclosing(tokens, offset)) {
    if (bracket !== '(' || !name) continue;
    if (tokenBefore(tokens, name.start)?.text === 'def') return undefined;
    const own = isMethod ? undefined : ownFunction(name.text, known);
    const entry = isMethod ? METHODS.get(name.text) : GLOBALS.get(name.text);
    const label = own ? signatureOf(own) : entry?.signature;
    if (label === undefined) return undefined;
    const params = paramsOf(label);
    // A name before `=` says which parameter it is, wherever it stands.
    const named = /[(,]\s*(\w+)\s*=(?!=)[^,]*$/.exec(text.slice(start, offset))?.[1];
    const byKeyword = params.findIndex((param) => named !== undefined && /^\**(\w+)/.exec(param)?.[1] === named);
    return {
      label,
      doc: own?.doc ?? entry?.doc ?? '',
      params,
      active: byKeyword === -1 ? Math.min(index, Math.max(0, params.length - 1)) : byKeyword,
    };
  }
  return undefined;
};

interface Reference {
  readonly range: SourceRange;
  readonly binding: number;
  readonly scope: (typeof SCOPES)[number];
}

/** Every name of the program; six numbers each. */
const referencesIn = ({ outline: { references } }: Analysis): readonly Reference[] => {
  const found: Reference[] = [];
  for (let at = 0; at + 5 < references.length; at += 6) {
    const [line = 0, column = 0, length = 0, scope = 0, binding = 0] = references.slice(at, at + 5);
    found.push({
      range: { line, column, endLine: line, endColumn: column + length },
      binding,
      scope: SCOPES[scope] ?? 'undefined',
    });
  }
  return found;
};

const referenceAt = (analysis: Analysis, line: number, column: number): Reference | undefined =>
  referencesIn(analysis).find(
    ({ range, scope }) =>
      scope !== 'undefined' && range.line === line && column >= range.column && column <= range.endColumn,
  );

/** Where the name at a place is bound; nothing for built-in and host functions. Lines and columns from 1. */
export const definitionAt = (analysis: Analysis, line: number, column: number): SourceRange | undefined => {
  const reference = referenceAt(analysis, line, column);
  return reference && analysis.outline.bindings[reference.binding]?.range;
};

/** All places of the name at a place, its own included. */
export const usesAt = (analysis: Analysis, line: number, column: number): readonly SourceRange[] => {
  const reference = referenceAt(analysis, line, column);
  if (!reference) return [];
  return referencesIn(analysis)
    .filter(({ binding }) => binding === reference.binding)
    .map(({ range }) => range);
};
