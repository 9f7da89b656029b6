// Real clients against the simulator: installs them into a cache, runs the checks of scripts/clients, and prints a table of what holds.
// Downloads hundreds of megabytes, so it is not part of `npm test`: docs/clients.md has its last results. `node scripts/clients.mjs [NAME…]`
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const cache = process.env['LATHE_CLIENTS'] ?? join(tmpdir(), 'lathe-clients');
const only = process.argv.slice(2);

/** @param {string} folder @param {readonly string[]} packages */
const npm = (folder, packages) => {
  const into = join(cache, folder);
  if (!existsSync(join(into, 'node_modules'))) {
    mkdirSync(into, { recursive: true });
    writeFileSync(join(into, 'package.json'), '{"private":true}');
    // Without a tag npm takes the newest release that suits this Node, which may be months old. The programs bring their own.
    const newest = packages.map((name) => `${name}@latest`);
    execFileSync('npm', ['i', '--no-audit', '--no-fund', '--force', ...newest], {
      cwd: into,
      stdio: ['ignore', 2, 2],
    });
  }
  return into;
};
/** @param {string} folder @param {readonly string[]} packages */
const pip = (folder, packages) => {
  const into = join(cache, folder);
  if (!existsSync(join(into, 'bin'))) {
    execFileSync('python3', ['-m', 'venv', into], { stdio: ['ignore', 2, 2] });
    execFileSync(join(into, 'bin', 'pip'), ['install', '-q', ...packages], { stdio: ['ignore', 2, 2] });
  }
  return join(into, 'bin', 'python');
};

/** A program in Go, compiled once for each state of its source. @param {string} source */
const go = (source) => {
  const into = join(cache, 'go');
  const text = readFileSync(source, 'utf8');
  if (!existsSync(join(into, 'checks')) || readFileSync(join(into, 'main.go'), 'utf8') !== text) {
    mkdirSync(into, { recursive: true });
    writeFileSync(join(into, 'main.go'), text);
    writeFileSync(join(into, 'go.mod'), 'module checks\n');
    for (const args of [
      ['mod', 'tidy'],
      ['build', '-o', 'checks', '.'],
    ])
      execFileSync('go', args, { cwd: into, stdio: ['ignore', 2, 2] });
  }
  return join(into, 'checks');
};

/**
 * Agents get a home and a project of their own, and nothing of the environment that could lead elsewhere.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @param {Record<string, string>} [files] in its home
 */
const agent = (command, args, env = {}, files = {}) => {
  const home = mkdtempSync(join(tmpdir(), 'lathe-client-'));
  const project = join(home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'The file says rain.\n');
  const clean = {
    PATH: process.env['PATH'],
    HOME: home,
    TERM: 'dumb',
    IS_SANDBOX: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...env,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const { stdout, stderr, status } = spawnSync(command, args, {
    cwd: project,
    env: clean,
    encoding: 'utf8',
    timeout: 180_000,
  });
  return { text: `${stdout}\n${stderr}`, status };
};
/**
 * @typedef {{ client: string, check: string, ok: boolean, detail: string }} Check
 * @param {string} client
 * @param {string} name
 * @param {{ text: string, status: number | null }} ran
 * @param {string} part
 * @returns {Check}
 */
const told = (client, name, { text, status }, part) => ({
  client,
  check: name,
  ok: status === 0 && text.includes(part),
  detail: status === 0 && text.includes(part) ? '' : `exit ${status}: ${text.slice(-300)}`,
});

/** @param {string} base */
const CODEX = (base) =>
  `model_provider = "local"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.local]\nname = "local"\nbase_url = "${base}/v1"\nenv_key = "LOCAL_KEY"\nwire_api = "responses"\n`;

/**
 * Programs that print a line of JSON per check.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Check[]}
 */
const lines = (command, args) =>
  spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 })
    .stdout.split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** @type {Record<string, (base: string) => Check[]>} */
