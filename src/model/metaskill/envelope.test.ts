import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLength } from '../../base/text.ts';
import { normaliseReturn, writeEnvelope } from './envelope.ts';
import { joinObject, splitObject } from './json-text.ts';
import { createTraceLog, hostEntry } from './trace-log.ts';

const START = hostEntry('metaskill_start', { name: 't', language: 'starlark' });
const FINISH = hostEntry('metaskill_finish', { name: 't', status: 'ok' });
const write = (returned: Readonly<Record<string, unknown>>, middle: readonly string[] = []): string =>
  writeEnvelope('t', normaliseReturn('dict', JSON.stringify(returned)), [START, ...middle, FINISH]);
const parse = (result: string): Record<string, unknown> => {
  const [head, ...rest] = result.split('\n');
  expect(head).toBe('[Metaskill: t completed]');
  return JSON.parse(rest.join('\n')) as Record<string, unknown>;
};

describe('JSON as text', () => {
  it('splits and joins without losing a digit, the order of keys or a strange key', () => {
    const text = '{"b":12345678901234567890123,"10":1.0,"a":{"x":[1,"}\\"",{}]},"__proto__":null,"s":"é\\u0000\\n"}';
    expect(joinObject(splitObject(text))).toBe(text.replace('\\u0000', '\\u0000'));
    expect(splitObject(text).map(([key]) => key)).toEqual(['b', '10', 'a', '__proto__', 's']);
    expect(splitObject('{}')).toEqual([]);
  });

  it('gives back any object that JSON can write', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(joinObject(splitObject(text))).toBe(text);
      }),
    );
  });
});

