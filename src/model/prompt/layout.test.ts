import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../base/json.ts';
import { toWire } from '../provider/to-wire.ts';
import { WIRES, type CanonicalRequest, type Message, type Wire, type WireRequest } from '../provider/types.ts';
import { placeSegments } from './layout.ts';
import { makeSegment, messageSegments, toolSegment } from './segments.ts';
import { tool } from './testing/prompts.ts';
import type { PlacedSegment, Segment } from './types.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What is in the bytes of a segment. */
const raw = (body: string, { byteStart, byteEnd }: PlacedSegment): string =>
  decoder.decode(encoder.encode(body).slice(byteStart, byteEnd));
const unescaped = (text: string): string => JSON.parse(`"${text}"`) as string;

/** Texts with everything that JSON escapes, that has several bytes, or that some reader takes for a line end. */
const PIECES = [
  'a',
  ' ',
  '\n',
  '"',
  '\\',
  '\\n',
  '\t',
  '\u0000',
  '\u001F',
  '\u007F',
  'é',
  '\u2028',
  '\u2029',
  '漢',
  '🙂',
  '\uFEFF',
  '</x>',
  '/',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 5 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''))
  // Half of a pair comes out of no file.
  .map((made) => decoder.decode(encoder.encode(made)))
  .filter((made) => made !== '');

const systemSegments = (kind: 'preloaded' | 'memory', stability: Segment['stability'], texts: readonly string[]) =>
  texts.map((content, index) => makeSegment(kind, `${kind}:${index}`, content, stability));

const joined = (segments: readonly Segment[]): string => segments.map((segment) => segment.text).join('');

const message: fc.Arbitrary<Message> = fc.oneof(
  fc
    .array(text, { minLength: 1, maxLength: 3 })
    .map((texts): Message => ({ role: 'user', content: texts.map((content) => ({ type: 'text', text: content })) })),
  fc.tuple(text, text).map(([said, argument]): Message => ({
    role: 'assistant',
    content: [
      { type: 'text', text: said },
      { type: 'thinking', text: 't', wire: 'anthropic-messages', raw: { type: 'thinking', signature: argument } },
      { type: 'tool_use', id: 'tu', name: 'read', input: { argument } },
    ],
  })),
  text.map((result): Message => ({
    role: 'user',
    content: [
      { type: 'text', text: 'and' },
      { type: 'tool_result', toolUseId: 'tu', text: result, isError: false },
    ],
  })),
);

const requestOf = (stable: string, volatile: string, messages: readonly Message[]): CanonicalRequest => ({
  model: 'claude-haiku-4-5',
  tools: [tool('a', 'Über 🙂'), tool('b')],
  system: { stable, volatile },
  messages,
  maxOutputTokens: 1000,
  stream: true,
  cache: { mode: 'rolling', ttl: { tools: '5m', system: '5m', messages: '5m' } },
  cacheKey: 'key',
});

const valueAt = (body: Json, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], body);

