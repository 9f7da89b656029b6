import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryId } from './query-id.ts';
import { readSuite } from './read-suite.ts';
import { writeTriggers } from './triggers-file.ts';
import { unknownNames } from './unknown-names.ts';
import { QUERY_KINDS, SPLITS, type Suite } from './types.ts';

const read = (text: string, skill?: string) => {
  const result = readSuite(text, skill);
  if (!result.ok) throw new Error(result.error.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  return result.value;
};
const faultsOf = (text: string, skill?: string) => {
  const result = readSuite(text, skill);
  return result.ok ? [] : result.error.map(({ line, message }) => `${line}: ${message}`);
};

describe('triggers.yaml', () => {
  it('EVQ1, EVQ3: queries expect the suite’s skill unless they say otherwise', () => {
    const { suite, format } = read(
      'format: lathe-triggers/1\nskill: pdf\ndefaults: {repeats: 3}\nqueries:\n  - query: join these\n  - {query: hello, expect: []}\n  - {query: scan it, forbid: [pdf]}\n',
    );
    expect(format).toBe('triggers');
    expect(suite.defaults).toEqual({ repeats: 3, maxTurns: 3 });
    expect(suite.queries.map(({ expect: wanted, forbid, line }) => [wanted, forbid, line])).toEqual([
      [['pdf'], [], 5],
      [[], [], 6],
      [undefined, ['pdf'], 7],
    ]);
  });

  it('EVQ3: a suite in the folder of a skill belongs to it, unless it names one', () => {
    const own = 'format: lathe-triggers/1\nqueries:\n  - query: join these\n';
    expect(read(own, 'pdf').suite).toMatchObject({ skill: 'pdf', queries: [{ expect: ['pdf'] }] });
    expect(read(`skill: docx\n${own}`, 'pdf').suite.skill).toBe('docx');
    expect(read(own).suite.queries[0]?.expect).toBeUndefined();
  });

  it.each([
    ['EVQ1: an unknown key', 'format: lathe-triggers/1\nqueries:\n  - {query: a, expected: [b]}\n', /^3: .*expected/],
    ['EVQ1: a wrong type', 'format: lathe-triggers/1\nqueries:\n  - query: a\n    expect: pdf\n', /^4: /],
    ['EVQ1: another version', 'format: lathe-triggers/2\nqueries: []\n', /^1: /],
    ['EVQ1: no suite at all', 'hello: world\n', /^1: /],
    [
      'EVQ2: one id twice',
      'format: lathe-triggers/1\nqueries:\n  - {id: x, query: a, expect: []}\n  - {id: x, query: b, expect: []}\n',
      /^4: .*“x”.*line 3/,
    ],
    ['EVQ6: a query without end', `format: lathe-triggers/1\nqueries:\n  - query: ${'a'.repeat(20_001)}\n`, /^3: /],
  ])('%s is a fault with its line', (_, text, words) => {
    expect(faultsOf(text).join('\n')).toMatch(words);
  });

  it('EVQ6: a file that is too large, or a suite with too many queries, is refused', () => {
    expect(faultsOf(' '.repeat(4_000_001))).toEqual(['1: The file is larger than 4 MB.']);
    const many = JSON.stringify(
      Array.from({ length: 10_001 }, (_, index) => ({ query: `q${index}`, should_trigger: true })),
    );
    expect(faultsOf(many, 'pdf')[0]).toMatch(/10,001 queries/);
  });

  it('EVQ1: names the format, and the key that was probably meant', () => {
    expect(faultsOf('skill: pdf\nqueries:\n  - {query: join two files, expected: [pdf]}\n')).toEqual([
      '1: format: write `format: lathe-triggers/1`',
      '3: queries.0: unknown key “expected”; did you mean “expect”?',
    ]);
  });

  it('EVQ2: ids come from the text, so that they survive moving a query', () => {
    const [first] = read('format: lathe-triggers/1\nqueries:\n  - {query: "caf\\u00e9", expect: []}\n').suite.queries;
    expect(first?.id).toMatch(/^q-[0-9a-f]{10}$/);
    expect(first?.id).toBe(queryId('cafe\u0301', []));
    expect(first?.id).not.toBe(queryId('cafe', []));
  });

  it('EVQ2: the same query with another label is a warning, and both are run', () => {
    const { suite, warnings } = read(
      'format: lathe-triggers/1\nqueries:\n  - {query: a, expect: [x]}\n  - {query: a, forbid: [x]}\n',
    );
    expect(warnings).toEqual([
      { line: 4, severity: 'warning', message: 'The query of line 3 has another label here.' },
    ]);
    expect(new Set(suite.queries.map(({ id }) => id)).size).toBe(2);
  });

  const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((value) => value.trim() !== '');
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/), { maxLength: 3 });
  const queries = fc.uniqueArray(
    fc.record(
      {
        query: text,
        expect: names,
        all: fc.boolean(),
        forbid: names,
        allow: names,
        kind: fc.constantFrom(...QUERY_KINDS),
        split: fc.constantFrom(...SPLITS),
        tags: names,
        context: fc.array(text, { maxLength: 2 }),
        repeats: fc.integer({ min: 1, max: 9 }),
        weight: fc.constantFrom(0.5, 1, 2),
        note: text,
        x: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.boolean(), fc.integer(), text), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
      },
      { requiredKeys: ['query', 'all', 'forbid', 'allow', 'tags', 'context', 'weight'] },
    ),
    { selector: ({ query, context }) => queryId(query, context), maxLength: 5 },
  );

  it('EVQ5: what is written reads as the same suite', () => {
    fc.assert(
      fc.property(queries, fc.boolean(), (drawn, hasSkill) => {
        const suite: Suite = {
          ...(hasSkill && { skill: 'pdf' }),
          defaults: { repeats: 4, maxTurns: 2 },
          queries: drawn.map((query) => ({ id: queryId(query.query, query.context), line: 0, ...query })),
        };
        const again = read(writeTriggers(suite)).suite;
        const withoutLines = ({ queries: all, ...rest }: Suite) => [
          rest,
          all.map(({ line: _line, ...query }) => query),
        ];
        expect(withoutLines(again)).toEqual(withoutLines(suite));
      }),
      { numRuns: 150 },
    );
  });
});

