import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, runLathe } from './testing/run-lathe.ts';

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\nDo it.\n`;
const FILES = {
  'skills/pdf-merge/SKILL.md': skill(
    'pdf-merge',
    'Merges PDF files into one. Use when several PDF documents should become one.',
  ),
  'skills/weather/SKILL.md': skill('weather', 'Tells the forecast. Use when somebody asks about rain or sunshine.'),
  'skills/pdf-merge/evals/triggers.yaml':
    'format: lathe-triggers/1\nskill: pdf-merge\nqueries:\n  - query: merge these PDF documents into one\n  - {query: will there be rain tomorrow, forbid: [pdf-merge]}\n',
  'skills/weather/evals/eval_queries.json': '[{"query":"merge these PDF documents","should_trigger":true}]',
};

interface Printed {
  readonly cases: readonly {
    readonly query: string;
    readonly right: number;
    readonly runs: number;
    readonly picked: Record<string, number>;
  }[];
  readonly suites: readonly {
    readonly suite: string;
    readonly proof: string;
    readonly missing: number;
    readonly cost_usd: number;
  }[];
}

describe('lathe eval', () => {
  it('EVR2, EVR5: runs every suite, estimates before it, and continues from a cut journal', () => {
    using folder = createFolder(FILES);
    const first = runLathe(['eval', '.', '--json', '--repeats', '6'], folder.path);
    const printed = JSON.parse(first.stdout) as Printed;
    // The weather skill is not what merging asks for: 0 of 6 is proven below a half.
    expect(first.code).toBe(1);
    expect(first.stderr).toContain('word overlap');
    expect(first.stderr).toMatch(/12 cases; prompts cost about \$0\.\d{4}/);
    expect(printed.cases.map(({ query, right, picked }) => [query, right, picked])).toEqual([
      ['merge these PDF documents into one', 6, { 'pdf-merge': 6 }],
      ['will there be rain tomorrow', 6, { weather: 6 }],
      ['merge these PDF documents', 0, { 'pdf-merge': 6 }],
    ]);
    expect(printed.suites.map(({ proof }) => proof)).toEqual(['above', 'below']);
    const journals = join(folder.path, '.lathe', 'evals');
    for (const name of readdirSync(journals)) {
      const text = readFileSync(join(journals, name), 'utf8');
      writeFileSync(join(journals, name), text.slice(0, Math.floor(text.length * 0.6)));
    }
    const again = runLathe(['eval', '.', '--json', '--repeats', '6'], folder.path);
    expect(again.stderr).toMatch(/from an earlier run/);
    expect((JSON.parse(again.stdout) as Printed).cases).toEqual(printed.cases);
  });

  it('EVR3, EVS2: what decides the exit code is in every format, and a run that is not complete proves nothing good', () => {
    using folder = createFolder({
      'lib/.agents/skills/pdf-merge/SKILL.md': FILES['skills/pdf-merge/SKILL.md'],
      'lib/.agents/skills/pdf-merge/evals/triggers.yaml': `format: lathe-triggers/1\nskill: pdf-merge\nqueries:\n${Array.from(
        { length: 12 },
        (_, index) => `  - {query: number ${index} of rain, expect: [pdf-merge]}\n`,
      ).join('')}`,
    });
    const run = (...more: readonly string[]) => runLathe(['eval', 'lib', '--repeats', '1', ...more], folder.path);
    // One run proves nothing of a query, and twelve do of all.
    const github = run('--format', 'github');
    expect(github).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^::error file=lib\/\.agents\/skills\/pdf-merge\/evals\/triggers\.yaml,line=1,title=.*::Right in 0 of 12 runs \(exactly 0%25–26%25\), below 50%25\.\n/,
      ) as string,
    });
    expect(run('--format', 'junit').stdout).toMatch(
      /tests="13" failures="\d+" errors="0" [^]*name="all queries"[^>]*><failure/,
    );
    const { rates, skills } = JSON.parse(run('--json').stdout) as {
      readonly rates: readonly Record<string, unknown>[];
      readonly skills: readonly Record<string, unknown>[];
    };
    // Never picked is a rate too.
    expect(rates).toHaveLength(12);
    expect(rates[0]).toMatchObject({ skill: 'pdf-merge', picked: 0, runs: 1, rate: 0, low: 0 });
    expect(skills).toMatchObject([{ skill: 'pdf-merge', recall: { hits: 0, runs: 12 }, precision: { rate: null } }]);
    const poor = run('--limit', '0', '--fresh', '--format', 'junit');
    expect(poor).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/<error message="[^"]*12 cases not run/) as string,
    });
  });

  it('EVR6: shards exit 0, and merging judges the whole', () => {
    using folder = createFolder(FILES);
    for (const part of ['1/2', '2/2'])
      expect(runLathe(['eval', '.', '--shard', part, '--journal', 'parts'], folder.path).code).toBe(0);
    const files = readdirSync(join(folder.path, 'parts'))
      .map((name) => join('parts', name))
      .filter((name) => readFileSync(join(folder.path, name), 'utf8').includes('triggers.yaml'));
    expect(files).toHaveLength(2);
    const [one = '', two = ''] = files;
    const merged = runLathe(['eval', 'merge', ...files, '--format', 'junit'], folder.path);
    expect(merged.stdout).toContain('<testsuite name="skills/pdf-merge/evals/triggers.yaml" tests="2" failures="0"');
    // Each part has one query, and they are different ones.
    expect(JSON.parse(runLathe(['eval', 'compare', one, two, '--json'], folder.path).stdout)).toMatchObject({
      comparison: { verdict: null, queries: 0 },
    });
    writeFileSync(
      join(folder.path, two),
      readFileSync(join(folder.path, two), 'utf8').split('\n').slice(0, -3).join('\n') + '\n',
    );
    expect(runLathe(['eval', 'merge', ...files], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has 3 of 5 cases/) as string,
    });
    expect(runLathe(['eval', 'merge', one], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is missing') as string,
    });
  });

  it('EVB1, EVB2: under an agent’s listing, says which skill its budget loses', () => {
    using folder = createFolder({
      '.claude/settings.json': '{"skillListingBudgetFraction":0.0001}',
      '.claude/skills/joiner/SKILL.md': skill('joiner', 'Use when several PDF documents should become one.'),
      '.claude/skills/joiner/evals/triggers.yaml':
        'format: lathe-triggers/1\nskill: joiner\nqueries:\n  - query: several PDF documents should become one\n',
    });
    const run = runLathe(['eval', '.', '--client', 'claude-code', '--json'], folder.path);
    const { suites } = JSON.parse(run.stdout) as { readonly suites: readonly Record<string, unknown>[] };
    expect(suites[0]).toMatchObject({
      listing: 'claude-code',
      right: 0,
      runs: 5,
      listing_effects: [
        { skill: 'joiner', state: 'name-only', verdict: 'lost', whole: { picked: 5 }, listed: { picked: 0, low: 0 } },
      ],
    });
    expect(run.stderr).toContain('listing claude-code, whole: 5 cases');
    expect(run.stderr).toMatch(/billed \$0\.\d{4}, answers included/);
    expect(runLathe(['eval', '.', '--client', 'claude-code'], folder.path).stdout).toContain(
      '1 query lost the skill that the whole listing picks',
    );
    expect(runLathe(['eval', '.', '--client', 'codex'], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lists no skills from this folder') as string,
    });
  });

  it('EVR2, SI63: noise is labeled, and a run that continues draws the same', () => {
    using folder = createFolder(FILES);
    const args = ['eval', '.', '--json', '--repeats', '12', '--noise', '4:x'];
    const first = JSON.parse(runLathe(args, folder.path).stdout) as Printed;
    expect(first.suites[0]).toMatchObject({
      picked_by: 'the simulator, by word overlap with seeded noise, not a model',
    });
    expect(first.cases.some(({ right, runs }) => right > 0 && right < runs)).toBe(true);
    const journals = join(folder.path, '.lathe', 'evals');
    for (const name of readdirSync(journals)) {
      const text = readFileSync(join(journals, name), 'utf8');
      writeFileSync(join(journals, name), text.slice(0, Math.floor(text.length * 0.4)));
    }
    expect((JSON.parse(runLathe(args, folder.path).stdout) as Printed).cases).toEqual(first.cases);
    expect(runLathe(['eval', '.', '--noise', '1', '--provider', 'anthropic'], folder.path).code).toBe(2);
  });

  it('EVA1: batches pick what direct calls pick, at half the price, and continue from a cut journal', () => {
    using folder = createFolder(FILES);
    const args = ['eval', '.', '--json', '--repeats', '6', '--noise', '2:x', '--journal'];
    const direct = JSON.parse(runLathe([...args, 'direct'], folder.path).stdout) as Printed;
    const run = runLathe([...args, 'batches', '--batch'], folder.path);
    const batch = JSON.parse(run.stdout) as Printed;
    expect(run.stderr).toMatch(/Batch msgbatch_\w+: 12 requests/);
    expect(batch.cases).toEqual(direct.cases);
    const journals = join(folder.path, 'batches');
    for (const name of readdirSync(journals).filter((file) => file.endsWith('.jsonl'))) {
      const text = readFileSync(join(journals, name), 'utf8');
      writeFileSync(join(journals, name), text.slice(0, Math.floor(text.length * 0.6)));
    }
    expect((JSON.parse(runLathe([...args, 'batches', '--batch'], folder.path).stdout) as Printed).cases).toEqual(
      direct.cases,
    );
    expect(runLathe(['eval', '.', '--batch', '--provider', 'openrouter'], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no batch API') as string,
    });
  });

  it('EVQ1: a suite with a fault is not run', () => {
    using folder = createFolder({
      ...FILES,
      'skills/weather/evals/triggers.yaml': 'format: lathe-triggers/1\nqueries: 7\n',
    });
    expect(runLathe(['eval', '.'], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('skills/weather/evals/triggers.yaml:2') as string,
    });
  });
});
