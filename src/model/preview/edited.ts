/** The session's library as it would be with a text that is not saved yet. */
import { createSkillStore } from '../library/store.ts';
import { LAYERS, sourceOf, type Layer, type LibrarySkill } from '../library/types.ts';
import type { SessionPlan } from '../session/start.ts';
import { loadSkill } from '../skill/load-skill.ts';
import type { Diagnostic, RuntimeProfile, SkillFiles } from '../skill/types.ts';

/** The folder of the skill that is edited. */
export interface SkillPlace {
  readonly layer: Layer;
  /** Such as `.agents/skills`. */
  readonly root: string;
  /** Inside its tree. */
  readonly path: string;
  /** The name of the folder; absent for a lone file. */
  readonly folder?: string;
  readonly files: SkillFiles;
}

export interface PreviewContext {
  readonly place: SkillPlace;
  /** What a session that starts now would be made of. */
  readonly plan: SessionPlan;
  readonly profile: RuntimeProfile;
}

export interface EditedLibrary {
  /** The skill; absent if it cannot be loaded. */
  readonly item: LibrarySkill | undefined;
  /** The name that the session knows it by; absent if it cannot be loaded or another one hides it. */
  readonly name: string | undefined;
  /** A skill of the same name that is loaded in its place. */
  readonly hiddenBy: LibrarySkill | undefined;
  /** Why it cannot be loaded. */
  readonly errors: readonly Diagnostic[];
  readonly plan: SessionPlan;
}

const isSamePlace = (item: LibrarySkill, { layer, path }: SkillPlace): boolean =>
  item.layer === layer && item.path === path;

const rank = ({ layer }: { readonly layer: Layer }): number => LAYERS.indexOf(layer);

export const editLibrary = (context: PreviewContext, text: string): EditedLibrary => {
  const { place, plan, profile } = context;
  const { library } = plan.workspace;
  // What decides about loading, and nothing else: this is worked out again at every key.
  const { skill, errors } = loadSkill(
    {
      content: text,
      fileName: 'SKILL.md',
      files: place.files,
      ...(place.folder !== undefined && { folder: place.folder }),
    },
    undefined,
    profile,
  );
  const others = library.store.list().filter((item) => !isSamePlace(item, place));
  const item: LibrarySkill | undefined = skill && {
    skill,
    layer: place.layer,
    source: sourceOf(place.layer),
    root: place.root,
    path: place.path,
    diagnostics: errors,
  };
  const sameName = item && others.find((other) => other.skill.name === item.skill.name);
  const hiddenBy = sameName && item && rank(sameName) <= rank(item) ? sameName : undefined;
  const store = createSkillStore(item && !hiddenBy ? [item, ...others] : others);
  return {
    item,
    name: hiddenBy ? undefined : item?.skill.name,
    hiddenBy,
    errors,
    plan: { ...plan, workspace: { ...plan.workspace, library: { ...library, store } } },
  };
};
