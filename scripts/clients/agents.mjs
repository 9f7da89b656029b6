// @ts-nocheck -- run by hand, beside the tests
// The real programs that `measure-clients.mjs` runs: how each is installed and pointed at a server of this machine, and where
// its request holds the listing.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cacheOf = (version, folder) => join(process.env.TMPDIR ?? tmpdir(), 'lathe-agent-cli', version, folder);

const install = (agent, version) => {
  const folder = cacheOf(version, agent.folder);
  if (existsSync(join(folder, 'node_modules', agent.npm))) return folder;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  execFileSync('npm', ['i', '--no-audit', '--no-fund', '--force', `${agent.npm}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
};

/** Every text of a request body. */
const textsOf = (value) => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

const find = (body, marker) => textsOf(body).find((text) => text.includes(marker)) ?? '';
const between = (text, from, to) => {
  const start = text.indexOf(from);
  if (start === -1) return '';
  const end = text.lastIndexOf(to);
  return text.slice(start, end > start ? end : undefined);
};

/** Entries, and the line of names after them. */
const blocksOf = (listing) => listing.match(/<skill>[\s\S]*?<\/skill>|^Additional skills.*$/gm) ?? [];

const QUIET = {
  TERM: 'dumb',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  IS_SANDBOX: '1',
};

export const AGENTS = {
  'claude-code': {
    npm: '@anthropic-ai/claude-code',
    folder: 'claude',
    root: '.claude/skills',
    commands: '.claude/commands',
    model: 'claude-haiku-4-5',
    install,
    command: (folder, { base, model }) => {
      const scope = join(folder, 'node_modules', '@anthropic-ai');
      const platform = readdirSync(scope).find(
        (name) => name.startsWith('claude-code-') && existsSync(join(scope, name, 'claude')),
      );
      const file = platform ? join(scope, platform, 'claude') : join(folder, 'node_modules/.bin/claude');
      return {
        file,
        args: ['-p', 'hello', '--model', model, '--output-format', 'json', '--dangerously-skip-permissions'],
        env: { ...QUIET, ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: 'local' },
      };
    },
    // Its own entries follow ours, so the comparison ends where ours do.
    listing: (body) => {
      const text = find(body, 'The following skills are available for use with the Skill tool:');
      return (
        text
          .slice(Math.max(0, text.indexOf('The following skills are available')))
          .replace(/\n<\/system-reminder>[\s\S]*$/, '')
          // For newer models, part of a longer system message.
          .replace(/\n\n(?:<total_tokens>|Today's date is )[\s\S]*$/, '')
      );
    },
    lines: (listing) => listing.split('\n').slice(2),
    ownFollow: true,
  },
  codex: {
    npm: '@openai/codex',
    folder: 'codex',
    root: '.agents/skills',
    model: 'gpt-5.2',
    install,
    prepare: (home, { base }) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      writeFileSync(
        join(home, '.codex/config.toml'),
        `model_provider = "local"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.local]\nname = "local"\nbase_url = "${base}/v1"\nenv_key = "LOCAL_KEY"\nwire_api = "responses"\n`,
      );
    },
    command: (folder, { model }) => ({
      file: process.execPath,
      args: [
        join(folder, 'node_modules/@openai/codex/bin/codex.js'),
        'exec',
        '-m',
        model,
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '--json',
        'hello',
      ],
      env: { ...QUIET, LOCAL_KEY: 'local' },
    }),
    listing: (body) =>
      between(find(body, '<skills_instructions>'), '### Skill roots', '</skills_instructions>')
        .replace(/\n### How to use skills[\s\S]*$/, '')
        .trimEnd(),
    lines: (listing) => listing.split('\n'),
  },
  gemini: {
    npm: '@google/gemini-cli',
    folder: 'gemini',
    root: '.gemini/skills',
    model: 'gemini-2.5-pro',
    install,
    prepare: (home) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      writeFileSync(
        join(home, '.gemini/settings.json'),
        JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      );
    },
    command: (folder, { base, model }) => ({
      file: process.execPath,
      args: [join(folder, 'node_modules/@google/gemini-cli/bundle/gemini.js'), '-p', 'hello', '-m', model],
      env: { ...QUIET, GOOGLE_GEMINI_BASE_URL: base, GEMINI_API_KEY: 'local', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }),
    listing: (body) => between(find(body, '<available_skills>'), '<available_skills>', '</available_skills>'),
    lines: blocksOf,
    isOwn: (line) => ['skill-creator', 'antigravity-support'].some((name) => line.includes(`<name>${name}</name>`)),
  },
  copilot: {
    npm: '@github/copilot',
    folder: 'copilot',
    root: '.github/skills',
    model: 'local',
    install,
    command: (folder, { base, model }) => ({
      file: join(folder, 'node_modules/.bin/copilot'),
      args: ['-p', 'hello', '--allow-all-tools'],
      env: {
        ...QUIET,
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${base}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'local',
        COPILOT_MODEL: model,
      },
    }),
    listing: (body) => between(find(body, '<available_skills>'), '<available_skills>', '</available_skills>'),
    lines: blocksOf,
    isOwn: (line) => ['customize-cloud-agent', 'github-pr-media'].some((name) => line.includes(`<name>${name}</name>`)),
  },
  opencode: {
    npm: 'opencode-ai',
    folder: 'opencode',
    root: '.opencode/skills',
    model: 'local/local',
    install,
    prepare: (home, { base }) => {
      mkdirSync(join(home, '.config/opencode'), { recursive: true });
      writeFileSync(
        join(home, '.config/opencode/opencode.json'),
        JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          provider: {
            local: {
              npm: '@ai-sdk/openai-compatible',
              name: 'local',
              options: { baseURL: `${base}/v1`, apiKey: 'local' },
              models: { local: { name: 'local' } },
            },
          },
        }),
      );
    },
    command: (folder, { model }) => ({
      file: join(folder, 'node_modules/.bin/opencode'),
      args: ['run', '-m', model, 'hello'],
      env: { ...QUIET, OPENCODE_DISABLE_MODELS_FETCH: '1' },
    }),
    listing: (body) => between(find(body, '<available_skills>'), '<available_skills>', '</available_skills>'),
    lines: blocksOf,
    isOwn: (line) => ['customize-opencode'].some((name) => line.includes(`<name>${name}</name>`)),
  },
};
