import { describe, expect, it } from 'vitest';
import { readRecording } from './read-recording.ts';

const said = (text: string) => ({
  model: 'claude-haiku-4-5',
  max_tokens: 5,
  messages: [{ role: 'user', content: text }],
});
const bodyOf = (line: string) => readRecording(line).calls[0]?.body;
const lineOf = (body: string) => `{"provider":"anthropic","body":${body},"started_at":1000,"status":200}`;

describe('bodies that were recorded as objects', () => {
  it('REC2: the body is the same wherever it is in the line, and whatever else is there', () => {
    const body = said('A "quoted" word, C:\\users, \u001b[1m, 日本語, a/b, "body":{}');
    const written = JSON.stringify(body);
    const usage = { input_tokens: 3, nested: { body: { model: 'other' } } };
    for (const line of [
      { body, started_at: 1000 },
      { provider: 'anthropic', started_at: 1000, usage, body },
      { usage, provider: 'anthropic', body, started_at: 1000, response: { content: [{ type: 'text', text: 'Hi' }] } },
      { '7': 1, body, started_at: 1000 },
    ])
      expect(bodyOf(JSON.stringify(line))).toBe(written);
  });

  it('REC2: spaces and escapes of the recorder are not those of the request', () => {
    const body = said('café / 日本語 and C:\\users');
    const written = JSON.stringify(body);
    const spaced = JSON.stringify({ body, started_at: 1000 }, undefined, 1).replaceAll('\n', ' ');
    const ascii = lineOf(
      written.replaceAll(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
    expect(ascii).toContain('\\u65e5');
    for (const line of [spaced, ascii, lineOf(written.replace('/', '\\/'))]) expect(bodyOf(line)).toBe(written);
  });

  it('REC2: a conversation of such lines is read like one of strings', () => {
    const messages: object[] = [];
    const lines = Array.from({ length: 6 }, (_, index) => {
      messages.push({ role: 'user', content: `${index} ${'A line of a tool. '.repeat(80)}` });
      const body = { ...said(''), messages: [...messages] };
      messages.push({ role: 'assistant', content: `Answer ${index}.` });
      return { body, text: JSON.stringify(body), started_at: 1000 + index };
    });
    const asText = lines.map(({ text, started_at }) => JSON.stringify({ body: text, started_at }));
    const asObject = lines.map(({ body, started_at }) => JSON.stringify({ body, started_at }));
    const bodies = (all: readonly string[]) => readRecording(all.join('\n')).calls.map(({ body }) => body);
    expect(bodies(asObject)).toEqual(lines.map(({ text }) => text));
    expect(bodies(asObject)).toEqual(bodies(asText));
  });
});
