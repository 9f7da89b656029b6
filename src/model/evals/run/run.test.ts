import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, CallResult, CanonicalRequest, StopReason, Usage } from '../../provider/types.ts';
import { reportEval } from '../report.ts';
import { createRandom } from '../testing/chance.ts';
import type { Suite, TriggerQuery } from '../suite/types.ts';
import { isRight, type QueryLabel } from './judge.ts';
import { journalLine, readJournal, type CaseRecord, type JournalHead } from './journal.ts';
import { mergeJournals, type JournalPart } from './merge-journals.ts';
import { knownSkills, loadsIn } from './loads.ts';
import { planEval } from './plan.ts';
import { runCase, STUB, type CaseResult } from './run-case.ts';
import { runCases, type RunnerDeps } from './runner.ts';
import { createTally, tallyOf } from './tally.ts';

const USAGE: Usage = { uncached: 100, read: 0, writes: {}, output: 10, cacheReported: true, partial: false };
const FIRST: CanonicalRequest = {
  model: 'claude-haiku-4-5',
  tools: [],
  system: { stable: 'skills', volatile: '' },
  messages: [],
  maxOutputTokens: 100,
  stream: true,
  cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
  cacheKey: 'key',
};
const query = (id: string, label: Partial<TriggerQuery> = {}): TriggerQuery => ({
  id,
  query: `do ${id}`,
  all: false,
  forbid: [],
  allow: [],
  tags: [],
  context: [],
  weight: 1,
  line: 1,
  ...label,
});
const suiteOf = (queries: readonly TriggerQuery[], repeats = 2): Suite => ({
  defaults: { repeats, maxTurns: 3 },
  queries,
});
const KNOWN = knownSkills([
  { name: 'pdf', path: '.agents/skills/pdf' },
  { name: 'ocr', path: 'skills/ocr' },
]);
const use = (name: string, input: Readonly<Record<string, string | readonly string[]>>): Block => ({
  type: 'tool_use',
  id: `call-${name}`,
  name,
  input,
});
const said = (content: readonly Block[], stopReason: StopReason = 'tool_use'): CallResult => ({
  ok: true,
  attempts: 1,
  startedAt: 0,
  endedAt: 1,
  content,
  usage: USAGE,
  stopReason,
});

describe('loads', () => {
  it('EVJ1: the load tool, a metaskill, and reading one SKILL.md are loads; a mention is not', () => {
    const signs = loadsIn(
      [
        { type: 'text', text: 'I will load ocr.' },
        use('skill_load', { name: 'pdf' }),
        use('Skill', { skill: 'plugin:OCR' }),
        use('run_metaskill', { name: 'pdf' }),
        use('read_file', { path: '.agents/skills/pdf/SKILL.md' }),
        use('run_command', { argv: ['cat', './skills/ocr/SKILL.md'] }),
        use('skill_load', { name: 'made-up' }),
        use('run_command', { argv: ['cat', 'skills/ocr/SKILL.md', '.agents/skills/pdf/SKILL.md'] }),
        use('read_file', { path: '.agents/skills/pdf/notes.md' }),
      ],
      KNOWN,
    );
    expect(signs.map((sign) => (sign.kind === 'load' ? sign.skill : sign.kind))).toEqual([
      'pdf',
      'ocr',
      'pdf',
      'pdf',
      'ocr',
      'invented',
      'scan',
      'other',
    ]);
  });

  it.each<[string, QueryLabel, string[], boolean | undefined]>([
    ['EVJ4: any of expect', { expect: ['pdf', 'ocr'], all: false, forbid: [], allow: [] }, ['ocr'], true],
    ['EVJ4: every one of expect', { expect: ['pdf', 'ocr'], all: true, forbid: [], allow: [] }, ['ocr'], false],
    [
      'EVJ4: a forbidden one beside it',
      { expect: ['pdf'], all: false, forbid: ['ocr'], allow: [] },
      ['pdf', 'ocr'],
      false,
    ],
    ['EVJ4: none, with a helper', { expect: [], all: false, forbid: [], allow: ['ocr'] }, ['ocr'], true],
    ['EVJ4: forbidden alone, another loaded', { all: false, forbid: ['pdf'], allow: [] }, ['ocr'], true],
    ['EVJ4: no label', { all: false, forbid: [], allow: [] }, ['ocr'], undefined],
  ])('%s', (_, label, loaded, right) => {
    expect(isRight('loaded', loaded, label)).toBe(right);
  });

  it('EVJ3: refused, cut, and failed runs are neither hit nor miss', () => {
    for (const outcome of ['refused', 'cut', 'error'] as const)
      for (const expected of [[], ['pdf']])
        expect(isRight(outcome, [], { expect: expected, all: false, forbid: [], allow: [] })).toBeUndefined();
  });
});

