import { describe, expect, it } from 'vitest';
import { silentLog } from '../base/log.ts';
import { readJournal } from '../model/evals/run/journal.ts';
import { plainQuery } from '../model/evals/suite/plain-query.ts';
import { DEFAULTS, type Suite } from '../model/evals/suite/types.ts';
import { NEW_SESSION, planIn } from '../model/workspace/session-plan.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import { createMemoryStorage } from '../platform/store/memory-store.ts';
import { createLab } from './testing/trigger-lab.ts';
import type { LabAsk } from './trigger-lab-store.ts';

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\nDo it.\n`;
const filesWith = (merge: string): Readonly<Record<string, string>> => ({
  '.agents/skills/stapler/SKILL.md': skill('stapler', merge),
  '.agents/skills/weather/SKILL.md': skill('weather', 'Tells the forecast. Use when somebody asks about rain.'),
});
const WEAK = 'Handles paper.';
const GOOD =
  'Joins PDF files, scans, invoices, chapters, letters, and receipts. Use when several documents become one.';
const QUERIES = [
  'join the PDF files',
  'join my scans',
  'the invoices should become one',
  'combine chapters of the documents',
  'join letters',
  'receipts should become one PDF',
  'several documents, one PDF please',
  'scans and invoices in one PDF',
  'join PDF chapters',
  'letters and receipts as one PDF',
];
const SUITE: Suite = {
  skill: 'stapler',
  defaults: DEFAULTS,
  queries: QUERIES.map((text) => plainQuery(text, 0, { expect: ['stapler'] })),
};

const planWith = (merge: string) =>
  planIn(
    { name: 'test', library: { project: { tree: createMemoryTree(filesWith(merge)) } }, profile: 'standard' },
    NEW_SESSION,
    silentLog,
  );

describe('the trigger lab', () => {
  it('EVL4: from an edited description to a verdict with its interval, 10 queries and 5 runs', async () => {
    const { lab } = createLab();
    const ask: LabAsk = {
      suite: SUITE,
      name: 'evals/triggers.yaml',
      repeats: 5,
      edited: await planWith(GOOD),
      saved: await planWith(WEAK),
      noise: { scale: 0.3, seed: 'a' },
    };
    await lab.start(ask);
    const { run, status } = lab.getState();
    expect(status).toBe('idle');
    const comparison = run?.verdict?.comparison;
    expect(comparison).toMatchObject({ verdict: 'better', queries: 10 });
    expect(comparison && comparison.low > 0 && comparison.high <= 1).toBe(true);
    // The other way round it is worse, and the same text is not a comparison.
    await lab.start({ ...ask, edited: ask.saved ?? ask.edited, saved: ask.edited });
    expect(lab.getState().run?.verdict?.comparison.verdict).toBe('worse');
    await lab.start({ ...ask, saved: ask.edited });
    expect(lab.getState().run).toMatchObject({ message: expect.stringContaining('Nothing to compare') as string });
  });

  it('EVL3: paused or closed at any point, a run continues without losing or doubling a case', async () => {
    const storage = createMemoryStorage();
    const ask: LabAsk = {
      suite: SUITE,
      name: 'evals/triggers.yaml',
      repeats: 3,
      edited: await planWith(GOOD),
      noise: { scale: 2, seed: 'b' },
    };
    const whole = createLab();
    await whole.lab.start(ask);
    let kept = 0;
    for (let round = 0; round < 20 && kept < 30; round++) {
      // Every round is a page of its own over the same database.
      const { lab } = createLab(storage);
      const stopAt = kept + 1 + (round % 5);
      lab.subscribe(({ run, status }) => {
        if (status === 'running' && run && run.done >= stopAt) lab.pause();
      });
      await lab.start(ask);
      const rows = storage.rows('evals').length;
      expect(rows).toBeGreaterThan(kept);
      expect(lab.getState().run?.done).toBe(rows);
      kept = rows;
    }
    expect(kept).toBe(30);
    const again = createLab(storage);
    await again.lab.look(ask);
    expect(again.calls).toEqual([]);
    expect(again.lab.getState().run?.estimateUsd).toBeUndefined();
    const picks = (records: readonly { readonly key: string; readonly loaded: readonly string[] }[] = []) =>
      records.map(({ key, loaded }) => `${key} ${loaded.join(' ')}`).toSorted();
    expect(picks(again.lab.getState().run?.edited.records)).toEqual(picks(whole.lab.getState().run?.edited.records));
    const journal = readJournal(again.lab.journal());
    expect(journal.ok && journal.value.records.size).toBe(30);
    await again.lab.forget(ask);
    expect(storage.rows('evals')).toEqual([]);
  });

  it('EVR5: the estimate is there before a run, and is held against the prompts after it', async () => {
    const { lab, calls } = createLab();
    const ask: LabAsk = { suite: SUITE, name: 'x', repeats: 3, edited: await planWith(GOOD) };
    await lab.look(ask);
    const estimate = lab.getState().run?.estimateUsd ?? 0;
    expect(calls).toEqual([]);
    expect(estimate).toBeGreaterThan(0);
    await lab.start(ask);
    const { bill, estimateUsd } = lab.getState().run ?? {};
    expect(estimateUsd).toBeUndefined();
    expect(bill?.estimatedUsd).toBe(estimate);
    expect((bill?.promptUsd ?? 0) / estimate).toBeCloseTo(1, 1);
    // Looking at the same run again keeps it.
    await lab.look(ask);
    expect(lab.getState().run?.bill).toEqual(bill);
  });

  it('EVL3: under a listing without skills, nothing of another run is shown', async () => {
    const told: unknown[] = [];
    const { lab } = createLab(undefined, { fail: (thrown) => void told.push(thrown) });
    const ask: LabAsk = { suite: SUITE, name: 'x', repeats: 1, edited: await planWith(GOOD) };
    await lab.start(ask);
    expect(lab.getState().run?.done).toBe(10);
    await lab.look({ ...ask, client: 'claude-code' });
    expect(lab.getState()).toMatchObject({
      status: 'idle',
      run: undefined,
      fault: expect.stringContaining('lists no skills') as string,
    });
    await lab.look(ask);
    expect(lab.getState()).toMatchObject({ run: { done: 10 }, fault: undefined });
    expect(told).toEqual([]);
  });

  it('EVR3: a limit ends the run before the call that could pass it', async () => {
    const { lab, calls } = createLab();
    await lab.start({ suite: SUITE, name: 'x', repeats: 3, edited: await planWith(GOOD), limitUsd: 0 });
    expect(calls).toEqual([]);
    expect(lab.getState().run).toMatchObject({ done: 0, message: expect.stringContaining('limit of $0') as string });
  });
});
