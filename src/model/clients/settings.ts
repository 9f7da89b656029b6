/** The settings files of clients that change what is listed. Whatever is no settings file is none. */
import { parse as parseToml } from 'smol-toml';
import { parseJson } from '../../base/json.ts';
import { joinPath } from '../../base/paths.ts';
import type { FileTree } from '../files/file-tree.ts';
import { isRecord, type Fields } from './frontmatter.ts';
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
      // What is no TOML sets nothing; the client says so itself.
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
  'gemini-cli': [
    ['user', '.gemini/settings.json'],
    ['project', '.gemini/settings.json'],
  ],
};

/** Which files were read, and what they set together. */
export interface ClientSettings {
  readonly values: Fields;
  readonly files: readonly string[];
}

export const readClientSettings = async (id: ClientId, trees: ClientTrees): Promise<ClientSettings> => {
  let values: Fields = {};
  const files: string[] = [];
  for (const [scope, path] of FILES[id] ?? []) {
    const inTree = scope === 'user' ? path : joinPath(trees.workingFolder ?? '', path);
    const text = await readText(scope === 'user' ? trees.user : trees.project, inTree);
    if (text === undefined) continue;
    values = merge(values, parseSettings(path, text));
    files.push(scope === 'user' ? `~/${path}` : inTree);
  }
  return { values, files };
};

/** `skillUsage` of Claude Code's `.claude.json`. Nothing where there is none. */
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
