/** A verdict whose quotes are masked as the whole text is: a quote may begin or end inside a private value. */
import { blockText } from '../cache/block-tokens.ts';
import type { Verdict, VerdictPosition } from '../cache/explain/types.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheRequest, RecordedCall } from '../cache/types.ts';
import type { Masker } from '../masking/masker.ts';

const ELLIPSIS = /^…|…$/g;

export interface VerdictMasker {
  readonly mask: (verdict: Verdict, call: RecordedCall) => Verdict;
}

export const createVerdictMasker = (masker: Masker): VerdictMasker => {
  const known = new WeakMap<RecordedCall, CacheRequest>();
  let last: CacheRequest | undefined;
  const requestOf = (call: RecordedCall): CacheRequest | undefined => {
    const found = known.get(call);
    if (found) return found;
    if (call.request) return call.request();
    const read = readRequest(call.body, call.wire, last);
    if (!read.ok) return undefined;
    last = read.value;
    known.set(call, read.value);
    return read.value;
  };

  /** Stand-ins have the length of their values, so a quote is at the same place in the masked text. */
  const quoteOf = (quote: string, label: string, call: RecordedCall | null): string => {
    const bare = quote.replaceAll(ELLIPSIS, '');
    if (bare === quote || !call || call.known === 'absent') return masker.mask(quote);
    const block = requestOf(call)?.blocks.find((one) => one.label === label);
    for (const text of block ? [blockText(block), block.text] : []) {
      const at = text.indexOf(bare);
      const masked = at === -1 ? '' : masker.mask(text);
      if (at !== -1 && masked.length === text.length)
        return `${quote.startsWith('…') ? '…' : ''}${masked.slice(at, at + bare.length)}${quote.endsWith('…') ? '…' : ''}`;
    }
    // Without its text nobody can tell whether a value was cut.
    return '(not shown: it may hold a part of a private value)';
  };

  const positionOf = (position: VerdictPosition, verdict: Verdict, call: RecordedCall): VerdictPosition => ({
    ...masker.mask({ ...position, before: '', after: '' }),
    before: quoteOf(position.before, position.label, verdict.comparedWith),
    after: quoteOf(position.after, position.label, call),
  });

  return {
    mask: (verdict, call) => {
      const { position } = verdict;
      const masked = position && positionOf(position, verdict, call);
      const quotes: readonly (readonly [string, string])[] =
        position && masked
          ? [
              [position.before, masked.before],
              [position.after, masked.after],
            ]
          : [];
      const line = (text: string): string =>
        masker.mask(
          quotes.reduce(
            (told, [own, standIn]) =>
              own.length < 4 ? told : told.replaceAll(own.replaceAll(ELLIPSIS, ''), standIn.replaceAll(ELLIPSIS, '')),
            text,
          ),
        );
      return {
        ...verdict,
        position: masked,
        evidence: verdict.evidence.map(line),
        repair: line(verdict.repair),
      };
    },
  };
};
