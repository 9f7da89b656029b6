/** Characters that hide text from a reader. What they say is shown. */
import type { AlarmRuleId } from './rules.ts';

export interface HiddenText {
  readonly rule: AlarmRuleId;
  readonly start: number;
  readonly message: string;
  readonly decoded?: string;
}

const TAGS = /[\u{E0000}-\u{E007F}]+/gu;
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,6}\u{E007F}/gu;
const BIDI = /[\u202A-\u202E\u2066-\u2069]+/g;
const ZERO_WIDTH = /[\u180E\u200B-\u200D\u2060-\u2064\uFEFF]+/g;
const CONTROLS = /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F\u00AD]+/g;
const SELECTORS = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4,}|[\u{E0100}-\u{E01EF}]+/gu;

/** Scripts in which joiners belong to spelling. */
const JOINING = /[\u0600-\u06FF\u0700-\u074F\u0900-\u0DFF\u0E00-\u0FFF\u1780-\u18AF]/;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u;

const codes = (text: string): string =>
  Array.from(text)
    .slice(0, 4)
    .map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');

const decodeTags = (text: string): string =>
  Array.from(text)
    .map((char) => (char.codePointAt(0) ?? 0) - 0xe0000)
    .filter((code) => code >= 0x20 && code < 0x7f)
    .map((code) => String.fromCharCode(code))
    .join('');

const decodeSelectors = (text: string): string =>
  Array.from(text)
    .map((char) => {
      const code = char.codePointAt(0) ?? 0;
      return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00;
    })
    .map((code) => (code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ''))
    .join('');

/** Eight of two kinds are a letter. */
const decodeBits = (text: string): string => {
  const bits = Array.from(text)
    .flatMap((char) => (char === '\u200B' ? ['0'] : char === '\u200C' || char === '\u200D' ? ['1'] : []))
    .join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  const out = bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('');
  return /^[\x20-\x7e\n]{2,}$/.test(out) ? out : '';
};

/** An invisible character may stand between two that need it. */
const isSpelling = (text: string, start: number, run: string): boolean => {
  if (run === '\uFEFF' && start === 0) return true;
  if (Array.from(run).length > 1) return false;
  const before = Array.from(text.slice(Math.max(0, start - 2), start)).at(-1) ?? '';
  const behind = Array.from(text.slice(start + run.length, start + run.length + 2))[0] ?? '';
  // Shows a fence inside of a fence; a line has nothing in front of it that it could split.
  if (run === '\u200B') return behind === '`' && (start === 0 || before === '\n');
  // A mark that a program takes away, in quotes.
  if (run === '\uFEFF') return /["'`]/.test(before) && /["'`]/.test(behind);
  if (run === '\u200D')
    return (EMOJI.test(before) && EMOJI.test(behind)) || (JOINING.test(before) && JOINING.test(behind));
  return run === '\u200C' && JOINING.test(before) && JOINING.test(behind);
};

const shown = (decoded: string): { readonly decoded?: string } => (decoded === '' ? {} : { decoded });

export const findHidden = (text: string): readonly HiddenText[] => {
  // Nearly every string has none of them.
  if (![TAGS, BIDI, ZERO_WIDTH, CONTROLS, SELECTORS].some((pattern) => text.search(pattern) !== -1)) return [];
  const found: HiddenText[] = [];
  const flags = new Set([...text.matchAll(FLAG)].map(({ index }) => index + 2));
  for (const { 0: run, index } of text.matchAll(TAGS))
    if (!flags.has(index))
      found.push({
        rule: 'unicode-tags',
        start: index,
        message: `Text in invisible tag characters (${codes(run)} …).`,
        ...shown(decodeTags(run)),
      });
  for (const { 0: run, index } of text.matchAll(BIDI))
    found.push({
      rule: 'bidi-control',
      start: index,
      message: `Direction controls (${codes(run)}) change the order in which the line appears.`,
    });
  for (const { 0: run, index } of text.matchAll(ZERO_WIDTH))
    if (!isSpelling(text, index, run))
      found.push({
        rule: 'zero-width',
        start: index,
        message: `Zero-width characters (${codes(run)}).`,
        ...shown(decodeBits(run)),
      });
  for (const { 0: run, index } of text.matchAll(CONTROLS))
    found.push({ rule: 'control-characters', start: index, message: `Control characters (${codes(run)}).` });
  for (const { 0: run, index } of text.matchAll(SELECTORS)) {
    if (Array.from(run).length > 1 || (run.codePointAt(0) ?? 0) < 0xe0100)
      found.push({
        rule: 'variation-selectors',
        start: index,
        message: `A row of ${Array.from(run).length} variation selectors.`,
        ...shown(decodeSelectors(run)),
      });
  }
  return found;
};
