/** Reads the discovery index back out of a system prompt, in both dialects. */

export interface IndexedSkill {
  readonly name: string;
  readonly description: string;
  /** Its body is in the system prompt. */
  readonly preloaded: boolean;
  /** `run_metaskill` may run it. */
  readonly executable: boolean;
}

const HEADS = new Set(['## Available skills', 'You have access to the following skills. Load any when relevant.']);
const LINE = /^- ([^\s:]+)( \[preloaded\])?: (.*?)( \(metaskill: starlark\))?$/;

export const readSkillIndex = (system: string): readonly IndexedSkill[] => {
  const lines = system.split('\n');
  const head = lines.findIndex((line) => HEADS.has(line.trim()));
  if (head === -1) return [];
  const skills: IndexedSkill[] = [];
  for (const line of lines.slice(head + 1)) {
    const match = LINE.exec(line.trimEnd());
    if (match) {
      const [, name = '', preloaded, description = '', executable] = match;
      skills.push({ name, description, preloaded: preloaded !== undefined, executable: executable !== undefined });
    } else if (skills.length > 0) break;
  }
  return skills;
};
