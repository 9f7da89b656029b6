import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { compareRun, parseSkillTests, TEST_FILE } from '../../model/metaskill/skill-tests.ts';
import type { EngineHost } from '../../platform/worker/engine-host.ts';
import { createNodeTree } from '../../platform/fs/node-tree.ts';
import { parseArguments, wrongUse } from '../arguments.ts';
import { openSkill, runScripted, withEngine } from '../metaskill-runner.ts';
import { createPaint, visible, wantsColour } from '../output/terminal-text.ts';

interface Tested {
  readonly skill: string;
  readonly name: string;
  readonly ok: boolean;
  /** One line per difference; empty for a test that passed. */
  readonly diff: readonly string[];
}

const findTestFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return entry.name === TEST_FILE ? [path] : [];
      return entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules' ? findTestFiles(path) : [];
    });

const runFile = async (engine: EngineHost, file: string): Promise<Tested[]> => {
  const folder = dirname(file);
  const skillName = basename(resolve(folder));
  const parsed = parseSkillTests(readFileSync(file, 'utf8'));
  if (!parsed.ok) return [{ skill: skillName, name: TEST_FILE, ok: false, diff: [parsed.error] }];
  const skill = await openSkill(createNodeTree(folder), 'local');
  const tested: Tested[] = [];
  for (const test of parsed.value) {
    const outcome = await runScripted(
      engine,
      skill,
      {
        input: test.input,
        ...(test.max_ask_calls !== undefined && { max_ask_calls: test.max_ask_calls }),
        ...(test.max_command_calls !== undefined && { max_command_calls: test.max_command_calls }),
      },
      { answers: test.answers, commands: test.commands },
    );
    const diff = compareRun(test, outcome);
    tested.push({ skill: skillName, name: test.name, ok: diff.length === 0, diff });
  }
  return tested;
};

/** Runs every `SKILL.test.yaml` below a folder. */
export const test = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, { json: { type: 'boolean' } });
  if (!parsed.ok) return wrongUse('test', parsed.error);
  const { values, positionals } = parsed.value;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return wrongUse('test', 'expected one folder', 'test DIR');
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return wrongUse('test', `folder not found: ${folder}`);
  const files = findTestFiles(folder);
  const tests = await withEngine(async (engine) => {
    const all: Tested[] = [];
    for (const file of files) all.push(...(await runFile(engine, file)));
    return all;
  });
  const passed = tests.filter(({ ok }) => ok).length;
  const summary = { tests: tests.length, passed, failed: tests.length - passed };
  if (values['json'] === true) {
    process.stdout.write(`${JSON.stringify({ tests, summary, log: [] }, undefined, 2)}\n`);
  } else {
    const paint = createPaint(wantsColour(process.stdout));
    for (const { skill, name, ok, diff } of tests) {
      process.stdout.write(`${ok ? paint.green('✓') : paint.red('✗')} ${visible(skill)}: ${visible(name)}\n`);
      for (const line of diff) process.stdout.write(`    ${visible(line)}\n`);
    }
    if (files.length === 0) process.stdout.write(`There is no ${TEST_FILE} below ${visible(folder)}.\n`);
    else process.stdout.write(`\n${passed} passed, ${summary.failed} failed\n`);
  }
  return files.length > 0 && summary.failed === 0 ? 0 : 1;
};
