/** A SKILL.md as Claude Code reads it: the folder is the name, and whatever is wrong, it still loads. */
import { lazy } from '../../../base/lazy.ts';
import { BYTE_ORDER_MARK, isRecord, scalarText, type Fields } from '../frontmatter.ts';
import type { FoundSkill } from '../types.ts';
import { readFields } from './yaml.ts';

/** Two generations whose listings differ: 2.1.197 is the newest that was measured of the old one. */
export type Generation = 'old' | 'new';

export interface ClaudeSkill {
  readonly found: FoundSkill;
  /** The name for the Skill tool. */
  readonly name: string;
  /** What the frontmatter calls it. */
  readonly display: string;
  /** The description, and after a dash when to use it. */
  readonly text: string;
  /** Why the model is not told of it. */
  readonly hidden: string | undefined;
}

const MOST_NAME = 256;
/** The frontmatter ends at the next `---`, wherever it is. */
const split = (text: string): { readonly yaml: string; readonly body: string } | undefined => {
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
const anyHazard = lazy(() => new RegExp(HAZARD, 'u'));
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

/** What is shown of a text of the frontmatter. Half a surrogate pair cannot be sent. */
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

const nameOf = ({ plugin, folder }: FoundSkill): string => (plugin === undefined ? folder : `${plugin}:${folder}`);

/** Blanks at an end or in a row, blanks other than a space, or a colon without a name. */
const BLANKS = /^ | $| {2}|(?! )\p{Zs}|: | :|^:|:$/u;

const refusal = (name: string): string | undefined => {
  if (name.toLowerCase() === 'synced') return 'Its folder’s name is reserved for skills that an account synchronizes.';
  return name.length > MOST_NAME || /[<>]/.test(name) || anyHazard().test(name) || BLANKS.test(name)
    ? 'Claude Code offers no skill whose name holds < or >, stray blanks or colons, invisible characters, or over 256 characters.'
    : undefined;
};

export const readClaudeSkill = (found: FoundSkill, generation: Generation): ClaudeSkill => {
  const isNew = generation === 'new';
  const text = isNew && found.text.startsWith(BYTE_ORDER_MARK) ? found.text.slice(1) : found.text;
  const parts = split(text);
  const fields = parts ? readFields(parts.yaml) : {};
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
  const name = nameOf(found);
  const given = fields['name'];
  const display = Array.isArray(given) ? given.join(',') : (scalarText(given) ?? '');
  const hidden = isTrue(fields['disable-model-invocation'], generation)
    ? '`disable-model-invocation` is true.'
    : isNew && refusal(name) !== undefined
      ? refusal(name)
      : found.kind === 'skill' && isPathScoped(fields)
        ? '`paths` is set: it is listed once the model touches a file that matches.'
        : found.scope === 'plugin' && found.kind === 'skill' && own === undefined && whenToUse === ''
          ? 'A skill of a plugin is listed only with a description or `when_to_use`.'
          : undefined;
  return {
    found,
    name,
    display: display.length > MOST_NAME || found.kind === 'command' ? '' : display,
    text: whenToUse === '' ? shown : `${shown} - ${shownText(whenToUse, generation)}`,
    hidden,
  };
};
