/** Which skills git leaves alone, by every `.gitignore` on the way to them; SPEC.md GI. */
import { joinPath, dirName } from '../../base/paths.ts';
import type { FileTree } from '../files/file-tree.ts';
import { type IgnoreRules, noIgnoreRules } from '../sandbox/ignore-rules.ts';

/** Larger files are not lists of patterns. */
const MOST_BYTES = 1_000_000;

/**
 * `tree` is the whole project, `inside` the folder in it that is looked at, and `skills` are folders below that. What a person
 * named is not ignored: rules for `inside` itself and for the folders around it do not count.
 */
export const gitIgnored = async (
  tree: FileTree,
  inside: string,
  skills: readonly string[],
): Promise<ReadonlySet<string>> => {
  const known = new Map<string, Promise<IgnoreRules>>();
  const rulesIn = (folder: string): Promise<IgnoreRules> => {
    const found = known.get(folder);
    if (found) return found;
    const read = async (): Promise<IgnoreRules> => {
      const above = folder === '' ? noIgnoreRules : await rulesIn(dirName(folder));
      const bytes = await tree.read(joinPath(folder, '.gitignore'), MOST_BYTES);
      return bytes ? above.with(folder, new TextDecoder().decode(bytes)) : above;
    };
    const reading = read();
    known.set(folder, reading);
    return reading;
  };
  const isIgnored = async (skill: string): Promise<boolean> => {
    const path = joinPath(inside, skill, 'SKILL.md');
    const first = inside === '' ? 0 : inside.split('/').length;
    const parts = path.split('/');
    for (let count = first + 1; count <= parts.length; count++) {
      const part = parts.slice(0, count).join('/');
      const rules = await rulesIn(dirName(part));
      if (rules.ignores(part, count < parts.length)) return true;
    }
    return false;
  };
  const ignored = new Set<string>();
  for (const skill of skills) if (await isIgnored(skill)) ignored.add(skill);
  return ignored;
};