const CLIENTS = {
  javascript: (base) => {
    const folder = npm('js', [
      '@anthropic-ai/sdk',
      'openai',
      'ai',
      '@ai-sdk/anthropic',
      '@ai-sdk/openai',
      '@langchain/core',
      '@langchain/anthropic',
      '@langchain/openai',
      '@openai/agents',
      'zod',
    ]);
    return lines('node', [join(here, 'clients', 'javascript.mjs'), base, folder]);
  },
  python: (base) =>
    lines(pip('py', ['anthropic', 'openai', 'openai-agents', 'langchain-anthropic', 'langchain-openai']), [
      join(here, 'clients', 'python.py'),
      base,
    ]),
  // LiteLLM and pydantic-ai need other versions of what the rest shares.
  litellm: (base) => lines(pip('litellm', ['litellm', 'mcp']), [join(here, 'clients', 'python.py'), base, 'LiteLLM']),
  go: (base) => lines(go(join(here, 'clients', 'go.go')), [base]),
  pydantic: (base) =>
    lines(pip('pydantic', ['pydantic-ai-slim[anthropic,openai]']), [
      join(here, 'clients', 'python.py'),
      base,
      'pydantic-ai',
    ]),
  claude: (base) => {
    const folder = npm('claude', ['@anthropic-ai/claude-code']);
    const scope = join(folder, 'node_modules', '@anthropic-ai');
    const native = readdirSync(scope).find((name) => name.startsWith('claude-code-'));
    const program = join(scope, native ?? 'claude-code', 'claude');
    /** @param {string} prompt */
    const run = (prompt) =>
      agent(
        program,
        ['-p', prompt, '--model', 'claude-haiku-4-5', '--output-format', 'json', '--dangerously-skip-permissions'],
        { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: 'sk-fake' },
      );
    return [
      told('Claude Code', 'text', run('Please count to three.'), 'three'),
      told('Claude Code', 'tool loop', run('What does a.txt say?'), 'rain'),
    ];
  },
  codex: (base) => {
    const folder = npm('codex', ['@openai/codex']);
    /** @param {string} model @param {string} prompt */
    const run = (model, prompt) =>
      agent(
        'node',
        [
          join(folder, 'node_modules', '@openai', 'codex', 'bin', 'codex.js'),
          'exec',
          '-m',
          model,
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          '--json',
          prompt,
        ],
        { LOCAL_KEY: 'k' },
        { '.codex/config.toml': CODEX(base) },
      );
    return [
      told('Codex', 'text', run('gpt-5.2', 'Please count to three.'), 'three'),
      told('Codex', 'tool loop', run('gpt-5.5', 'What does the file say? Use a shell command: cat a.txt'), 'says rain'),
    ];
  },
  llm: (base) => {
    const python = pip('llm', ['llm']);
    const models = `- model_id: sim\n  model_name: gpt-5.2\n  api_base: "${base}/v1"\n`;
    return [
      told(
        'llm',
        'chat',
        agent(
          join(dirname(python), 'llm'),
          ['-m', 'sim', 'Please count to three.'],
          {
            OPENAI_API_KEY: 'sk-fake',
          },
          { '.config/io.datasette.llm/extra-openai-models.yaml': models },
        ),
        'three',
      ),
    ];
  },
  opencode: (base) => {
    const folder = npm('opencode', ['opencode-ai']);
    const config = JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'anthropic/claude-haiku-4-5',
      provider: { anthropic: { options: { baseURL: `${base}/v1`, apiKey: 'sk-fake' } } },
    });
    return [
      told(
        'opencode',
        'text',
        agent(
          join(folder, 'node_modules', '.bin', 'opencode'),
          ['run', 'Please count to three.'],
          {},
          {
            '.config/opencode/opencode.json': config,
          },
        ),
        'three',
      ),
    ];
  },
  aider: (base) => {
    const python = pip('aider', ['aider-chat']);
    return [
      told(
        'aider',
        'chat',
        agent(
          join(dirname(python), 'aider'),
          [
            '--model',
            'anthropic/claude-haiku-4-5',
            '--no-git',
            '--yes-always',
            '--no-check-update',
            '--analytics-disable',
            '--no-stream',
            '--message',
            'Please count to three.',
          ],
          { ANTHROPIC_API_KEY: 'sk-fake', ANTHROPIC_API_BASE: base },
        ),
        'three',
      ),
    ];
  },
};

const simulator = spawn(
  'node',
  [
    join(here, '..', 'bin', 'lathe'),
    'sim',
    '--port',
    '0',
    '--fast',
    '--scenario',
    join(here, 'clients', 'scenario.yaml'),
  ],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);
/** @type {string} */
const base = await new Promise((resolve, reject) => {
  simulator.stdout.on('data', (text) => resolve(/http:\S+/.exec(text)?.[0] ?? ''));
  simulator.on('exit', () => reject(new Error('the simulator could not start')));
});

let failed = 0;
try {
  for (const [name, run] of Object.entries(CLIENTS)) {
    if (only.length > 0 && !only.includes(name)) continue;
    let checks;
    try {
      checks = run(base);
    } catch (error) {
      checks = [{ client: name, check: 'starts', ok: false, detail: String(error).slice(0, 300) }];
    }
    if (checks.length === 0) checks = [{ client: name, check: 'starts', ok: false, detail: 'no check ran' }];
    for (const { client, check, ok, detail } of checks) {
      failed += ok ? 0 : 1;
      process.stdout.write(
        `${ok ? 'holds' : 'FAILS'}  ${client}: ${check}${detail === '' ? '' : `\n       ${detail}`}\n`,
      );
    }
  }
} finally {
  simulator.kill();
}
process.stdout.write(failed === 0 ? 'All checks hold.\n' : `${failed} failed.\n`);
process.exitCode = failed === 0 ? 0 : 1;
