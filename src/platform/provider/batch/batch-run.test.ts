/** Runs of a suite by batches, over the clients that a terminal uses and the simulator's batch APIs. */
import { describe, expect, it } from 'vitest';
import { batchLine, readBatchLines } from '../../../model/evals/run/batch-journal.ts';
import { runBatches, type BatchDeps } from '../../../model/evals/run/batch-run.ts';
import { knownSkills } from '../../../model/evals/run/loads.ts';
import { planEval, type EvalCase } from '../../../model/evals/run/plan.ts';
import { playCase, runCase, type CaseResult } from '../../../model/evals/run/run-case.ts';
import { DEFAULTS, type Suite, type TriggerQuery } from '../../../model/evals/suite/types.ts';
import { createRandom } from '../../../model/evals/testing/chance.ts';
import { batchBody, type BatchClient } from '../../../model/provider/batch.ts';
import type { CanonicalRequest } from '../../../model/provider/types.ts';
import type { SimulatorOptions } from '../../../model/simulator/simulator.ts';
import { createProvider } from '../create-provider.ts';
import { createSimulatedFetch } from '../simulated-fetch.ts';
import { newSimulator } from '../testing/simulated-transport.ts';
import { createAnthropicBatchClient } from './anthropic-batch-client.ts';
import { createOpenaiBatchClient } from './openai-batch-client.ts';

const SKILLS = [
  { name: 'pdf-merge', description: 'Merges PDF files. Use when several PDF documents should become one.' },
  { name: 'pdf-split', description: 'Splits PDF files. Use when a PDF document should become several.' },
  { name: 'weather', description: 'Tells the forecast. Use when somebody asks about rain.' },
];
const KNOWN = knownSkills(SKILLS.map(({ name }) => ({ name, path: `.agents/skills/${name}` })));
const INDEX = `<available_skills>\n${SKILLS.map(({ name, description }) => `<skill>\n<name>${name}</name>\n<description>${description}</description>\n</skill>`).join('\n')}\n</available_skills>`;

const firstOf = (model: string): CanonicalRequest => ({
  model,
  tools: [
    {
      name: 'skill_load',
      description: 'Loads a skill.',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  ],
  system: { stable: INDEX, volatile: '' },
  messages: [],
  maxOutputTokens: 200,
  stream: true,
  cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
  cacheKey: 'key',
});

const queryOf = (id: string, query: string, label: Partial<TriggerQuery>): TriggerQuery => ({
  id,
  query,
  all: false,
  forbid: [],
  allow: [],
  tags: [],
  context: [],
  weight: 1,
  line: 1,
  ...label,
});
const SUITE: Suite = {
  defaults: { ...DEFAULTS, repeats: 4 },
  queries: [
    queryOf('merge', 'several PDF documents should become one', { expect: ['pdf-merge'] }),
    queryOf('split', 'one PDF document should become several', { expect: ['pdf-split'] }),
    queryOf('rain', 'will there be rain', { forbid: ['pdf-merge'] }),
    // A helper does not decide, so that this one needs a second turn.
    queryOf('helped', 'will there be rain in Rome', { expect: ['pdf-merge'], allow: ['weather'] }),
    queryOf('hello', 'hello', { expect: [] }),
  ],
};
const WIRES = [
  ['anthropic-messages', 'claude-haiku-4-5'],
  ['openai-responses', 'gpt-5.6-terra'],
] as const;

const world = (wire: (typeof WIRES)[number][0], model: string, options: Partial<SimulatorOptions> = {}) => {
  const simulator = newSimulator({ noise: { scale: 2, seed: 'x' }, batchMs: 5000, ...options });
  const simulated = createSimulatedFetch(simulator, { speed: 0 });
  const first = firstOf(model);
  const { cases: planned, maxTurns, digest } = planEval(SUITE, first);
  const cases = [...planned];
  const connection = {
    apiKey: 'sk-test',
    baseUrl: wire === 'anthropic-messages' ? 'http://sim.test' : 'http://sim.test/v1',
    fetch: simulated,
  };
  const client =
    wire === 'anthropic-messages' ? createAnthropicBatchClient(connection) : createOpenaiBatchClient(wire, connection);
  const provider = (draw: string) =>
    createProvider({
      provider: 'simulator',
      apiKey: '',
      now: simulator.now,
      isBrowser: false,
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set('x-lathe-draw', draw);
        return simulated(input, { ...init, headers });
      },
    });
  const kept = new Map<string, CaseResult>();
  const doubled: string[] = [];
  const lines: string[] = [];
  const deps = (use: BatchClient = client): BatchDeps => ({
    client: use,
    play: ({ query }) => playCase(first, query, maxTurns, { known: KNOWN }),
    bodyOf: (request) => batchBody(provider('').preview(request)),
    memory: readBatchLines(lines, (key) => !kept.has(key)),
    note: (line) => void lines.push(batchLine(line)),
    keep: ({ key }, result) => {
      if (kept.has(key)) doubled.push(key);
      kept.set(key, result);
    },
    costOf: () => 0.001,
    worstUsd: 0.002,
    now: simulator.now,
    wait: (ms) => Promise.resolve(simulator.advance(ms)),
  });
  const left = (): readonly EvalCase[] => cases.filter(({ key }) => !kept.has(key));
  const direct = async (): Promise<ReadonlyMap<string, CaseResult>> => {
    const results = new Map<string, CaseResult>();
    for (const { key, query } of cases)
      results.set(
        key,
        await runCase(first, query, maxTurns, { known: KNOWN, call: (request) => provider(key).call(request, {}) }),
      );
    return results;
  };
  return { simulator, client, deps, kept, doubled, lines, left, direct, digest, cases };
};

