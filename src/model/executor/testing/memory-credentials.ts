import type { CredentialStore, CredentialValues } from '../types.ts';

export const memoryCredentials = (initial: Readonly<Record<string, CredentialValues>> = {}): CredentialStore => {
  const rows = new Map(Object.entries(initial).map(([binding, values]) => [binding, { values, isExpired: false }]));
  return {
    list: () =>
      [...rows].map(([binding, { values, isExpired }]) => ({
        binding,
        fingerprint: '0'.repeat(16),
        fields: Object.keys(values),
        savedAt: 0,
        state: isExpired ? ('expired' as const) : ('configured' as const),
      })),
    values: (binding) => {
      const row = rows.get(binding);
      return row && !row.isExpired ? row.values : undefined;
    },
    save: (binding, values) => {
      rows.set(binding, { values, isExpired: false });
      return Promise.resolve(undefined);
    },
    expire: (binding) => {
      const row = rows.get(binding);
      if (row) rows.set(binding, { ...row, isExpired: true });
      return Promise.resolve();
    },
    remove: (binding) => Promise.resolve(rows.delete(binding)),
  };
};