describe('the envelope', () => {
  it('N01, ENV2: None is ok with an empty answer', () => {
    expect(joinObject(normaliseReturn('NoneType', 'null'))).toBe('{"status":"ok","answer":""}');
  });

  it('N02, ENV2: a string is the answer, also an empty one', () => {
    expect(joinObject(normaliseReturn('string', '"hi"'))).toBe('{"status":"ok","answer":"hi"}');
    expect(joinObject(normaliseReturn('string', '""'))).toBe('{"status":"ok","answer":""}');
  });

  it('N03, N04, N15, ENV2, ENV3: a dict keeps its keys and their order; what is missing comes behind, the trace last', () => {
    expect(joinObject(normaliseReturn('dict', '{"custom":true}'))).toBe('{"custom":true,"status":"ok","answer":""}');
    const given = '{"status":"accepted","answer":"done","extra":42}';
    expect(joinObject(normaliseReturn('dict', given))).toBe(given);
    expect(Object.keys(parse(write({ z: 1, a: 'é' })))).toEqual(['z', 'a', 'status', 'answer', 'trace']);
    expect(write({ a: 'é' })).toContain('"a":"é"');
  });

  it('ENV1: one line, then one compact object in which nothing is escaped without need', () => {
    expect(write({ answer: 'é <b> & / \u2028 "q"' })).toBe(
      `[Metaskill: t completed]\n{"answer":"é <b> & / \u2028 \\"q\\"","status":"ok","trace":[${START},${FINISH}]}`,
    );
  });

  it('N07: an answer that is there is kept, whatever it is', () => {
    expect(parse(write({ answer: null }))['answer']).toBe(null);
    expect(parse(write({ answer: 5 }))['answer']).toBe(5);
  });

  it('N08, ENV3: the host’s trace replaces a key of that name, where it stands', () => {
    const result = parse(write({ a: 0, trace: 'mine', x: 1 }));
    expect(result['trace']).toEqual([JSON.parse(START), JSON.parse(FINISH)]);
    expect(Object.keys(result)).toEqual(['a', 'trace', 'x', 'status', 'answer']);
  });

  it('N14, ENV4: numbers are written as the program has them', () => {
    const entries = normaliseReturn('dict', '{"big":1267650600228229401496703205376,"one":1.0}');
    expect(writeEnvelope('t', entries, [START, FINISH])).toContain('"big":1267650600228229401496703205376,"one":1.0');
  });

  it('E01: what fits is not touched', () => {
    const result = parse(write({ answer: 'x'.repeat(10_000) }, ['{"kind":"a"}']));
    expect(result).toEqual({
      answer: 'x'.repeat(10_000),
      status: 'ok',
      trace: [JSON.parse(START), { kind: 'a' }, JSON.parse(FINISH)],
    });
  });

  it('BUD5: the result is measured in code points', () => {
    const room = 20_000 - codePointLength(write({ answer: '' }));
    expect(write({ answer: '😀'.repeat(room) })).not.toContain('truncated');
    expect(write({ answer: '😀'.repeat(room + 1) })).toContain('truncated');
  });

  it('E04: the trace goes first, and only as much of it as needed', () => {
    const middle = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify({ kind: `k${index}`, data: { x: 'y'.repeat(500) } }),
    );
    const text = write({ answer: 'x'.repeat(12_000) }, middle);
    const result = parse(text);
    expect(result['answer']).toBe('x'.repeat(12_000));
    expect(result).not.toHaveProperty('answer_truncated');
    const trace = result['trace'] as { kind: string; data?: { entries?: number } }[];
    const marker = trace.find(({ kind }) => kind === 'truncated');
    const kept = trace.filter(({ kind }) => /^k\d/.test(kind)).length;
    expect(kept).toBeGreaterThan(0);
    expect(marker?.data?.entries).toBe(20 - kept);
    expect(trace[0]).toEqual(JSON.parse(START));
    expect(trace.at(-1)).toEqual(JSON.parse(FINISH));
    expect(codePointLength(text)).toBeLessThanOrEqual(20_000);
  });

  it('E07: quotes that grow when they are escaped are counted as they are written', () => {
    const text = write({ answer: '"'.repeat(19_000) });
    expect(codePointLength(text)).toBeLessThanOrEqual(20_000);
    expect(codePointLength(text)).toBeGreaterThan(19_900);
    expect(parse(text)).toMatchObject({ answer_truncated: true });
  });

  it('D29: other fields go before the answer, and are named', () => {
    const result = parse(write({ answer: 'a'.repeat(5000), log: 'l'.repeat(30_000), list: [1, 2, 3], small: 'kept' }));
    expect(result['answer']).toBe('a'.repeat(5000));
    expect(result['fields_truncated']).toEqual(['log']);
    expect(result['small']).toBe('kept');
    expect(String(result['log']).length).toBeGreaterThan(10_000);
  });

  it('ENV5: a long answer does not cost the status or a short field', () => {
    const result = parse(write({ answer: 'a'.repeat(30_000), status: 'accepted', attempts: 2, list: [1, 2, 3] }));
    expect(result).toMatchObject({ status: 'accepted', attempts: 2, list: [1, 2, 3], answer_truncated: true });
    expect(result).not.toHaveProperty('fields_truncated');
    const text = writeEnvelope('t', normaliseReturn('string', JSON.stringify('a'.repeat(30_000))), [START, FINISH]);
    expect(parse(text)).toMatchObject({ status: 'ok', answer_truncated: true });
  });

  it('ENV5: many short fields are not all kept before the answer', () => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v'.repeat(40)]));
    const result = parse(write({ ...fields, answer: 'a'.repeat(12_000) }));
    expect(result['answer']).toBe('a'.repeat(12_000));
    expect(result['status']).toBe('ok');
  });

  it('ENV5: an answer that was not cut is not called so', () => {
    const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key${index}`, index]));
    const result = parse(write({ ...fields, answer: 'short' }));
    expect(result['answer']).toBe('short');
    expect(result).not.toHaveProperty('answer_truncated');
  });

  it('is strict JSON of at most 20,000 code points for anything that a program returns, and every cut is named', () => {
    const big = fc.integer({ min: 0, max: 30_000 });
    const filler = fc.constantFrom('x', '"', '\\', '\n', '😀', 'é', '\u0001');
    const value = fc.oneof(
      fc.tuple(filler, big).map(([char, count]) => char.repeat(count)),
      fc.jsonValue(),
      big.map((count) => Array.from({ length: count / 10 }, () => 1)),
    );
    const key = fc.oneof(
      fc.constantFrom('answer', 'status', 'trace', 'fields_truncated', '10', '__proto__'),
      fc.string(),
      fc.integer({ min: 1, max: 3000 }).map((count) => 'k'.repeat(count)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, value), { maxLength: 12 }),
        fc.array(big, { maxLength: 60 }),
        (members, sizes) => {
          const entries = new Map(members);
          const raw = `{${[...entries].map(([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)}`).join(',')}}`;
          const log = createTraceLog();
          for (const size of sizes) log.add('t', JSON.stringify({ x: 'y'.repeat(size) }));
          const returned = normaliseReturn('dict', raw);
          // The host's trace replaces the program's, which is not a cut.
          const whole = joinObject(returned.filter(([name]) => name !== 'trace'));
          const text = writeEnvelope('t', returned, log.complete(START, FINISH));
          expect(codePointLength(text)).toBeLessThanOrEqual(20_000);
          const result = parse(text);
          const answer = entries.get('answer');
          if (answer !== undefined && JSON.stringify(result['answer']) !== JSON.stringify(answer))
            expect(result).toHaveProperty('answer_truncated', true);
          if (codePointLength(whole) > 21_000)
            expect(Object.keys(result).some((name) => name.endsWith('_truncated'))).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the trace', () => {
  it('R01, TRC4: data is left out when none exists', () => {
    const log = createTraceLog();
    log.add('a', '{}');
    log.add('b', '{"x":1}');
    expect(log.entries()).toEqual(['{"kind":"a"}', '{"kind":"b","data":{"x":1}}']);
  });

  it('R04, TRC2: 100 entries in all; the last place is for the finish, the previous one says how many were dropped', () => {
    const log = createTraceLog();
    for (let index = 0; index < 98; index++) expect(log.add('k', '{}')).toBeDefined();
    expect(log.complete(START, FINISH)).toHaveLength(100);
    expect(log.add('k', '{}')).toBeUndefined();
    log.add('k', '{}');
    const all = log.complete(START, FINISH);
    expect(all).toHaveLength(100);
    // 100 of the program: 97 are kept.
    expect(JSON.parse(all[98] ?? '')).toEqual({ kind: 'dropped', data: { entries: 3 } });
    expect(all[99]).toBe(FINISH);
  });

  it('R05, TRC3: an entry has at most 2,000 characters, and says that it was cut', () => {
    const log = createTraceLog();
    log.add('k'.repeat(500), JSON.stringify({ x: '"😀\n'.repeat(10_000) }));
    const [entry = ''] = log.entries();
    expect(codePointLength(entry)).toBeLessThanOrEqual(2000);
    expect(JSON.parse(entry)).toMatchObject({ truncated: true });
  });

  it('TRC3, BUD5: 2,000 code points are kept whole; one more keeps 200 of the kind and the start of the data', () => {
    const around = codePointLength(JSON.stringify({ kind: 'k', data: { x: '' } }));
    const recorded = (kind: string, data: unknown): unknown => {
      const log = createTraceLog();
      log.add(kind, JSON.stringify(data));
      return JSON.parse(log.entries()[0] ?? '');
    };
    const whole = { x: '😀'.repeat(2000 - around) };
    expect(recorded('k', whole)).toEqual({ kind: 'k', data: whole });
    const long = { x: `😀${whole.x}` };
    const cut = recorded('k'.repeat(300), long) as { kind: string; data: { start: string }; truncated: boolean };
    expect(Object.keys(cut)).toEqual(['kind', 'data', 'truncated']);
    expect(cut).toMatchObject({ kind: 'k'.repeat(200), truncated: true });
    expect(Object.keys(cut.data)).toEqual(['start']);
    expect(JSON.stringify(long).startsWith(cut.data.start)).toBe(true);
    expect(cut.data.start).not.toBe('');
  });
});
