import { deflateSync } from 'fflate';
import { expect, it } from 'vitest';
import { decodeShareLink, encodeShareLink } from '../../model/files/share-link.ts';
import { shareCodec } from './share-codec.ts';

const files = new Map([
  ['SKILL.md', new TextEncoder().encode('---\nname: pdf\n---\n\n# Ünïcode 日本\r\n'.repeat(50))],
  ['assets/logo.bin', Uint8Array.from({ length: 300 }, (_, index) => (index * 31) % 256)],
]);

it('SL1: a skill comes back as it was', () => {
  const link = encodeShareLink({ name: 'pdf', files }, shareCodec);
  if (!link.ok) throw new Error(link.error.message);
  expect(link.value.hash).toMatch(/^share=1\.[\w-]+$/);
  expect(decodeShareLink(`#${link.value.hash}`, shareCodec)).toEqual({
    ok: true,
    value: { name: 'pdf', files, leftOut: [] },
  });
});

it('SL5: what unpacks to too much, or not at all, is nothing', () => {
  expect(shareCodec.inflate(deflateSync(new Uint8Array(1_000_000)), 999_999)).toBeUndefined();
  expect(shareCodec.inflate(deflateSync(new Uint8Array(1000)), 1000)).toHaveLength(1000);
  expect(shareCodec.inflate(Uint8Array.of(0xff, 0xff, 1, 2, 3), 1000)).toBeUndefined();
  expect(
    shareCodec.inflate(deflateSync(new Uint8Array(5000).map((_, i) => (i * i) % 255)).slice(0, -8), 10_000),
  ).toBeUndefined();
});
