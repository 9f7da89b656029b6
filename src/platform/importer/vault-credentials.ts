/** Credentials of executors in the encrypted vault: one record for each binding, beside the keys of providers. */
import { sha256 } from '../../base/hash.ts';
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { CredentialFacts, CredentialStore } from '../../model/executor/types.ts';
import { sortedJson } from '../../model/tool/canonical-json.ts';
import { z } from '../../model/zod.ts';
import type { Vault } from '../store/vault.ts';

const PREFIX = 'credential:';

const recordSchema = z.object({
  version: z.literal(1),
  fields: z.record(z.string(), z.string()),
  savedAt: z.number(),
  owner: z.string().exactOptional(),
  expiresAt: z.number().exactOptional(),
});
type CredentialRecord = z.infer<typeof recordSchema>;

const isCredentialKey = (provider: string): boolean => provider.startsWith(PREFIX);

export const createVaultCredentials = ({
  vault,
  now,
}: {
  readonly vault: Vault;
  readonly now: () => number;
}): CredentialStore => {
  const read = (binding: string): CredentialRecord | undefined => {
    const text = vault.get(PREFIX + binding);
    if (text === undefined) return undefined;
    const parsed = recordSchema.safeParse(valueOr(parseJson(text), undefined));
    return parsed.success ? parsed.data : undefined;
  };
  const isExpired = ({ expiresAt }: CredentialRecord): boolean => expiresAt !== undefined && expiresAt <= now();
  const put = async (binding: string, record: CredentialRecord): Promise<string | undefined> => {
    const saved = await vault.save(PREFIX + binding, JSON.stringify(record));
    return saved.ok ? undefined : saved.error.message;
  };
  const factsOf = (binding: string, record: CredentialRecord): CredentialFacts => ({
    binding,
    // Over all values, so that a change shows; too short to be turned back.
    fingerprint: sha256(`${binding}\0${sortedJson(record.fields)}`).slice(0, 16),
    fields: Object.keys(record.fields).toSorted(),
    savedAt: record.savedAt,
    state: isExpired(record) ? 'expired' : 'configured',
    owner: record.owner,
  });
  return {
    list: () =>
      vault
        .providers()
        .filter(isCredentialKey)
        .flatMap((key) => {
          const binding = key.slice(PREFIX.length);
          const record = read(binding);
          return record ? [factsOf(binding, record)] : [];
        }),
    values: (binding, owner) => {
      const record = read(binding);
      return record && record.owner === owner && !isExpired(record) ? record.fields : undefined;
    },
    secrets: () =>
      vault
        .providers()
        .filter(isCredentialKey)
        .flatMap((key) => Object.values(read(key.slice(PREFIX.length))?.fields ?? {})),
    save: (binding, fields, owner, expiresAt) =>
      put(binding, {
        version: 1,
        fields: { ...fields },
        savedAt: now(),
        owner,
        ...(expiresAt !== undefined && { expiresAt }),
      }),
    expire: async (binding, owner) => {
      const record = read(binding);
      if (record?.owner === owner) await put(binding, { ...record, expiresAt: now() });
    },
    remove: async (binding) => {
      if (!read(binding)) return false;
      return (await vault.forget(PREFIX + binding)).ok;
    },
  };
};
