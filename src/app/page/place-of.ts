import type { SkillView } from '../../model/workspace/workspace-view.ts';
import { isInFolder } from '../../stores/workspace-store.ts';
import type { UrlPatch } from '../address/navigation.ts';

/** The path of a file of the folder, as the address names it. */
export type PlaceOf = (path: string) => Pick<UrlPatch, 'skill' | 'file'>;

export const createPlaceOf =
  (skillsNow: () => readonly SkillView[]): PlaceOf =>
  (path) => {
    const skill = skillsNow()
      .filter(({ id, layer, path: folder }) => isInFolder({ path: id, layer }) && path.startsWith(`${folder}/`))
      .toSorted((one, other) => other.path.length - one.path.length)[0];
    if (!skill) return { skill: undefined, file: path };
    const file = path.slice(skill.path.length + 1);
    return { skill: skill.path, file: file === 'SKILL.md' ? undefined : file };
  };
