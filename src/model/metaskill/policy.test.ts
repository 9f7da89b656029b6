import { describe, expect, it } from 'vitest';
import { LAYERS, METASKILL_POLICIES } from '../library/types.ts';
import { consentHash, refusalOf } from './policy.ts';

const question = {
  name: 'x',
  layer: 'user',
  isForeign: false,
  policy: 'local',
  hash: 'h',
  consents: new Set<string>(),
} as const;

describe('who may run (D27)', () => {
  it('local: the project and the bundled run, the others get the refusal of the metaskill specification', () => {
    for (const layer of LAYERS) {
      const refusal = refusalOf({ ...question, layer });
      if (layer === 'project' || layer === 'bundled') expect(refusal).toBeUndefined();
      else expect(refusal).toBe("error: external metaskill 'x' is not allowed (policy: local)");
    }
  });

  it('all: the others run after consent for exactly these files', () => {
    expect(refusalOf({ ...question, policy: 'all' })).toContain('no consent');
    expect(refusalOf({ ...question, policy: 'all', consents: new Set(['h']) })).toBeUndefined();
    expect(refusalOf({ ...question, policy: 'all', consents: new Set(['h']), hash: 'changed' })).toContain(
      'no consent',
    );
  });

  it('off: none runs', () => {
    for (const layer of LAYERS)
      expect(refusalOf({ ...question, layer, policy: 'off' })).toBe(
        "error: metaskill 'x' is not allowed (policy: off)",
      );
  });

  it('S02: a foreign skill stays foreign in the project, until there is consent for its hash', () => {
    const saved = { ...question, layer: 'project', isForeign: true } as const;
    for (const policy of METASKILL_POLICIES) expect(refusalOf({ ...saved, policy })).toMatch(/^error:/);
    expect(refusalOf({ ...saved, consents: new Set(['h']) })).toBeUndefined();
    expect(refusalOf({ ...saved, consents: new Set(['other']) })).toMatch(/^error: external/);
  });

  it('the hash sees every change of a folder, and not the order in which it was read', () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const base = consentHash(
      new Map([
        ['a', bytes('1')],
        ['b', bytes('2')],
      ]),
    );
    expect(
      consentHash(
        new Map([
          ['b', bytes('2')],
          ['a', bytes('1')],
        ]),
      ),
    ).toBe(base);
    const changes = [
      new Map([
        ['a', bytes('1')],
        ['b', bytes('3')],
      ]),
      new Map([['a', bytes('1')]]),
      new Map([
        ['a', bytes('1')],
        ['c', bytes('2')],
      ]),
      new Map([
        ['a', bytes('2')],
        ['b', bytes('1')],
      ]),
      new Map([
        ['a', bytes('1')],
        ['b', bytes('2')],
        ['c', bytes('')],
      ]),
    ];
    for (const files of changes) expect(consentHash(files)).not.toBe(base);
  });
});
