/**
 * Files that a tool runs because they are there: nobody has to call them. Opening the folder, entering it, installing, committing or
 * starting an agent is enough. Files that run only when somebody asks for them (a Makefile, other scripts of a package) are capabilities.
 */
import { isObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';

export interface Autorun {
  /** What starts it, as the end of a sentence. */
  readonly trigger: string;
  /** The text that shows it, to find its line; nothing where the file itself is it. */
  readonly evidence?: string;
}

interface AutorunFile {
  readonly path: RegExp;
  readonly trigger: string;
  /** Which of its texts make it one; nothing where every content does. */
  readonly when?: RegExp;
}

const at = (path: string): RegExp => new RegExp(`(?:^|/)(?:${path})$`, 'i');

const FILES: readonly AutorunFile[] = [
  { path: at('\\.vscode/tasks\\.json|[^/]+\\.code-workspace'), trigger: 'when VS Code opens the folder' },
  {
    path: at('\\.vscode/settings\\.json'),
    trigger: 'when VS Code opens the folder',
    when: /"(?:task\.allowAutomaticTasks|[\w.-]*(?:[pP]ath|[eE]xecutable|[iI]nterpreter|[sS]hell(?:Args)?|[cC]ommand|profiles\.\w+))"\s*:/,
  },
  {
    path: at('\\.devcontainer(?:/[^/]+)?/devcontainer\\.json|\\.devcontainer\\.json'),
    trigger: 'when a dev container is built from the folder',
  },
  {
    path: at('\\.idea/(?:workspace|startup)\\.xml|\\.idea/runConfigurations/[^/]+|\\.run/[^/]+\\.run\\.xml'),
    trigger: 'when a JetBrains editor opens the folder',
  },
  {
    path: at('\\.exrc|\\.vimrc|\\.nvimrc|\\.nvim\\.lua|\\.lvimrc|\\.dir-locals(?:-2)?\\.el'),
    trigger: 'when an editor opens a file here',
  },
  { path: at('\\.envrc'), trigger: 'when a shell with direnv enters the folder' },
  {
    path: at('\\.?mise(?:\\.[\\w-]+)?\\.toml|\\.mise/.+|\\.rtx\\.toml'),
    trigger: 'when a shell with mise enters the folder',
  },
  {
    path: at('\\.autoenv|\\.autoenv\\.(?:zsh|leave)|\\.env\\.leave'),
    trigger: 'when a shell with autoenv enters the folder',
  },
  { path: at('autorun\\.inf'), trigger: 'when Windows opens the drive' },
  {
    path: at('\\.husky/[^/]+|\\.husky/_/[^/]+|\\.huskyrc(?:\\.\\w+)?|\\.simple-git-hooks\\.\\w+|\\.githooks/[^/]+'),
    trigger: 'at the next commit or checkout',
  },
  {
    path: at(
      '\\.pre-commit-config\\.ya?ml|\\.pre-commit-hooks\\.ya?ml|prek\\.toml|\\.?lefthook(?:-local)?\\.(?:ya?ml|toml|json)|\\.overcommit\\.yml',
    ),
    trigger: 'at the next commit',
  },
  { path: at('\\.gitmodules'), trigger: 'when git fetches submodules' },
  {
    path: at('\\.gitattributes'),
    trigger: 'at the next checkout, where git has such a driver',
    when: /^[^#\n]*\s(?:filter|diff|merge)=(?!lfs\b|text\b|astextplain\b|union\b|ours\b|python\b|markdown\b|html\b|css\b|golang\b|rust\b|ruby\b|java\b|cpp\b|csharp\b|php\b|tex\b)\S/m,
  },
  {
    path: at(
      '\\.npmrc|\\.yarnrc|\\.yarnrc\\.yml|\\.pnpmfile\\.c?[jm]s|\\.pnp\\.c?[jm]s|\\.yarn/releases/[^/]+|\\.yarn/plugins/.+|bunfig\\.toml|pip\\.conf',
    ),
    trigger: 'at the next install',
  },
  { path: at('binding\\.gyp'), trigger: 'at the next npm install' },
  { path: at('\\.cargo/config(?:\\.toml)?'), trigger: 'at the next cargo command' },
  {
    path: at(
      '\\.mvn/(?:jvm\\.config|extensions\\.xml|wrapper/maven-wrapper\\.properties)|gradle/wrapper/gradle-wrapper\\.properties|init\\.gradle(?:\\.kts)?',
    ),
    trigger: 'at the next build',
  },
  { path: at('sitecustomize\\.py|usercustomize\\.py|[^/]+\\.pth'), trigger: 'whenever Python starts' },
  {
    path: at('\\.claude/settings(?:\\.local)?\\.json'),
    trigger: 'when Claude Code starts here',
    when: /"(?:hooks|statusLine|apiKeyHelper|awsAuthRefresh|awsCredentialExport|otelHeadersHelper|mcpServers|enableAllProjectMcpServers|enabledPlugins|fileSuggestion|env|command)"\s*:/,
  },
  {
    path: at('hooks/hooks\\.json|\\.claude/hooks/[^/]+|\\.claude-plugin/plugin\\.json'),
    trigger: 'when an agent loads the folder as a plugin',
    when: /"(?:hooks|command|mcpServers|lspServers)"\s*:|^#!/m,
  },
  {
    path: at(
      '\\.mcp\\.json|mcp\\.json|\\.cursor/mcp\\.json|\\.vscode/mcp\\.json|\\.roo/mcp\\.json|\\.kiro/settings/mcp\\.json',
    ),
    trigger: 'when an agent starts its tool servers',
    when: /"(?:command|url|httpUrl|serverUrl)"\s*:/,
  },
  {
    path: at(
      '\\.cursor/hooks\\.json|\\.github/hooks/[^/]+\\.json|\\.kiro/hooks/[^/]+|\\.windsurf/hooks\\.json|\\.codex/hooks\\.json|\\.factory/hooks\\.json',
    ),
    trigger: 'when an agent works here',
  },
  {
    path: at('\\.gemini/settings\\.json|\\.qwen/settings\\.json'),
    trigger: 'when Gemini CLI starts here',
    when: /"(?:hooks|command|mcpServers|discoveryCommand|callCommand|toolDiscoveryCommand|toolCallCommand)"\s*:/,
  },
  {
    path: at('\\.codex/config\\.toml'),
    trigger: 'when Codex starts here',
    when: /^[ \t]*(?:notify[ \t]*=|command[ \t]*=|\[mcp_servers|\[hooks|\[\[hooks)/m,
  },
  { path: at('\\.opencode/plugins?/[^/]+|\\.opencode/tools?/[^/]+'), trigger: 'when opencode starts here' },
  {
    path: at('opencode\\.jsonc?'),
    trigger: 'when opencode starts here',
    when: /"(?:plugin|mcp|command|formatter|lsp)"\s*:/,
  },
];

/** Scripts of a package that an install runs by itself. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish'];

const installScripts = (text: string): readonly Autorun[] => {
  const parsed = valueOr(parseJson(text), undefined);
  const scripts = isObject(parsed) ? parsed['scripts'] : undefined;
  if (!isObject(scripts)) return [];
  return INSTALL_SCRIPTS.filter((name) => Object.hasOwn(scripts, name)).map((name) => ({
    trigger: `at the next install: it has a script “${name}”`,
    evidence: `"${name}"`,
  }));
};

/** What of a file runs by itself; nothing for most files. */
export const findAutorun = (path: string, text: string): readonly Autorun[] => {
  if (/(?:^|\/)package\.json$/i.test(path)) return installScripts(text);
  for (const { path: pattern, trigger, when } of FILES) {
    if (!pattern.test(path)) continue;
    if (!when) return [{ trigger }];
    const found = when.exec(text)?.[0];
    return found === undefined ? [] : [{ trigger, evidence: found }];
  }
  return [];
};
