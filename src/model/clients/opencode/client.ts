/** opencode: where it looks, what it lists, and what is known of what it does. */
import { lazy } from '../../../base/lazy.ts';
import { hide, locatedEntry, oneOfEachName, plainListing, xmlList, type ReadSkill } from '../plain-listing.ts';
import {
  fromCode,
  measured,
  UNKNOWN,
  type Client,
  type ClientOptions,
  type FoundSkill,
  type Listing,
} from '../types.ts';
import { readFields } from './read.ts';

const VERSION = '1.18.33';
const NOW = measured(VERSION);
const CODE = fromCode('anomalyco/opencode d545d8fb');

const readSkill = (found: FoundSkill): ReadSkill => {
  const fields = readFields(found.text);
  if (!fields) return hide(found, 'Its frontmatter is missing or isn’t valid YAML.');
  const { name, description } = fields;
  if (typeof name !== 'string') return hide(found, 'It has no name.');
  if (description === undefined)
    return hide(found, 'It has no description. The model can still load it by name.', name);
  if (typeof description !== 'string') return hide(found, 'Its description isn’t a string.', name);
  return { found, name, text: description };
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapePath = (path: string): string =>
  path.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const byLocale = lazy(() => new Intl.Collator('en-US'));

/** Roots that a variable takes away. */
const isOff = ({ root }: FoundSkill, { environment = {} }: ClientOptions): boolean => {
  const isOn = (name: string): boolean => /^(?:1|true)$/i.test(environment[name] ?? '');
  const isClaude = root.includes('.claude/');
  if (isOn('OPENCODE_DISABLE_EXTERNAL_SKILLS') && (isClaude || root.includes('.agents/'))) return true;
  return isClaude && (isOn('OPENCODE_DISABLE_CLAUDE_CODE_SKILLS') || isOn('OPENCODE_DISABLE_CLAUDE_CODE'));
};

const list = (found: readonly FoundSkill[], options: ClientOptions): Listing => {
  const read = found.map((one) =>
    isOff(one, options) ? hide(one, 'An environment variable turns its root off.') : readSkill(one),
  );
  const { listed, hidden } = oneOfEachName(read, 'last');
  return plainListing({
    client: 'opencode',
    label: 'opencode',
    version: options.version ?? VERSION,
    exact: true,
    listed: listed.toSorted((a, b) => byLocale().compare(a.name, b.name)),
    hidden,
    lineOf: (skill) => locatedEntry(skill, options, escapePath),
    textOf: xmlList,
    isUnlimited: true,
    notes: [
      'An agent’s permissions (`permission.skill`) can hide more skills.',
      'If several skills share a name, the file that opencode reads last wins. It reads files in parallel, so another one can win.',
    ],
  });
};

const DEEP = { depth: Infinity, belowSkills: true, ownSkill: true, nodeModules: true, fromLast: true } as const;

export const opencode: Client = {
  id: 'opencode',
  label: 'opencode',
  versions: [VERSION],
  roots: [
    { scope: 'user', path: '.claude/skills', ...DEEP, dotFolders: true, source: NOW },
    { scope: 'user', path: '.agents/skills', ...DEEP, dotFolders: true, source: NOW },
    { scope: 'project', path: '.claude/skills', levels: 'up', ...DEEP, dotFolders: true, source: NOW },
    { scope: 'project', path: '.agents/skills', levels: 'up', ...DEEP, dotFolders: true, source: NOW },
    { scope: 'user', path: '.config/opencode/skill', ...DEEP, source: CODE },
    { scope: 'user', path: '.config/opencode/skills', ...DEEP, source: CODE },
    { scope: 'project', path: '.opencode/skill', levels: 'up', ...DEEP, source: NOW },
    { scope: 'project', path: '.opencode/skills', levels: 'up', ...DEEP, source: NOW },
    { scope: 'user', path: '.opencode/skill', ...DEEP, source: CODE },
    { scope: 'user', path: '.opencode/skills', ...DEEP, source: CODE },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`.claude/skills` and `.agents/skills` of the home folder and from the working folder up, then `skill` and `skills` of `~/.config/opencode` and of each `.opencode`. Any depth, also below skills.',
      source: NOW,
    },
    {
      topic: 'precedence',
      text: 'The file that is read last wins. opencode reads files in parallel, so the winner can vary from start to start.',
      source: CODE,
    },
    {
      topic: 'fields',
      text: 'A name is required, and both are strings. A skill without a description isn’t listed, but the model can load it. All other fields are ignored. Unquoted values with a colon are repaired.',
      source: NOW,
    },
    {
      topic: 'text',
      text: 'At the end of the system prompt, with each file’s path. Only the path is escaped, and nothing is cut.',
      source: NOW,
    },
    { topic: 'budget', text: 'None.', source: NOW },
    { topic: 'order', text: 'By name, in dictionary order.', source: NOW },
    { topic: 'body', text: 'The `skill` tool returns the body and up to ten file paths.', source: CODE },
    { topic: 'compaction', text: 'What remains of a skill after compaction.', source: UNKNOWN },
  ],
  list,
};
