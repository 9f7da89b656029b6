import { queryId } from './query-id.ts';
import type { TriggerQuery } from './types.ts';

/** A query of which nothing is known but its text and these labels. */
export const plainQuery = (
  query: string,
  line: number,
  labels: Partial<Omit<TriggerQuery, 'query' | 'line'>>,
): TriggerQuery => ({
  id: queryId(query, []),
  all: false,
  forbid: [],
  allow: [],
  tags: [],
  context: [],
  weight: 1,
  query,
  line,
  ...labels,
});
