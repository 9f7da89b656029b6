// Page and terminal are one (D42): both are asked the same questions of the same folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from './base/log.ts';
import { ok } from './base/result.ts';
import { index } from './cli/commands/index.ts';
import { prefix } from './cli/commands/prefix.ts';
import { session } from './cli/commands/session.ts';
import { runLathe } from './cli/testing/run-lathe.ts';
import { importJsonl } from './model/event/jsonl.ts';
import { planSession, type SessionPlan } from './model/session/start.ts';
import { createMemoryTree } from './platform/fs/memory-tree.ts';
import { createRemoteSkills } from './platform/importer/remote-skills.ts';
import { createMemoryStorage } from './platform/store/memory-store.ts';
import { createSettings } from './platform/store/settings.ts';
import { startTestEngine, type TestEngine } from './platform/worker/testing/node-engine.ts';
import { createSourcesStore } from './stores/sources-store.ts';
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

const draftsOf = (plan: SessionPlan) => planSession(plan).drafts.map(({ type, payload }) => ({ type, payload }));

/** The events that a session starts with, before anything is reported. */
const startOf = (eventsFile: string) => {
  const journal = importJsonl(readFileSync(eventsFile, 'utf8'));
  if (!journal.ok || journal.value.content !== 'all') throw new Error('not a whole journal');
  const { events } = journal.value;
  const said = events.findIndex(({ type }) => type === 'turn.started');
  return events.slice(0, said).map(({ type, payload }) => ({ type, payload }));
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
  expect(startOf(events)).toEqual(draftsOf(plan));
});

/** What the folder `around` names and does not have: a page on the web, and a folder of the team. */
const KNOTS_URL = 'https://skills.example/knots/SKILL.md';
const AROUND = {
  '.agents/config.yaml': `skills:\n  urls: [${KNOTS_URL}]\n  paths: [../team]\n`,
  'skills/lint/SKILL.md': skillText('lint'),
};
const TEAM = { 'sails/SKILL.md': skillText('sails', 'Of the team.') };

const openAround = async () => {
  const tree = createMemoryTree(AROUND, 'work');
  const sources = createSourcesStore({
    remote: () =>
      Promise.resolve(createRemoteSkills({ get: fetch, cache: createMemoryTree({}, 'cache'), log: silentLog })),
    settings: createSettings(createMemoryStorage()),
    handles: {
      list: () => Promise.resolve([]),
      remember: (handle, role, name = '') => Promise.resolve({ id: name, role, name, handle, usedAt: 0 }),
      forget: () => Promise.resolve(),
      isOpen: () => Promise.resolve(true),
      regrant: () => Promise.resolve(true),
    },
    pick: () => Promise.resolve(ok({ name: 'team' } as FileSystemDirectoryHandle)),
    treeOf: () => createMemoryTree(TEAM, 'team'),
    onChange: () => {},
  });
  const page = await openFacts(tree, { sources });
  await page.shown.open();
  const report = async () => {
    await page.shown.reload();
    return page.facts.getState().view?.library.report.map(({ path, layer, outcome }) => ({ path, layer, outcome }));
  };
  return { page, sources, report };
};

describe('skills from outside', () => {
  const here = join(folder, 'around', 'work');
  const asked: string[] = [];
  beforeEach(() => {
    write(here, AROUND);
    write(join(folder, 'around', 'team'), TEAM);
    asked.length = 0;
    vi.stubEnv('LATHE_CACHE', mkdtempSync(join(folder, 'cache-')));
    vi.stubGlobal('fetch', (input: string | URL) => {
      asked.push(String(input));
      return Promise.resolve(new Response(skillText('knots', 'From the web.')));
    });
  });
  it('SC7: nobody is asked before somebody agrees, and then both see the same skills, prefix, and session', async () => {
    const { page, sources, report } = await openAround();
    expect(await json(index, [here])).toMatchObject({ report: await report() });
    await json(prefix, [here]);
    expect(asked).toEqual([]);

    await sources.allow([KNOTS_URL]);
    await sources.openFolder('../team');
    const options = ['--remote', '--config-folder', '../team'];
    expect(sources.getState().addresses).toEqual([expect.objectContaining({ isHere: true, problem: undefined })]);
    const all = await report();
    expect(all?.map(({ layer, outcome }) => ({ layer, outcome }))).toEqual([
      { layer: 'project', outcome: 'loaded' },
      { layer: 'config', outcome: 'loaded' },
      { layer: 'remote', outcome: 'loaded' },
    ]);
    expect(await json(index, [here, ...options])).toMatchObject({ report: all });
    const { prompt } = page.facts.getState();
    expect(await json(prefix, [here, ...options])).toMatchObject({
      natural: prompt?.natural,
      estimate: prompt?.estimate,
    });

    // The copy serves from now on, as in the page; a named folder can be any other one.
    asked.length = 0;
    const kept = ['--config-folder', `../team=${join(folder, 'around', 'team')}`];
    expect(await json(index, [here, ...kept])).toMatchObject({ report: all });
    const script = join(folder, 'around.yaml');
    const events = join(folder, 'around.jsonl');
    writeFileSync(script, 'folder: around/work\nturns:\n  - say: Hello.\n');
    await json(session, [script, '--events', events, ...kept]);
    const { plan } = page.facts.getState();
    if (!plan) throw new Error('nothing is planned');
    expect(startOf(events)).toEqual(draftsOf(plan));
    expect(asked).toEqual([]);
  });

  it('SC7: a folder that the configuration does not name is not opened', async () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      expect(await index([here, '--config-folder', '../other'])).toBe(2);
      expect(String(told.mock.calls[0]?.[0])).toContain('skills.paths in .agents/config.yaml names ../team');
    } finally {
      told.mockRestore();
    }
  });
});

it.each([
  ['--profile', '', ['--profile', 'metis']],
  ['the script', 'profile: metis\n', []],
])('the same session starts with a profile that %s names', async (_from, line, args) => {
  const files = {
    'skills/odd/SKILL.md': '---\nname: Odd\ndescription: Does odd things. Use when something is odd.\n---\nBody.\n',
  };
  const page = await openFacts(createMemoryTree(files, 'work'));
  page.settings.set({ profile: 'metis' });
  await page.shown.open();
  const { plan } = page.facts.getState();
  if (!plan) throw new Error('nothing is planned');
  write(join(folder, 'profiled', 'work'), files);
  const script = join(folder, 'profiled.yaml');
  const events = join(folder, 'profiled.jsonl');
  writeFileSync(script, `folder: profiled/work\n${line}turns:\n  - say: Hello.\n`);
  await json(session, [script, '--events', events, ...args]);
  expect(startOf(events)).toEqual(draftsOf(plan));
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
