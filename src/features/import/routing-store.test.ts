import { describe, expect, it } from 'vitest';
import { ok } from '../../base/result.ts';
import { EXECUTORS_FOLDER } from '../../model/executor/folders.ts';
import { importOffice } from '../../model/importer/testing/office-desk.ts';
import { testSigner, testVerify } from '../../model/importer/testing/test-signer.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { readInstalled } from './installed.ts';
import { createRoutingStore, type RoutingDeps } from './routing-store.ts';

const office = await importOffice();

const open = async (files: Readonly<Record<string, string>> = {}, pick: RoutingDeps['pick'] = nobody) => {
  const encoder = new TextEncoder();
  const tree = createMemoryTree(
    new Map([
      ...[...office.files].map(([path, bytes]) => [`${EXECUTORS_FOLDER}/${office.skill}/${path}`, bytes] as const),
      ...Object.entries(files).map(([path, text]) => [path, encoder.encode(text)] as const),
    ]),
  );
  const trusted = [{ name: 'test', publicKey: testSigner().publicKey }];
  const { installed } = await readInstalled({ tree, trusted, verify: testVerify }, Date.parse(office.audit.ts));
  const store = createRoutingStore({
    tree: () => tree,
    skills: () => [{ name: 'sql-style', path: 'skills/sql-style' }],
    pick,
  });
  await store.refresh(installed);
  return { store, tree };
};

const nobody: RoutingDeps['pick'] = () => Promise.resolve(() => Promise.resolve(ok(undefined)));

describe('routing assertions', () => {
  it('RO1: three questions for each executor, and the queries of hand-written skills', async () => {
    const { store } = await open({
      'skills/sql-style/evals/eval_queries.json':
        '[{"query":"Tidy this query","should_trigger":true},{"query":"Write a poem","should_trigger":false}]',
    });
    const { batteries, targets } = store.getState();
    expect(batteries.map(({ id, cases }) => [id, cases.length])).toEqual([
      ['executors', 63],
      ['skill:sql-style', 2],
      ['own', 0],
    ]);
    expect(batteries[1]?.cases[1]).toMatchObject({ question: 'Write a poem', target: 'sql-style', shouldPick: false });
    expect(targets).toContain('read_events');
    expect(targets).toContain('sql-style');
  });

  it('RO1: a file of another form is a problem of its battery', async () => {
    const { store } = await open({
      'skills/sql-style/evals/eval_queries.json': '{"query":1}',
      '.lathe/routing.json': 'no json',
    });
    const problems = store.getState().batteries.map(({ problem }) => problem);
    expect(problems[1]).toContain('it must be a list');
    expect(problems[2]).toContain('it isn’t valid JSON');
    await store.add({ question: 'a', target: 'read_events', shouldPick: true });
    expect(store.getState().problem).toContain('Fix the file');
  });

  it('RO2: asks n times, with rates', async () => {
    const answers = ['sql-style', 'sql-style', undefined, 'sql-style', undefined, undefined];
    const { store } = await open(
      {
        'skills/sql-style/evals/eval_queries.json':
          '[{"query":"Tidy this query","should_trigger":true},{"query":"Write a poem","should_trigger":false}]',
      },
      () => Promise.resolve(() => Promise.resolve(ok(answers.shift()))),
    );
    store.choose('skill:sql-style');
    await store.run(3);
    const { rows, isRunning } = store.getState();
    expect(isRunning).toBe(false);
    expect(rows.map(({ cell }) => [cell.rate, cell.status])).toEqual([
      [2 / 3, 'failed'],
      [2 / 3, 'failed'],
    ]);
  });

  it('RO1: own questions are kept in the folder, and can be taken out', async () => {
    const { store, tree } = await open();
    await store.add({ question: 'Who is due?', target: 'read_events', shouldPick: true });
    expect(store.getState().chosen).toBe('own');
    expect(JSON.parse(new TextDecoder().decode(tree.files.get('.lathe/routing.json')))).toEqual([
      { question: 'Who is due?', target: 'read_events', shouldPick: true },
    ]);
    await store.remove('Who is due?');
    expect(store.getState().batteries.at(-1)?.cases).toEqual([]);
  });

  it('RO3: no provider is a problem that is reported', async () => {
    const { store } = await open({}, () => Promise.reject(new Error('No key.')));
    await store.run(1);
    expect(store.getState()).toMatchObject({ problem: 'No key.', isRunning: false });
  });

  it('RO2: stopping keeps what has come', async () => {
    let asked = 0;
    const { store } = await open({}, () =>
      Promise.resolve(() => {
        if (++asked === 2) store.stop();
        return Promise.resolve(ok('read_events'));
      }),
    );
    await store.run(1);
    expect(store.getState().rows.length).toBeLessThan(3);
    expect(store.getState().isRunning).toBe(false);
  });
});
