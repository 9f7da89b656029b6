import { describe, expect, it } from 'vitest';
import { NOTHING_KNOWN, segmentsOfBody, selectedBytes, shownText } from './body-segments.ts';
import { KNOWN, makeBody, readBody } from './testing/bodies.ts';

const bytes = new TextEncoder();
const decoder = new TextDecoder();
/** What is in the body at a range of bytes. */
const cut = (body: string, start: number, end: number): string => decoder.decode(bytes.encode(body).slice(start, end));

describe('a body as segments', () => {
  const body = makeBody();
  const { segments } = readBody(body);

  it('SG1: tools, system, messages, whatever the order of the JSON', () => {
    expect(segments.map(({ id }) => id)).toEqual([
      'tool:read',
      'persona',
      'skill-index',
      'preloaded:tide',
      'environment',
      'user',
      'memory',
      'message:0.0',
    ]);
  });

  it('SG2: parts of the stable prompt lie where they are in the body', () => {
    for (const { kind, id, text } of KNOWN.stable) {
      const segment = segments.find((item) => item.id === id);
      expect(segment?.kind).toBe(kind);
      expect(JSON.parse(`"${cut(body, segment?.byteStart ?? 0, segment?.byteEnd ?? 0)}"`)).toBe(text);
    }
  });

  it('SG2: the part behind another begins where that ends', () => {
    const [, persona, index, preloaded] = segments;
    expect(index?.byteStart).toBe(persona?.byteEnd);
    expect(preloaded?.byteStart).toBe(index?.byteEnd);
  });

  it('SG3: the volatile text is cut at its headings', () => {
    const volatile = segments.filter(({ isVolatile, kind }) => isVolatile && kind !== 'message');
    expect(volatile.map(({ text }) => text)).toEqual([
      '## Environment\nDate: 2026-11-16',
      '\n\n## User context (USER.md)\nAda',
      '\n\n## Workspace memory (MEMORY.md)\n- one',
    ]);
  });

  it('SG4: a string of which nothing is known is one segment', () => {
    const read = readBody(body, NOTHING_KNOWN);
    expect(read.segments.filter(({ kind }) => kind === 'system').map(({ label }) => label)).toEqual([
      'system[0]',
      'system[1]',
    ]);
  });

  it('SG4: behind a stable prompt that changed, the rest is not known', () => {
    const changed = readBody(makeBody({ stable: 'You are a pilot. And a poet.' }));
    expect(changed.segments.slice(1, 3).map(({ kind }) => kind)).toEqual(['persona', 'system']);
  });

  it('SG5: a breakpoint belongs to the last segment of its block', () => {
    expect(segments.map(({ ttl }) => ttl)).toEqual([
      '1h',
      undefined,
      undefined,
      '5m',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('SG6: a selection is a range of bytes, with escapes as they are written', () => {
    const read = readBody(body);
    const tide = read.segments.find(({ id }) => id === 'preloaded:tide');
    if (!tide) throw new Error('no segment');
    const text = shownText(body, tide);
    expect(text).toBe('\n\n# Skill: tide\n\nSay “hüh”.');
    const from = text.indexOf('“');
    const selected = selectedBytes(body, tide, from, from + 5);
    expect(cut(body, selected.start, selected.end)).toBe('“hüh”');
    // Three bytes each for the quotes, two for ü.
    expect(selected.end - selected.start).toBe(10);
    const breaks = selectedBytes(body, tide, 0, 2);
    expect(cut(body, breaks.start, breaks.end)).toBe('\\n\\n');
  });

  it('SG6: a tool that is no object goes by its place', () => {
    expect(readBody(JSON.stringify({ model: 'claude-opus-5', tools: [null, 5] })).segments.map(({ id }) => id)).toEqual(
      ['tool:tools[0]', 'tool:tools[1]'],
    );
  });

  it('SG6: a tool is shown as its JSON', () => {
    const [tool] = readBody(body).segments;
    expect(shownText(body, tool ?? { shown: { start: 0, end: 0, isString: false } })).toContain('"input_schema"');
  });

  it('SG6: of a result its content is shown, of a call its JSON', () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'line\none' }] },
    ];
    const whole = makeBody({ messages });
    const [call, result] = readBody(whole).segments.slice(-2);
    expect(call && shownText(whole, call)).toContain('"tool_use"');
    expect(result && shownText(whole, result)).toBe('line\none');
    expect([call?.title, result?.title]).toEqual(['tool call', 'tool result']);
  });

  it.each(['not json', '{"messages":[]}', '[]'])('SG7: %s is a sentence', (text) => {
    expect(segmentsOfBody(text, 'anthropic-messages')).toMatchObject({ ok: false });
  });

  it('SG8: a known tool counts as its compact JSON', () => {
    const text = '{"name":"read","description":"Reads.","input_schema":{"type":"object"}}';
    expect(segments[0]?.estimate).toBe(Math.floor(text.length / 4));
  });

  it('SG1: the developer message of OpenAI is system, and its parts are found', () => {
    const responses = JSON.stringify({
      model: 'gpt-6-sol',
      input: [
        {
          role: 'developer',
          content: [
            { type: 'input_text', text: KNOWN.stable.map(({ text }) => text).join('') },
            { type: 'input_text', text: '## Environment\nDate: 2026-11-16' },
          ],
        },
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      ],
    });
    const read = segmentsOfBody(responses, 'openai-responses', KNOWN);
    expect(read.ok && read.value.segments.map(({ id }) => id)).toEqual([
      'persona',
      'skill-index',
      'preloaded:tide',
      'environment',
      'message:1.0',
    ]);
  });
});
