import { describe, expect, it } from 'vitest';
import { proposeSuite } from './propose.ts';
import { readSuite } from './read-suite.ts';
import { writeTriggers } from './triggers-file.ts';

const LIBRARY = [
  {
    name: 'pdf-merge',
    description:
      'Merges PDF files. Use when the user wants to join several PDF files, or combine scans into one document.',
  },
  { name: 'pdf-ocr', description: 'Reads text in scanned PDF files. Use when the user needs the text of scans.' },
  { name: 'weather', description: 'Tells the forecast. Use when somebody asks about rain tomorrow.' },
];

describe('a proposed suite', () => {
  it('EVQ7: has what the skill is for, its neighbors, and what is far, the same on every call', () => {
    const suite = proposeSuite(LIBRARY, 'pdf-merge');
    expect(suite?.queries.map(({ query, kind, expect: wanted, forbid }) => [kind, query, wanted, forbid])).toEqual([
      ['should', 'Join several PDF files', ['pdf-merge'], []],
      ['should', 'Combine scans into one document', ['pdf-merge'], []],
      ['near-miss', 'The text of scans', ['pdf-ocr'], ['pdf-merge']],
      ['should-not', 'Rain tomorrow', undefined, ['pdf-merge']],
      ['should-not', 'Hello, what can you do?', [], []],
    ]);
    expect(proposeSuite(LIBRARY, 'pdf-merge')).toEqual(suite);
  });

  it('EVQ7: can be read again, and a skill that is not there has none', () => {
    const suite = proposeSuite(LIBRARY, 'pdf-merge');
    expect(suite && readSuite(writeTriggers(suite)).ok).toBe(true);
    expect(proposeSuite(LIBRARY, 'other')).toBeUndefined();
  });
});
