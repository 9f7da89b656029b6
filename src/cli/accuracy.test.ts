/** The level that verdicts have reached on recorded traffic. The recordings are not part of the project. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accuracyOf } from '../model/traffic/accuracy.ts';
import { explainCalls, type Explained } from '../model/traffic/explainer.ts';
import { joinSources } from '../model/traffic/recording/sources.ts';
import { openRecordings } from './recording-files.ts';
import { withTotal } from './output/accuracy-report.ts';
import { PROJECT } from './testing/run-lathe.ts';

const TRAFFIC = join(PROJECT, '..', 'shared', 'traffic');
const isThere = existsSync(TRAFFIC);

const explainedOf = (set: string): readonly Explained[] =>
  explainCalls(joinSources(openRecordings([join(TRAFFIC, set)]).files).calls);

it('TF16: CI has the recordings beside the project, so nothing is left out there', () => {
  expect(isThere || process.env['CI'] === undefined).toBe(true);
});

describe.skipIf(!isThere)(
  'TF16: on recorded traffic (left out where the recordings are not beside the project)',
  () => {
    const sets = isThere
      ? readdirSync(TRAFFIC, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
      : [];
    const explained = sets.flatMap(explainedOf);
    const total = withTotal(accuracyOf(explained).map((row) => Object.assign(row, { source: '' }))).at(-1);

    it('read or not is right for 98% of the requests, and for all that are not a first request', () => {
      expect(total?.billed).toBeGreaterThan(300);
      expect((total?.readRight ?? 0) / (total?.billed ?? 1)).toBeGreaterThanOrEqual(0.98);
      expect((total?.readRight ?? 0) + (total?.foreign ?? 0)).toBe(total?.billed);
    });

    it('tokens are within 5% for 96% of them', () => {
      expect((total?.within ?? 0) / (total?.billed ?? 1)).toBeGreaterThanOrEqual(0.96);
    });

    it('no miss is false or overlooked, no start of a sub-agent is a miss, and nothing is cold beside a read', () => {
      expect(total).toMatchObject({ falseMisses: 0, overlooked: 0, subAgentMisses: 0, coldReads: 0 });
    });

    it('TF1: a verdict on a body that was put together is never sure', () => {
      const rebuilt = explained.filter(({ call }) => call.known === 'reconstructed');
      expect(rebuilt.length).toBeGreaterThan(300);
      expect(rebuilt.filter(({ verdict }) => verdict.certainty === 'sure')).toEqual([]);
    });
  },
);
