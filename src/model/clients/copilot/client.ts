/** GitHub Copilot: the rules of its CLI; VS Code reads more roots and has no budget. */
import { firstParagraph } from './first-text.ts';
import { BYTE_ORDER_MARK, readYaml } from '../frontmatter.ts';
import { trimmed } from '../trim.ts';
import { entryOf, escapeXml, hide, hiddenEntry, xmlList, type ListedSkill, type ReadSkill } from '../plain-listing.ts';
import { compareCodePoints } from '../../../base/text.ts';
import {
  documented,
  fromCode,
  measured,
  UNKNOWN,
  type Client,
  type ClientOptions,
  type FoundSkill,
  type Listing,
  type ListingEntry,
} from '../types.ts';

const VERSION = '1.0.102';
const NOW = measured(`CLI ${VERSION}`);
const DEFAULT_BUDGET = 15_000;
const MOST_TEXT = 1024;
const MOST_NAME = 64;

const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && /^(?:true|yes)$/i.test(value));

const readSkill = (found: FoundSkill): ReadSkill => {
  const text = found.text.startsWith(BYTE_ORDER_MARK) ? found.text.slice(1) : found.text;
  const match = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  const fields = match ? readYaml((match[1] ?? '').replaceAll('\r\n', '\n'), { unique: true }) : undefined;
  if (!match || !fields) return hide(found, 'It has no frontmatter.');
  if (!fields.ok) return hide(found, 'Its frontmatter isn’t valid YAML.');
  const { name: given = found.folder, description: whole = firstParagraph(text.slice(match[0].length)) } = fields.value;
  const description = typeof whole === 'string' ? whole.trim() : '';
  if (typeof given !== 'string') return hide(found, '`name` isn’t text.');
  const name = given.trim().replaceAll(/\s+/g, '-');
  if (description === '') return hide(found, 'It has no description.', name);
  if (!/^[A-Za-z0-9._ -]+$/.test(given))
    return hide(found, 'Its name contains characters other than letters, digits, and hyphens.', name);
  if (name.length > MOST_NAME) return hide(found, `Its name is longer than ${MOST_NAME} characters.`, name);
  if (description.length > MOST_TEXT)
    return hide(found, `Its description is longer than ${MOST_TEXT} UTF-16 units.`, name);
  if (isTrue(fields.value['disable-model-invocation'])) return hide(found, '`disable-model-invocation` is true.', name);
  return { found, name, text: description };
};

const lineOf = ({ name, text, found }: ListedSkill): string =>
  `<skill>\n  <name>${escapeXml(name)}</name>\n  <description>${escapeXml(text)}</description>\n  <location>${found.scope}</location>\n</skill>`;

const rankOf = ({ scope, root }: FoundSkill): number =>
  scope === 'project' ? (root.endsWith('.github/skills') ? 0 : 1) : 2;

const budgetOf = ({ environment = {} }: ClientOptions): number => {
  const value = Number(environment['SKILL_CHAR_BUDGET']);
  return Number.isInteger(value) && value > 0 ? value : DEFAULT_BUDGET;
};

