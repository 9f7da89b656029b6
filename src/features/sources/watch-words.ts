/** How an agent is watched: what to set, and where its files are. */
export interface WatchAdvice {
  readonly agent: string;
  readonly steps: readonly string[];
}

export const WATCH_ADVICE: readonly WatchAdvice[] = [
  {
    agent: 'Claude Code 2.1.300 and later',
    steps: [
      'No setup needed. Its transcripts contain whole requests.',
      'Choose `.claude/projects` in your home folder.',
    ],
  },
  {
    agent: 'Claude Code before 2.1.300',
    steps: [
      'Start it with `OTEL_LOG_RAW_API_BODIES=file:$HOME/claude-bodies claude`.',
      'Choose `claude-bodies` in your home folder. It isn’t hidden. Claude Code never deletes from it, so empty it now and then.',
    ],
  },
  {
    agent: 'Codex',
    steps: [
      'Start it with `CODEX_ROLLOUT_TRACE_ROOT=$HOME/codex-traces codex` to record whole requests.',
      'Choose `codex-traces` in your home folder. Without the setting, choose `.codex/sessions`. It has no tool definitions.',
    ],
  },
  {
    agent: 'Any agent with a base URL',
    steps: [
      'Run `lathe capture --open` in a terminal. It prints the line to set for your agent.',
      'It opens this view with the recording. Or choose the folder that it writes to.',
    ],
  },
];

export const HIDDEN_FOLDERS =
  'Folders that start with a dot are hidden in the folder picker. On macOS, press `Cmd+Shift+.` to show them. On Linux, press `Ctrl+H`, or press `Ctrl+L` and type the path. On Windows, type the path in the folder field.';
