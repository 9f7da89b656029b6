/** Results of runs of suites, one row each, so that a page that is closed loses none. */
import { recordSchema, type CaseRecord } from '../../model/evals/run/journal.ts';
import type { Storage } from './storage.ts';

export interface EvalResults {
  /** Of the plan with this digest. A row that cannot be read counts for nothing. */
  readonly of: (run: string) => Promise<ReadonlyMap<string, CaseRecord>>;
  /** Done once it is written. */
  readonly keep: (run: string, record: CaseRecord) => Promise<void>;
  readonly forget: (run: string) => Promise<void>;
}

export const createEvalResults = (storage: Storage): EvalResults => ({
  of: async (run) => {
    const rows = await storage.list('evals', [run]);
    return new Map(
      rows.flatMap(({ record }) => {
        const read = recordSchema.safeParse(record);
        return read.success ? [[read.data.key, read.data] as const] : [];
      }),
    );
  },
  keep: (run, record) => storage.write([{ kind: 'put', table: 'evals', row: { run, key: record.key, record } }]),
  forget: (run) => storage.write([{ kind: 'delete', table: 'evals', key: [run] }]),
});
