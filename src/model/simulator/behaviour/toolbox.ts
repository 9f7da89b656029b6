/** The tools of a harness that works on a computer: Claude Code, Codex, opencode. */
import type { SimBehaviour, SimToolCall } from '../types.ts';
import type { Turn } from './turn.ts';

type Tools = Parameters<SimBehaviour>[0]['tools'];

const BOX = new Set(
  'Bash Edit Read Write Task Agent TodoWrite exec_command write_stdin shell shell_command apply_patch update_plan spawn_agent bash edit read write webfetch todowrite'.split(
    ' ',
  ),
);

/** Two of them: a harness that works on a computer. Its tools do something, so they are called for a reason only. */
export const isToolbox = (tools: Tools): boolean => tools.filter(({ name }) => BOX.has(name)).length >= 2;

/** A message names a tool: in backticks, as a tool, or by a name that is no word. */
export const namesTool = (prompt: string, name: string): boolean => {
  if (!prompt.includes(name)) return false;
  if (prompt.includes(`\`${name}\``) || prompt.includes(`${name} tool`)) return true;
  return /_|[a-z][A-Z]/.test(name);
};

const COMMAND = /\b(?:run|execute)\s+`([^`\n]{1,500})`/i;
const FILE =
  /(?<![\w@/:.-])((?:\/|~\/)?(?:[\w.-]+\/)*[\w-]+\.(?:md|txt|csv|json|jsonl|ya?ml|toml|py|tsx?|jsx?|go|rs|java|sql|sh|html|css|log))\b/i;

/** How known harnesses call a command. */
const RUNNERS: Readonly<Record<string, (command: string) => SimToolCall['input']>> = {
  Bash: (command) => ({ command, description: 'Runs what was asked for' }),
  bash: (command) => ({ command, description: 'Runs what was asked for' }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-lc', command] }),
};

const absolute = (path: string, working: string | undefined): string =>
  path.startsWith('/') || working === undefined ? path : `${working.replace(/\/$/, '')}/${path}`;

/** What a message asks of a computer in so many words: run this, read that. */
export const toolboxCall = (
  { prompt, exchanges }: Turn,
  tools: Tools,
  texts: readonly string[],
): SimToolCall | undefined => {
  if (exchanges.length > 0) return undefined;
  const has = (name: string): boolean => tools.some((tool) => tool.name === name);
  const runner = Object.keys(RUNNERS).find(has);
  const command = COMMAND.exec(prompt)?.[1];
  if (runner !== undefined && command !== undefined) return { name: runner, input: RUNNERS[runner]?.(command) ?? {} };
  const file = FILE.exec(prompt)?.[1];
  if (file === undefined) return undefined;
  const working = texts
    .map((text) => /(?:Primary working directory: |<cwd>)([^\n<]+)/.exec(text)?.[1]?.trim())
    .find((found) => found !== undefined);
  if (has('Read')) return { name: 'Read', input: { file_path: absolute(file, working) } };
  if (has('read')) return { name: 'read', input: { filePath: absolute(file, working) } };
  return runner === undefined
    ? undefined
    : { name: runner, input: RUNNERS[runner]?.(`cat '${file.replaceAll("'", '')}'`) ?? {} };
};