describe('placeSegments', () => {
  const wires: [wire: Wire, model: string][] = [
    ...WIRES.map((wire): [Wire, string] => [wire, 'claude-haiku-4-5']),
    ['openai-chat', 'anthropic/claude-opus-5'],
  ];

  it.each(wires)('PR40, PR41: the bytes of a range are the segment, on %s with %s', (wire, model) => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.array(text, { maxLength: 3 }),
        fc.array(message, { maxLength: 4 }),
        (stableTexts, volatileTexts, messages) => {
          const stable = systemSegments('preloaded', 'stable', stableTexts);
          const volatile = systemSegments('memory', 'volatile', volatileTexts);
          const request = { ...requestOf(joined(stable), joined(volatile), messages), model };
          const wired = toWire(request, wire, { provider: model.includes('/') ? 'openrouter' : 'compatible' });
          const body = JSON.stringify(wired.body);
          const segments = [...request.tools.map(toolSegment), ...stable, ...volatile, ...messageSegments(messages)];
          const placed = placeSegments(body, wired, segments);

          for (const segment of placed) {
            if (segment.kind === 'preloaded' || segment.kind === 'memory')
              expect(unescaped(raw(body, segment))).toBe(segment.text);
          }
          // Of tools and blocks the range is what the wire's own path leads to.
          const byId = new Map(placed.map((segment) => [segment.id, segment]));
          for (const [index, place] of wired.places.tools.entries()) {
            const segment = byId.get(segments[index]?.id ?? '');
            expect(segment && JSON.parse(raw(body, segment))).toEqual(valueAt(wired.body, place.path));
          }
          for (const [m, blocks] of wired.places.messages.entries())
            for (const [b, place] of blocks.entries()) {
              const segment = byId.get(`message:${m}.${b}`);
              if (!place) {
                expect(segment).toBeUndefined();
                continue;
              }
              const value = valueAt(wired.body, place.path);
              const found = segment ? raw(body, segment) : '';
              if (place.from === undefined && place.to === undefined) expect(JSON.parse(found)).toEqual(value);
              else expect(unescaped(found)).toBe((value as string).slice(place.from ?? 0, place.to));
            }

          const all = placed.map(({ byteStart, byteEnd }) => [byteStart, byteEnd] as const);
          for (const [index, [start, end]] of all.entries()) {
            expect(end).toBeGreaterThanOrEqual(start);
            expect(start).toBeGreaterThanOrEqual(all[index - 1]?.[1] ?? 0);
          }
          for (const [index, segment] of stable.entries())
            if (index > 0) expect(byId.get(segment.id)?.byteStart).toBe(byId.get(stable[index - 1]?.id ?? '')?.byteEnd);
          const left: Segment[] = [];
          if (!wired.places.stable && joined(stable).trim() === '') left.push(...stable);
          if (!wired.places.volatile && joined(volatile).trim() === '') left.push(...volatile);
          expect(placed.map(({ id }) => id).toSorted()).toEqual(
            segments
              .filter((segment) => !left.includes(segment) && (segment.kind !== 'message' || byId.has(segment.id)))
              .map(({ id }) => id)
              .toSorted(),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('PR40: is in the order of the body: tools, stable, volatile, messages', () => {
    const segments = [
      ...messageSegments([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]),
      makeSegment('memory', 'memory', 'volatile', 'volatile'),
      makeSegment('persona', 'persona', 'stable', 'stable'),
      ...[tool('a', 'Über 🙂'), tool('b')].map(toolSegment),
    ];
    const wired = toWire(
      requestOf('stable', 'volatile', [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]),
      'anthropic-messages',
    );
    expect(placeSegments(JSON.stringify(wired.body), wired, segments).map(({ id }) => id)).toEqual([
      'tool:a',
      'tool:b',
      'persona',
      'memory',
      'message:0.0',
    ]);
  });

  it('PR40: reads a body that was written with spaces and other escapes', () => {
    const wired: WireRequest = {
      wire: 'openai-chat',
      path: '/',
      body: {},
      places: { tools: [], stable: { path: ['s'], from: 1, to: 4 }, volatile: { path: ['s'], from: 5 }, messages: [] },
    };
    const body = '{ "é": 1,\n "s" : "x\\u00e9\\/\\ud83d\\ude42z" }';
    // The value is `xé/🙂z`: `é/` and half of the pair are three units, so the pair is cut where a writer cuts nothing.
    const segments = [makeSegment('persona', 'p', 'é/\uD83D', 'stable'), makeSegment('memory', 'm', 'z', 'volatile')];
    const placed = placeSegments(body, wired, segments);
    expect(placed.map((segment) => raw(body, segment))).toEqual(['\\u00e9\\/\\ud83d', 'z']);
  });

  it('PR42: a block that the wire leaves out has no place', () => {
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'opaque', wire: 'openai-chat', raw: {} },
          { type: 'text', text: 'Ho' },
        ],
      },
    ];
    const wired = toWire({ ...requestOf('', '', messages), tools: [] }, 'anthropic-messages');
    const placed = placeSegments(JSON.stringify(wired.body), wired, messageSegments(messages));
    expect(placed.map(({ id }) => id)).toEqual(['message:0.0', 'message:1.1']);
  });

  it('PR42: nor has a text of spaces that the wire leaves out', () => {
    const wired = toWire({ ...requestOf('stable', ' \n', []), tools: [] }, 'anthropic-messages');
    const segments = [
      makeSegment('persona', 'p', 'stable', 'stable'),
      makeSegment('memory', 'm', ' ', 'volatile'),
      makeSegment('memory', 'n', '\n', 'volatile'),
    ];
    expect(placeSegments(JSON.stringify(wired.body), wired, segments).map(({ id }) => id)).toEqual(['p']);
  });

  it('PR44: a body twice as long, with twice the segments, takes twice the steps', () => {
    const steps = (count: number): number => {
      const texts = Array.from({ length: count }, (_, index) => `Segment ${String(index).padStart(5, '0')} "é"\n`);
      const segments = systemSegments('preloaded', 'stable', texts);
      const wired = toWire({ ...requestOf(joined(segments), '', []), tools: [] }, 'anthropic-messages');
      const body = JSON.stringify(wired.body);
      const looks = vi.spyOn(String.prototype, 'charCodeAt');
      try {
        expect(placeSegments(body, wired, segments)).toHaveLength(count);
        return looks.mock.calls.length;
      } finally {
        looks.mockRestore();
      }
    };
    const [few, many] = [steps(100), steps(200)];
    expect(few).toBeGreaterThan(100);
    expect(many / few).toBeLessThan(2.1);
  });

  it('PR43: a body that does not fit its segments throws', () => {
    const wired = toWire({ ...requestOf('stable', '', []), tools: [] }, 'anthropic-messages');
    const body = JSON.stringify(wired.body);
    const place =
      (...segments: Segment[]) =>
      () =>
        placeSegments(body, wired, segments);
    expect(place(makeSegment('persona', 'p', 'stab', 'stable'))).toThrow('not as long');
    expect(place(makeSegment('persona', 'p', 'stable!', 'stable'))).toThrow('shorter');
    expect(place(makeSegment('memory', 'm', 'x', 'volatile'))).toThrow('no place for m');
    expect(place(toolSegment(tool('a')))).toThrow('no place for tool:a');
    expect(() => placeSegments('{', wired, [])).toThrow('isn’t JSON');
    expect(() => placeSegments('{}', wired, [makeSegment('persona', 'p', 'stable', 'stable')])).toThrow(
      'nothing at system.0.text',
    );
  });
});
