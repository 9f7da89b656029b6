/** Reads the list of skills back out of a system prompt: Lathe's index in both dialects, and the listings of agents. */

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

/** Claude Code's and Codex's. A budget may leave only the name. */
const AGENT_HEADS = new Set([
  'The following skills are available for use with the Skill tool:',
  '### Available skills',
]);
const AGENT_LINE = /^- (\S+?)(?: \([^)]*\))?(?::(?: (.*?))?)?(?: ?\(file: [^()]*\))?$/;

/** As Gemini CLI, opencode, and GitHub Copilot write it. */
const XML_LIST = /<available_skills>\n([\s\S]*?)\n<\/available_skills>/;
const XML_ENTRY = /<name>([^\n<]*)<\/name>\n\s*<description>([^\n]*)<\/description>/g;
const NAMES_ALONE = /^Additional skills available \(invoke by name\): (.*)$/m;

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};
const plain = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? '');

const listed = (name: string, description = ''): IndexedSkill => ({
  name,
  description: plain(description),
  preloaded: false,
  executable: false,
});

/** The lines behind a head, up to the first other one. */
const linesBehind = (
  system: string,
  heads: ReadonlySet<string>,
  read: (line: string) => IndexedSkill | undefined,
): readonly IndexedSkill[] => {
  const lines = system.split('\n');
  const head = lines.findIndex((line) => heads.has(line.trim()));
  const skills: IndexedSkill[] = [];
  if (head === -1) return skills;
  for (const line of lines.slice(head + 1)) {
    const skill = read(line.trimEnd());
    if (skill) skills.push(skill);
    else if (skills.length > 0) break;
  }
  return skills;
};

const ownLine = (line: string): IndexedSkill | undefined => {
  const [, name, preloaded, description = '', executable] = LINE.exec(line) ?? [];
  if (name === undefined) return undefined;
  return { name, description, preloaded: preloaded !== undefined, executable: executable !== undefined };
};

const agentLine = (line: string): IndexedSkill | undefined => {
  const [, name, description] = AGENT_LINE.exec(line) ?? [];
  return name === undefined ? undefined : listed(name, description);
};

const xmlSkills = (system: string): readonly IndexedSkill[] => {
  const [, list = ''] = XML_LIST.exec(system) ?? [];
  const whole = [...list.matchAll(XML_ENTRY)].map(([, name = '', text]) => listed(plain(name), text));
  const names = NAMES_ALONE.exec(list)?.[1]?.split(', ') ?? [];
  return [...whole, ...names.map((name) => listed(name))];
};

export const readSkillIndex = (system: string): readonly IndexedSkill[] => {
  const own = linesBehind(system, HEADS, ownLine);
  if (own.length > 0) return own;
  const ofAgent = linesBehind(system, AGENT_HEADS, agentLine);
  const skills = ofAgent.length > 0 ? ofAgent : xmlSkills(system);
  // Codex lists every skill of a name.
  return [...new Map(skills.toReversed().map((skill) => [skill.name, skill])).values()].toReversed();
};
