import type { CredentialStore, CredentialValues } from '../types.ts';

/** What is there at first belongs to anyone who asks; what is saved belongs to one owner. */
export const memoryCredentials = (initial: Readonly<Record<string, CredentialValues>> = {}): CredentialStore => {
  const rows = new Map(
    Object.entries(initial).map(([binding, values]) => [
      binding,
      { values, isExpired: false, owner: undefined as string | undefined },
    ]),
  );
  return {
    list: () =>
      [...rows].map(([binding, { values, isExpired, owner }]) => ({
        binding,
        fingerprint: '0'.repeat(16),
        fields: Object.keys(values),
        savedAt: 0,
        owner,
        state: isExpired ? ('expired' as const) : ('configured' as const),
      })),
    values: (binding, owner) => {
      const row = rows.get(binding);
      return row && !row.isExpired && (row.owner ?? owner) === owner ? row.values : undefined;
    },
    secrets: () => [...rows.values()].flatMap(({ values }) => Object.values(values)),
    save: (binding, values, owner) => {
      rows.set(binding, { values, isExpired: false, owner });
      return Promise.resolve(undefined);
    },
    expire: (binding, owner) => {
      const row = rows.get(binding);
      if (row && (row.owner ?? owner) === owner) rows.set(binding, { ...row, isExpired: true });
      return Promise.resolve();
    },
    remove: (binding) => Promise.resolve(rows.delete(binding)),
  };
};