describe('other formats', () => {
  it('EVQ4: eval_queries.json forbids where it should not trigger, and leaves out what it cannot read', () => {
    const { suite, format, warnings } = read(
      '[{"query":"merge","should_trigger":true},\n{"query":"weather","should_trigger":false,"why":"far"},\n{"query":7}]',
      'pdf',
    );
    expect(format).toBe('eval-queries');
    expect(suite.queries).toMatchObject([
      { query: 'merge', expect: ['pdf'], kind: 'should' },
      { query: 'weather', forbid: ['pdf'], kind: 'should-not', x: { why: 'far' } },
    ]);
    expect(suite.queries[1]?.expect).toBeUndefined();
    expect(warnings.map(({ line }) => line)).toEqual([3]);
  });

  it('EVQ4: a list without a folder cannot say which skill it is for', () => {
    expect(faultsOf('[{"query":"a","should_trigger":true}]')[0]).toMatch(/name its skill/);
  });

  it('EVQ4: evals.json: each prompt should trigger; expectations are kept', () => {
    const { suite } = read(
      '{"skill_name":"pdf","evals":[{"id":1,"prompt":"join a and b","expected_output":"one file","expectations":["2 pages"]}]}',
    );
    expect(suite).toMatchObject({
      skill: 'pdf',
      queries: [
        {
          id: '1',
          query: 'join a and b',
          expect: ['pdf'],
          x: { expected_output: 'one file', expectations: ['2 pages'] },
        },
      ],
    });
  });

  it('EVQ4: promptfoo: names, lists, and variables; everything else is said', () => {
    const { suite, warnings } = read(
      `prompts: ['Please {{request}}']
defaultTest: {vars: {who: me}}
tests:
  - {vars: {request: join}, assert: [{type: skill-used, value: pdf}, {type: not-skill-used, value: [ocr]}, {type: contains, value: x}]}
  - {vars: {request: both}, assert: [{type: skill-used, value: [pdf, ocr]}]}
  - {vars: {request: none}, assert: [{type: skill-used, value: {name: pdf, max: 0}}]}
  - {vars: {request: odd}, assert: [{type: skill-used, value: {pattern: 'p.*'}}]}
  - {vars: {request: [a, b]}, assert: [{type: skill-used, value: pdf}]}
  - {vars: {request: words}, assert: [{type: contains, value: x}]}
`,
    );
    expect(suite.queries).toMatchObject([
      {
        query: 'Please join',
        expect: ['pdf'],
        all: false,
        forbid: ['ocr'],
        x: { assert: [{ type: 'contains', value: 'x' }] },
      },
      { query: 'Please both', expect: ['pdf', 'ocr'], all: true },
      { query: 'Please none', forbid: ['pdf'], kind: 'should-not' },
    ]);
    expect(warnings.map(({ line }) => line)).toEqual([7, 8, 9]);
  });

  it('EVQ4: evals may say what should not trigger, and be called queries', () => {
    const { suite } = read(
      '{"skill_name":"tools:pdf","evals":[{"prompt":"join","should_trigger":true},{"query":"rain","should_trigger":false},{"prompt":"x","should_trigger":"no"}]}',
    );
    expect(suite).toMatchObject({ skill: 'pdf', queries: [{ expect: ['pdf'] }, { query: 'rain', forbid: ['pdf'] }] });
    expect(read('{"queries":[{"query":"join","should_trigger":false}]}', 'pdf')).toMatchObject({
      format: 'eval-queries',
      suite: { queries: [{ query: 'join', forbid: ['pdf'] }] },
    });
  });

  it('EVQ4: promptfoo: templates, sets, limits, and prompts as people write them', () => {
    const { suite, warnings } = read(
      `prompts: [{id: a, raw: 'Do {{prompt}}'}]
assertionTemplates: {used: {type: skill-used, value: kit:pdf}}
defaultTest: {assert: [{type: skill-used, value: base}]}
tests:
  - {vars: {prompt: one}, options: {disableDefaultAsserts: true}, assert: [{$ref: '#/assertionTemplates/used'}]}
  - {vars: {prompt: two}, assert: [{type: assert-set, assert: [{type: skill-used, value: pdf}]}]}
  - {vars: {prompt: three}, assert: [{type: assert-set, threshold: 0.5, assert: [{type: skill-used, value: pdf}]}]}
  - {vars: {prompt: four}, options: {disableDefaultAsserts: true}, assert: [{type: skill-used, value: {name: pdf, min: 1, max: 2}}]}
  - file://more.yaml
  - {vars: {prompt: six}, prompts: [a]}
`,
    );
    expect(suite.queries).toMatchObject([
      { query: 'Do one', expect: ['pdf'], all: false },
      { query: 'Do two', expect: ['base', 'pdf'], all: true },
      { query: 'Do four', expect: ['pdf'], x: { assert: [{ value: { min: 1, max: 2 } }] } },
    ]);
    expect(warnings.map(({ line, message }) => [line, message])).toEqual([
      [7, expect.stringContaining('only some')],
      [9, expect.stringContaining('other files')],
      [10, expect.stringContaining('chooses among the prompts')],
    ]);
  });

  it('EVQ4: promptfoo: tests alone, the prompt that it sends without any, and prompts of several messages', () => {
    const tests = '- {vars: {prompt: hello}, assert: [{type: not-skill-used, value: pdf}]}\n';
    expect(read(tests, 'pdf')).toMatchObject({
      format: 'promptfoo',
      suite: { queries: [{ query: 'hello', forbid: ['pdf'], line: 1 }] },
    });
    const chat = `prompts: ['[{"role": "user", "content": "hi"}]', prompt.txt]\ntests:\n  - {assert: [{type: skill-used, value: pdf}]}\n`;
    expect(read(chat).warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('several messages'),
      expect.stringContaining('from files'),
    ]);
    expect(read('providers: [x]\ntests: file://tests.yaml\n').warnings[0]?.message).toContain('other files');
  });

  it('EVQ4: waza and skill-reach', () => {
    const waza = read(
      'skill: pdf\nshould_trigger_prompts:\n  - {prompt: join these, reason: direct, confidence: medium}\nshould_not_trigger_prompts:\n  - {prompt: rain, confidence: high}\n',
    );
    expect(waza).toMatchObject({
      format: 'waza',
      suite: {
        queries: [
          { expect: ['pdf'], note: 'direct', weight: 0.5 },
          { forbid: ['pdf'], weight: 1, line: 5 },
        ],
      },
    });
    const reach = read(
      '{"catalog_id":"c","queries":[{"id":"q1","text":"join","kind":"implicit","expected_skill":"pdf","acceptable_skills":["find"]},{"query_id":"q2","text":"hello","kind":"out_of_scope","expected_skill":null}]}',
    );
    expect(reach).toMatchObject({
      format: 'skill-reach',
      suite: {
        queries: [
          { id: 'q1', query: 'join', expect: ['pdf'], allow: ['find'], kind: 'should' },
          { id: 'q2', expect: [], kind: 'should-not' },
        ],
      },
    });
  });

  it('EVQ4: promptfoo: what a variable holds is text, never a template', () => {
    const suite = (prompt: string, value: string): string =>
      `prompts: [${JSON.stringify(prompt)}]\ntests:\n - vars: {q: ${JSON.stringify(value)}}\n   assert: [{type: skill-used, value: pdf}]\n`;
    for (const text of [
      suite('{{q}}', 'see {{other}}'),
      suite('{# a note #}{{q}}', 'join'),
      suite('{{q}}', '{% if a %}'),
    ])
      expect(read(text)).toMatchObject({ suite: { queries: [] }, warnings: [{ line: 3 }] });
    expect(read(suite('{{q}}', 'a { b } % #')).suite.queries[0]?.query).toBe('a { b } % #');
  });

  it('EVQ4: long ids of other tools stay apart, and prompts are queries', () => {
    const ids = ['1', '2'].map((end) => `${'long '.repeat(20)}${end}`);
    const { queries } = read(
      JSON.stringify(ids.map((id) => ({ id, prompt: `ask ${id}`, should_trigger: true }))),
      'pdf',
    ).suite;
    expect(new Set(queries.map(({ id }) => id)).size).toBe(2);
    expect(queries.every(({ id }) => id.length <= 64)).toBe(true);
  });

  it('EVQ8: a suite without queries, and a query that expects what it forbids, are warnings', () => {
    expect(read('format: lathe-triggers/1\nqueries: []\n').warnings).toMatchObject([{ line: 1 }]);
    expect(
      read('format: lathe-triggers/1\nqueries:\n  - {query: a, expect: [pdf], forbid: [pdf]}\n').warnings,
    ).toMatchObject([{ line: 3, message: expect.stringContaining('“pdf”') as string }]);
    for (const text of ['', '[]', 'null', '7', 'query,should_trigger\na,true\n'])
      expect(faultsOf(text, 'pdf').join()).toMatch(/^1: Lathe doesn’t know this suite format/);
  });

  it('EVQ8: names that no skill has are reported', () => {
    const { suite } = read('[{"query":"a","should_trigger":true},{"query":"b","should_trigger":true}]', 'gone');
    expect(unknownNames(suite, new Set(['pdf']))).toMatchObject([{ line: 1, severity: 'warning' }]);
    expect(unknownNames(suite, new Set(['gone']))).toEqual([]);
  });
});
