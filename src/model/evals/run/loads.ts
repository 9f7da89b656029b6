/** Which skills a model's message loads, by any of the ways in which agents load them. */
import { isObject, type Json } from '../../../base/json.ts';
import type { Block, ToolUseBlock } from '../../provider/types.ts';

export interface KnownSkills {
  /** The skill of this name, however a client spells it. */
  readonly named: (name: string) => string | undefined;
  /** The skill whose SKILL.md has this path. */
  readonly at: (path: string) => string | undefined;
}

export type LoadSign =
  | { readonly kind: 'load'; readonly skill: string; readonly call: ToolUseBlock }
  | { readonly kind: 'invented'; readonly name: string; readonly call: ToolUseBlock }
  /** Several SKILL.md immediately: looking around, not loading. */
  | { readonly kind: 'scan'; readonly call: ToolUseBlock }
  | { readonly kind: 'other'; readonly call: ToolUseBlock };

/** Tools that load a skill or run it, with the keys that name it. */
const LOADERS: ReadonlySet<string> = new Set(['skill_load', 'skill', 'load_skill', 'activate_skill', 'run_metaskill']);
const NAME_KEYS = ['name', 'skill', 'skill_name', 'command'] as const;
const PATH_KEYS = ['path', 'file_path', 'filePath', 'filename'] as const;

const textAt = (input: Json, keys: readonly string[]): string | undefined => {
  if (!isObject(input)) return undefined;
  for (const key of keys) if (typeof input[key] === 'string') return input[key];
  return undefined;
};

const SKILL_FILE = /(?<![^\s'"])[^\s'"]*SKILL\.md/g;

/** The SKILL.md files that a call names: as its path, or in the words of a command. */
const skillFiles = (input: Json): readonly string[] => {
  if (!isObject(input)) return [];
  const path = textAt(input, PATH_KEYS);
  if (path !== undefined) return /(?:^|\/)SKILL\.md$/.test(path) ? [path] : [];
  const command = input['command'] ?? input['cmd'] ?? input['argv'];
  const words = Array.isArray(command) ? command.filter((word) => typeof word === 'string').join(' ') : command;
  return typeof words === 'string' ? [...new Set(words.match(SKILL_FILE))] : [];
};

const signOf = (call: ToolUseBlock, known: KnownSkills): LoadSign => {
  if (call.malformed !== undefined) return { kind: 'other', call };
  if (LOADERS.has(call.name.toLowerCase())) {
    const name = textAt(call.input, NAME_KEYS) ?? '';
    const skill = known.named(name);
    return skill === undefined ? { kind: 'invented', name, call } : { kind: 'load', skill, call };
  }
  const files = skillFiles(call.input);
  if (files.length > 1) return { kind: 'scan', call };
  const skill = files[0] === undefined ? undefined : known.at(files[0]);
  return skill === undefined ? { kind: 'other', call } : { kind: 'load', skill, call };
};

/** Every call of the message, not only the first (EVJ1). */
export const loadsIn = (content: readonly Block[], known: KnownSkills): readonly LoadSign[] =>
  content.flatMap((block) => (block.type === 'tool_use' ? [signOf(block, known)] : []));

/** `plugin:name`, `/name` and other cases are the same skill. `alias`: what an agent calls it. */
export const knownSkills = (
  skills: readonly { readonly name: string; readonly path: string; readonly alias?: string }[],
): KnownSkills => {
  const byName = new Map([
    ...skills.flatMap(({ name, alias }) => (alias === undefined ? [] : [[alias, name] as const])),
    ...skills.map(({ name }) => [name, name] as const),
  ]);
  const byLower = new Map([...byName].map(([called, name]) => [called.toLowerCase(), name]));
  const lastOf = (path: string): string => path.split('/').at(-1) ?? path;
  const byFolder = new Map<string, Set<string>>();
  for (const { name, path } of skills) {
    const folder = lastOf(path);
    byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(name));
  }
  return {
    named: (name) => {
      const bare = name.trim().replace(/^[/$]/, '');
      const last = bare.split(':').at(-1) ?? bare;
      return byName.get(bare) ?? byName.get(last) ?? byLower.get(last.toLowerCase());
    },
    at: (path) => {
      const folder = path.replace(/^\.\//, '').replace(/\/?SKILL\.md$/, '');
      const exact = skills.find(
        (skill) => skill.path === folder || (skill.path !== '' && folder.endsWith(`/${skill.path}`)),
      );
      if (exact) return exact.name;
      // Codex writes `r0/pdf/SKILL.md`: only the folder is reported, and only one skill may have it.
      const [only, ...others] = byFolder.get(lastOf(folder)) ?? [];
      return others.length === 0 ? only : undefined;
    },
  };
};