describe('one case', () => {
  const play = (answers: readonly CallResult[], label: Partial<TriggerQuery> = { expect: ['pdf'] }) => {
    const requests: CanonicalRequest[] = [];
    const result = runCase(FIRST, query('a', label), 3, {
      call: (request) => {
        requests.push(request);
        return Promise.resolve(answers[requests.length - 1] ?? said([{ type: 'text', text: 'done' }], 'end_turn'));
      },
      known: KNOWN,
    });
    return result.then((ended) => ({ ...ended, requests }));
  };

  it('EVJ2: ends at the first load', async () => {
    expect(await play([said([use('skill_load', { name: 'ocr' }), use('skill_load', { name: 'pdf' })])])).toMatchObject({
      outcome: 'loaded',
      loaded: ['ocr', 'pdf'],
      turns: 1,
    });
  });

  it('EVJ2: other tools get a labeled stub, helpers do not count, and the run continues', async () => {
    const { requests, ...result } = await play(
      [
        said([use('list_dir', { path: '.' })]),
        said([use('skill_load', { name: 'ocr' })]),
        said([use('skill_load', { name: 'pdf' })]),
      ],
      { expect: ['pdf'], allow: ['ocr'] },
    );
    expect(result).toMatchObject({ outcome: 'loaded', loaded: ['ocr', 'pdf'], turns: 3 });
    expect(requests[1]?.messages.at(-1)?.content).toEqual([
      { type: 'tool_result', toolUseId: 'call-list_dir', text: STUB, isError: false },
    ]);
  });

  it('EVJ2: with `all`, the run continues until every one has loaded', async () => {
    expect(
      await play([said([use('skill_load', { name: 'ocr' })]), said([use('skill_load', { name: 'pdf' })])], {
        expect: ['pdf', 'ocr'],
        all: true,
      }),
    ).toMatchObject({ loaded: ['ocr', 'pdf'], turns: 2 });
  });

  it.each<[string, CallResult[], string]>([
    ['EVJ3: an answer without a load', [said([{ type: 'text', text: 'Here it is.' }], 'end_turn')], 'bypassed'],
    ['EVJ3: a refusal', [said([], 'refusal')], 'refused'],
    ['EVJ3: an answer that was cut', [said([{ type: 'text', text: 'Here' }], 'max_tokens')], 'cut'],
    ['EVJ3: only other tools', Array.from({ length: 3 }, () => said([use('list_dir', { path: '.' })])), 'limit'],
  ])('%s', async (_, answers, outcome) => {
    expect((await play(answers)).outcome).toBe(outcome);
  });
});

const record = (key: string, id: string, repeat: number, patch: Partial<CaseRecord> = {}): CaseRecord => ({
  key,
  query: id,
  repeat,
  outcome: 'loaded',
  loaded: ['pdf'],
  invented: [],
  turns: 1,
  usd: 0.001,
  text: '',
  ...patch,
});
const HEAD: JournalHead = {
  format: 'lathe-eval/1',
  suite: 's',
  digest: 'd',
  provider: 'simulator',
  model: 'm',
  listing: 'metis',
};

