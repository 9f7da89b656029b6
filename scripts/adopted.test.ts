// What other tools read of this project: the schemas, the action, the hooks, and the problem matcher.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createFolder, PROJECT, runLathe } from '../src/cli/testing/run-lathe.ts';
import { RULES } from '../src/model/skill/catalog.ts';
import { EXTENSION_FIELDS, SPEC_FIELDS } from '../src/model/skill/known-names.ts';
import { readSkill } from '../src/model/skill/skill.ts';
import { CLIENT_IDS } from '../src/model/clients/types.ts';
import { CHECK_PROFILES } from '../src/model/skill/types.ts';
import { parseCheckConfig } from '../src/model/workspace/check-config.ts';
import { PROGRAM_RULES } from '../src/model/starlark/rule-catalog.ts';

const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');
const json = (path: string): Record<string, unknown> => JSON.parse(read(path)) as Record<string, unknown>;
const validator = (path: string) => z.fromJSONSchema(json(path));

const SKILL =
  '---\nname: other\ndescription: Writes unit tests for code. Use when code has no tests.\n---\n\n# Tests\n\nShort.\n';

describe('the schema of lathe.yaml', () => {
  it('names every rule', () => {
    const { definitions } = json('schema/lathe.schema.json') as {
      definitions: { rules: { properties: Record<string, unknown> } };
    };
    expect(Object.keys(definitions.rules.properties)).toEqual([...RULES.keys(), ...PROGRAM_RULES.keys()]);
  });

  it.each([
    'profile: strict',
    'rules: {name-folder: off}',
    'overrides: [{paths: [a], rules: {bom: error}}]',
    'max_warnings: 3',
    ...CHECK_PROFILES.map((profile) => `profile: ${profile}`),
    ...CLIENT_IDS.map((id) => `clients: [${id}, ${id}@1.2]`),
    'index_budget: 900',
    'thresholds: {trigger_rate: 0.8}',
    'clients: []',
    'clients: [word]',
    'index_budget: 0',
    'thresholds: {trigger_rate: 2}',
    'thresholds: {rate: 1}',
    'profile: mine',
    'rule: {}',
    'rules: {name-foldr: off}',
    'rules: {name-folder: loud}',
    'max_warnings: -1',
    'ignore: drafts',
    'overrides: [{paths: [a]}]',
  ])('agrees with the reader about %s', (text) => {
    expect(validator('schema/lathe.schema.json').safeParse(parse(text)).success).toBe(parseCheckConfig(text).ok);
  });
});

describe('the schema of the frontmatter', () => {
  const schema = validator('schema/skill-frontmatter.schema.json');

  it('names every field that is known', () => {
    const { properties } = json('schema/skill-frontmatter.schema.json') as { properties: object };
    expect(new Set(Object.keys(properties))).toEqual(new Set([...SPEC_FIELDS, ...EXTENSION_FIELDS.keys()]));
  });

  const corpus = fileURLToPath(new URL('../../shared/corpus/', import.meta.url));
  // Other people's text is never part of the repository.
  it.runIf(existsSync(corpus))('accepts published skills that have no error', () => {
    const refused: string[] = [];
    let accepted = 0;
    for (const path of readdirSync(corpus, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('SKILL.md')) continue;
      const content = readFileSync(join(corpus, path), 'utf8');
      const { skill, document } = readSkill({ content, fileName: 'SKILL.md' }, 'strict');
      const [, frontmatter] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(document.text) ?? [];
      if (!skill || frontmatter === undefined) continue;
      if (schema.safeParse(parse(frontmatter)).success) accepted++;
      else refused.push(path);
    }
    expect(refused).toEqual([]);
    expect(accepted).toBeGreaterThan(50);
  });

  it('refuses what has no name or no description', () => {
    expect(schema.safeParse({ name: 'a' }).success).toBe(false);
    expect(schema.safeParse({ name: 'a', description: '' }).success).toBe(false);
  });
});

describe('the action', () => {
  interface Step {
    readonly name: string;
    readonly run?: string;
  }
  const { runs } = parse(read('action.yml')) as { runs: { steps: Step[] } };

  // Its steps are for bash, which Windows need not have.
  it.runIf(process.platform !== 'win32')('annotates, reports, and fails', () => {
    using folder = createFolder({ '.claude/skills/mine/SKILL.md': SKILL });
    const temp = join(folder.path, 'temp');
    mkdirSync(temp);
    // In place of npx. It takes only what npx understands for every kind of package.
    const npx = join(temp, 'npx');
    writeFileSync(
      npx,
      `#!/bin/sh\n[ "$1 $2 $3 $4 $5" = '--yes --package /a folder/lathe.tgz -- lathe' ] || exit 9\nshift 5\nexec '${process.execPath}' '${join(PROJECT, 'bin', 'lathe')}' "$@"\n`,
    );
    chmodSync(npx, 0o755);
    const env = {
      PATH: `${temp}:${process.env['PATH'] ?? ''}`,
      HOME: folder.path,
      PACKAGE: '/a folder/lathe.tgz',
      SKILLS: '.',
      CLIENTS: 'claude-code',
      RUNNER_TEMP: temp,
      GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
    };
    const ran = runs.steps
      .filter(({ run }) => run !== undefined)
      .map(({ name, run = '' }) => {
        const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
          cwd: folder.path,
          env,
          encoding: 'utf8',
        });
        return { name, status, stdout };
      });
    expect(ran[0]).toEqual({ name: 'Report', status: 0, stdout: '' });
    expect(ran[1]).toMatchObject({
      name: 'Check',
      status: 1,
      stdout: expect.stringContaining('::error file=') as string,
    });
    expect(JSON.parse(readFileSync(join(temp, 'lathe.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readFileSync(join(temp, 'summary.md'), 'utf8')).toMatch(
      /\[name-folder\][\s\S]*What agents list[\s\S]*other/,
    );
  });
});

it('the problem matcher reads the terminal', () => {
  const { problemMatcher } = json('.github/lathe-matcher.json') as {
    problemMatcher: [{ pattern: [{ regexp: string }] }];
  };
  using folder = createFolder({ 'mine/SKILL.md': SKILL });
  const lines = runLathe(['check', '.', '--quiet'], folder.path).stdout.split('\n');
  const [found] = lines.flatMap((line) => new RegExp(problemMatcher[0].pattern[0].regexp).exec(line) ?? []);
  expect(found).toMatch(/^mine\/SKILL\.md:2:7: error: .* \[name-folder\]$/);
});

it('the hooks name commands and files of skills', () => {
  const hooks = parse(read('.pre-commit-hooks.yaml')) as { id: string; entry: string; files: string }[];
  expect(hooks.every(({ entry }) => entry.startsWith('lathe check'))).toBe(true);
  expect(hooks.every(({ files }) => new RegExp(files).test('skills/a/SKILL.md'))).toBe(true);
});
