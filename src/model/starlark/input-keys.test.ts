import { describe, expect, it } from 'vitest';
import { documentedInputKeys } from './input-keys.ts';

const names = (text: string): string[] => documentedInputKeys(text).keys.map(({ name }) => name);

describe('documented input keys', () => {
  it.each([
    ['Input keys:\n\n- `a`: A.\n- `b`: B.', ['a', 'b']],
    ['## Input keys\n\n* **a**: A.\n* b - B.\n\n## Result\n\n- `c`: no key', ['a', 'b']],
    ['**Input keys:** `a`, `b_c`\n\n- `d`', ['a', 'b_c', 'd']],
    ['Input keys:\n1. `a` (string)\n2. `b`', ['a', 'b']],
    ['Input keys:\n\n| key | meaning |\n|---|---|\n| `a` | A |\n| `b` | B |', ['a', 'b']],
    ['Input keys:\n\nPass these:\n\n- `a`: A.\n\nThe result:\n\n- `b`: no key', ['a']],
    ['Input keys:\n\n- `a`: A.\n\n```json\n{}\n```\n- `b`', ['a']],
    ['input key:\r\n- `a`: A.\r\n', ['a']],
    ['Input keys: see below', []],
    ['Nothing.', []],
  ])('%j', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('tells absent, none and listed apart', () => {
    expect(documentedInputKeys('x').state).toBe('absent');
    expect(documentedInputKeys('INPUT KEYS: NONE').state).toBe('none');
    expect(documentedInputKeys('- **Input keys:** none').state).toBe('none');
    expect(documentedInputKeys('Input keys:\n- `a`').state).toBe('listed');
  });

  it('knows where a key stands, and which are optional', () => {
    const text = '---\nname: a\n---\nInput keys:\n- `a`: Needed.\n- `b`: Words,\n  default 3.\n';
    const { keys, insertAt } = documentedInputKeys(text, 16);
    expect(keys.map(({ range, optional }) => [text.slice(range.start, range.end), optional])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(text.slice(0, insertAt)).toMatch(/default 3\.$/);
  });
});
