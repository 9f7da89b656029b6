/** A SKILL.md as Claude Code reads it: the folder is the name, and whatever is wrong, it still loads. */
import { lazy } from '../../../base/lazy.ts';
import { BYTE_ORDER_MARK, isRecord, scalarText, type Fields } from '../frontmatter.ts';
import type { FoundSkill } from '../types.ts';
import { readFields, type Generation } from './yaml.ts';

export interface ClaudeSkill {
  readonly found: FoundSkill;
  /** The name for the Skill tool. */
  readonly name: string;
  /** What the frontmatter calls it, with the plugin. */
  readonly display: string;
  /** The description, and after a dash when to use it. */
  readonly text: string;
  /** Why the model is not told of it. */
  readonly hidden: string | undefined;
  /** Its names lead to it, also where it is hidden. */
  readonly isLoaded: boolean;
}

const MOST_NAME = 256;
/** The frontmatter ends at the next `---`, wherever it is. */
const split = (text: string): { readonly yaml: string; readonly body: string } | undefined => {
  // Without an end, the pattern would look for it from each of the lines that may be blank.
  if (!text.includes('---', 3)) return undefined;
  const match = /^---\s*\n([\s\S]*?)---\s*\n?/.exec(text);
  return match ? { yaml: match[1] ?? '', body: text.slice(match[0].length) } : undefined;
};

const firstLine = (body: string, fallback: string): string => {
  for (const line of body.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const text = /^#+\s+(\S.*)$/.exec(trimmed)?.[1] ?? trimmed;
    return text.length > 100 ? `${text.slice(0, 97)}...` : text;
  }
  return fallback;
};

const TRUE = new Set(['1', 'true', 'yes', 'on']);

const isTrue = (value: unknown, generation: Generation): boolean => {
  if (typeof value === 'boolean') return value;
  if (generation === 'old') return value === 'true';
  return (typeof value === 'string' || typeof value === 'number') && TRUE.has(String(value).toLowerCase().trim());
};

