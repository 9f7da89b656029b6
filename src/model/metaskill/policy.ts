/** Who may run a metaskill (D27). */
import { sha256 } from '../../base/hash.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { Layer, MetaskillPolicy } from '../library/types.ts';
import { pythonRepr } from '../skill/python-text.ts';

export interface TrustQuestion {
  readonly name: string;
  readonly layer: Layer;
  /** It came by link, archive, address, drop or import, and stays foreign wherever it was saved. */
  readonly isForeign: boolean;
  readonly policy: MetaskillPolicy;
  /** `consentHash` of the folder as it is now. */
  readonly hash: string;
  /** Hashes that the user agreed to. */
  readonly consents: ReadonlySet<string>;
}

/** Nothing if it may run; else the refusal as the model gets it. */
export const refusalOf = ({ name, layer, isForeign, policy, hash, consents }: TrustQuestion): string | undefined => {
  if (policy === 'off') return `error: metaskill ${pythonRepr(name)} is not allowed (policy: off)`;
  const isLocal = (layer === 'project' || layer === 'bundled') && !isForeign;
  if (isLocal || (isForeign && layer === 'project' && consents.has(hash))) return undefined;
  if (policy === 'local') return `error: external metaskill ${pythonRepr(name)} is not allowed (policy: local)`;
  return consents.has(hash)
    ? undefined
    : `error: external metaskill ${pythonRepr(name)} is not allowed (no consent for its files)`;
};

/** One hash over all files of a folder: a changed, added, removed or renamed file makes another one. */
export const consentHash = (files: ReadonlyMap<string, Uint8Array>): string =>
  sha256(
    [...files]
      .toSorted(([a], [b]) => compareCodePoints(a, b))
      .map(([path, content]) => `${JSON.stringify(path)} ${sha256(content)}\n`)
      .join(''),
  );
