import { describe, expect, it } from 'vitest';
import { issueInWords } from './schema-words.ts';
import { z } from './zod.ts';

const schema = z.strictObject({
  turns: z.array(z.strictObject({ say: z.string().min(1) })).min(1),
  provider: z.enum(['simulator', 'anthropic']).exactOptional(),
  most: z.int().min(0).exactOptional(),
  again: z.literal(true).exactOptional(),
});

const said = (value: unknown): readonly string[] => {
  const parsed = schema.safeParse(value, { reportInput: true });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issueInWords(issue, Object.keys(schema.shape)));
};
const SAY = [{ say: 'Hi' }];

describe('a fault of a file in words', () => {
  it.each([
    [{}, 'is missing: a list belongs here'],
    [null, 'must be a mapping, not nothing'],
    [[], 'must be a mapping, not a list'],
    [{ turns: {} }, 'must be a list, not a mapping'],
    [{ turns: [] }, 'needs at least one item'],
    [{ turns: [{ say: 5 }] }, 'must be text, not a number; put it in quotes'],
    [{ turns: [{ say: '' }] }, 'may not be empty'],
    [{ turns: SAY, provider: 'antropic' }, 'is one of simulator, anthropic; did you mean “anthropic”?'],
    [{ turns: SAY, most: -1 }, 'is at least 0'],
    [{ turns: SAY, most: 1.5 }, 'must be a whole number'],
    [{ turns: SAY, again: false }, 'is true'],
    [{ turns: SAY, provder: 'x' }, 'unknown key “provder”; did you mean “provider”?'],
    [{ turns: SAY, zzzzzzzz: 'x' }, 'unknown key “zzzzzzzz”; there are turns, provider, most, again'],
  ])('%j', (value, words) => {
    expect(said(value)).toEqual([words]);
  });
});
