/** The input of a metaskill: the keys that its instructions document, filled from the message. */
import type { Json, JsonObject } from '../../../base/json.ts';
import { parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { documentedInputKeys, type DocumentedKey } from '../../starlark/input-keys.ts';
import { fieldsOf } from '../json-read.ts';
import { splitList } from './prose.ts';

/** The first JSON block after the list of keys shows what an input looks like. */
const exampleOf = (body: string): JsonObject =>
  fieldsOf(valueOr(parseJson(/```json\n([\s\S]*?)```/.exec(body)?.[1] ?? ''), undefined));

const quoted = (message: string): string | undefined => /["“`]([^"”`\n]{2,})["”`]/.exec(message)?.[1];

const headingIn = (message: string): string | undefined => {
  const marked = /(#{1,6} [^\s"”`'.,;!?][^"”`'.,;!?\n]*)/.exec(message)?.[1];
  if (marked !== undefined) return marked.trim();
  const named =
    /["“`]([^"”`\n]{2,40})["”`]\s+(?:section|heading)/i.exec(message)?.[1] ??
    /(?:section|heading)\s+(?:called\s+|named\s+)?["“`]([^"”`\n]{2,40})["”`]/i.exec(message)?.[1] ??
    /\b(\p{Lu}\w{2,30})\s+(?:section|heading)\b/u.exec(message)?.[1];
  return named === undefined ? undefined : `## ${named}`;
};

/** The text that a message is about: quoted, or behind its colon. */
const textIn = (message: string): string =>
  quoted(message) ?? /:\s*(\S[\s\S]*)$/.exec(message)?.[1]?.trim() ?? message.trim();

const listIn = (message: string): readonly string[] | undefined => {
  const behind =
    /:\s*([^:\n]+)$/.exec(message)?.[1] ??
    /\b(?:with|covering|including|cover|must have)\b\s+([^.\n]+)/i.exec(message)?.[1];
  const parts = behind === undefined ? [] : splitList(behind).map((part) => part.replace(/^(?:an?|the)\s+/i, ''));
  return parts.length > 1 && parts.every((part) => part.length <= 40) ? parts : undefined;
};

const argvIn = (message: string): readonly string[] | undefined => {
  const span = /`([^`\n]+)`/.exec(message)?.[1];
  if (span !== undefined && span.includes(' ')) return span.split(/\s+/);
  const module = /\b(tests?(?:\.\w+)+)\b/.exec(message)?.[1];
  return module === undefined ? undefined : ['python3', '-m', 'unittest', module];
};

const pathIn = (message: string): string | undefined =>
  /(?:^|\s)((?:[\w.-]+\/)+[\w.-]*)/.exec(message)?.[1]?.replace(/[.,]$/, '');

const revisionIn = (message: string): string | undefined => {
  if (/\bstaged\b/i.test(message)) return 'HEAD';
  return /\b(?:against|from|with|versus|vs\.?)\s+(main|master|HEAD~?\d*|develop)\b/.exec(message)?.[1];
};

const find = (key: string, message: string): Json | undefined => {
  switch (key) {
    case 'heading':
      return headingIn(message);
    case 'text':
      return textIn(message);
    case 'required':
    case 'words':
    case 'points':
      return listIn(message);
    case 'command':
    case 'argv':
      return argvIn(message);
    case 'path':
    case 'file':
    case 'folder':
      return pathIn(message);
    case 'base':
    case 'revision':
      return revisionIn(message);
    default:
      return undefined;
  }
};

const fallback = (key: DocumentedKey, example: JsonObject, message: string): Json => {
  const shown = example[key.name];
  if (key.name === 'heading') return shown ?? '## Summary';
  if (Array.isArray(shown)) return listIn(message) ?? (shown as Json);
  if (typeof shown === 'number') return Number(/\d+/.exec(message)?.[0] ?? shown);
  if (typeof shown === 'boolean') return shown;
  return message.trim();
};

/** An optional key is given only if the message speaks of it. */
export const metaskillInput = (body: string, message: string): JsonObject => {
  const { keys } = documentedInputKeys(body);
  const example = exampleOf(body);
  const entries = keys.flatMap((key): (readonly [string, Json])[] => {
    const found = find(key.name, message);
    if (found !== undefined) return [[key.name, found]];
    return key.optional ? [] : [[key.name, fallback(key, example, message)]];
  });
  return Object.fromEntries(entries);
};
