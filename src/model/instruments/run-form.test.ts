import { describe, expect, it } from 'vitest';
import { exampleValues, inputOfForm, runForm, valuesOfInput, readLimit } from './run-form.ts';

const BODY = `# Gate

Input keys:

- \`task\`: What it is for, with the facts
  that matter.
- \`words\`: Optional list of words, default \`["owner"]\`.
- \`rounds\`: How many rounds, default \`3\`.
- \`strict\`: Optional; whether to be strict.

\`\`\`json
{"task": "Move the table.", "words": ["owner", "backup"]}
\`\`\`
`;

describe('the form of a metaskill', () => {
  const form = runForm(BODY);

  it('RU5: a field for every key, with what is said about it', () => {
    expect(form.state).toBe('fields');
    expect(form.fields.map(({ name, type, isOptional }) => [name, type, isOptional])).toEqual([
      ['task', 'text', false],
      ['words', 'json', true],
      ['rounds', 'number', true],
      ['strict', 'boolean', true],
    ]);
    expect(form.fields[0]?.about).toBe('What it is for, with the facts that matter.');
    expect(form.fields[1]?.about).toBe('Optional list of words, default ["owner"].');
  });

  it('RU5: the example fills the fields', () => {
    expect(exampleValues(form)).toEqual({
      task: 'Move the table.',
      words: '["owner","backup"]',
      rounds: '',
      strict: '',
    });
  });

  it('RU5: no keys, and nothing documented', () => {
    expect(runForm('Input keys: none').state).toBe('none');
    expect(runForm('Just text.').state).toBe('unknown');
  });

  it('RU6: empty optional fields are left out', () => {
    expect(inputOfForm(form, { task: ' x ', words: '', rounds: '2', strict: 'true' })).toEqual({
      ok: true,
      value: { task: ' x ', rounds: 2, strict: true },
    });
  });

  it('RU6: faults are at their fields', () => {
    const input = inputOfForm(form, { task: '', words: '[', rounds: 'two', strict: 'yes' });
    expect(!input.ok && input.error.map(({ name }) => name)).toEqual(['task', 'words', 'rounds', 'strict']);
  });

  it('RU7: an earlier input goes back into the form', () => {
    expect(valuesOfInput(form, { task: 'x', words: ['a'] })).toEqual({
      task: 'x',
      words: '["a"]',
      rounds: '',
      strict: '',
    });
    expect(valuesOfInput(form, { other: 1 })).toBeUndefined();
    expect(valuesOfInput(form, 'x')).toBeUndefined();
  });

  it('RU9: a limit is a whole number or nothing', () => {
    expect(['', ' 7 ', '0', '-3', '99', '2.5', 'ten'].map(readLimit)).toEqual([
      undefined,
      7,
      0,
      -3,
      99,
      'fault',
      'fault',
    ]);
  });
});
