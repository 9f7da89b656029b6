import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodeShareLink,
  encodeShareLink,
  fromBase64Url,
  hasSharedSkill,
  MAX_LINK,
  toBase64Url,
  type ShareCodec,
  type SharedSkill,
} from './share-link.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codec: ShareCodec = {
  deflate: (data) => new Uint8Array(deflateRawSync(data)),
  inflate: (data, limit) => {
    try {
      return new Uint8Array(inflateRawSync(data, { maxOutputLength: limit }));
    } catch {
      return undefined;
    }
  },
};
const skill = (files: Readonly<Record<string, string>>, name = 'pdf'): SharedSkill => ({
  name,
  files: new Map(Object.entries(files).map(([path, text]) => [path, bytes(text)])),
});
const hashOf = (given: SharedSkill): string => {
  const link = encodeShareLink(given, codec);
  if (!link.ok) throw new Error(link.error.message);
  return link.value.hash;
};
const codeOf = (given: { readonly ok: boolean; readonly error?: { readonly code: string } }): string =>
  given.ok ? 'fine' : (given.error?.code ?? '');
/** Random text does not get smaller by packing. */
const noise = (length: number): string => {
  let [text, state] = ['', 1];
  while (text.length < length) {
    state = (state * 48271) % 2147483647;
    text += state.toString(36);
  }
  return text.slice(0, length);
};

it('SL1: any skill comes back as it was, in the order of its paths', () => {
  const path = fc.stringMatching(/^[a-zü日]{1,5}(\.md)?$/);
  const contents = fc.dictionary(path, fc.uint8Array({ maxLength: 300 }), { maxKeys: 6 });
  fc.assert(
    fc.property(contents, fc.uint8Array({ maxLength: 1000 }), (given, body) => {
      const files = new Map([
        ...Object.entries(given).map(([name, data]) => [`x/${name}`, data] as const),
        ['SKILL.md', body] as const,
      ]);
      const decoded = decodeShareLink(`#${hashOf({ name: 'näme', files })}`, codec);
      expect(decoded).toEqual({ ok: true, value: { name: 'näme', files, leftOut: [] } });
    }),
    { numRuns: 60 },
  );
});

it('SL2: the same skill gives the same link', () => {
  expect(hashOf(skill({ 'SKILL.md': 'x', a: 'a' }))).toBe(hashOf(skill({ a: 'a', 'SKILL.md': 'x' })));
  expect(hashOf(skill({ 'SKILL.md': 'x' }))).toMatch(/^share=1\.[\w-]+$/);
});

it('SL3: is refused without SKILL.md, with too many files, and when the link would be too long', () => {
  expect(codeOf(encodeShareLink(skill({ 'a.md': 'x' }), codec))).toBe('not-a-skill');
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, '']));
  expect(codeOf(encodeShareLink(skill({ 'SKILL.md': 'x', ...many }), codec))).toBe('too-large');
  const long = encodeShareLink(skill({ 'SKILL.md': noise(90_000) }), codec);
  expect(long).toMatchObject({ ok: false, error: { code: 'too-large' } });
  expect(!long.ok && long.error.message).toContain('Export the skill as a zip');
  expect(codeOf(encodeShareLink(skill({ 'SKILL.md': 'x'.repeat(3_000_000) }), codec))).toBe('too-large');
  expect(encodeShareLink(skill({ 'SKILL.md': noise(15_000) }), codec)).toMatchObject({ value: { isLong: true } });
  expect(encodeShareLink(skill({ 'SKILL.md': 'short' }), codec)).toMatchObject({ value: { isLong: false } });
});

it('SL4: names and paths that lead out are refused in both directions', () => {
  for (const name of ['', '..', 'a/b', '.']) {
    expect(codeOf(encodeShareLink(skill({ 'SKILL.md': 'x' }, name), codec))).toBe('unsafe');
  }
  for (const path of ['../x', '/x', 'a//b', 'a\\b', './x', '']) {
    expect(codeOf(encodeShareLink(skill({ 'SKILL.md': 'x', [path]: 'x' }), codec))).toBe('unsafe');
  }
  expect(codeOf(encodeShareLink(skill({ 'SKILL.md': 'x', 'SKILL.md/y': 'x' }), codec))).toBe('unsafe');
  // As somebody else's program could have made it: `pack` is a list of lengths and bytes.
  const good = hashOf(skill({ 'SKILL.md': 'x', 'aa/x': 'x' }));
  const packed = inflateRawSync(fromBase64Url(good.slice(8)) ?? new Uint8Array());
  const evil = new Uint8Array(packed);
  evil.set(bytes('../x'), packed.indexOf('aa/x'));
  expect(codeOf(decodeShareLink(`share=1.${toBase64Url(codec.deflate(evil))}`, codec))).toBe('damaged');
});

it('SL5: what is cut, changed, empty or enormous is damaged, and never throws', () => {
  const hash = hashOf(skill({ 'SKILL.md': 'some text that is long enough' }));
  for (const cut of [1, 2, 3, 10, hash.length - 9])
    expect(codeOf(decodeShareLink(hash.slice(0, -cut), codec))).toBe('damaged');
  for (const bad of [
    '',
    'share=',
    'share=1',
    'share=1.',
    'share=1.!!!!',
    'other=1.abc',
    `share=1.${'A'.repeat(MAX_LINK)}`,
  ]) {
    expect(codeOf(decodeShareLink(bad, codec))).toBe('damaged');
  }
  expect(codeOf(decodeShareLink(`share=1.${toBase64Url(codec.deflate(new Uint8Array(20_000_000)))}`, codec))).toBe(
    'damaged',
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (body) => {
      expect(codeOf(decodeShareLink(`share=1.${toBase64Url(codec.deflate(body))}`, codec))).toBe('damaged');
    }),
  );
});

it('SL6: a link of a newer version says so', () => {
  expect(codeOf(decodeShareLink('share=2.abc', codec))).toBe('newer');
  expect([hasSharedSkill('#share=1.x'), hasSharedSkill('share=1.x'), hasSharedSkill('#panel=x')]).toEqual([
    true,
    true,
    false,
  ]);
});

it('SL1: base64url is the one of the standard', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (data) => {
      expect(toBase64Url(data)).toBe(Buffer.from(data).toString('base64url'));
      expect(fromBase64Url(toBase64Url(data))).toEqual(data);
    }),
  );
});
