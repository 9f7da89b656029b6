/**
 * The tools as the model sees them: names, descriptions, schemas, in the one order of the wire (D17). The implementations
 * take them from here, so that what is announced is what is checked.
 */
import type { Json } from '../../base/json.ts';
import type { SkillStore } from '../library/store.ts';
import { isExecutable, type Dialect, type MetaskillPolicy } from '../library/types.ts';
import { runMetaskillTool } from '../metaskill/tool-schema.ts';
import type { ToolSpec } from '../provider/types.ts';
import type { Tool } from './types.ts';

export type ToolDefinition = Pick<Tool, 'name' | 'description' | 'inputSchema' | 'sideEffects' | 'requiresWorkspace'>;

export const GREP_DEFAULT = 50;
export const GREP_MOST = 200;
export const COMMAND_SECONDS_DEFAULT = 60;
const COMMAND_SECONDS_MOST = 600;
const MEMORY_FILES = ['MEMORY.md', 'USER.md'] as const;
export type MemoryName = (typeof MEMORY_FILES)[number];

const object = (properties: { readonly [key: string]: Json }, required: readonly string[]): Json => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const path: Json = { type: 'string', minLength: 1, description: 'Relative to the workspace folder, with /.' };
const memoryFile: Json = {
  type: 'string',
  enum: MEMORY_FILES,
  default: 'MEMORY.md',
  description: 'MEMORY.md is about this workspace, USER.md about the user.',
};
const skillName: Json = { type: 'string', minLength: 1, maxLength: 64 };

const defineTool = (
  name: string,
  sideEffects: Tool['sideEffects'],
  requiresWorkspace: boolean,
  description: string,
  inputSchema: Json,
): ToolDefinition => ({ name, description, inputSchema, sideEffects, requiresWorkspace });

export const definitions = {
  readFile: defineTool(
    'read_file',
    'read',
    true,
    'Read a text file of the workspace. The whole file by default; offset and limit choose lines of a long one.',
    object(
      {
        path,
        offset: { type: 'integer', minimum: 1, description: 'First line to read. Default 1.' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines to read. Default: to the end.' },
      },
      ['path'],
    ),
  ),
  writeFile: defineTool(
    'write_file',
    'write',
    true,
    'Write a whole file; makes it and its folders, or replaces it. The change is pending until the user applies it.',
    object({ path, content: { type: 'string' } }, ['path', 'content']),
  ),
  patchFile: defineTool(
    'patch_file',
    'write',
    true,
    'Replace one passage of a file. old must occur exactly once, character for character. The change is pending until the user applies it.',
    object(
      {
        path,
        old: { type: 'string', minLength: 1, description: 'The passage as it is now, with enough lines around it.' },
        new: { type: 'string', description: 'What takes its place.' },
      },
      ['path', 'old', 'new'],
    ),
  ),
  listDir: defineTool(
    'list_dir',
    'read',
    true,
    'List a folder of the workspace, one name per line; folders end with /.',
    object(
      { path: { type: 'string', default: '.', description: 'Relative to the workspace folder. Default ".".' } },
      [],
    ),
  ),
  grepFiles: defineTool(
    'grep_files',
    'read',
    true,
    'Search the text of files with a regular expression, line by line. Gives path:line: text.',
    object(
      {
        pattern: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'Regular expression; (?i) in front ignores case. No back-references, no look-around.',
        },
        path: { type: 'string', default: '.', description: 'File or folder to search. Default ".".' },
        glob: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'Only files like this, such as *.ts or src/**/*.md.',
        },
        max: {
          type: 'integer',
          minimum: 1,
          maximum: GREP_MOST,
          default: GREP_DEFAULT,
          description: `Most matches to give. Default ${GREP_DEFAULT}.`,
        },
      },
      ['pattern'],
    ),
  ),
  runCommand: defineTool(
    'run_command',
    'execute',
    true,
    'Run one program in the workspace folder, without a shell: no pipes, redirections, globs or variables. Commands that only read run at once, others ask the user.',
    object(
      {
        argv: {
          type: 'array',
          minItems: 1,
          items: { type: 'string' },
          description: 'The program and its arguments, such as ["git", "status"].',
        },
        timeout_seconds: {
          type: 'integer',
          minimum: 1,
          maximum: COMMAND_SECONDS_MOST,
          default: COMMAND_SECONDS_DEFAULT,
          description: `Default ${COMMAND_SECONDS_DEFAULT}.`,
        },
      },
      ['argv'],
    ),
  ),
  skillSearch: defineTool(
    'skill_search',
    'read',
    false,
    'Search the available skills by a part of their name or description. Then read one with skill_load(name).',
    object({ query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 } }, ['query']),
  ),
  skillLoad: defineTool(
    'skill_load',
    'read',
    false,
    'Read the instructions of a skill by its name. A session can load three skills; a skill marked [preloaded] is in the system prompt already.',
    object({ name: skillName }, ['name']),
  ),
  skill: defineTool(
    'skill',
    'read',
    false,
    'Load the instructions of a skill by its name, before starting work that it describes. A session can load three skills.',
    object({ name: skillName }, ['name']),
  ),
  memoryAdd: defineTool(
    'memory_add',
    'write',
    true,
    'Add a short note to the memory that is read again on every turn. Only what will still matter later; the file is small.',
    object({ text: { type: 'string', minLength: 1 }, file: memoryFile }, ['text']),
  ),
  memoryReplace: defineTool(
    'memory_replace',
    'write',
    true,
    'Replace one passage of the memory; old must occur exactly once. An empty new removes it.',
    object({ old: { type: 'string', minLength: 1 }, new: { type: 'string' }, file: memoryFile }, ['old', 'new']),
  ),
} as const;

