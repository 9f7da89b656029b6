/** `.agents/config.yaml`: more folders and addresses with skills. */
import { parse } from 'yaml';
import { z } from '../zod.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { isAbsolutePath, normalPath } from '../skill/skill-path.ts';

export const CONFIG_PATH = '.agents/config.yaml';

const configSchema = z.looseObject({
  skills: z
    .looseObject({
      paths: z.array(z.string().min(1)).exactOptional(),
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

export const parseConfig = (text: string): Result<SkillsConfig, string> => {
  let data: unknown;
  try {
    data = parse(text, { maxAliasCount: 20, logLevel: 'silent' });
  } catch (thrown) {
    return err(`it is not YAML: ${thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : ''}`);
  }
  if (data === null || data === undefined) return ok(NO_CONFIG);
  const result = configSchema.safeParse(data);
  if (!result.success) {
    const [issue] = result.error.issues;
    return err(`${issue?.path.join('.') ?? 'it'}: ${issue?.message ?? 'not understood'}`);
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