describe('plans and journals', () => {
  const suite = suiteOf([query('a'), query('b', { repeats: 3 }), query('c')]);

  it('EVR1: every query and repeat once, round by round, the same on every call', () => {
    const plan = planEval(suite, FIRST);
    expect(Array.from(plan.cases, ({ query: { id }, repeat }) => `${id}${repeat}`)).toEqual([
      'a0',
      'b0',
      'c0',
      'a1',
      'b1',
      'c1',
      'b2',
    ]);
    const keys = Array.from(plan.cases, ({ key }) => key);
    expect(Array.from(planEval(suite, FIRST).cases, ({ key }) => key)).toEqual(keys);
    expect([new Set(keys).size, plan.cases.length]).toEqual([7, 7]);
  });

  it('EVR1: another listing, model, or label is another plan; a note or a tag is not', () => {
    const { digest } = planEval(suite, FIRST);
    expect(planEval(suite, { ...FIRST, model: 'claude-opus-4-6' }).digest).not.toBe(digest);
    expect(planEval(suite, { ...FIRST, system: { stable: 'other', volatile: '' } }).digest).not.toBe(digest);
    expect(planEval(suite, { ...FIRST, system: { stable: 'skills', volatile: 'Tuesday' } }).digest).toBe(digest);
    expect(planEval(suiteOf([query('a', { expect: [] }), ...suite.queries.slice(1)]), FIRST).digest).not.toBe(digest);
    expect(
      planEval(suiteOf([query('a', { note: 'x', tags: ['y'], line: 9 }), ...suite.queries.slice(1)]), FIRST).digest,
    ).toBe(digest);
  });

  it('EVR6: shards cover every query once, whatever their number', () => {
    const many = suiteOf(Array.from({ length: 23 }, (_, index) => query(`q${index}`)));
    for (const count of [1, 2, 5, 23, 30]) {
      const parts = Array.from({ length: count }, (_, index) =>
        planEval(many, FIRST, { shard: { index: index + 1, count } }),
      );
      expect(parts.flatMap(({ cases }) => Array.from(cases, ({ key }) => key)).toSorted()).toEqual(
        Array.from(planEval(many, FIRST).cases, ({ key }) => key).toSorted(),
      );
      for (const { cases } of parts) expect(cases.length % 2).toBe(0);
    }
  });

  it('EVR2: a journal that was cut anywhere gives whole results, each once', () => {
    const lines = [
      journalLine(HEAD),
      ...['x', 'y', 'x', 'z'].map((key, index) => journalLine(record(key, 'ä😀', index))),
    ];
    const text = lines.join('');
    fc.assert(
      fc.property(fc.integer({ min: (lines[0] ?? '').length, max: text.length }), (cut) => {
        const read = readJournal(text.slice(0, cut));
        if (!read.ok) throw new Error(read.error);
        const whole = text.slice(0, cut).split('\n').length - 2;
        expect(read.value.records.size).toBe(new Set(['x', 'y', 'x', 'z'].slice(0, whole)).size);
        expect(read.value.unread).toBe(0);
      }),
    );
    expect(readJournal('{"format":"other"}\n').ok).toBe(false);
  });

  it('EVR8: a tally counts what came, each case once, and in no more room for more repeats', () => {
    const tally = createTally();
    const runs = fc.record({ id: fc.constantFrom('a', 'b'), repeat: fc.nat(40), isPicked: fc.boolean() });
    fc.assert(
      fc.property(fc.array(runs, { maxLength: 60 }), (list) => {
        const counted = createTally();
        const first = new Map<string, boolean>();
        for (const { id, repeat, isPicked } of list) {
          const name = `${id}${repeat}`;
          const isNew = counted.add(record(name, id, repeat, { loaded: isPicked ? ['pdf'] : [] }));
          expect(isNew).toBe(!first.has(name));
          if (isNew) first.set(name, isPicked);
          expect(counted.has(id, repeat)).toBe(true);
        }
        expect(counted.runs).toBe(first.size);
        for (const id of ['a', 'b']) {
          const picked = counted.endingsOf(id).find(({ loaded }) => loaded.length === 1)?.runs ?? 0;
          expect(picked).toBe([...first].filter(([name, isPicked]) => name.startsWith(id) && isPicked).length);
        }
      }),
    );
    for (let repeat = 0; repeat < 500; repeat++) tally.add(record(`a${repeat}`, 'a', repeat));
    expect(tally.endingsOf('a')).toEqual([{ outcome: 'loaded', loaded: ['pdf'], runs: 500 }]);
    expect([tally.has('a', 499), tally.has('a', 500), tally.has('b', 0)]).toEqual([true, false, false]);
  });

  it('EVR8: a plan gives the cases that are missing, and knows which are its own', () => {
    const plan = planEval(suite, FIRST);
    const left = plan.missing((id, repeat) => id === 'b' || repeat === 0);
    expect(Array.from(left, ({ query: { id }, repeat }) => `${id}${repeat}`)).toEqual(['a1', 'c1']);
    expect(left.length).toBe(2);
    expect([plan.has('b', 2), plan.has('a', 2), plan.has('other', 0)]).toEqual([true, false, false]);
  });

  it('EVR6: parts of different plans, and gaps, are refused; a doubled part counts once', () => {
    const part = (index: number, id: string, head: Partial<JournalHead> = {}): JournalPart => ({
      head: { ...HEAD, shard: { index, count: 2 }, ...head },
      records: [record(`${id}0`, id, 0)],
    });
    const merged = mergeJournals([part(1, 'x'), part(2, 'y'), part(2, 'y')], false);
    if (!merged.ok) throw new Error(merged.error);
    expect([...merged.value.tally.queries]).toEqual(['x', 'y']);
    expect(merged.value.tally.runs).toBe(2);
    expect(mergeJournals([part(1, 'x')], false)).toEqual({
      ok: false,
      error: 'Shard 2 of 2 is missing. Use --partial to merge without it.',
    });
    expect(mergeJournals([part(1, 'x')], true).ok).toBe(true);
    expect(mergeJournals([part(1, 'x'), part(2, 'y', { model: 'other' })], false).ok).toBe(false);
    expect(mergeJournals([part(1, 'x'), part(2, 'y', { shard: { index: 2, count: 3 } })], false).ok).toBe(false);
    expect(mergeJournals([], false).ok).toBe(false);
    // Of shard 2 one case is missing, until a second part of it has that one.
    const short = part(2, 'y', { cases: 2 });
    expect(mergeJournals([part(1, 'x'), short], false)).toEqual({
      ok: false,
      error: 'Shard 2 of 2 has 1 of 2 cases. Run it again to finish it, or use --partial to merge the finished cases.',
    });
    expect(mergeJournals([part(1, 'x', { cases: 1 }), short], true)).toMatchObject({ value: { head: { cases: 3 } } });
    expect(mergeJournals([part(1, 'x'), short, part(2, 'z', { cases: 2 })], false).ok).toBe(true);
  });
});

