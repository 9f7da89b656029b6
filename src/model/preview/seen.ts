/** What the model reads of a skill: always its line in the index, and its body once it is loaded. */
import { preloadedPointer, skillLoadText } from '../activation/texts.ts';
import { measureIndex } from '../library/index-text.ts';
import { DIALECTS, isExecutable, type Dialect } from '../library/types.ts';
import { planSession, type PlannedSession } from '../session/start.ts';
import type { EditedLibrary } from './edited.ts';

export interface SeenInDialect {
  readonly dialect: Dialect;
  /** The tool that loads a body. */
  readonly tool: string;
  readonly indexLine: string;
  /** What the tool answers the first time. */
  readonly loadText: string;
  /** The part of the system prompt that holds the body; absent unless it is preloaded. */
  readonly preloaded: string | undefined;
  readonly planned: PlannedSession;
}

const TOOLS: Readonly<Record<Dialect, string>> = { metis: 'skill_load', agents: 'skill' };

/** Nothing if the skill is not loaded. */
export const modelSees = ({ item, name, plan }: EditedLibrary): readonly SeenInDialect[] => {
  if (!item || name === undefined) return [];
  const policy = plan.policy ?? 'local';
  return DIALECTS.map((dialect) => {
    const planned = planSession({ ...plan, dialect });
    const preloadedNames = new Set(planned.prompt.preloaded);
    const { lines } = measureIndex(plan.workspace.library.store, { dialect, policy, preloaded: preloadedNames });
    const preloaded = planned.prompt.segments.find(({ id }) => id === `preloaded:${name}`)?.text.replace(/^\n+/, '');
    return {
      dialect,
      tool: TOOLS[dialect],
      indexLine: lines.find((line) => line.name === name)?.text ?? '',
      loadText:
        preloaded === undefined
          ? skillLoadText(item, dialect, isExecutable(item.skill.metaskill, item.layer, policy))
          : preloadedPointer(item),
      preloaded,
      planned,
    };
  });
};
