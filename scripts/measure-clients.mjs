// @ts-nocheck -- run by hand, beside the tests
// `node scripts/measure-clients.mjs [client@version …]`: runs the real agents against `lathe sim` over generated folders, and
// compares the listing in each request with that of `lathe agents`, line by line. The result goes to docs/client-listings.md.
// Not a part of the tests: it installs the agents from npm into the temp folder. Nothing but this machine is spoken to.
//   --seed N        other folders of the same kind (default 1)
//   --only TEXT     scenarios whose name holds this
//   --folder DIR    this project instead of generated ones
//   --scenarios F   a module with `scenarios(root, seed, agent)` of your own; a scenario may have files, `env`, `args`, `model`, `plugins`, `isRanked`, `finish(home, top)`
//   --show          the lines that differ
//   --own           the agent's own entries with their columns, as the table of `claude-code/limits.ts` has them
//   --dry           leaves the docs as they are
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { AGENTS } from './clients/agents.mjs';
import { scenarios } from './clients/scenarios.mjs';

const BEGIN = '<!-- listings -->';
const END = '<!-- /listings -->';
/** One run of an agent. */
const MOST_MS = 120_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lathe = join(root, 'scripts', 'lathe.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    folder: { type: 'string' },
    scenarios: { type: 'string' },
    show: { type: 'boolean' },
    own: { type: 'boolean' },
    dry: { type: 'boolean' },
    model: { type: 'string' },
  },
});
const asked =
  positionals.length > 0
    ? positionals
    : ['claude-code@2.1.328', 'claude-code@2.1.197', 'codex@0.169.0', 'gemini@0.61.0'];

/** The simulator, and before it a server that remembers what it is sent. */
const startSimulator = () =>
  new Promise((resolve, reject) => {
    const sim = spawn(process.execPath, [lathe, 'sim', '--port', '0', '--fast'], { stdio: ['ignore', 'pipe', 'pipe'] });
    sim.once('exit', (code) => reject(new Error(`lathe sim ended with ${code}`)));
    const hear = (chunk) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? [];
      if (url) resolve({ url, stop: () => sim.kill() });
    };
    sim.stdout.on('data', hear);
    sim.stderr.on('data', hear);
  });

const startRecorder = async (target) => {
  const bodies = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    const answer = async () => {
      const body = Buffer.concat(chunks);
      try {
        bodies.push(JSON.parse(body.toString('utf8')));
      } catch {
        // Telemetry and health checks are not requests to a model.
      }
      const headers = { ...request.headers };
      for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) delete headers[name];
      try {
        const reply = await fetch(target + request.url, {
          method: request.method,
          headers,
          ...(body.length > 0 && { body }),
        });
        response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/json' });
        for await (const chunk of reply.body ?? []) response.write(chunk);
        response.end();
      } catch (error) {
        response.writeHead(502);
        response.end(String(error));
      }
    };
    request.on('end', () => void answer());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { base: `http://127.0.0.1:${server.address().port}`, bodies, stop: () => server.close() };
};

const writeFiles = (folder, files) => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
};

/** Its listing, once a request with one has come. */
const runAgent = (agent, { file, args, env }, cwd, home, bodies) =>
  new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
    const look = setInterval(() => {
      if (bodies.some((body) => agent.listing(body) !== '')) child.kill('SIGTERM');
    }, 50);
    child.once('exit', () => {
      clearTimeout(timer);
      clearInterval(look);
      const listing = bodies.map(agent.listing).find((text) => text !== '') ?? '';
      resolve({ listing, hasRequest: bodies.length > 0, said: said.slice(-400) });
    });
  });

const predict = (id, version, model, cwd, home, top, { env = {}, plugins = [], isRanked = false }) => {
  const args = [
    lathe,
    'agents',
    top,
    '--client',
    `${id}@${version}`,
    '--model',
    model,
    '--user',
    home,
    '--json',
    ...(cwd === top ? [] : ['--cwd', cwd.slice(top.length + 1)]),
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...plugins.flatMap((path) => ['--plugin', join(top, path)]),
    ...(isRanked ? ['--usage', join(home, '.claude.json')] : []),
  ];
  const run = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout).clients[0];
};

/** Both ways: a line that only one of them has is a difference. */
const compare = (ours, theirs) => {
  const rest = [...theirs];
  const missing = [];
  let same = 0;
  for (const line of ours) {
    const at = rest.indexOf(line);
    if (at === -1) missing.push(line);
    else {
      rest.splice(at, 1);
      same++;
    }
  }
  return { same, missing, extra: rest };
};

const nameOf = (line) => line.replace(/: [\s\S]*$/, '');

/** Entries of the agent's own follow those of the folders, some over several lines; settings and pressure cut their texts. */
const dropOwn = (lines, from, own) => {
  let isOwn = false;
  for (let at = from; at < lines.length; at++) {
    isOwn = lines[at].startsWith('- ') ? own.has(nameOf(lines[at])) : isOwn;
    if (isOwn) lines.splice(at--, 1);
  }
};

