import { describe, expect, it } from 'vitest';
import { LAYERS } from '../library/types.ts';
import { admissionOf } from './policy.ts';

const own = { name: 'x', layer: 'user', isForeign: false, policy: 'local' } as const;
const EXTERNAL = "error: external metaskill 'x' is not allowed (policy: local)";

describe('who may run (D27)', () => {
  it('POL1: local lets the project and the bundled run, and refuses the others with the text of the specification', () => {
    for (const layer of LAYERS)
      expect(admissionOf({ ...own, layer })).toEqual(
        layer === 'project' || layer === 'bundled' ? { kind: 'free' } : { kind: 'refused', refusal: EXTERNAL },
      );
  });

  it('POL1: all asks for consent for the others', () => {
    for (const layer of LAYERS)
      expect(admissionOf({ ...own, layer, policy: 'all' })).toEqual(
        layer === 'project' || layer === 'bundled'
          ? { kind: 'free' }
          : {
              kind: 'consent',
              refusal: "error: external metaskill 'x' is not allowed (no consent for its files)",
            },
      );
  });

  it('POL1: off refuses all, whether foreign or not', () => {
    for (const layer of LAYERS)
      for (const isForeign of [true, false])
        expect(admissionOf({ ...own, layer, isForeign, policy: 'off' })).toEqual({
          kind: 'refused',
          refusal: "error: metaskill 'x' is not allowed (policy: off)",
        });
  });

  it('POL3, S02: a foreign skill in the project runs after consent under local too', () => {
    const saved = { ...own, layer: 'project', isForeign: true } as const;
    expect(admissionOf(saved)).toEqual({ kind: 'consent', refusal: EXTERNAL });
    expect(admissionOf({ ...saved, policy: 'all' })).toMatchObject({ kind: 'consent' });
  });
});
