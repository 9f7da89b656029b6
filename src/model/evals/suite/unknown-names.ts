import { plural } from '../../../base/text.ts';
import type { Suite, SuiteFault } from './types.ts';

/** A query that expects a skill that the library lacks can never be right, and says so. */
export const unknownNames = ({ queries }: Suite, names: ReadonlySet<string>): readonly SuiteFault[] => {
  const lines = new Map<string, number[]>();
  for (const { expect = [], line } of queries)
    for (const name of expect) if (!names.has(name)) lines.set(name, [...(lines.get(name) ?? []), line]);
  return [...lines].map(([name, at]) => ({
    line: at[0] ?? 1,
    severity: 'warning',
    message: `No skill here is called “${name}”, which ${plural(at.length, 'query expects', 'queries expect')}.`,
  }));
};
