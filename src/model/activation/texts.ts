/** What the skill tools answer, in the exact words of the source documents (D18). */
import { onOneLine } from '../library/index-text.ts';
import type { Dialect, LibrarySkill } from '../library/types.ts';
import { pythonRepr } from '../skill/python-text.ts';

export const NO_SKILLS_TEXT = 'skills are not configured for this session';

/** Stands after the body of a metaskill that may run. */
export const RUN_METASKILL_LINE =
  'This skill is an executable metaskill: to run it, call `run_metaskill` with its name and the input keys that these instructions describe.';

const header = ({ skill, source }: LibrarySkill): string => `# Skill: ${skill.name} (source: ${source})`;

/** Text and one more line, with exactly one empty line between them. */
const withLine = (text: string, line: string): string => `${text.replace(/(?<!\n)\n+$/, '')}\n\n${line}`;

/** A skill that is loaded now; in dialect `agents` also one that was loaded before. */
export const skillLoadText = (item: LibrarySkill, dialect: Dialect, executable: boolean): string => {
  const { name, body } = item.skill;
  if (dialect === 'agents') {
    const marked = `<skill_content name="${name}">\n${body.trim()}\n</skill_content>`;
    return executable ? withLine(marked, RUN_METASKILL_LINE) : marked;
  }
  const text = `${header(item)}\n\n${body}`;
  return executable ? withLine(text, RUN_METASKILL_LINE) : text;
};

/** The heading of a preloaded body in the prompt, to which the pointer sends the model. */
export const preloadedHeading = (name: string): string => `# Skill: ${name}`;

export const preloadedPointer = (item: LibrarySkill): string =>
  `${header(item)}\n\nThis skill's body is already loaded in the system prompt (pre-activated at session start). ` +
  `Re-read the system prompt section "${preloadedHeading(item.skill.name)}" for its operating instructions.`;

export const loadedPointer = (item: LibrarySkill, isInMessage = false): string => {
  const where = isInMessage
    ? `the earlier user message, from "${header(item)}" on,`
    : `the earlier \`tool_result\` for \`skill_load("${item.skill.name}")\``;
  return (
    `${header(item)}\n\nThis skill is already loaded in the conversation history (activated earlier this session). ` +
    `Re-read ${where} for its operating instructions.`
  );
};

export const unknownSkillText = (name: string, dialect: Dialect): string =>
  dialect === 'metis'
    ? `no skill registered with name ${pythonRepr(name)}`
    : `error: unknown skill: ${pythonRepr(name)}`;

/** Of a load; `pointer` where the body was not given. */
export const loadMetadata = (
  { skill, source }: LibrarySkill,
  pointer?: 'already_preloaded' | 'already_loaded',
): Readonly<Record<string, string | number | boolean>> => ({
  skill_id: skill.name,
  skill_version: skill.version,
  source,
  load_size_tokens: skill.estimatedBodyTokens,
  ...(pointer && { [pointer]: true }),
});

export const searchText = (query: string, results: readonly LibrarySkill[]): string =>
  results.length === 0
    ? `No skills matched ${pythonRepr(query)}.`
    : [
        `Skills matching ${pythonRepr(query)} (${results.length}):`,
        ...results.map(({ skill, source }) => `- ${skill.name} [${source}] — ${onOneLine(skill.description)}`),
      ].join('\n');

export const searchMetadata = (
  query: string,
  results: readonly LibrarySkill[],
): { readonly query: string; readonly result_count: number; readonly result_names: readonly string[] } => ({
  query,
  result_count: results.length,
  result_names: results.map(({ skill }) => skill.name),
});
