/** Strings that a harness (Claude Code, Codex, opencode) puts beside what a person says. */
import type { IndexedSkill } from './skill-index.ts';

const NOTICE =
  /<(system-reminder|environment_context|user_instructions|permissions instructions|collaboration_mode|skills_instructions|plugins_instructions|apps_instructions|task-notification|subagent_notification|local-command-[a-z-]+|command-[a-z-]+|model_switch|turn_aborted|total_tokens)>/g;
const AGENTS_FILE = /^# AGENTS\.md instructions\b/;
/** What Claude Code says in the name of the person. */
const SAID_FOR_PERSON =
  /^\s*\[(?:Your previous response had no visible output|Request interrupted by user)[^\]]*\]\s*$/;

/** Text without what a harness put there. A notice that never ends reaches to the end. */
export const withoutNotices = (text: string): string => {
  if (AGENTS_FILE.test(text) || SAID_FOR_PERSON.test(text)) return '';
  if (!text.includes('<')) return text;
  let kept = '';
  let at = 0;
  for (const { index, 0: tag, 1: name } of text.matchAll(NOTICE)) {
    if (index < at) continue;
    kept += text.slice(at, index);
    const end = text.indexOf(`</${name?.split(' ')[0]}`, index + tag.length);
    if (end === -1) return kept.trim();
    const close = text.indexOf('>', end);
    at = close === -1 ? text.length : close + 1;
  }
  return at === 0 ? text : (kept + text.slice(at)).trim();
};

const LISTING = 'The following skills are available for use with the Skill tool:';
const LISTED = /^- ([^\s:]+): (.+)$/;

/** Claude Code lists skills in a notice, not in the system prompt. */
export const noticedSkills = (texts: readonly string[]): readonly IndexedSkill[] =>
  texts
    .filter((text) => text.includes(LISTING))
    .flatMap((text) => text.slice(text.indexOf(LISTING)).split('\n'))
    .flatMap((line) => {
      const [, name, description] = LISTED.exec(line.trimEnd()) ?? [];
      return name === undefined || description === undefined
        ? []
        : [{ name, description, preloaded: false, executable: false }];
    });

/** What Claude Code puts after the result of its `Skill` tool. */
const SKILL_TEXT = /^Base directory for this skill: (\S+)\n+([\s\S]*)$/;

export const noticedBody = (text: string): readonly [name: string, body: string] | undefined => {
  const [, folder, body] = SKILL_TEXT.exec(text) ?? [];
  return folder === undefined || body === undefined ? undefined : [folder.split('/').at(-1) ?? '', body];
};
