/** The settings files of clients that change what is listed. Whatever is not a settings file is none. */
import { parse as parseToml } from 'smol-toml';
import { parseJson } from '../../base/json.ts';
import { joinPath } from '../../base/paths.ts';
import type { FileTree } from '../files/file-tree.ts';
import { isRecord, type Fields } from './frontmatter.ts';
import { OVERRIDES } from './claude-code/limits.ts';
import type { ClientId, ClientTrees, Usage } from './types.ts';

const MOST_BYTES = 1024 * 1024;

/** Later ones win; mappings are merged and lists are joined. */
const merge = (first: Fields, second: Fields): Fields => {
  const merged = new Map<string, unknown>(Object.entries(first));
  for (const [key, value] of Object.entries(second)) {
    const before = merged.get(key);
    merged.set(
      key,
      isRecord(before) && isRecord(value)
        ? merge(before, value)
        : Array.isArray(before) && Array.isArray(value)
          ? [...(before as unknown[]), ...(value as unknown[])]
          : value,
    );
  }
  return Object.fromEntries(merged);
};

const parseSettings = (path: string, text: string): Fields => {
  if (path.endsWith('.toml')) {
    try {
      return parseToml(text);
    } catch {
      // What is not TOML sets nothing; the client says so itself.
      return {};
    }
  }
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
};

const readText = async (tree: FileTree | undefined, path: string): Promise<string | undefined> => {
  const bytes = await tree?.read(path, MOST_BYTES).catch(() => undefined);
  return bytes && new TextDecoder().decode(bytes);
};

/** Weakest first. */
const FILES: Partial<Record<ClientId, readonly (readonly ['user' | 'project', string])[]>> = {
  'claude-code': [
    ['user', '.claude/settings.json'],
    ['project', '.claude/settings.json'],
    ['project', '.claude/settings.local.json'],
  ],
  codex: [['user', '.codex/config.toml']],
  gemini: [
    ['user', '.gemini/settings.json'],
    ['project', '.gemini/settings.json'],
  ],
};

/** Values that Claude Code takes; one that it does not take voids the file that holds it. */
const TAKEN: Readonly<Record<string, (value: unknown) => boolean>> = {
  skillOverrides: (value) =>
    isRecord(value) && Object.values(value).every((one) => OVERRIDES.some((known) => known === one)),
  skillListingMaxDescChars: (value) => Number.isInteger(value) && Number(value) > 0,
  skillListingBudgetFraction: (value) => typeof value === 'number' && value > 0 && value <= 1,
  disableBundledSkills: (value) => typeof value === 'boolean',
};

const refusedKey = (id: ClientId, values: Fields): string | undefined =>
  id === 'claude-code'
    ? Object.keys(values).find((key) => TAKEN[key] && values[key] !== undefined && !TAKEN[key](values[key]))
    : undefined;

/** Which files were read, and what they set together. */
export interface ClientSettings {
  readonly values: Fields;
  readonly files: readonly string[];
  /** Files that the client ignores, and why. */
  readonly notes: readonly string[];
}

export const readClientSettings = async (id: ClientId, trees: ClientTrees): Promise<ClientSettings> => {
  let values: Fields = {};
  const files: string[] = [];
  const notes: string[] = [];
  for (const [scope, path] of FILES[id] ?? []) {
    const inTree = scope === 'user' ? path : joinPath(trees.workingFolder ?? '', path);
    const text = await readText(scope === 'user' ? trees.user : trees.project, inTree);
    if (text === undefined) continue;
    const shown = scope === 'user' ? `~/${path}` : inTree;
    const given = parseSettings(path, text);
    const refused = refusedKey(id, given);
    if (refused === undefined) values = merge(values, given);
    else notes.push(`Claude Code ignores all of \`${shown}\`, because it does not take this value of \`${refused}\`.`);
    files.push(shown);
  }
  return { values, files, notes };
};

/** `skillUsage` of Claude Code's `.claude.json`. Nothing where none exists. */
export const readUsage = (text: string): Usage | undefined => {
  const parsed = parseJson(text);
  const used = parsed.ok && isRecord(parsed.value) ? parsed.value['skillUsage'] : undefined;
  if (!isRecord(used)) return undefined;
  const usage = new Map<string, { readonly count: number; readonly lastUsedAt: number }>();
  for (const [name, value] of Object.entries(used)) {
    if (!isRecord(value)) continue;
    const { usageCount, lastUsedAt } = value;
    if (typeof usageCount === 'number' && typeof lastUsedAt === 'number')
      usage.set(name, { count: usageCount, lastUsedAt });
  }
  return usage;
};
