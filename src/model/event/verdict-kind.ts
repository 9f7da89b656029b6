/** How much a verdict matters. Journals from before it was reported have the cause alone. */
import type { Payload } from './types.ts';

export type VerdictKind = NonNullable<Payload<'cache.explained'>['kind']>;

export const verdictKind = ({ kind, cause }: Pick<Payload<'cache.explained'>, 'kind' | 'cause'>): VerdictKind => {
  if (kind) return kind;
  if (cause === 'hit') return 'hit';
  return cause === 'cold' ? 'start' : 'miss';
};
