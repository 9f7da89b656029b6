/** A skill without sub-commands is installed as it is, with provenance and a signed digest beside it (D37). */
import { compareCodePoints } from '../../base/text.ts';
import { digestFiles } from '../signing/digest.ts';
import type { Signer } from '../signing/types.ts';
import { IMPORTER_VERSION } from './generate.ts';
import { tomlTable } from './toml-text.ts';
import type { ReadSource } from './types.ts';

export const PLAIN_MANIFEST = '.lathe-import/manifest.toml';

export interface PlainInput {
  readonly source: ReadSource;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly from: string;
  /** Of the skill's identity. */
  readonly origin: string;
  readonly importedAt: string;
  readonly signer: Signer;
}

const encoder = new TextEncoder();

/** All files of the installed skill. */
export const plainManifest = async ({
  source,
  files,
  from,
  origin,
  importedAt,
  signer,
}: PlainInput): Promise<ReadonlyMap<string, Uint8Array>> => {
  const own = new Map([...files].filter(([path]) => !path.startsWith('.lathe-import/')));
  const order = [...own.keys()].toSorted(compareCodePoints);
  const digest = digestFiles(own, order);
  if (digest === undefined) throw new Error('a file of the skill is missing');
  const manifest = encoder.encode(
    `${[
      tomlTable('', { manifest_format: '1.0', kind: 'plain-skill', name: source.name, author: source.author }),
      tomlTable('[code]', { files: order, digest }),
      tomlTable('[provenance]', {
        synthesized: false,
        imported_from: from,
        source_identity: origin,
        source_version: source.version,
        imported_at: importedAt,
        source_sha256: source.sourceSha256,
        importer_version: IMPORTER_VERSION,
      }),
    ].join('\n\n')}\n`,
  );
  return new Map([...own, [PLAIN_MANIFEST, manifest], [`${PLAIN_MANIFEST}.sig`, await signer.sign(manifest)]]);
};
