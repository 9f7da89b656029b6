/** What is wrong with a file that a person wrote for Lathe, in words that say what belongs there. */
import { nearest } from '../base/nearest.ts';
import type { z } from './zod.ts';

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** How zod begins where a schema has no words of its own. */
const ZOD_WORDS = /^(?:Invalid |Too |Unrecognized )/;

const kindOf = (value: unknown): string => {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value] ?? typeof value;
};

const meant = (word: string, known: readonly string[]): string => {
  const near = nearest(word, known);
  return near === undefined ? '' : `; did you mean “${near}”?`;
};

/**
 * The message of one issue, without its place. Parse with `reportInput`, so that what is missing can be told from what
 * is wrong. `known` are the keys that are allowed where the issue is.
 */
export const issueInWords = (issue: Issue, known: readonly string[] = []): string => {
  // A schema that says more than its type speaks for itself.
  if (!ZOD_WORDS.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      const expected = KINDS[issue.expected] ?? issue.expected;
      if (issue.input === undefined) return `is missing: ${expected} belongs here`;
      if (issue.expected === 'int' && typeof issue.input === 'number') return 'must be a whole number';
      const isBare = expected === 'text' && ['number', 'boolean'].includes(typeof issue.input);
      return `must be ${expected}, not ${kindOf(issue.input)}${isBare ? '; put it in quotes' : ''}`;
    }
    case 'unrecognized_keys': {
      const [key = ''] = issue.keys;
      const hint = meant(key, known) || (known.length === 0 ? '' : `; there are ${known.join(', ')}`);
      return `unknown key “${key}”${hint}`;
    }
    case 'invalid_value': {
      const words = issue.values.map(String);
      const hint = typeof issue.input === 'string' ? meant(issue.input, words) : '';
      return `is ${words.length === 1 ? '' : 'one of '}${words.join(', ')}${hint}`;
    }
    case 'too_small':
      if (issue.origin === 'array') return 'needs at least one item';
      return issue.origin === 'string' ? 'may not be empty' : `is at least ${String(issue.minimum)}`;
    default:
      return issue.message;
  }
};