const picksOf = (results: ReadonlyMap<string, CaseResult>) =>
  new Map([...results].map(([key, { outcome, loaded, turns }]) => [key, { outcome, loaded, turns }]));

describe.each(WIRES)('a suite in batches over %s', (wire, model) => {
  it('EVA1, EVA5: picks what direct calls pick, turn by turn', async () => {
    const { deps, kept, left, direct, digest, doubled, cases } = world(wire, model);
    expect(await runBatches(left(), deps(), { run: digest, mostRows: 7 })).toEqual({ kind: 'done' });
    expect(doubled).toEqual([]);
    expect(kept.size).toBe(cases.length);
    const expected = await direct();
    expect(picksOf(kept)).toEqual(picksOf(expected));
    expect([...kept.values()].some(({ turns }) => turns > 1)).toBe(true);
    expect(new Set([...kept.values()].flatMap(({ loaded }) => loaded)).size).toBeGreaterThan(2);
  });

  it('EVA2: killed at any point and started again, no case is lost, doubled, or paid for twice', async () => {
    const random = createRandom(20);
    for (let round = 0; round < 6; round++) {
      const { deps, kept, left, digest, doubled, cases, client, simulator } = world(wire, model, {
        idSeed: `round ${round}`,
      });
      const rows: string[] = [];
      let starts = 0;
      for (; left().length > 0 && starts < 40; starts++) {
        let steps = Math.floor(random() * 14);
        // After the fatal step, nothing of this process happens any more.
        const step = (): void => {
          if (steps-- <= 0) throw new Error('killed');
        };
        const mortal: BatchClient = {
          ...client,
          create: async (sent, mark) => {
            step();
            const made = await client.create(sent, mark);
            rows.push(...sent.map(({ id }) => id));
            // Made, and the answer is lost.
            step();
            return made;
          },
          results: async function* (id) {
            for await (const row of client.results(id)) {
              step();
              yield row;
            }
          },
        };
        const all = deps(mortal);
        const guard = {
          ...all,
          note: (line: Parameters<typeof all.note>[0]) => {
            step();
            all.note(line);
          },
        };
        await runBatches(left(), starts > 30 ? deps() : guard, { run: digest, mostRows: 6 });
        simulator.advance(1000);
      }
      expect(kept.size).toBe(cases.length);
      expect(doubled).toEqual([]);
      expect(starts).toBeGreaterThan(1);
      // Each turn of each case was handed over once.
      expect(rows.length).toBe(new Set(rows).size);
    }
  });

  it('EVA3: rows that failed for the moment, expired, or were cut off are asked again', async () => {
    const faults = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? ({ kind: 'overloaded' } as const) : undefined,
    );
    const { deps, kept, left, digest, cases } = world(wire, model, { faults, batchMs: 30 * 3_600_000 });
    expect(await runBatches(left(), deps(), { run: digest })).toEqual({ kind: 'done' });
    expect(kept.size).toBe(cases.length);
    // A last row alone would take 30 hours, so that it expires however often it is asked.
    const failed = [...kept.values()].filter(({ outcome }) => outcome === 'error');
    expect(failed.length).toBeLessThan(3);
    expect(failed.every(({ error }) => error?.code === 'batch_expired')).toBe(true);
  });

  it('EVA4: no batch starts that could pass the limit, those on their way included', async () => {
    const { deps, kept, left, digest } = world(wire, model);
    const end = await runBatches(left(), deps(), { run: digest, limitUsd: 0.01, mostRows: 3 });
    expect(end.kind).toBe('money');
    expect(kept.size * 0.001).toBeLessThanOrEqual(0.01);
    expect(kept.size).toBeGreaterThan(5);
  });

  it('EVA3: where every row is refused, the run ends and keeps nothing', async () => {
    const { deps, kept, left, digest } = world(wire, model);
    const wrong = { ...deps(), bodyOf: () => JSON.stringify({ model, messages: 7, input: 7 }) };
    expect((await runBatches(left(), wrong, { run: digest })).kind).toBe('failed');
    expect(kept.size).toBe(0);
  });
});

