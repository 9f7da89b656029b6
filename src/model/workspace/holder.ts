/** Which skill holds a path of the opened folder, and how an address names the place. */
import { isBelow } from '../files/file-tree.ts';
import type { WorkspaceSkill } from './workspace-view.ts';

type Held = Pick<WorkspaceSkill, 'id' | 'path' | 'isInFolder'>;

/** The skill that a file of the opened folder is in; of nested ones the innermost. */
export const skillHolding = <Skill extends Held>(skills: readonly Skill[], path: string): Skill | undefined => {
  let innermost: Skill | undefined;
  for (const skill of skills) {
    if (!skill.isInFolder || !isBelow(skill.path, path)) continue;
    if (!innermost || skill.path.length > innermost.path.length) innermost = skill;
  }
  return innermost;
};

/** The path of a file as it is called inside the skill that holds it. */
export const pathInSkill = ({ path: folder }: Pick<Held, 'path'>, path: string): string =>
  folder === '' ? path : path.slice(folder.length + 1);

/** As the address of the page names it: without a skill where a file is in none, or in the skill that is the opened folder itself. */
export interface Address {
  readonly skill: string | undefined;
  readonly file: string | undefined;
}

/** Where a skill, or a file of one, is found again. The empty id is not a word of an address, so its file says it all. */
export const addressOf = ({ skill, file }: { readonly skill: string; readonly file?: string }): Address =>
  skill === '' ? { skill: undefined, file: file ?? 'SKILL.md' } : { skill, file };

/** Of a file of the opened folder; `SKILL.md` goes without saying. */
export const addressOfPath = (skills: readonly Held[], path: string): Address => {
  const skill = skillHolding(skills, path);
  const file = skill ? pathInSkill(skill, path) : path;
  return addressOf({ skill: skill?.id ?? '', ...((!skill || file !== 'SKILL.md') && { file }) });
};

/** What to look at before the user has chosen: a skill without a fault, rather one that runs. */
export const firstToShow = (skills: readonly WorkspaceSkill[]): WorkspaceSkill | undefined => {
  const isClean = ({ diagnostics, outcome }: WorkspaceSkill): boolean =>
    outcome !== 'shadowed' && diagnostics.every(({ severity }) => severity === 'hint' || severity === 'info');
  return skills.find((skill) => isClean(skill) && skill.isMetaskill) ?? skills.find(isClean) ?? skills[0];
};

/** The skill at an address; the first to show where it names neither skill nor file. */
export const skillAt = (
  skills: readonly WorkspaceSkill[],
  { skill, file }: Partial<Address>,
): WorkspaceSkill | undefined =>
  skill === undefined && file === undefined ? firstToShow(skills) : skills.find(({ id }) => id === (skill ?? ''));
