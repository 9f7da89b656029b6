/**
 * Every rule: a stable id, why it exists in one sentence, its severity under each profile, and whether a fix comes with it.
 * `SPEC.md` shows this as a table; a test keeps the two the same.
 */
import { clientSeverities } from './client-profiles.ts';
import { PROFILES, type Profile, type Severity } from './types.ts';

export interface Rule {
  readonly id: string;
  readonly why: string;
  readonly severity: Readonly<Record<Profile, Severity | undefined>>;
  readonly fix: string;
}

const LETTERS: Readonly<Record<string, Severity | undefined>> = {
  E: 'error',
  W: 'warning',
  I: 'info',
  H: 'hint',
};

const severities = (rule: string, letters: string): Rule['severity'] => ({
  ...(Object.fromEntries(
    PROFILES.map((profile, index) => [profile, LETTERS[letters[index] ?? '-']]),
  ) as Rule['severity']),
  ...clientSeverities(rule, LETTERS[letters[0] ?? '-']),
});

/**
 * One row: id, severities in the order of PROFILES (standard, strict, metis, metaskill, claude-upload, claude-code; `-` is
 * off), the fix, why.
 */
const rows = [
  // The file and its frontmatter
  ['file-name', 'EEEEEE', 'rename the file', 'Agents look for a file named exactly `SKILL.md`.'],
  ['not-utf8', 'EEEEEE', '–', 'A skill is UTF-8 text. Other bytes reach the model as garbage or stop the loader.'],
  ['bom', 'EEEEEE', 'remove it', 'A byte order mark hides the opening `---` from every known loader.'],
  ['frontmatter-missing', 'EEEEEE', 'insert it', 'Without frontmatter a skill has neither a name nor a description.'],
  [
    'frontmatter-not-first',
    'EEEEEE',
    'remove the text before it',
    'Loaders read frontmatter only if it starts on the first line.',
  ],
  [
    'frontmatter-delimiter',
    'EEEEEE',
    'write `---`',
    'The lines around frontmatter must be exactly `---`. Agents disagree about anything else.',
  ],
  [
    'frontmatter-unclosed',
    'EEEEEE',
    'insert `---`',
    'Without a closing `---`, loaders read the whole file as frontmatter.',
  ],
  ['frontmatter-not-mapping', 'EEEEEE', '–', 'Frontmatter is a list of `key: value` pairs.'],
  ['delimiter-trailing-space', 'HHHHEH', 'remove it', 'Some loaders require the delimiter line to match exactly.'],
  [
    'line-endings',
    'IIIIII',
    'use LF',
    'Mixed or Windows line endings make diffs noisy and break scripts that read the file line by line.',
  ],
  // YAML
  ['yaml-syntax', 'EEEEEE', 'quote the value', 'Agents skip a skill with invalid YAML, most of them silently.'],
  ['yaml-control-character', 'EEEEEE', 'remove it', 'YAML forbids control characters, and editors don’t show them.'],
  [
    'yaml-limit',
    'EEEEEE',
    '–',
    'Frontmatter this large or deep doesn’t describe a skill, and parsing it could block the agent.',
  ],
  [
    'yaml-quote-indent',
    'WWWWWW',
    'indent the lines',
    'Quoted text that continues on the next line must be indented there. Only some readers are lenient.',
  ],
  ['yaml-tab', 'WEEWEW', 'use spaces', 'Python’s YAML readers refuse a tab between or after values.'],
  [
    'yaml-duplicate-key',
    'EEWWEW',
    'remove the earlier ones',
    'Some agents refuse a repeated key. Others silently use the last value.',
  ],
  ['yaml-flow-style', 'WE-HII', 'write it in block style', 'The reference validator refuses `{…}` and `[…]`.'],
  ['yaml-anchor', 'WEIIII', '–', 'The reference validator refuses anchors, aliases and tags.'],
  [
    'yaml-merge-key',
    'WWIIEI',
    '–',
    'Merge keys belong to YAML 1.1. Some agents merge, some see a field named `<<`, and some drop it.',
  ],
  ['yaml-indentation', 'IE-H--', '–', 'The reference validator requires the same indentation for sibling mappings.'],
  [
    'yaml-construct',
    'WEEWEW',
    'quote the value',
    'Python’s YAML reader fails on this value, although it is valid YAML.',
  ],
  // name
  ['name-missing', 'EEEEEI', 'insert the folder’s name', 'Agents find and call a skill by its name.'],
  ['name-empty', 'EEEEEW', 'insert the folder’s name', 'Agents find and call a skill by its name.'],
  ['name-type', 'EEEEEE', '–', 'The name is a string.'],
  [
    'name-coerced',
    'W-EWEW',
    'quote it',
    'Without quotes, some agents read this as a number, a boolean, or a date, and refuse it.',
  ],
  ['name-length', 'EEEEEW', 'make it a valid name', 'A name has at most 64 characters.'],
  ['name-case', 'EEEEEW', 'make it a valid name', 'Names are lowercase, so they are the same on every file system.'],
  [
    'name-characters',
    'EEEEEW',
    'make it a valid name',
    'Names have only letters, digits, and hyphens, so they are safe in a path and in a mention.',
  ],
  [
    'name-edge-hyphen',
    'EEEEEW',
    'make it a valid name',
    'A hyphen at the start or end is lost in text and looks like an option on a command line.',
  ],
  ['name-double-hyphen', 'EEEEEW', 'make it a valid name', 'Every validator refuses two hyphens in a row.'],
  [
    'name-folder',
    'EEEEWW',
    'set the name, or rename the folder',
    'Agents find a skill by its folder, so the folder and the name must match.',
  ],
  ['name-reserved', 'IIIIEI', '–', 'Claude refuses uploads whose name contains “claude” or “anthropic”.'],
  // description
  [
    'description-missing',
    'EEEEEW',
    'use the first paragraph',
    'The model sees only the description before it picks a skill.',
  ],
  [
    'description-empty',
    'EEEEEW',
    'use the first paragraph',
    'The model sees only the description before it picks a skill.',
  ],
  ['description-type', 'EEEEEW', '–', 'The description is a string.'],
  [
    'description-coerced',
    'W-EWEW',
    'quote it',
    'Without quotes, some agents read this as a number, a boolean, or a date, and refuse it.',
  ],
  ['description-length', 'EEEWEW', '–', 'A description has at most 1,024 characters.'],
  ['description-placeholder', 'WWWWWW', '–', 'Template text tells the model nothing.'],
  ['description-short', 'IIIIII', '–', 'A few words rarely say what the skill does and when to use it.'],
  [
    'description-no-when',
    'IIIIII',
    'add “Use when …”',
    'The model uses the description to decide when to load the skill. Without a “when”, it picks by chance.',
  ],
  [
    'description-user-centric',
    'HHHHHH',
    '–',
    'Naming the task works for every caller. “When the user asks” only fits a chat.',
  ],
  [
    'description-keyword-stuffing',
    'IIIIII',
    '–',
    'A list of keywords costs tokens in every request and reads as noise.',
  ],
  ['description-equals-name', 'IIIIII', '–', 'A description that repeats the name adds nothing.'],
  [
    'description-first-person',
    'IIIIII',
    '–',
    'The model reads this text as part of its own instructions, so “I” and “you” mean the wrong person.',
  ],
  [
    'description-angle-brackets',
    'IIIIEI',
    'remove them',
    'Claude refuses uploads with `<` or `>` here, because it puts descriptions between tags.',
  ],
  [
    'description-multiline',
    'HHHHHH',
    'write it on one quoted line',
    'Several agents show a block scalar as `|` or `>-`, and an index has one line per skill.',
  ],
  [
    'description-whitespace',
    'HHHHHH',
    'trim it',
    'Whitespace at the start or end counts toward the limit and does nothing.',
  ],
  [
    'description-listing-cut',
    'IIIIIW',
    '–',
    'Claude Code cuts description and when_to_use to 1,536 characters in its listing.',
  ],
  [
    'index-line-long',
    'HHHHHH',
    '–',
    'You pay for the index line in every request. Over 100 tokens, consider shortening it.',
  ],
  // other fields
  ['license-type', 'W-EWWI', 'write it as a string', 'The license is a string.'],
  ['compatibility-type', 'WEEWEI', 'write it as a string', 'The compatibility note is a string.'],
  ['compatibility-length', 'EEEWEI', '–', 'The compatibility note has at most 500 characters.'],
  [
    'compatibility-empty',
    'WIIIII',
    'remove the field',
    'An empty note says nothing. The specification requires 1 to 500 characters.',
  ],
  ['metadata-type', 'WIEIWI', '–', 'Metadata is a mapping from strings to strings.'],
  ['metadata-key-type', 'W-EIII', 'quote the key', 'Metadata keys are strings.'],
  [
    'metadata-value-type',
    'WIEIIH',
    'write the value as a string',
    'Metadata values are strings. Agents refuse, flatten, or mangle anything else.',
  ],
  [
    'metadata-value-coerced',
    'I-IIHH',
    'quote it',
    'Without quotes, agents read this as a number, a boolean, or a date, and write it back differently.',
  ],
  ['allowed-tools-type', 'WIEWWW', '–', 'The list of tools is a string with spaces between the names.'],
  [
    'allowed-tools-list',
    'WIEWWH',
    'write it as a string',
    'The specification requires a string with spaces between the names. Some agents refuse a list.',
  ],
  [
    'allowed-tools-comma',
    'WWWWWH',
    'use spaces',
    'Agents that split at spaces keep the comma as part of the tool’s name.',
  ],
  [
    'allowed-tools-unrestricted',
    'IIIIII',
    'narrow it',
    'In agents that use this field, an unrestricted shell or `*` allows everything without asking.',
  ],
  ['allowed-tools-unknown', 'IIIIII', 'use the known name', 'No known agent has a tool with this name.'],
  [
    'field-extension',
    'IEHHE-',
    'move it to metadata',
    'Only some agents know this field. Strict validators and uploads refuse it.',
  ],
  [
    'field-unknown',
    'WEHHEI',
    'move it to metadata',
    'No specification has this field. Strict validators and uploads refuse it, and agents ignore it.',
  ],
  // body
  ['body-empty', 'WWWWWW', '–', 'Loading a skill without a body gives the model nothing.'],
  ['body-short', 'IIIIII', '–', 'A body this short hardly says more than the description.'],
  ['body-no-heading', 'HHHHHH', '–', 'A heading on the first line tells the model where the instructions start.'],
  [
    'body-lines',
    'WWWWWW',
    '–',
    'Long bodies crowd out the conversation. Keep the body under 500 lines, and move details to references/.',
  ],
  [
    'body-tokens',
    'WWWWWW',
    '–',
    'A loaded body stays in the context. Keep it under 5,000 tokens, and move details to references/.',
  ],
  ['body-characters', 'H--W--', '–', 'Metaskill hosts can cut a body after 20,000 characters.'],
  ['fence-unclosed', 'WWWWWW', 'close it', 'The model reads everything after an unclosed fence as code.'],
  ['link-broken', 'WWWWWW', 'create the file', 'The model can’t read a file that doesn’t exist.'],
  ['link-fragment', 'WWWWWW', '–', 'The link’s heading doesn’t exist.'],
  ['link-escapes', 'WWWWWW', '–', 'A path outside the folder breaks when the skill is installed in another place.'],
  ['link-backslash', 'IIIIII', 'use `/`', 'Backslash paths work only on Windows.'],
  [
    'mention-missing',
    'HHHHHH',
    'create the file',
    'The model can’t read a file that doesn’t exist, even if the body mentions it.',
  ],
  ['wiki-link-unknown', 'WWWWWW', '–', '`[[name]]` links to a skill, but no skill has this name.'],
  [
    'skill-content-tag',
    'WWWWWW',
    '–',
    'Agents wrap a loaded body in `<skill_content>`, so this tag would end it early.',
  ],
  ['hidden-characters', 'WWWWWW', 'remove them', 'Invisible characters can hide instructions from readers.'],
  // files of the folder
  ['secret-file', 'WWWWWW', '–', 'Files with this name usually hold credentials, but people share skills.'],
  ['secret-content', 'WWWWEW', '–', 'This looks like a credential, but people share skills.'],
  ['binary-file', 'WWWWWW', '–', 'Nobody can review a compiled file.'],
  ['large-file', 'WWWWWW', '–', 'A file over 100 KiB is too large for the model to read in one call.'],
  ['extraneous-file', 'HHHHHH', '–', 'Files for people belong in the repository. In a skill, they only cost tokens.'],
  ['orphan-file', 'HHHHHH', 'mention it', 'The model reads only files that the body mentions.'],
  ['reference-large', 'WWWWWW', '–', 'A reference over 10,000 tokens costs as much as ten skills. Split it.'],
  ['reference-nesting', 'IIIIII', '–', 'Keep references one level deep. The model often stops after the first level.'],
  ['upload-size', '----E-', '–', 'Claude accepts uploads up to 30 MB, unpacked.'],
  // library
  ['file-missing', 'WWWWWW', '–', 'Agents silently skip a folder below `skills/` without a SKILL.md.'],
  ['duplicate-name', 'WWWWWW', '–', 'Agents load only the first skill with a given name.'],
  ['duplicate-description', 'WWWWWW', '–', 'The model picks by chance between two skills with the same description.'],
  // metaskills
  ['MS-path-absolute', 'W--W--', 'use SKILL.star', 'The program’s path is relative to the skill’s folder.'],
  ['MS-path-escape', 'W--W--', 'use SKILL.star', 'The program must be inside the skill’s folder.'],
  ['MS-file-missing', 'W--W--', 'use SKILL.star', 'The declared program doesn’t exist, so the skill is only text.'],
  ['MS-file-case', 'W--W--', 'rename the file', 'The default program’s name is exactly `SKILL.star`.'],
  ['MS-not-utf8', 'W--W--', '–', 'A program is UTF-8 text.'],
  ['MS-bom', 'W--W--', 'remove it', 'A byte order mark is a syntax error in Starlark.'],
  ['MS-size', 'W--W--', '–', 'Keep a program under 64 KiB. Over 1 MiB, it doesn’t run.'],
  ['MS-own-frontmatter', 'W--W--', '–', 'All metadata belongs in `SKILL.md`. A program has no frontmatter.'],
  ['MS-language-unsupported', 'W--W--', 'write `starlark`', 'Lathe runs only `starlark`, with exactly that spelling.'],
  ['MS-field-without-file', 'W--W--', 'remove the field', 'The skill has no program for this field to describe.'],
  ['MS-program-is-skill-md', 'W--W--', 'use SKILL.star', '`SKILL.md` is the text, not the program.'],
  [
    'MS-declared-hides-default',
    'W--W--',
    '–',
    '`SKILL.star` exists, but the skill declares a different file, which runs instead.',
  ],
  [
    'MS-fields-optional',
    'H--H--',
    'remove the fields',
    'Without these fields, the skill runs the same way and is valid in more agents.',
  ],
  [
    'MS-yaml-portability',
    'H--W--',
    'write it on one quoted line',
    'A metaskill host with a simple YAML reader misreads this form.',
  ],
  ['MS-description-comment-only', 'W--E--', '–', 'The description must have text after comments are removed.'],
  [
    'MS-description-over-limit-will-be-dropped',
    'W--W--',
    '–',
    'Metaskill hosts drop a skill with a description over 1,024 characters.',
  ],
  [
    'MS-unknown-unprefixed-extension-field',
    '---I--',
    '–',
    'Extension fields need a prefix, such as `x_myhost_feature`.',
  ],
  [
    'MS-input-keys-undocumented',
    'W--W--',
    'add “Input keys:”',
    'The caller reads the body to learn which input to pass.',
  ],
] as const;

export type RuleId = (typeof rows)[number][0];

export const RULES: ReadonlyMap<RuleId, Rule> = new Map(
  rows.map(([id, letters, fix, why]) => [id, { id, why, severity: severities(id, letters), fix }]),
);

/** Severities as in `SPEC.md`, for the table and its test. */
export const severityLetters = (rule: Rule): string =>
  PROFILES.map((profile) => rule.severity[profile]?.[0]?.toUpperCase() ?? '-').join('');
