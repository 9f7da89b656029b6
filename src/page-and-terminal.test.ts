// Page and terminal are one (D42): both are asked the same questions of the same folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { index } from './cli/commands/index.ts';
import { prefix } from './cli/commands/prefix.ts';
import { session } from './cli/commands/session.ts';
import { runLathe } from './cli/testing/run-lathe.ts';
import { importJsonl } from './model/event/jsonl.ts';
import { planSession } from './model/session/start.ts';
import { startTestEngine, type TestEngine } from './platform/worker/testing/node-engine.ts';
import { openFacts, skillText } from './stores/testing/workspace.ts';

const FILES = {
  'AGENTS.md': 'Be kind.',
  'apps/web/AGENTS.md': 'Of the web.',
  'apps/web/skills/lint/SKILL.md': skillText('lint', 'Of the web.'),
  'apps/api/skills/lint/SKILL.md': skillText('lint', 'Of the api.'),
  'skills/lint/SKILL.md': skillText('lint', 'Of all.'),
  'skills/wrong/SKILL.md': 'no frontmatter',
};
const PROGRAMS = {
  'skills/loop/SKILL.md': skillText('loop', 'Input keys: none'),
  'skills/loop/SKILL.star': 'def run(input):\n    while True:\n        pass\n',
  'skills/twin/SKILL.md': skillText('loop', 'Input keys:\n\n- `task`'),
  'skills/twin/SKILL.star': 'def run(input):\n    return input["other"]\n',
  'skills/wrong/SKILL.md': 'no frontmatter',
  'AGENTS.md': '# Of no skill',
};

const folder = mkdtempSync(join(tmpdir(), 'lathe-both-'));
const write = (top: string, files: Readonly<Record<string, string>>): string => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return top;
};
const top = write(join(folder, 'work'), FILES);

let started: TestEngine;
beforeAll(() => {
  started = startTestEngine();
});
afterAll(() => {
  started[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const json = async (run: (args: readonly string[]) => Promise<number>, args: readonly string[]): Promise<unknown> => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(await run([...args, '--json'])).toBe(0);
    return JSON.parse(written.mock.calls.map(([text]) => String(text)).join(''));
  } finally {
    written.mockRestore();
  }
};

const openPage = async () => {
  const page = await openFacts(FILES);
  await page.shown.open();
  await page.facts.chooseWorkingFolder('apps/web');
  await page.shown.reload();
  return page.facts.getState();
};

it('the same skills load and the same prefix is sent from a working folder', async () => {
  const { view, prompt } = await openPage();
  const found = await json(index, [top, '--cwd', 'apps/web']);
  expect(found).toMatchObject({
    report: view?.library.report.map(({ path, outcome }) => ({ path, outcome })),
    instructions: view?.instructions.files.map(({ path, outcome }) => ({ path, outcome })),
  });
  const sent = await json(prefix, [top, '--cwd', 'apps/web']);
  expect(sent).toMatchObject({
    natural: prompt?.natural,
    estimate: prompt?.estimate,
    preloaded: prompt?.preloaded,
    segments: [...(prompt?.toolSegments ?? []), ...(prompt?.segments ?? [])].map(({ kind, text }) => ({ kind, text })),
  });
});

it.each([
  ['--cwd', '', ['--cwd', 'apps/web']],
  ['the script', 'cwd: apps/web\n', []],
])('the same session starts in a working folder that %s names', async (_from, line, args) => {
  const { plan } = await openPage();
  if (!plan) throw new Error('nothing is planned');
  const script = join(folder, 'script.yaml');
  const events = join(folder, 'events.jsonl');
  writeFileSync(script, `folder: work\n${line}turns:\n  - say: Hello.\n`);
  await json(session, [script, '--events', events, ...args]);
  const journal = importJsonl(readFileSync(events, 'utf8'));
  if (!journal.ok || journal.value.content !== 'all') throw new Error('not a whole journal');
  const { drafts } = planSession(plan);
  expect(journal.value.events.slice(0, drafts.length).map(({ type, payload }) => ({ type, payload }))).toEqual(
    drafts.map(({ type, payload }) => ({ type, payload })),
  );
});

it('the same problems are found, those of programs included', async () => {
  const { shown, skills } = await openFacts(PROGRAMS, { engine: () => Promise.resolve(started.engine) });
  await shown.open();
  const rulesIn = (diagnostics: readonly { readonly rule: string; readonly message: string }[]): readonly string[] =>
    // The terminal prints them in the order of their places.
    diagnostics.map(({ rule, message }) => `${rule} ${message}`).toSorted();
  const programsChecked = () =>
    expect(
      skills()
        .flatMap((skill) => rulesIn(skill.diagnostics))
        .join(),
    ).toContain('MS-');
  await vi.waitFor(programsChecked, { timeout: 60_000 });

  const ran = runLathe(['check', '.', '--json'], write(join(folder, 'programs'), PROGRAMS));
  const checked = JSON.parse(ran.stdout) as {
    skills: { path: string; valid: boolean; diagnostics: { rule: string; message: string }[] }[];
  };
  expect(checked.skills.map(({ path, valid, diagnostics }) => ({ path, valid, rules: rulesIn(diagnostics) }))).toEqual(
    skills().map(({ path, valid, diagnostics }) => ({ path, valid, rules: rulesIn(diagnostics) })),
  );
  expect(checked.skills.flatMap(({ diagnostics }) => diagnostics.map(({ rule }) => rule))).toEqual(
    expect.arrayContaining(['MS-while', 'MS-input-key-used-not-documented', 'duplicate-name']),
  );
});
