import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, parseSse } from './sse.ts';

const event = (data: string, name?: string) => ({ event: name, data });

describe('server-sent events', () => {
  it.each([
    ['event: a\ndata: 1\n\n', [event('1', 'a')]],
    ['event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n', [event('1', 'a'), event('2')]],
    ['data: 1\r\rdata: 2\r\r', [event('1'), event('2')]],
    [': comment\nid: 7\nretry: 10\nwhat: x\ndata: 1\n\n', [event('1')]],
    ['data: {\ndata: }\n\n', [event('{\n}')]],
    ['data:1\n\ndata:  2\n\n', [event('1'), event(' 2')]],
    ['data\n\n', [event('')]],
    ['\uFEFFdata: 1\n\n', [event('1')]],
    ['data: [DONE]\n\n', [event('[DONE]')]],
    ['data: a: b\n\n', [event('a: b')]],
  ])('PV55: %j', (text, expected) => {
    expect(parseSse(text)).toEqual(expected);
  });

  it('PV56: an event without data is none, one without its end comes last', () => {
    expect(parseSse('event: ping\n\n\n\ndata: 1\n\n')).toEqual([event('1')]);
    expect(parseSse('event: a\ndata: 1\n\nevent: b\ndata: {"x')).toEqual([event('1', 'a'), event('{"x', 'b')]);
    const parser = createSseParser();
    expect(parser.push('data: 1')).toEqual([]);
    expect(parser.finish()).toEqual([event('1')]);
    expect(parser.finish()).toEqual([]);
  });

  it('PV55: chunks may end anywhere', () => {
    const line = fc.constantFrom('data: x', 'data:', 'event: a', ': c', '', '', 'data: é 🙂');
    const text = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r'))).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (whole, cuts) => {
        const parser = createSseParser();
        const sorted = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const pieces = sorted.slice(1).map((end, index) => whole.slice(sorted[index], end));
        expect([...pieces.flatMap((piece) => parser.push(piece)), ...parser.finish()]).toEqual(parseSse(whole));
      }),
    );
  });
});