describe('what a run by batches survives', () => {
  const [[wire, model]] = WIRES;

  it('EVA2: rows of a batch that the provider no longer has are asked again', async () => {
    const { deps, kept, left, digest, cases, simulator } = world(wire, model);
    const stop = new AbortController();
    const first = { ...deps(), signal: stop.signal, wait: () => Promise.resolve(stop.abort()) };
    expect((await runBatches(left(), first, { run: digest })).kind).toBe('stopped');
    expect(kept.size).toBe(0);
    simulator.reset();
    const told: string[] = [];
    const end = await runBatches(left(), { ...deps(), tell: (text) => void told.push(text) }, { run: digest });
    expect([end.kind, kept.size]).toEqual(['done', cases.length]);
    expect(told[0]).toMatch(/no longer exists/);
  });

  it('EVA3: a batch of nothing but a refused row ends no run that was answered before', async () => {
    const { deps, kept, left, digest } = world(wire, model);
    const [one] = left();
    const wrong = { ...deps(), bodyOf: () => JSON.stringify({ model, messages: 7, max_tokens: 9 }) };
    expect(await runBatches(one ? [one] : [], wrong, { run: digest, answered: 3 })).toEqual({ kind: 'done' });
    expect([...kept.values()].map(({ outcome }) => outcome)).toEqual(['error']);
  });
});

describe('the clients of the batch APIs', () => {
  it('EVA6: the key goes to no other host, and stays out of what is reported', async () => {
    const asked: string[] = [];
    const client = createAnthropicBatchClient({
      apiKey: 'sk-secret-1234567',
      baseUrl: 'http://sim.test',
      fetch: (input) => {
        asked.push(String(input instanceof Request ? input.url : input));
        return Promise.resolve(
          Response.json({
            id: 'b',
            processing_status: 'ended',
            created_at: '2026-01-01T00:00:00Z',
            results_url: 'http://evil.test/results',
            request_counts: {},
          }),
        );
      },
    });
    const read = async (): Promise<void> => {
      for await (const row of client.results('b')) throw new Error(row.id);
    };
    await expect(read()).rejects.toThrow(/evil\.test/);
    expect(asked).toEqual(['http://sim.test/v1/messages/batches/b']);
    const refusing = createAnthropicBatchClient({
      apiKey: 'sk-secret-1234567',
      fetch: () =>
        Promise.resolve(
          Response.json({ error: { type: 'authentication_error', message: 'bad sk-secret-1234567' } }, { status: 401 }),
        ),
    });
    const state = await refusing.state('b');
    expect(state.ok).toBe(false);
    expect(JSON.stringify(state)).not.toContain('sk-secret');
  });
});
