import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeView, hunksOf } from './change-view.ts';
import type { Forecast, ForecastChange } from '../cache/forecast.ts';
import { folderWords } from './folder-words.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('a pending write', () => {
  it('SV60: is new, changed or deleted, with its lines', () => {
    expect(changeView({ path: 'a.md', before: undefined, after: bytes('one\ntwo\n') })).toMatchObject({
      kind: 'new',
      added: 2,
      removed: 0,
      hunks: [{ head: '@@ -0,0 +1,2 @@' }],
    });
    expect(changeView({ path: 'a.md', before: bytes('one\n'), after: null })).toMatchObject({
      kind: 'deleted',
      added: 0,
      removed: 1,
      hunks: [{ head: '@@ -1 +0,0 @@' }],
    });
    const before = numbered(20);
    const after = before.with(4, 'other').with(18, 'last but one');
    const view = changeView({ path: 'a.md', before: bytes(before.join('\n')), after: bytes(after.join('\n')) });
    expect(view).toMatchObject({ kind: 'changed', added: 2, removed: 2 });
    expect(view.hunks.map(({ head }) => head)).toEqual(['@@ -2,7 +2,7 @@', '@@ -16,5 +16,5 @@']);
    expect(view.hunks[0]?.lines.map(({ kind, before: old, after: now }) => [kind, old, now])).toEqual([
      ['same', 2, 2],
      ['same', 3, 3],
      ['same', 4, 4],
      ['removed', 5, undefined],
      ['added', undefined, 5],
      ['same', 6, 6],
      ['same', 7, 7],
      ['same', 8, 8],
    ]);
  });

  it('SV60: what is not text, or too long, says so', () => {
    expect(changeView({ path: 'a', before: bytes('x'), after: new Uint8Array([0, 1]) }).note).toBe('This isn’t text.');
    expect(changeView({ path: 'a', before: undefined, after: new Uint8Array([0xff, 0xfe]) }).note).toBe(
      'This isn’t text.',
    );
    expect(changeView({ path: 'a', before: undefined, after: new Uint8Array(1_000_001).fill(97) }).note).toContain(
      'too long',
    );
    expect(changeView({ path: 'a', before: bytes('x'), after: bytes('x\n') }).note).toContain('end of the last line');
  });

  it('SV61: the hunks make the new lines of the old ones', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.array(line, { maxLength: 40 }), (before, after) => {
        const made: string[] = [];
        let at = 0;
        for (const { lines } of hunksOf(before, after)) {
          const first = lines.find((item) => item.before !== undefined)?.before;
          const newFirst = lines.find((item) => item.after !== undefined)?.after;
          const from = first === undefined ? at + ((newFirst ?? 1) - 1 - made.length) : first - 1;
          made.push(...before.slice(at, from));
          at = from;
          for (const item of lines) {
            if (item.kind !== 'removed') made.push(item.text);
            if (item.kind !== 'added') at++;
          }
        }
        made.push(...before.slice(at));
        expect(made).toEqual(after);
      }),
    );
  });
});

const forecastOf = ({ read, written }: { readonly read: number; readonly written: number }): Forecast => ({
  usage: { read, writes: { '5m': written }, uncached: 0 },
  promptTokens: read + written,
  hit: undefined,
  breakpoints: [],
  floor: 4096,
  uncertain: false,
  faults: [],
  hidden: 0,
  blocks: [],
  usd: undefined,
});

const changeOf = (
  before: Parameters<typeof forecastOf>[0],
  after: Parameters<typeof forecastOf>[0],
  extraUsd: number,
): ForecastChange => ({
  before: forecastOf(before),
  after: forecastOf(after),
  lost: before.read - after.read,
  extraUsd,
});

describe('the banner', () => {
  it('SV62: says what changed and what it costs, or nothing', () => {
    const nothing = { skills: [], firstDifference: undefined, forecast: undefined, memory: undefined };
    expect(folderWords(undefined)).toBeUndefined();
    expect(folderWords(nothing)).toBeUndefined();
    const change = changeOf({ read: 5681, written: 0 }, { read: 0, written: 6097 }, 0.00701155);
    expect(
      folderWords({
        ...nothing,
        skills: [
          { name: 'a', kind: 'added' },
          { name: 'b', kind: 'text' },
        ],
        firstDifference: { before: 'skill-index', after: 'skill-index' },
        forecast: change,
      }),
    ).toEqual({
      what: 'a added; b changed.',
      cost: 'This session is unaffected. 5,681 cached tokens are lost. The first request of a new session reads 0 and writes 6,097 tokens, $0.0070 more than without the change.',
    });
    expect(folderWords({ ...nothing, skills: [{ name: 'a', kind: 'body' }] })?.cost).toContain('it can use the cache');
    expect(folderWords({ ...nothing, firstDifference: { before: 'x', after: 'y' } })?.cost).toContain('unknown');
    // An import adds tools: neither skills nor instructions are to blame.
    expect(
      folderWords({ ...nothing, firstDifference: { before: 'segment:head', after: 'tool:read_events' } })?.what,
    ).toBe('The tools of new sessions changed.');
    const unpriced = { ...change, extraUsd: undefined };
    expect(
      folderWords({ ...nothing, firstDifference: { before: 'x', after: 'y' }, forecast: unpriced })?.cost,
    ).toContain('price unknown');
  });

  it('SV62: memory is about the next request of this session', () => {
    const memory = changeOf({ read: 7000, written: 100 }, { read: 5681, written: 1500 }, 0.001);
    expect(folderWords({ skills: [], firstDifference: undefined, forecast: undefined, memory })).toEqual({
      what: 'USER.md or MEMORY.md changed.',
      cost: '1,319 cached tokens are lost. The next request reads 5,681 and writes 1,500 tokens, $0.0010 more than without the change.',
    });
  });
});
