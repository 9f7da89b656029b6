import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { importOffice, textFiles } from '../importer/testing/office-desk.ts';
import { testSigner, testVerify } from '../importer/testing/test-signer.ts';
import { PLAIN_MANIFEST } from '../importer/plain-skill.ts';
import { digestFiles, type Files } from './digest.ts';
import { verifyExecutor, verifyPlainSkill } from './verify.ts';

const NAME = 'read_events';
const trusted = [{ name: 'test', publicKey: testSigner().publicKey }];
const signed = (await importOffice()).files;

const reason = async (files: Files, keys = trusted): Promise<string> => {
  const verified = await verifyExecutor({ files, trusted: keys, verify: testVerify }, NAME);
  return verified.ok ? 'ok' : verified.error;
};
const edited = (edit: (files: Map<string, Uint8Array>) => void): Files => {
  const files = new Map([...signed].map(([path, bytes]) => [path, new Uint8Array(bytes)]));
  edit(files);
  return files;
};
const flipped = (path: string, at: (length: number) => number): Files =>
  edited((files) => {
    const bytes = files.get(path) ?? new Uint8Array();
    const index = at(bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ 1;
  });

const CHANGED = 'a file has changed since it was signed';
const BAD = 'the signature doesn’t match the manifest, or its key isn’t trusted';

describe('a signed folder', () => {
  it('SN3: is accepted as it is', async () => {
    expect(await reason(signed)).toBe('ok');
  });

  it.each([
    [`${NAME}/${NAME}.py`, CHANGED],
    [`${NAME}/manifest.lang_state.json`, CHANGED],
    [`${NAME}/fence.json`, CHANGED],
    ['source/SKILL.md', CHANGED],
    ['source/scripts/desk.py', CHANGED],
    [`${NAME}/manifest.toml`, BAD],
    [`${NAME}/manifest.toml.sig`, BAD],
  ])('SN4: one bit in %s', async (path, expected) => {
    for (const at of [() => 0, (length: number) => Math.floor(length / 2), (length: number) => length - 1])
      expect(await reason(flipped(path, at))).toBe(expected);
  });

  it('SN4: every byte of the signature counts', async () => {
    expect(signed.get(`${NAME}/manifest.toml.sig`)).toHaveLength(64);
    for (let index = 0; index < 64; index++)
      expect(await reason(flipped(`${NAME}/manifest.toml.sig`, () => index))).toBe(BAD);
  });

  it('SN2: the signature is Ed25519 over the bytes of the manifest, as any other reader of it finds', () => {
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), testSigner().publicKey]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const manifest = signed.get(`${NAME}/manifest.toml`) ?? new Uint8Array();
    const signature = signed.get(`${NAME}/manifest.toml.sig`) ?? new Uint8Array();
    expect(signature).toHaveLength(64);
    expect(verifySignature(null, manifest, key, signature)).toBe(true);
    expect(verifySignature(null, manifest.subarray(1), key, signature)).toBe(false);
  });

  it('SN4: every line of the manifest counts', async () => {
    const manifest = new TextDecoder().decode(signed.get(`${NAME}/manifest.toml`));
    const reasons = new Set<string>();
    let offset = 0;
    for (const line of manifest.split('\n')) {
      const at = offset;
      if (line !== '') reasons.add(await reason(flipped(`${NAME}/manifest.toml`, () => at)));
      offset += new TextEncoder().encode(`${line}\n`).length;
    }
    expect([...reasons]).toEqual([BAD]);
  });

  it('SN4: files that are cut, longer, missing, renamed, swapped or added', async () => {
    const script = 'source/scripts/desk.py';
    expect(
      await reason(edited((files) => files.set(script, (files.get(script) ?? new Uint8Array()).slice(0, -1)))),
    ).toBe(CHANGED);
    expect(await reason(edited((files) => files.set(script, new Uint8Array([...(files.get(script) ?? []), 10]))))).toBe(
      CHANGED,
    );
    expect(await reason(edited((files) => files.delete(script)))).toBe(`${script} is missing`);
    expect(await reason(edited((files) => files.delete(`${NAME}/manifest.toml`)))).toBe('the manifest is missing');
    expect(await reason(edited((files) => files.delete(`${NAME}/manifest.toml.sig`)))).toBe('the signature is missing');
    expect(await reason(edited((files) => files.set(`${NAME}/manifest.toml.sig`, new Uint8Array(63))))).toBe(
      'the signature has 63 bytes instead of 64',
    );
    expect(await reason(edited((files) => files.set('source/scripts/json.py', new Uint8Array([1]))))).toBe(
      'source/scripts/json.py is not in the signed manifest',
    );
    expect(await reason(edited((files) => files.set(`${NAME}/sitecustomize.py`, new Uint8Array([1]))))).toBe(
      `${NAME}/sitecustomize.py is not in the signed manifest`,
    );
    const swapped = edited((files) => {
      const [a, b] = [files.get('source/SKILL.md'), files.get(script)];
      if (a && b) files.set('source/SKILL.md', b).set(script, a);
    });
    expect(await reason(swapped)).toBe(CHANGED);
  });

  it('SN5: another key, or none', async () => {
    expect(await reason(signed, [{ name: 'other', publicKey: testSigner(9).publicKey }])).toBe(BAD);
    expect(await reason(signed, [])).toBe('no key is trusted here');
  });

  it('SN6: a manifest under another name', async () => {
    const moved = edited((files) => {
      for (const end of ['manifest.toml', 'manifest.toml.sig'])
        files.set(`${NAME}/${end}`, files.get(`delete_events/${end}`) ?? new Uint8Array());
    });
    expect(await reason(moved)).toMatch(/is not in the signed manifest|not of read_events|is missing/);
  });

  it('SN1: bytes cannot wander between files', () => {
    const a = digestFiles(textFiles({ x: 'ab', y: 'c' }), ['x', 'y']);
    const b = digestFiles(textFiles({ x: 'a', y: 'bc' }), ['x', 'y']);
    expect(a).not.toBe(b);
    expect(digestFiles(textFiles({ x: 'a' }), ['x', 'z'])).toBeUndefined();
  });

  it('SN3: only covered files continue', async () => {
    const verified = await verifyExecutor({ files: signed, trusted, verify: testVerify }, NAME);
    const paths = verified.ok ? [...verified.value.files.keys()] : [];
    expect(paths).toEqual([
      `${NAME}/${NAME}.py`,
      `${NAME}/manifest.lang_state.json`,
      `${NAME}/fence.json`,
      'source/SKILL.md',
      'source/scripts/desk.py',
    ]);
  });
});

describe('a plain skill', () => {
  it('SN4: is verified with all its files', async () => {
    const files = textFiles({ 'SKILL.md': '---\nname: plain\ndescription: Only words.\n---\n\nWell.\n', 'a.md': 'x' });
    const report = await importOffice({}, { name: 'plain', files });
    const check = async (changed: Files): Promise<string> => {
      const verified = await verifyPlainSkill({ files: changed, trusted, verify: testVerify }, PLAIN_MANIFEST);
      return verified.ok ? 'ok' : verified.error;
    };
    expect(await check(report.files)).toBe('ok');
    expect(await check(new Map([...report.files, ['a.md', new Uint8Array([1])]]))).toBe(CHANGED);
    expect(await check(new Map([...report.files, ['b.md', new Uint8Array([1])]]))).toBe(
      'b.md is not in the signed manifest',
    );
  });
});
