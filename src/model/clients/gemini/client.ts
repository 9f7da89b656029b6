/** Gemini CLI: where it looks, what it lists, and what is known of what it does. */
import { BYTE_ORDER_MARK, isRecord, readYaml } from '../frontmatter.ts';
import {
  hide,
  hiddenEntry,
  locatedEntry,
  oneOfEachName,
  plainListing,
  xmlList,
  type ReadSkill,
} from '../plain-listing.ts';
import {
  fromCode,
  measured,
  UNKNOWN,
  type Client,
  type ClientOptions,
  type FoundSkill,
  type Listing,
} from '../types.ts';

const NOW = measured('0.61.0');
const CODE = fromCode('google-gemini/gemini-cli 5411f113');
const VERSION = '0.61.0';

/** What its own line reader makes of text that is no YAML. */
const readLines = (yaml: string): Readonly<Record<string, unknown>> => {
  const fields: Record<string, string> = {};
  let open: string | undefined;
  for (const line of yaml.split(/\r?\n/)) {
    const [, key, value = ''] = /^\s*(name|description):\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      fields[key] = value.trim();
      open = key === 'description' ? key : undefined;
    } else if (open !== undefined && /^[ \t]+\S/.test(line))
      fields[open] = `${fields[open] ?? ''} ${line.trim()}`.trim();
    else open = undefined;
  }
  return fields;
};

const readSkill = (found: FoundSkill): ReadSkill => {
  if (found.text.startsWith(BYTE_ORDER_MARK)) return hide(found, 'It starts with a byte order mark.');
  const [, yaml] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n([\s\S]*))?/.exec(found.text) ?? [];
  if (yaml === undefined) return hide(found, 'It has no frontmatter.');
  const parsed = readYaml(yaml, { asJsYaml: true });
  const isTyped =
    parsed.ok && typeof parsed.value['name'] === 'string' && typeof parsed.value['description'] === 'string';
  const { name, description } = parsed.ok && isTyped ? parsed.value : readLines(yaml);
  if (typeof name !== 'string' || name === '') return hide(found, 'It has no name.');
  if (typeof description !== 'string') return hide(found, 'It has no description.', name);
  return { found, name: name.replaceAll(/[:\\/<>*?"|]/g, '-'), text: description };
};

const list = (found: readonly FoundSkill[], options: ClientOptions): Listing => {
  const settings = options.settings?.['skills'];
  const off = isRecord(settings) && settings['enabled'] === false;
  const given = isRecord(settings) && Array.isArray(settings['disabled']) ? settings['disabled'] : [];
  const disabled = new Set(given.map((name) => String(name).toLowerCase()));
  const { listed, hidden } = oneOfEachName(found.map(readSkill), 'last');
  const isHidden = ({ name }: { readonly name: string }): boolean => off || disabled.has(name.toLowerCase());
  return plainListing({
    client: 'gemini',
    label: 'Gemini CLI',
    version: options.version ?? VERSION,
    exact: true,
    listed: listed.filter((skill) => !isHidden(skill)),
    hidden: [
      ...listed
        .filter(isHidden)
        .map((skill) => hiddenEntry(skill, off ? '`skills.enabled` is false.' : '`skills.disabled` lists it.')),
      ...hidden,
    ],
    // Of the whole prompt, runs of empty lines become one.
    lineOf: (skill) => locatedEntry(skill, options).replaceAll(/\n{3,}/g, '\n\n'),
    textOf: xmlList,
    isUnlimited: true,
    notes: ['Gemini CLI’s own two skills come first.'],
  });
};

const ROOT = { depth: 1, ownSkill: true, belowSkills: true, fromLast: true } as const;

export const gemini: Client = {
  id: 'gemini',
  label: 'Gemini CLI',
  versions: [VERSION],
  roots: [
    { scope: 'user', path: '.gemini/skills', ...ROOT, source: NOW },
    { scope: 'user', path: '.agents/skills', ...ROOT, source: NOW },
    { scope: 'project', path: '.gemini/skills', ...ROOT, source: NOW },
    { scope: 'project', path: '.agents/skills', ...ROOT, source: NOW },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`~/.gemini/skills`, `~/.agents/skills`, then `.gemini/skills` and `.agents/skills` of the working folder only. One level deep. An untrusted folder adds nothing.',
      source: NOW,
    },
    { topic: 'roots', text: 'Extensions come first.', source: CODE },
    { topic: 'precedence', text: 'The last root wins and takes the first one’s position.', source: NOW },
    {
      topic: 'fields',
      text: 'A name and a description are required. Gemini CLI ignores all other fields. It reads broken YAML line by line.',
      source: NOW,
    },
    {
      topic: 'text',
      text: 'In the system instruction, with each file’s path. Nothing is escaped or cut.',
      source: NOW,
    },
    { topic: 'budget', text: 'None.', source: NOW },
    { topic: 'order', text: 'Root by root, the last folder first.', source: NOW },
    {
      topic: 'body',
      text: '`activate_skill` returns the body without frontmatter and the folder tree.',
      source: NOW,
    },
    { topic: 'compaction', text: 'What remains of a skill after compaction.', source: UNKNOWN },
  ],
  list,
};
