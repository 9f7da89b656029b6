import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cliBundle } from '../../scripts/cli-bundle.mjs';
import { createFolder, PROJECT, runLathe } from '../cli/testing/run-lathe.ts';
import { checkFolder, checkSkill, fixSkill, listingFor, predict, runMetaskill, startSimulator } from './index.ts';

const SKILL = `---
name: tests
description: Writes unit tests for this project. Use when code has no tests yet.
---

# Tests

Read the code first. Then write one test for every promise that it makes, and run all of them.
`;
const GREET = `---
name: greet
description: Greets somebody by name. Use when somebody new arrives.
metaskill: SKILL.star
metaskill_language: starlark
---

# Greet

Give it a name, and it asks for a greeting and returns it.
`;
const PROGRAM = `def run(input):
    return {"answer": ask("Greet " + input["name"])["answer"]}
`;
const REQUESTS = ['One.', 'Two.']
  .map((system, minute) =>
    JSON.stringify({
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      body: JSON.stringify({
        model: 'claude-haiku-4-5',
        max_tokens: 10,
        system,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
      started_at: new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString(),
      usage: { input_tokens: 9, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 },
    }),
  )
  .join('\n');

const FILES = {
  'skills/tests/SKILL.md': SKILL,
  'skills/greet/SKILL.md': GREET,
  'skills/greet/SKILL.star': PROGRAM,
  '.claude/skills/tests/SKILL.md': SKILL,
  'requests.jsonl': `${REQUESTS}\n`,
};

const here = dirname(fileURLToPath(import.meta.url));
const examples = readdirSync(join(here, 'examples')).map((file) => ({
  name: file.replace(/\.ts$/, ''),
  code: readFileSync(join(here, 'examples', file), 'utf8').replace("'../index.ts'", "'skill-lathe'"),
}));

describe('the examples', () => {
  it('API6: are those of the documentation, one for every function', () => {
    const documentation = readFileSync(join(here, 'index.ts'), 'utf8');
    const shown = [...documentation.matchAll(/@example ([a-z-]+)\n \* ```js\n([\s\S]*?) \* ```/g)].map(
      ([, name = '', code = '']) => ({ name, code: code.replace(/^ \* ?/gm, '') }),
    );
    const functions = documentation.match(/^export const \w+/gm) ?? [];
    expect(shown).toHaveLength(functions.length);
    expect(shown.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(examples);
  });

  it('API6: run', () => {
    using folder = createFolder(FILES);
    const library = pathToFileURL(join(dirname(cliBundle(PROJECT) ?? ''), 'api.js')).href;
    for (const { name, code } of examples)
      writeFileSync(join(folder.path, `${name}.mjs`), code.replace("'skill-lathe'", `'${library}'`));
    const all = examples.map(({ name }) => `console.log('# ${name}'); await import('./${name}.mjs');`);
    writeFileSync(join(folder.path, 'all.mjs'), all.join('\n'));
    const { stdout, stderr } = spawnSync(process.execPath, ['all.mjs'], { cwd: folder.path, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.split(/^# /m).slice(1)).toEqual([
      expect.stringMatching(/^check-folder\n(?:true|false)\ngreet \d+\ntests \d+\n$/),
      'check-skill\nfalse\n2\n',
      expect.stringMatching(/^explain\nstart chain-start\n.+\n$/),
      'fix-skill\n1\ndescription: "Writes: tests. Use for tests."\n',
      'listing-for\ntests kept\ncolumns\n',
      'predict\n0 true\n',
      'run-metaskill\ntrue true\n',
      'start-simulator\n200\n',
    ]);
  });
});

describe('the functions', () => {
  it('API1: find what the terminal finds', async () => {
    const broken = SKILL.replace('name: tests', 'name: Tests');
    using folder = createFolder({ 'tests/SKILL.md': broken });
    const told = JSON.parse(runLathe(['check', '--json', '.'], folder.path).stdout) as {
      skills: { diagnostics: unknown[] }[];
    };
    const report = await checkFolder(folder.path);
    expect(report.valid).toBe(false);
    expect(report.skills[0]?.problems).toEqual(told.skills[0]?.diagnostics);
    const rules = checkSkill(broken, { folder: 'tests' }).problems.map(({ rule }) => rule);
    expect(rules).toEqual(report.skills[0]?.problems.map(({ rule }) => rule));
    const { text, applied } = fixSkill(broken, { unsafe: true });
    expect(text).toBe(SKILL);
    expect(applied).toHaveLength(1);
  });

  it('API2: list nothing from outside the folder unless a home is named', async () => {
    using home = createFolder({ '.claude/skills/mine/SKILL.md': SKILL.replace('name: tests', 'name: mine') });
    using folder = createFolder(FILES);
    const alone = await listingFor('claude-code', folder.path);
    const both = await listingFor('claude-code', folder.path, { home: home.path });
    expect(alone.entries.map(({ name }) => name)).toEqual(['tests']);
    expect(both.entries.map(({ name }) => name).toSorted()).toEqual(['mine', 'tests']);
    const told = runLathe(['agents', '.', '--client', 'claude-code', '--no-user', '--json'], folder.path).stdout;
    expect(alone.text).toBe((JSON.parse(told) as { clients: { text: string }[] }).clients[0]?.text);
  });

  it('API3: predict that a refused request leaves nothing', async () => {
    const long = (extra: object) =>
      JSON.stringify({
        model: 'claude-haiku-4-5',
        max_tokens: 10,
        system: Array.from({ length: 5 }, (_, index) => ({
          type: 'text',
          text: `Rule ${index}. `.repeat(3000),
          ...extra,
        })),
        messages: [{ role: 'user', content: 'Hello' }],
      });
    const body = long({ cache_control: { type: 'ephemeral' } });
    const wire = 'anthropic-messages';
    const [refused, again] = await predict([
      { wire, body, startedAt: 0 },
      { wire, body, startedAt: 5000 },
    ]);
    expect(refused?.faults).toHaveLength(1);
    expect(again?.read).toBe(0);
  });

  it('API4: serve on this machine alone', async () => {
    const simulator = await startSimulator();
    expect(new URL(simulator.url).hostname).toBe('127.0.0.1');
    await simulator.close();
  });

  it('API5: refuse a usage error in one sentence', async () => {
    await expect(checkFolder('/no/such/folder')).rejects.toThrow('There is no folder /no/such/folder.');
    await expect(runMetaskill('/no/such/folder')).rejects.toThrow('There is no SKILL.md in /no/such/folder.');
    await expect(listingFor('codex', '/no/such/folder')).rejects.toThrow('There is no folder');
    await expect(predict([{ wire: 'openai-chat', body: '{', startedAt: 0 }])).rejects.toThrow(/^Request 1: /);
    await expect(startSimulator({ scenario: 'steps: 3' })).rejects.toThrow(/^Scenario, line 1: /);
  });
});