const list = (found: readonly FoundSkill[], options: ClientOptions): Listing => {
  const hidden: ListingEntry[] = [];
  const chosen = new Map<string, ListedSkill>();
  for (const skill of found.map(readSkill).toSorted((a, b) => rankOf(a.found) - rankOf(b.found))) {
    const first = chosen.get(skill.name);
    if (skill.hidden !== undefined) hidden.push(hiddenEntry(skill, skill.hidden));
    else if (first) hidden.push(hiddenEntry(skill, `${first.found.path} has the same name and wins.`));
    else
      chosen.set(skill.name, {
        ...skill,
        text: trimmed(skill.text, { path: skill.found.path, name: skill.name }, options),
      });
  }
  const scopeRank = ({ found: { scope } }: ListedSkill): number => (scope === 'project' ? 0 : 1);
  const listed = [...chosen.values()].toSorted(
    (a, b) => scopeRank(a) - scopeRank(b) || compareCodePoints(a.name, b.name),
  );
  const limit = budgetOf(options);
  const costs = listed.map((skill) => lineOf(skill).length + 1);
  const wanted = costs.reduce((sum, cost) => sum + cost, 0);
  let used = 0;
  let isFull = false;
  const entries = listed.map((skill, index): ListingEntry => {
    const cost = costs[index] ?? 0;
    isFull ||= used + cost > limit;
    if (!isFull) used += cost;
    return entryOf(skill, {
      state: isFull ? 'name-only' : 'kept',
      line: isFull ? skill.name : lineOf(skill),
      shown: isFull ? '' : skill.text,
      whole: skill.text,
      reason: isFull ? 'It doesn’t fit the budget. Only its name is in the last line.' : '',
      cost,
      least: 0,
    });
  });
  const whole = entries.filter(({ state }) => state === 'kept').map(({ line }) => line);
  const rest = entries.filter(({ state }) => state !== 'kept').map(({ name }) => name);
  const tail = rest.length === 0 ? [] : [`Additional skills available (invoke by name): ${rest.join(', ')}`];
  return {
    client: 'copilot',
    label: 'GitHub Copilot',
    version: options.version ?? VERSION,
    model: options.model,
    text: entries.length === 0 ? '' : xmlList([...whole, ...tail]),
    exact: true,
    entries: [...entries, ...hidden],
    unread: [],
    budget: {
      unit: 'characters',
      limit,
      own: 0,
      spare: 0,
      wanted,
      used,
      perEntry: MOST_TEXT,
      from: options.environment?.['SKILL_CHAR_BUDGET'] === undefined ? 'Its default.' : '`SKILL_CHAR_BUDGET` sets it.',
    },
    notes: [
      'These are the rules of Copilot CLI. VS Code lists more. Its own two skills come last, within the budget. Their sizes aren’t counted here.',
    ],
  };
};

const DEEP = { depth: Infinity } as const;

export const copilot: Client = {
  id: 'copilot',
  label: 'GitHub Copilot',
  versions: [VERSION],
  roots: [
    { scope: 'project', path: '.github/skills', levels: 'up', ...DEEP, source: NOW },
    { scope: 'project', path: '.agents/skills', levels: 'up', ...DEEP, source: NOW },
    { scope: 'project', path: '.claude/skills', levels: 'up', ...DEEP, source: NOW },
    { scope: 'user', path: '.copilot/skills', ...DEEP, source: NOW },
    { scope: 'user', path: '.agents/skills', ...DEEP, source: NOW },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`.github/skills`, `.agents/skills`, and `.claude/skills` from the working folder up, `~/.copilot/skills`, `~/.agents/skills`. Any depth, not below a skill.',
      source: NOW,
    },
    {
      topic: 'roots',
      text: 'VS Code also reads `~/.claude/skills` and the folders in `chat.agentSkillsLocations`.',
      source: fromCode('microsoft/vscode 0783120b'),
    },
    { topic: 'precedence', text: 'One entry per name; `.github/skills` wins.', source: NOW },
    {
      topic: 'fields',
      text: 'It refuses descriptions over 1,024 UTF-16 units, names over 64, names that aren’t ASCII, and broken YAML. `disable-model-invocation` hides a skill.',
      source: NOW,
    },
    { topic: 'text', text: 'In the system message, escaped as XML, line breaks kept.', source: NOW },
    { topic: 'budget', text: '15,000 characters (`SKILL_CHAR_BUDGET`), for every model.', source: NOW },
    {
      topic: 'order',
      text: 'By name, project skills first. From the first one that doesn’t fit, names only.',
      source: NOW,
    },
    { topic: 'body', text: 'A user message with the folder’s path, its files, and the body.', source: NOW },
    { topic: 'text', text: 'What VS Code shows its model today.', source: UNKNOWN },
    {
      topic: 'roots',
      text: 'Other details of skills in VS Code.',
      source: documented('https://code.visualstudio.com/docs/copilot/customization/agent-skills'),
    },
  ],
  list,
};