describe('running', () => {
  const cases = [...planEval(suiteOf(Array.from({ length: 10 }, (_, index) => query(`q${index}`))), FIRST).cases];
  const done: CaseResult = { outcome: 'loaded', loaded: ['pdf'], invented: [], turns: 1, usage: [USAGE], text: '' };
  const refused: CaseResult = {
    ...done,
    outcome: 'error',
    usage: [],
    error: { code: 'overloaded', message: 'busy', retryable: true },
  };
  const asking: CaseResult = {
    ...refused,
    error: { code: 'rate_limited', message: 'Too fast.', retryable: true, retryAfterMs: 700 },
  };
  const runner = (patch: Partial<RunnerDeps> & { readonly parallel?: number; readonly limitUsd?: number } = {}) => {
    const kept: string[] = [];
    const { parallel = 4, limitUsd, ...deps } = patch;
    const end = runCases(
      cases,
      {
        run: () => Promise.resolve(done),
        keep: ({ key }) => void kept.push(key),
        costOf: () => 0.01,
        worstUsd: 0.02,
        wait: () => Promise.resolve(),
        ...deps,
      },
      { parallel, ...(limitUsd !== undefined && { limitUsd }) },
    );
    return end.then((value) => ({ end: value, kept }));
  };

  it('EVR4: the first case goes alone, then at most `parallel` immediately, and all end', async () => {
    let [inFlight, most] = [0, 0];
    const starts: number[] = [];
    const { kept, end } = await runner({
      run: async () => {
        starts.push(++inFlight);
        most = Math.max(most, inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight--;
        return done;
      },
    });
    expect(end).toEqual({ kind: 'done' });
    expect(kept.toSorted()).toEqual(cases.map(({ key }) => key).toSorted());
    expect(starts.slice(0, 2)).toEqual([1, 1]);
    expect(most).toBe(4);
  });

  it('EVR4: a refusal stops all starts for the time that was asked, and the case comes back', async () => {
    const random = createRandom(3);
    const waits: number[] = [];
    const { kept, end } = await runner({
      run: () => Promise.resolve(random() < 0.3 ? asking : done),
      random: () => 1,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    expect(end.kind).toBe('done');
    expect(kept.toSorted()).toEqual(cases.map(({ key }) => key).toSorted());
    // A quarter more, because others wait for the same moment.
    expect(new Set(waits)).toEqual(new Set([875]));
  });

  it('EVR4: a longer wait that a call in flight is asked for counts as well', async () => {
    let [now, calls, until, tooEarly] = [0, 0, 0, 0];
    const timers: { readonly at: number; readonly pass: () => void }[] = [];
    const wait = (ms: number): Promise<void> => new Promise((pass) => void timers.push({ at: now + ms, pass }));
    const end = runner({
      wait,
      run: async () => {
        const call = ++calls;
        if (now < until && call > 5) tooEarly++;
        await new Promise((resolve) => setImmediate(resolve));
        // Of four in flight, the first is refused without a word, the third with one.
        if (call === 2) return refused;
        if (call !== 4) return done;
        until = now + 5000;
        return { ...refused, error: { code: 'rate_limited', message: 'x', retryable: true, retryAfterMs: 5000 } };
      },
    });
    let isOver = false;
    void end.then(() => (isOver = true));
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (next && timers.length > 0 && calls >= 5) {
        timers.splice(timers.indexOf(next), 1);
        now = next.at;
        next.pass();
      }
    }
    expect((await end).kept).toHaveLength(cases.length);
    expect([tooEarly, until]).toEqual([0, 5000]);
  });

  it('EVR3: no call starts that could pass the limit, those in flight included', async () => {
    const { kept, end } = await runner({ limitUsd: 0.1 });
    expect(end).toMatchObject({ kind: 'money', missing: 20 - kept.length });
    // Each costs 0.01 and could cost 0.02: after nine the next could reach 0.11.
    expect(kept).toHaveLength(9);
  });

  it('EVR3: a limit cannot be kept where the price is unknown', async () => {
    const { kept, end } = await runner({ limitUsd: 1, worstUsd: undefined });
    expect([kept.length, end.kind]).toEqual([0, 'money']);
  });

  it('EVR2: stopped at any point and resumed, every case has one result', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const random = createRandom(seed);
      const kept = new Map<string, number>();
      for (let left = cases; left.length > 0; left = cases.filter(({ key }) => !kept.has(key))) {
        const stop = new AbortController();
        await runCases(
          left,
          {
            run: async () => {
              await new Promise((resolve) => setImmediate(resolve));
              if (random() < 0.2) stop.abort();
              return done;
            },
            keep: ({ key }) => void kept.set(key, (kept.get(key) ?? 0) + 1),
            costOf: () => 0,
            worstUsd: 0,
            wait: () => Promise.resolve(),
            signal: stop.signal,
          },
          { parallel: 3 },
        );
      }
      expect([...kept.values()]).toEqual(cases.map(() => 1));
    }
  });

  it('EVR4: a fault that no patience helps ends the run with its words', async () => {
    const { end } = await runner({
      run: () =>
        Promise.resolve({ ...refused, error: { code: 'wrong_key', message: 'The key is wrong.', retryable: false } }),
    });
    expect(end).toMatchObject({ kind: 'failed', missing: cases.length, message: 'The key is wrong.' });
  });

  const denied: CaseResult = {
    ...refused,
    error: { code: 'invalid_request', message: 'Not this one.', retryable: false },
  };

  it('EVR4: a request that is refused on its own account is an error of its case', async () => {
    for (const bad of [0, 7, 19]) {
      const { end, kept } = await runner({ run: (each) => Promise.resolve(each === cases[bad] ? denied : done) });
      expect([end.kind, kept.length, new Set(kept).size]).toEqual(['done', cases.length, cases.length]);
    }
  });

  it('EVR4: where every request is refused, the run ends, and no case is used up', async () => {
    const { end, kept } = await runner({ run: () => Promise.resolve(denied) });
    expect(end).toEqual({ kind: 'failed', missing: cases.length, message: 'Not this one.' });
    expect(kept).toEqual([]);
  });

  it('EVR4: the last case of a run that was answered before is kept as an error', async () => {
    const keep: string[] = [];
    const [last] = cases;
    const deps = {
      run: () => Promise.resolve(denied),
      keep: ({ key }: { readonly key: string }) => void keep.push(key),
      costOf: () => 0,
      worstUsd: 0,
      wait: () => Promise.resolve(),
    };
    expect(await runCases(last ? [last] : [], deps, { parallel: 1, answered: 19 })).toEqual({ kind: 'done' });
    expect(keep).toEqual([last?.key]);
  });

  it('EVR4: a provider that answers nobody ends the run; one that answers others does not', async () => {
    const silent = await runner({ run: () => Promise.resolve(refused) });
    expect(silent).toEqual({ end: { kind: 'failed', missing: cases.length, message: 'busy' }, kept: [] });
    const { end, kept } = await runner({ run: (each) => Promise.resolve(each === cases[3] ? refused : done) });
    expect([end.kind, kept.length]).toEqual(['done', cases.length]);
  });

  it('EVR4: nobody waits for more than 15 minutes', async () => {
    const long = { ...asking, error: { code: 'rate_limited', message: 'x', retryable: true, retryAfterMs: 3_600_000 } };
    const waits: number[] = [];
    const { end, kept } = await runner({
      run: () => Promise.resolve(long),
      wait: (ms) => Promise.resolve(void waits.push(ms)),
    });
    expect(end).toMatchObject({
      kind: 'failed',
      missing: cases.length,
      message: expect.stringContaining('60 minutes') as string,
    });
    expect([kept, waits]).toEqual([[], []]);
  });

  it('EVR4: what was answered before a stop is kept', async () => {
    const stop = new AbortController();
    const { end, kept } = await runner({
      signal: stop.signal,
      run: () => {
        stop.abort();
        return Promise.resolve(done);
      },
    });
    expect(end).toEqual({ kind: 'stopped', missing: cases.length - 1 });
    expect(kept).toHaveLength(1);
  });
});