/** Their texts are plain, so that a code point is a column; a line break takes none. */
const printOwn = (lines) => {
  const sizes = new Map();
  let name = '';
  for (const line of lines) {
    if (line.startsWith('- ')) name = nameOf(line).slice(2);
    sizes.set(name, (sizes.get(name) ?? 0) + Array.from(line).length);
  }
  for (const [own, columns] of sizes) process.stdout.write(`  ${own}: ${columns}\n`);
};

/** Shows the entries that an agent brings itself. */
const empty = { name: 'nothing', project: {}, home: {} };

const measure = async (id, version, sim) => {
  const agent = AGENTS[id];
  const usual = values.model ?? agent.model;
  const folder = agent.install(agent, version);
  const own =
    values.scenarios === undefined ? undefined : await import(pathToFileURL(resolvePath(values.scenarios)).href);
  const all = values.folder
    ? [{ name: values.folder, project: {}, home: {}, copy: values.folder }]
    : (own?.scenarios ?? scenarios)(agent.root, Number(values.seed ?? 1), { ...agent, id });
  const rows = [];
  let brought = new Set();
  const chosen = all.filter(({ name }) => name.includes(values.only ?? ''));
  for (const scenario of agent.ownFollow ? [empty, ...chosen] : chosen) {
    const place = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-measure-')));
    const top = join(place, 'project');
    const home = join(place, 'home');
    mkdirSync(join(top, scenario.cwd ?? ''), { recursive: true });
    mkdirSync(home);
    if (scenario.copy) cpSync(scenario.copy, top, { recursive: true, verbatimSymlinks: true });
    writeFiles(top, scenario.project);
    writeFiles(home, scenario.home);
    for (const [path, target] of Object.entries(scenario.links ?? {})) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      symlinkSync(target, join(top, path));
    }
    spawnSync('git', ['init', '-q', top]);
    const recorder = await startRecorder(sim.url);
    agent.prepare?.(home, { base: recorder.base });
    scenario.finish?.(home, top);
    const cwd = join(top, scenario.cwd ?? '');
    const model = scenario.model ?? usual;
    const command = agent.command(folder, { base: recorder.base, model });
    const plugins = (scenario.plugins ?? []).flatMap((path) => ['--plugin-dir', join(top, path)]);
    const run = await runAgent(
      agent,
      {
        ...command,
        args: [...command.args, ...plugins, ...(scenario.args ?? [])],
        env: { ...command.env, ...scenario.env },
      },
      cwd,
      home,
      recorder.bodies,
    );
    recorder.stop();
    const listing = predict(id, version, model, cwd, home, top, scenario);
    const ours = agent.lines(listing.text);
    const real = agent.lines(run.listing);
    if (scenario === empty) {
      brought = new Set(real.map(nameOf));
      if (values.own) printOwn(real);
      continue;
    }
    const theirs = real.filter((line) => !agent.isOwn?.(line));
    if (agent.ownFollow) dropOwn(theirs, ours.length, brought);
    const { same, missing, extra } = compare(ours, theirs);
    const inOrder = ours.every((line, index) => line === theirs[index]);
    const lines = Math.max(ours.length, theirs.length);
    rows.push({ name: scenario.name, lines, same, inOrder });
    process.stdout.write(
      `${id}@${version} ${scenario.name}: ${same} of ${lines}${inOrder ? '' : ', another order'}${run.hasRequest ? '' : `  NO REQUEST ${run.said}`}\n`,
    );
    if (values.show) {
      if (!inOrder)
        process.stdout.write(
          `  ours   ${ours.map((line) => line.slice(0, 40)).join(' | ')}\n  theirs ${theirs.map((line) => line.slice(0, 40)).join(' | ')}\n`,
        );
      for (const line of missing) process.stdout.write(`  ours   ${JSON.stringify(line.slice(0, 3000))}\n`);
      for (const line of extra) process.stdout.write(`  theirs ${JSON.stringify(line.slice(0, 3000))}\n`);
    }
    rmSync(place, { recursive: true, force: true });
  }
  return rows;
};

const sim = await startSimulator();
const results = [];
try {
  for (const one of asked) {
    const [id, version = 'latest'] = one.split('@');
    results.push({ id, version, rows: await measure(id, version, sim) });
  }
} finally {
  sim.stop();
}

const total = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0);
const percent = (part, whole) => (whole === 0 ? 'nothing' : `${((part / whole) * 100).toFixed(2)}%`);
const table = (header, rows) =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const summary = table(
  ['client', 'version', 'folders', 'lines', 'identical', 'share'],
  results.map(({ id, version, rows }) => [
    id,
    version,
    rows.length,
    total(rows, 'lines'),
    total(rows, 'same'),
    percent(total(rows, 'same'), total(rows, 'lines')),
  ]),
);
process.stdout.write(`\n${summary}\n`);
if (!values.dry && !values.only && !values.folder && !values.scenarios) {
  const file = join(root, 'docs', 'client-listings.md');
  const text = readFileSync(file, 'utf8');
  const detail = results.map(
    ({ id, version, rows }) =>
      `### ${id} ${version}\n\n${table(
        ['folder', 'lines', 'identical', 'same order'],
        rows.map((row) => [row.name, row.lines, row.same, row.inOrder ? 'yes' : 'no']),
      )}`,
  );
  const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  writeFileSync(file, `${text.slice(0, from)}\n\n${[summary, ...detail].join('\n\n')}\n\n${text.slice(to)}`);
}