const FILES = [
  definitions.readFile,
  definitions.writeFile,
  definitions.patchFile,
  definitions.listDir,
  definitions.grepFiles,
  definitions.runCommand,
];
const MEMORY = [definitions.memoryAdd, definitions.memoryReplace];

/** Everything but `run_metaskill`, in the order of the wire. */
export const builtinDefinitions = (dialect: Dialect): readonly ToolDefinition[] => [
  ...FILES,
  ...(dialect === 'metis' ? [definitions.skillSearch, definitions.skillLoad] : [definitions.skill]),
  ...MEMORY,
];

/** `run_metaskill` for the names that the policy lets run; nothing if none exist. */
export const metaskillDefinition = (store: SkillStore, policy: MetaskillPolicy): ToolDefinition | undefined => {
  const names = store
    .list()
    .filter(({ skill, layer }) => isExecutable(skill.metaskill, layer, policy))
    .map(({ skill }) => skill.name);
  const tool = runMetaskillTool(names);
  return tool && defineTool(tool.name, 'execute', false, tool.description, tool.input_schema);
};

/** What a session may go without: the skill tools stay, because the index names them. */
export const OPTIONAL_TOOLS: readonly string[] = [...FILES, ...MEMORY].map(({ name }) => name);

export interface ToolSetting {
  readonly dialect: Dialect;
  readonly store: SkillStore;
  readonly policy: MetaskillPolicy;
  /** Imported executors, in the order of their names. */
  readonly extra?: readonly ToolSpec[];
  /** Names of optional tools that are left out. */
  readonly without?: readonly string[];
}

const specOf = ({ name, description, inputSchema }: ToolSpec): ToolSpec => ({ name, description, inputSchema });

/** What the request says about its tools. Fixed for a session. */
export const toolSpecs = (setting: ToolSetting): readonly ToolSpec[] => {
  const { dialect, store, policy, extra = [], without = [] } = setting;
  const last = metaskillDefinition(store, policy);
  const isOut = (name: string): boolean => OPTIONAL_TOOLS.includes(name) && without.includes(name);
  return [...builtinDefinitions(dialect).filter(({ name }) => !isOut(name)), ...extra, ...(last ? [last] : [])].map(
    specOf,
  );
};
