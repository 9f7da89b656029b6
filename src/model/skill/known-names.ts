/** Fields and tools that agents know, as of November 2026. */

export const SPEC_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);

export const METASKILL_FIELDS: ReadonlySet<string> = new Set(['metaskill', 'metaskill_language']);

/** Fields that one host or another reads, with the hosts. */
export const EXTENSION_FIELDS: ReadonlyMap<string, string> = new Map([
  ['metaskill', 'metaskill hosts'],
  ['metaskill_language', 'metaskill hosts'],
  ['when_to_use', 'Claude Code'],
  ['argument-hint', 'Claude Code, VS Code, Copilot'],
  ['arguments', 'Claude Code'],
  ['disable-model-invocation', 'Claude Code, VS Code, Cursor'],
  ['user-invocable', 'Claude Code, VS Code, Copilot'],
  ['disallowed-tools', 'Claude Code'],
  ['model', 'Claude Code'],
  ['effort', 'Claude Code'],
  ['context', 'Claude Code'],
  ['agent', 'Claude Code'],
  ['background', 'Claude Code'],
  ['hooks', 'Claude Code'],
  ['paths', 'Claude Code'],
  ['shell', 'Claude Code'],
  ['modeSlugs', 'Roo Code'],
  ['mode', 'Roo Code'],
]);

export const CLAUDE_CODE_FIELDS: ReadonlySet<string> = new Set([
  ...SPEC_FIELDS,
  ...[...EXTENSION_FIELDS].filter(([, hosts]) => hosts.includes('Claude Code')).map(([field]) => field),
]);

export const KNOWN_TOOLS: readonly string[] = [
  'Agent',
  'AskUserQuestion',
  'Bash',
  'BashOutput',
  'Edit',
  'EnterPlanMode',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'KillShell',
  'LS',
  'LSP',
  'Monitor',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'PowerShell',
  'Read',
  'Skill',
  'SlashCommand',
  'Task',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'TodoRead',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'Write',
  // The tools of Lathe and of the source documents.
  'grep_files',
  'list_dir',
  'memory_add',
  'memory_consolidate',
  'memory_replace',
  'patch_file',
  'read_file',
  'run_command',
  'run_metaskill',
  'shell',
  'skill',
  'skill_load',
  'skill_search',
  'write_file',
];

/** Edit distance up to `limit`, for “did you mean”. */
const distance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost));
    }
    previous = row;
  }
  return previous[b.length] ?? limit + 1;
};

/** The candidate that `word` was probably meant to be: same letters in other case, or one or two slips away. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  const wanted = word.toLowerCase().replace(/[-_ ]/g, '');
  if (wanted.length < 3) return undefined;
  const limit = wanted.length > 5 ? 2 : 1;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const apart = distance(wanted, candidate.toLowerCase().replace(/[-_ ]/g, ''), limit);
    if (apart < bestDistance) {
      best = candidate;
      bestDistance = apart;
    }
  }
  return best;
};
