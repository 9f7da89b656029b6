/** What people say to a model without a task: greetings, thanks, and questions about itself. It is answered in words, with no tool. */
import { plain } from './prose.ts';
import type { Turn } from './turn.ts';

const GREETING = /^(?:hi|hello|hey|good (?:morning|evening|afternoon))\b.{0,40}$/is;
const THANKS =
  /^(?:(?:ok(?:ay)?|great|perfect|nice|cool|super|very good)[,.!\s]*)?(?:many )?(?:thanks?(?: you)?|thx|cheers)\b.{0,40}$/is;
const PRAISE = /^(?:great|perfect|nice|cool|super|well done|good job)[.!\s]*$/i;
const FAREWELL = /^(?:bye|goodbye|good night|see you)\b.{0,30}$/is;
const ABOUT_SELF = /\b(?:who|what) (?:are|is) (?:you|this)\b|\bare you (?:real|a (?:bot|model|person|human))\b/i;
const ABOUT_SKILLS =
  /\bwhat (?:can|could|do) you (?:do|help)\b|\bhow can you help\b|\b(?:which|what|list|show)\b.{0,30}\bskills\b|^help[?!.]*$/i;
const ABOUT_USER = /\bwho am i\b|\bknow about (?:me|my)\b|\bremember about (?:me|us)\b|\bmy name\b/i;
const ABOUT_MEMORY = /\bwhat\b.{0,20}\b(?:do you|have you)\b.{0,10}\b(?:remember|memor|noted?)/i;

const MOST_SKILLS = 20;

const skillList = ({ index }: Turn): string =>
  index
    .slice(0, MOST_SKILLS)
    .map(({ name, description }) => `- **${name}**: ${plain(description.split(/\bUse when\b/i)[0] ?? '', 120)}`)
    .join('\n');

const aboutSkills = (turn: Turn): string => {
  const { length } = turn.index;
  if (length === 0) return 'There is no skill here. I can read, search and write files, as far as I have tools for it.';
  const rest = length > MOST_SKILLS ? `\n\nAnd ${length - MOST_SKILLS} more.` : '';
  return `I can work by ${length === 1 ? 'this skill' : `one of these ${length} skills`}:\n\n${skillList(turn)}${rest}\n\nSay what you need, or name one.`;
};

/** A section of the prompt that belongs to the person: its first lines. */
const sectionOf = (system: string, title: string): string | undefined => {
  const at = system.indexOf(`## ${title}`);
  if (at === -1) return undefined;
  const lines = system
    .slice(at)
    .split('\n')
    .slice(1)
    .filter((line) => !/^#\s/.test(line));
  const end = lines.findIndex((line) => /^##\s/.test(line));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .filter((line) => line.trim() !== '')
    .slice(0, 8)
    .join('\n');
};

const aboutPerson = (system: string, title: string, file: string): string => {
  const text = sectionOf(system, title);
  return text === undefined || text === ''
    ? `Nothing: there is no ${file} here. Tell me to remember something, and I note it down.`
    : `From ${file}:\n\n${text}`;
};

const SUM =
  /(?:^|what(?:'s| is)|calculate|compute|how much is)\s*(-?\d+(?:\.\d+)?)\s*([-+*x×/÷])\s*(-?\d+(?:\.\d+)?)\s*[=?.!]*$/i;

/** Two numbers are not a task for a skill, and a model that cannot add looks broken. */
const sumOf = (prompt: string): string | undefined => {
  const [, left, sign = '', right] = SUM.exec(prompt.trim()) ?? [];
  if (left === undefined || right === undefined) return undefined;
  const [a, b] = [Number(left), Number(right)];
  if (/[/÷]/.test(sign) && b === 0) return 'Nothing can be divided by zero.';
  const result = sign === '+' ? a + b : sign === '-' ? a - b : /[/÷]/.test(sign) ? a / b : a * b;
  return `${left} ${sign} ${right} = ${Number(result.toPrecision(12))}`;
};

const greeting = ({ index }: Turn): string => {
  const names = index.slice(0, 4).map(({ name }) => name);
  if (names.length === 0) return 'Hello. What shall we do?';
  return index.length === 1
    ? `Hello. I can work by one skill here, ${names[0]}. What shall we do?`
    : `Hello. I can work by one of ${index.length} skills here, such as ${names.join(', ')}. What shall we do?`;
};

/** Undefined: the message is about something else. */
export const smallTalk = (turn: Turn, system: string): string | undefined => {
  const { prompt } = turn;
  if (GREETING.test(prompt)) return greeting(turn);
  if (THANKS.test(prompt) || PRAISE.test(prompt)) return 'You are welcome. What is next?';
  if (FAREWELL.test(prompt)) return 'Goodbye. The session stays here; it can be opened again.';
  if (prompt.length > 100) return undefined;
  if (ABOUT_SKILLS.test(prompt)) return aboutSkills(turn);
  if (ABOUT_SELF.test(prompt))
    return `I am a simulated model: no network, no key, always the same answer to the same conversation. ${aboutSkills(turn)}`;
  if (ABOUT_USER.test(prompt)) return aboutPerson(system, 'User context (USER.md)', 'USER.md');
  if (ABOUT_MEMORY.test(prompt)) return aboutPerson(system, 'Workspace memory (MEMORY.md)', 'MEMORY.md');
  return sumOf(prompt);
};