describe('the report', () => {
  const suite = suiteOf([query('good', { expect: ['pdf'] }), query('bad', { expect: ['ocr'] }), query('free')], 4);
  const records = ['good', 'bad', 'free'].flatMap((id) =>
    Array.from({ length: 4 }, (_, repeat) => record(`${id}${repeat}`, id, repeat)),
  );

  it('EVJ4: rates by query and skill, trouble first, and what they prove', () => {
    const { queries, overall, usd, missing } = reportEval(suite, tallyOf(records), 12, 0.5);
    expect(queries.map(({ query: { id }, right }) => [id, right?.hits])).toEqual([
      ['bad', 0],
      ['good', 4],
      ['free', undefined],
    ]);
    expect(queries[1]?.picks).toMatchObject([{ skill: 'pdf', hits: 4, runs: 4 }]);
    expect(overall).toMatchObject({ right: { hits: 4, runs: 8 }, proof: 'undecided' });
    expect(usd).toBeCloseTo(0.012, 10);
    expect(missing).toBe(0);
  });

  it('EVJ3: with more than 5% undecided runs a query cannot tell, and does not count', () => {
    const some = records.with(0, record('good0', 'good', 0, { outcome: 'refused', loaded: [] }));
    const { queries, overall } = reportEval(suite, tallyOf(some), 12, 0.5);
    expect(queries.find(({ query: { id } }) => id === 'good')).toMatchObject({
      cannotTell: true,
      undecided: 1,
      right: { hits: 3, runs: 3 },
    });
    expect(overall.right).toEqual({ hits: 0, runs: 4 });
  });

  it('EVR3: an unknown price makes the sum unknown, never smaller', () => {
    const some = records.with(0, record('good0', 'good', 0, { usd: null }));
    expect(reportEval(suite, tallyOf(some), 12, 0.5).usd).toBeUndefined();
  });
});
