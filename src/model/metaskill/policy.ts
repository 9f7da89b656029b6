/** Who may run a metaskill, before any person is asked (D27). `consent.ts` asks. */
import type { Layer, MetaskillPolicy } from '../library/types.ts';
import { pythonRepr } from '../skill/python-text.ts';

export interface Provenance {
  readonly name: string;
  readonly layer: Layer;
  /** It came by link, archive, URL, drop, or import, and stays foreign wherever it was saved. */
  readonly isForeign: boolean;
  readonly policy: MetaskillPolicy;
}

/** A refusal is the text that the model gets. */
export type Admission =
  | { readonly kind: 'free' }
  /** Nobody can change this but through the policy. */
  | { readonly kind: 'refused'; readonly refusal: string }
  /** Runs once a person trusts its files; until then it is refused. */
  | { readonly kind: 'consent'; readonly refusal: string };

export const admissionOf = ({ name, layer, isForeign, policy }: Provenance): Admission => {
  if (policy === 'off')
    return { kind: 'refused', refusal: `error: metaskill ${pythonRepr(name)} is not allowed (policy: off)` };
  if ((layer === 'project' || layer === 'bundled') && !isForeign) return { kind: 'free' };
  if (policy === 'all')
    return {
      kind: 'consent',
      refusal: `error: external metaskill ${pythonRepr(name)} is not allowed (no consent for its files)`,
    };
  return {
    kind: layer === 'project' ? 'consent' : 'refused',
    refusal: `error: external metaskill ${pythonRepr(name)} is not allowed (policy: local)`,
  };
};
