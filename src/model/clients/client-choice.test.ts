import { describe, expect, it } from 'vitest';
import { readClientChoice } from './client-choice.ts';

describe('a client that is asked for', () => {
  it.each([
    ['claude-code', { id: 'claude-code' }],
    ['claude@2.1.197', { id: 'claude-code', version: '2.1.197' }],
    ['gemini', { id: 'gemini' }],
    ['gemini-cli', { id: 'gemini' }],
  ])('CLN13: %s', (text, choice) => {
    expect(readClientChoice(text)).toEqual({ ok: true, value: choice });
  });

  it.each(['claud', 'codex@new', ''])('CLN13: not %j', (text) => {
    expect(readClientChoice(text).ok).toBe(false);
  });
});
