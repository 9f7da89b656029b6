/** What the simulated model writes for people: short, and drawn from what it has read. */
import { parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { plural } from '../../../base/text.ts';
import { fieldsOf, textOf } from '../json-read.ts';
import { capital, firstSentence, plain, sectionsOf, tellingSentence, topicOf } from './prose.ts';
import { wordsOf } from './words.ts';

const MOST_SECTIONS = 4;
const MOST_ITEMS = 3;

const MOST_SUBJECT = 60;
/** Verbs as a message about a commit has them, and as its subject has them. */
const IMPERATIVES: ReadonlyMap<string, string> = new Map(
  (
    'adding:add allowing:allow caching:cache changing:change cleaning:clean deleting:delete dropping:drop fixing:fix ' +
    'handling:handle improving:improve introducing:introduce making:make moving:move refactoring:refactor removing:remove ' +
    'renaming:rename replacing:replace rounding:round splitting:split updating:update upgrading:upgrade using:use'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** The subject of a commit that a message asks for: what comes after `for` or a colon, as an order. */
const commitSubject = (prompt: string): string | undefined => {
  const [, what] = /\bcommit\b.*?(?:\b(?:for|about)\b|:)\s*(?:the\s+|my\s+)?([^\n]+?)[\s.!?]*$/im.exec(prompt) ?? [];
  if (what === undefined) return undefined;
  const [verb = '', ...rest] = what.split(/\s+/);
  return plain(capital([IMPERATIVES.get(verb.toLowerCase()) ?? verb, ...rest].join(' ')), MOST_SUBJECT);
};

/** What can be written immediately; the rules of the skill follow it. */
const firstVersion = (name: string, prompt: string): readonly string[] => {
  const subject = name.includes('commit') ? commitSubject(prompt) : undefined;
  return subject === undefined
    ? []
    : [
        `\`\`\`\n${subject}\n\n(why: what was wrong or missing before)\n\`\`\``,
        'The reason is yours to give. The rules:',
      ];
};

/** A first version in the manner of a skill: its own headings, with what they ask for. */
export const inMannerOf = (
  name: string,
  body: string,
  prompt: string,
  read: readonly { readonly path: string; readonly text: string }[],
): string => {
  const sections = sectionsOf(body);
  const listed = sections.filter(({ items }) => items.length > 0);
  const parts = listed
    .slice(0, MOST_SECTIONS)
    .map(({ heading, items }) =>
      [
        ...(heading === '' || listed.length === 1 ? [] : [`### ${capital(heading.replace(/^\d+[.)]?\s*/, ''))}`, '']),
        ...items.slice(0, listed.length === 1 ? 5 : MOST_ITEMS).map((item) => `- ${tellingSentence(item)}`),
      ].join('\n'),
    );
  const lead = sections.find(({ lead: words }) => words !== '')?.lead ?? '';
  const files = read.map(({ path, text }) => `I read \`${path}\` (${text.split('\n').length} lines).`);
  return [
    `Working by **${name}**, on: ${topicOf(prompt)}.`,
    ...(files.length > 0 ? [files.join(' ')] : []),
    ...firstVersion(name, prompt),
    ...(parts.length > 0 ? parts : [firstSentence(lead, 200)]),
    'Tell me what I do not know yet (names, times, numbers), and I fill it in; I have not invented any.',
  ].join('\n\n');
};

/** A file this short is shown whole. */
const MOST_QUOTED = 12;

/** What a file says about a question: the section that the question names, else its headings. */
export const quoteFile = (path: string, text: string, prompt: string): string => {
  const lines = text.split('\n');
  if (lines.length <= MOST_QUOTED && text.trim() !== '') return `\`${path}\`:\n\n\`\`\`\n${text.trimEnd()}\n\`\`\``;
  const headings = lines.flatMap((line, at) =>
    /^#{1,6}\s+\S/.test(line) ? [{ at, name: line.replace(/^#+\s+/, '') }] : [],
  );
  const stems = new Set(wordsOf(prompt).map((word) => word.stem));
  const asked = headings.findIndex(({ name }) => wordsOf(name).some((word) => stems.has(word.stem)));
  const head = `\`${path}\` has ${lines.length} lines`;
  const found = headings[asked];
  if (found) {
    const section = lines.slice(found.at + 1, headings[asked + 1]?.at).filter((line) => line.trim() !== '');
    return `${head}. Under “${found.name}”:\n\n${section.slice(0, 10).join('\n')}`;
  }
  if (headings.length > 0)
    return `${head} and these parts: ${headings
      .slice(0, 8)
      .map(({ name }) => name)
      .join(', ')}.`;
  return `${head} and begins with: ${plain(lines.find((line) => line.trim() !== '') ?? 'nothing', 120)}`;
};

/** The content of a file that was asked for. */
export const fileContent = (
  path: string,
  prompt: string,
  body: string | undefined,
  before: string | undefined,
): string => {
  const version = /\b\d+\.\d+(?:\.\d+)?\b/.exec(prompt)?.[0];
  const groups = sectionsOf(body ?? '').filter(({ items }) => items.length > 0);
  const facts = /:\s*([^\n]+)/.exec(prompt)?.[1];
  const entry = [
    `## ${version ?? capital(topicOf(prompt))}`,
    '',
    ...(facts === undefined
      ? [
          `- ${capital(topicOf(prompt))}`,
          ...groups.slice(0, 1).flatMap(({ items }) => items.slice(0, 2).map((item) => `- ${firstSentence(item)}`)),
        ]
      : facts.split(/,|;/).map((fact) => `- ${capital(plain(fact.replace(/\.$/, '')))}`)),
    '',
  ].join('\n');
  if (before === undefined)
    return `# ${capital(
      path
        .split('/')
        .at(-1)
        ?.replace(/\.\w+$/, '')
        .toLowerCase() ?? 'notes',
    )}\n\n${entry}`;
  const [title = '', ...rest] = before.split('\n');
  return title.startsWith('# ') ? `${title}\n\n${entry}${rest.join('\n')}` : `${entry}\n${before}`;
};

const COMPLETED = /^\[Metaskill: (\S+) completed\]\n([\s\S]*)$/;

/** The report of a run, from its envelope. */
export const reportRun = (result: string): string => {
  const match = COMPLETED.exec(result);
  const envelope = fieldsOf(valueOr(parseJson(match?.[2] ?? ''), undefined));
  const name = match?.[1] ?? 'The metaskill';
  const status = textOf(envelope['status']) || 'ok';
  const attempts = envelope['attempts'] ?? envelope['fixes'];
  const tries = typeof attempts === 'number' ? ` after ${plural(attempts, 'attempt')}` : '';
  const warning = textOf(envelope['warning']);
  const answer = textOf(envelope['answer']);
  return [
    `**${name}** ended with \`${status}\`${tries}.`,
    ...(answer === '' ? [] : [answer]),
    ...(warning === '' ? [] : [`Note: ${warning}`]),
    ...(status === 'accepted'
      ? ['The check proves that what was required is there; whether it is right is for you to read.']
      : []),
  ].join('\n\n');
};

export const reportRunError = (name: string, error: string): string => {
  const isBudget = /budget|max_ask_calls|max_command_calls/i.test(error);
  return [
    `**${name}** was stopped: ${plain(error.replace(/^error:\s*/i, ''), 300)}`,
    isBudget
      ? 'That is the budget at work: the program asked for more than it was allowed, and its work up to there is lost. With a larger `max_ask_calls` it would go on.'
      : 'I have not tried again, since the same input would end the same way. Tell me what to change in the input.',
  ].join('\n\n');
};