// Control and format characters, unassigned and private ones, and what looks like nothing. One space stands for a run of them.
const HAZARD = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0F\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]`;
const hazards = lazy(() => new RegExp(`${HAZARD}+`, 'gu'));
// oxlint-disable-next-line no-control-regex -- what a terminal would obey is removed
const ESCAPE_SEQUENCES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;
/** What holds an emoji together stays, and what joins or parts letters where a script needs it. */
const emoji = lazy(() => new RegExp(String.raw`\p{RGI_Emoji}`, 'gv'));
const JOINING = [
  'Arabic',
  'Syriac',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
];
const LETTER = `[${JOINING.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;
const joiner = lazy(() => new RegExp(String.raw`(?<=${LETTER}\p{M}*)[\u200C\u200D](?=${LETTER})`, 'gu'));

const LONE_SURROGATES = /\p{Cs}/gu;
const HAS_JOINERS = /\u200C|\u200D|\uFE0F|[\u{E0020}-\u{E007F}]/u;

const withoutHazards = (text: string): string => {
  if (!/[^\x20-\x7E]/.test(text)) return text;
  const plain = text.replaceAll(ESCAPE_SEQUENCES, '');
  if (!HAS_JOINERS.test(plain)) return plain.replaceAll(hazards(), ' ');
  const kept = new Set<number>();
  for (const pattern of [emoji(), joiner()])
    for (const { index, 0: match } of plain.matchAll(pattern))
      for (let at = index; at < index + match.length; at++) kept.add(at);
  return plain.replaceAll(hazards(), (run, at: number) => {
    let result = '';
    for (let index = 0; index < run.length; index++) {
      if (kept.has(at + index)) result += run.charAt(index);
      else if (!result.endsWith(' ')) result += ' ';
    }
    return result;
  });
};

/** What is shown of a string of the frontmatter. Half a surrogate pair cannot be sent. */
const shownText = (text: string, generation: Generation): string =>
  generation === 'old'
    ? text.replaceAll(LONE_SURROGATES, '\uFFFD')
    : withoutHazards(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const descriptionOf = (value: unknown): string | undefined => {
  const text = scalarText(value)?.trim();
  return text === '' ? undefined : text;
};

const isPathScoped = ({ paths }: Fields): boolean => {
  const patterns = [paths]
    .flat(Infinity)
    .flatMap((item) =>
      typeof item === 'string' ? item.split(',').map((part) => part.trim().replace(/\/\*\*$/, '')) : [],
    );
  const meant = patterns.filter((part) => part !== '');
  return meant.some((part) => part !== '**');
};

/** Of a plugin, a skill in the root itself is called as its frontmatter says, and its name is plain. Colons part the plugin and the folders of commands. */
const nameOf = ({ plugin, folder, kind, path, root }: FoundSkill, given: string): string => {
  if (plugin === undefined) return folder;
  const own =
    kind === 'skill' ? (path === root && given !== '' ? given : folder).replaceAll(/[^A-Za-z0-9_-]/g, '-') : folder;
  return `${plugin}:${own}`;
};

/** The frontmatter's name stands for the last part. */
const displayOf = ({ plugin, kind }: FoundSkill, name: string, given: string): string => {
  if (given === '' || given.length > MOST_NAME) return '';
  if (plugin === undefined) return kind === 'skill' ? given : '';
  return given.startsWith(`${plugin}:`) ? given : `${name.slice(0, name.lastIndexOf(':'))}:${given}`;
};

/** Blanks at an end or in a row, blanks other than a space, or a colon without a name. */
const BLANKS = /^ | $| {2}|(?! )\p{Zs}|: | :|^:|:$/u;

const refusal = (name: string): string | undefined => {
  if (name.toLowerCase() === 'synced') return 'Its folder name is reserved for skills synced from an account.';
  return name.length > MOST_NAME || /[<>]/.test(name) || withoutHazards(name) !== name || BLANKS.test(name)
    ? 'Claude Code skips a skill whose name contains < or >, stray spaces or colons, invisible characters, or more than 256 characters.'
    : undefined;
};

export const readClaudeSkill = (found: FoundSkill, generation: Generation): ClaudeSkill => {
  const isNew = generation === 'new';
  const text = isNew && found.text.startsWith(BYTE_ORDER_MARK) ? found.text.slice(1) : found.text;
  const parts = split(text);
  const fields = parts ? readFields(parts.yaml, generation) : {};
  const body = parts ? parts.body : text;
  const own = descriptionOf(fields['description']);
  const description = own ?? firstLine(body, found.kind === 'command' ? 'Custom command' : 'Skill');
  const when = fields['when_to_use'];
  const whenToUse =
    when === undefined || when === null
      ? ''
      : isRecord(when)
        ? '[object Object]'
        : (scalarText(when) ?? (Array.isArray(when) ? when.join(',') : ''));
  const shown = shownText(description, generation);
  const title = fields['name'];
  const given = Array.isArray(title) ? title.join(',') : (scalarText(title) ?? '');
  const name = nameOf(found, given);
  const isPlugin = found.plugin !== undefined;
  const refused = isNew ? refusal(name) : undefined;
  const isWaiting = found.kind === 'skill' && !isPlugin && isPathScoped(fields);
  const hidden = isTrue(fields['disable-model-invocation'], generation)
    ? '`disable-model-invocation` is true.'
    : (refused ??
      (isWaiting
        ? '`paths` is set, so it’s listed only after the model touches a matching file.'
        : isPlugin && found.kind === 'skill' && own === undefined && whenToUse === ''
          ? 'A plugin skill is listed only with a description or `when_to_use`.'
          : undefined));
  return {
    found,
    name,
    display: displayOf(found, name, given),
    text: whenToUse === '' ? shown : `${shown} - ${shownText(whenToUse, generation)}`,
    hidden,
    isLoaded: refused === undefined && !isWaiting,
  };
};
