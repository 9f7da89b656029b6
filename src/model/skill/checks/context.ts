import type { RuleId } from '../catalog.ts';
import type { SkillDocument } from '../document.ts';
import type { Typing } from '../scalar-types.ts';
import type { Fix, Profile, TextRange } from '../types.ts';

export interface CheckContext {
  readonly document: SkillDocument;
  readonly profile: Profile;
  /** How this profile's host types plain scalars. */
  readonly typing: Typing;
  /** Whether the rule says anything under this profile: worth asking before costly work. */
  readonly isOn: (rule: RuleId) => boolean;
  /** Only errors are wanted: a check may leave out whatever is none under the profiles that skills are loaded by. */
  readonly isLoading: boolean;
  /** `fixes`: the first is the preferred one. `file` is `SKILL.md` unless said otherwise. */
  readonly report: (
    rule: RuleId,
    range: TextRange,
    message: string,
    fixes?: readonly (Fix | undefined)[],
    file?: string,
  ) => void;
}

/** The text of the skill format under profile `metis`, ours elsewhere. */
export const say = (context: CheckContext, ours: string, metis: string): string =>
  context.profile === 'metis' ? metis : ours;

export const at = (offset: number): TextRange => ({ start: offset, end: offset });
