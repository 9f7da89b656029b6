/** `.agents/config.yaml`: more folders and addresses with skills. */
import { parse } from 'yaml';
import { errorLine } from '../../base/errors.ts';
import { z } from '../zod.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { isAbsolutePath, normalPath } from '../skill/skill-path.ts';
import { parseYaml } from '../skill/yaml-tree.ts';
import type { FileTree } from '../files/file-tree.ts';

export const CONFIG_PATH = '.agents/config.yaml';
/** A bomb of aliases is refused before it unfolds. */
const MAX_ALIASES = 20;

const configSchema = z.looseObject({
  skills: z
    .looseObject({
      paths: z.array(z.string().regex(/^[^\0]+$/, 'Invalid input: expected a path')).exactOptional(),
      urls: z.array(z.url({ protocol: /^https?$/ })).exactOptional(),
    })
    .exactOptional(),
});

export interface SkillsConfig {
  /** Inside the opened folder. */
  readonly inside: readonly string[];
  /** Elsewhere: the user has to open them once. */
  readonly outside: readonly string[];
  readonly urls: readonly string[];
}

export const NO_CONFIG: SkillsConfig = { inside: [], outside: [], urls: [] };

/** The error says what is wrong and fits behind “is ignored:”. */
export const parseConfig = (content: Uint8Array): Result<SkillsConfig, string> => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return err('it is not UTF-8');
  }
  // Nesting without end would not throw but end the process, so anyone who counts levels looks first.
  const limit = parseYaml(text, 0, text.length).problems.find(
    ({ kind }) => kind === 'too-deep' || kind === 'too-large',
  );
  if (limit) return err(limit.kind === 'too-deep' ? 'it is nested too deeply' : 'it is too large');
  let data: unknown;
  try {
    data = parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'error' });
  } catch (thrown) {
    return err(`it is not YAML: ${errorLine(thrown)}`);
  }
  if (data === null || data === undefined) return ok(NO_CONFIG);
  const result = configSchema.safeParse(data);
  if (!result.success) {
    const [issue] = result.error.issues;
    return err(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not understood'}`);
  }
  const inside: string[] = [];
  const outside: string[] = [];
  for (const path of result.data.skills?.paths ?? []) {
    const normal = isAbsolutePath(path) || path.startsWith('~') ? undefined : normalPath(path);
    if (normal === undefined) outside.push(path);
    else inside.push(normal);
  }
  return ok({ inside, outside, urls: result.data.skills?.urls ?? [] });
};

/** Of a folder; none where none exists, or one that is ignored. */
export const configOf = async (tree: Pick<FileTree, 'read'>): Promise<SkillsConfig> => {
  const content = await tree.read(CONFIG_PATH);
  const parsed = content && parseConfig(content);
  return parsed?.ok ? parsed.value : NO_CONFIG;
};
