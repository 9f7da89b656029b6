/** What agents run because it is there: hooks, tool servers, plugins, settings that name programs. */
import { at, type AutorunFile } from './autorun-path.ts';

const MCP = /"?(?:command|url|httpUrl|serverUrl|args)"?\s*[:=]/;

export const agents: readonly AutorunFile[] = [
  {
    path: at('\\.claude/settings(?:\\.\\w+)?\\.json', '\\.claude\\.json', 'managed-settings\\.json'),
    trigger: 'when Claude Code starts here',
    when: /"(?:hooks|statusLine|subagentStatusLine|apiKeyHelper|proxyAuthHelper|awsAuthRefresh|awsCredentialExport|gcpAuthRefresh|otelHeadersHelper|mcpServers|enableAllProjectMcpServers|enabledMcpjsonServers|enabledPlugins|extraKnownMarketplaces|fileSuggestion|env|command|defaultMode|skipDangerousModePermissionPrompt|sandbox)"/,
  },
  { path: at('\\.claude/hooks/.+'), trigger: 'when Claude Code works here' },
  {
    path: at(
      '(?:.*/)?hooks/hooks\\.json',
      '\\.(?:claude|cursor|codex|github)-plugin/(?:plugin|marketplace)\\.json',
      '\\.lsp\\.json',
      'gemini-extension\\.json',
    ),
    trigger: 'when an agent loads the folder as a plugin',
    when: /"(?:hooks|command|mcpServers|lspServers|source)"|^#!/m,
  },
  {
    path: at(
      '\\.?mcp(?:[-_.][\\w-]+)*\\.(?:json|jsonc|toml|ya?ml)',
      '\\.mcp/.+',
      '[\\w-]*mcp_(?:config|settings)\\.json',
      'claude_desktop_config\\.json',
      '(?:.*/)?mcpservers/[^/]+',
    ),
    trigger: 'when an agent starts its tool servers',
    when: MCP,
  },
  {
    path: at(
      '\\.cursor/(?:environment|worktrees|hooks|cli|permissions|sandbox)\\.json',
      'conductor\\.json',
      '\\.superset/config\\.json',
      '\\.emdash\\.json',
    ),
    trigger: 'when an agent works here',
  },
  {
    path: at('\\.(?:gemini|qwen|iflow)/(?:settings\\.json|\\.env|extensions/.+)'),
    trigger: 'when Gemini CLI starts here',
    when: /"(?:hooks|command|mcpServers|httpUrl|discoveryCommand|callCommand|toolDiscoveryCommand|toolCallCommand|trust|autoAccept|env|tools|sandbox)"|^(?:export[ \t]{1,9})?[A-Z_]+=/m,
  },
  {
    path: at('\\.codex/config\\.toml'),
    trigger: 'when Codex starts here',
    when: /\b(?:notify|command|mcp_servers|hooks|model_providers|base_url|shell_environment_policy|sandbox_mode|approval_policy|otel|projects)\b/,
  },
  { path: at('\\.codex/(?:hooks\\.json|rules/.+|setup\\.\\w+|environments/.+)'), trigger: 'when Codex works here' },
  {
    path: at(
      '\\.opencode/(?:plugins?|tools?)/.+',
      '\\.pi/(?:extensions|settings)[/.].+',
      '\\.openhands/(?:setup|pre-commit)\\.sh',
    ),
    trigger: 'when an agent starts here',
  },
  {
    path: at('\\.?opencode\\.jsonc?', '\\.opencode/[^/]+\\.jsonc?', '\\.?crush\\.json'),
    trigger: 'when an agent starts here',
    when: /"(?:plugin|mcp|command|formatter|lsp|hooks|api_key)"|\$\(/,
  },
  {
    path: at(
      '\\.aider\\.conf\\.ya?ml',
      '\\.continue(?:rc\\.json|/config\\.\\w+)',
      '\\.goose/.+\\.ya?ml',
      '\\.amp/settings\\.json',
    ),
    trigger: 'when an agent starts here',
    when: /(?:lint|test|notifications?)-(?:cmd|command)|\bload\b|\bcommand\b|\bcmd\b|mcpServers|apiBase|openai-api-base/,
  },
  { path: at('\\.lathe/.+'), trigger: 'when Lathe opens the folder' },
  // Agents that nobody has listed here: each has its dot folder, and the words are the same.
  {
    path: /(?:^|\/)\.[^/]+\/(?:.*\/)?hooks(?:\/[^/]+|\.(?:json|jsonc|toml|ya?ml))$/,
    trigger: 'when an agent works here',
  },
  {
    path: /(?:^|\/)\.(?!github\/|vscode\/|idea\/|venv\/)[^/]+\/(?:.*\/)?[^/]+\.(?:json|jsonc|toml|ya?ml)$/,
    trigger: 'when an agent starts here',
    when: /\b(?:mcpServers|mcp_servers|hooks)["']?[ \t\r\n]*[\]:=.]/,
  },
];
