import { describe, expect, it } from 'vitest';
import { sha256 } from '../../base/hash.ts';
import type { Message } from '../provider/types.ts';
import { makeSegment, messageSegments, toolSegment } from './segments.ts';

describe('a segment', () => {
  it('PR1: knows its text, bytes, tokens and hash', () => {
    expect(makeSegment('persona', 'persona', 'naïve 🙂 text', 'stable')).toEqual({
      kind: 'persona',
      id: 'persona',
      text: 'naïve 🙂 text',
      bytes: 16,
      tokens: 3,
      hash: sha256('naïve 🙂 text'),
      stability: 'stable',
    });
  });

  it.each([
    ['', 1],
    ['abc', 1],
    ['abcdefg', 1],
    ['abcdefgh', 2],
    ['🙂🙂🙂🙂🙂🙂🙂🙂', 2],
  ])('PR2: %j has %i tokens', (text, tokens) => {
    expect(makeSegment('user', 'user', text, 'volatile').tokens).toBe(tokens);
  });

  it('PR3: a tool is its compact JSON', () => {
    const segment = toolSegment({ name: 'a', description: 'Does "a".', inputSchema: { type: 'object' } });
    expect(segment).toMatchObject({ kind: 'tool', id: 'tool:a', stability: 'stable' });
    expect(segment.text).toBe('{"name":"a","description":"Does \\"a\\".","input_schema":{"type":"object"}}');
  });
});

describe('messages', () => {
  const messages: readonly Message[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: '', wire: 'anthropic-messages', raw: { type: 'thinking', signature: 's' } },
        { type: 'thinking', text: 'Hm.', wire: 'anthropic-messages', raw: {} },
        { type: 'tool_use', id: 'tu', name: 'read_file', input: { path: 'a' } },
        { type: 'opaque', wire: 'openai-chat', raw: [1] },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: 'tu', text: 'content', isError: false }] },
  ];

  it('PR4: every block is a segment with what a person would read', () => {
    expect(messageSegments(messages).map(({ kind, id, text, stability }) => [kind, id, text, stability])).toEqual(
      (
        [
          ['message:0.0', 'Hello'],
          ['message:0.1', '[image image/png, 4 characters of base64]'],
          ['message:1.0', '{"type":"thinking","signature":"s"}'],
          ['message:1.1', 'Hm.'],
          ['message:1.2', '{"name":"read_file","input":{"path":"a"}}'],
          ['message:1.3', '[1]'],
          ['message:2.0', 'content'],
        ] as const
      ).map(([id, text]) => ['message', id, text, 'volatile']),
    );
  });

  it('PR4: those from a message on', () => {
    expect(messageSegments(messages, 2)).toEqual(messageSegments(messages).slice(6));
    expect([...messageSegments(messages.slice(0, 2)), ...messageSegments(messages, 2)]).toEqual(
      messageSegments(messages),
    );
  });
});
