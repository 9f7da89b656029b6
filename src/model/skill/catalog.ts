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
  ['file-name', 'EEEEEE', 'rename the file', 'Hosts look for a file that is called exactly `SKILL.md`.'],
  ['not-utf8', 'EEEEEE', '–', 'A skill is UTF-8 text; other bytes reach the model as garbage or stop the loader.'],
  ['bom', 'EEEEEE', 'remove it', 'A byte order mark hides the opening `---` from every known loader.'],
  ['frontmatter-missing', 'EEEEEE', 'insert it', 'Without frontmatter a skill has neither a name nor a description.'],
  [
    'frontmatter-not-first',
    'EEEEEE',
    'remove what stands before it',
    'Loaders only read frontmatter that starts in the first line.',
  ],
  [
    'frontmatter-delimiter',
    'EEEEEE',
    'write `---`',
    'The lines around frontmatter are exactly `---`; hosts disagree about anything else.',
  ],
  [
    'frontmatter-unclosed',
    'EEEEEE',
    'insert `---`',
    'Without a closing `---` the whole file is taken for frontmatter.',
  ],
  ['frontmatter-not-mapping', 'EEEEEE', '–', 'Frontmatter is a list of `key: value` pairs.'],
  ['delimiter-trailing-space', 'HHHHEH', 'remove it', 'Some loaders compare the delimiter line to the letter.'],
  [
    'line-endings',
    'IIIIII',
    'use LF',
    'Mixed or Windows line endings make diffs noisy and break scripts that read the file line by line.',
  ],
  // YAML
  [
    'yaml-syntax',
    'EEEEEE',
    'quote the value',
    'Hosts drop a skill whose frontmatter is not YAML, most of them without a word.',
  ],
  [
    'yaml-control-character',
    'EEEEEE',
    'remove it',
    'YAML forbids control characters, and they cannot be seen in an editor.',
  ],
  [
    'yaml-limit',
    'EEEEEE',
    '–',
    'Frontmatter this large or this deep is not a description of a skill, and parsing it could block the host.',
  ],
  [
    'yaml-quote-indent',
    'WWWWWW',
    'indent the lines',
    'A quoted text that goes on in the next line has to be indented there; only some readers are lenient.',
  ],
  ['yaml-tab', 'WEEWEW', 'use spaces', 'Python’s YAML readers refuse a tab between or after values.'],
  [
    'yaml-duplicate-key',
    'EEWWEW',
    'remove the earlier ones',
    'Some hosts refuse a repeated key, others silently take the last value.',
  ],
  ['yaml-flow-style', 'WE-HII', 'write it in block style', 'The reference validator refuses `{…}` and `[…]`.'],
  ['yaml-anchor', 'WEIIII', '–', 'The reference validator refuses anchors, aliases and tags.'],
  [
    'yaml-merge-key',
    'WWIIEI',
    '–',
    'Merge keys belong to YAML 1.1: some hosts merge, others see a field called `<<`, others drop it.',
  ],
  ['yaml-indentation', 'IE-H--', '–', 'The reference validator wants sibling mappings to be indented alike.'],
  [
    'yaml-construct',
    'WEEWEW',
    'quote the value',
    'Python’s YAML reader fails on this value although it is valid YAML.',
  ],
  // name
  ['name-missing', 'EEEEEI', 'insert the folder’s name', 'A skill is found and called by its name.'],
  ['name-empty', 'EEEEEW', 'insert the folder’s name', 'A skill is found and called by its name.'],
  ['name-type', 'EEEEEE', '–', 'The name is a string.'],
  [
    'name-coerced',
    'W-EWEW',
    'quote it',
    'Unquoted, this is a number, a truth value or a date for some hosts, and they refuse it.',
  ],
  ['name-length', 'EEEEEW', 'make a valid name of it', 'A name has at most 64 characters.'],
  [
    'name-case',
    'EEEEEW',
    'make a valid name of it',
    'Names are lower case, so that they are the same on every file system.',
  ],
  [
    'name-characters',
    'EEEEEW',
    'make a valid name of it',
    'Names consist of letters, digits and hyphens, so that they are safe in a path and in a mention.',
  ],
  [
    'name-edge-hyphen',
    'EEEEEW',
    'make a valid name of it',
    'A hyphen at the edge is lost in text and mistaken for an option on a command line.',
  ],
  ['name-double-hyphen', 'EEEEEW', 'make a valid name of it', 'Two hyphens in a row are refused by every validator.'],
  [
    'name-folder',
    'EEEEWW',
    'set the name, or rename the folder',
    'Hosts find a skill by its folder: folder and name must be the same.',
  ],
  ['name-reserved', 'IIIIEI', '–', 'Names with “claude” or “anthropic” cannot be uploaded to Claude.'],
  // description
  [
    'description-missing',
    'EEEEEW',
    'take the first paragraph',
    'The description is all that the model sees before it picks a skill.',
  ],
  [
    'description-empty',
    'EEEEEW',
    'take the first paragraph',
    'The description is all that the model sees before it picks a skill.',
  ],
  ['description-type', 'EEEEEW', '–', 'The description is a string.'],
  [
    'description-coerced',
    'W-EWEW',
    'quote it',
    'Unquoted, this is a number, a truth value or a date for some hosts, and they refuse it.',
  ],
  ['description-length', 'EEEWEW', '–', 'A description has at most 1,024 characters.'],
  ['description-placeholder', 'WWWWWW', '–', 'Text from a template tells the model nothing.'],
  ['description-short', 'IIIIII', '–', 'A few words rarely say what the skill does and when to use it.'],
  [
    'description-no-when',
    'IIIIII',
    'add “Use when …”',
    'The model decides by the description when to load the skill; one that never says when is picked by chance.',
  ],
  [
    'description-user-centric',
    'HHHHHH',
    '–',
    'Naming the task works for every caller; “when the user asks” only fits a chat.',
  ],
  [
    'description-keyword-stuffing',
    'IIIIII',
    '–',
    'A list of keywords costs tokens on every request and reads as noise.',
  ],
  ['description-equals-name', 'IIIIII', '–', 'A description that repeats the name adds nothing.'],
  [
    'description-first-person',
    'IIIIII',
    '–',
    'The text is read by the model as part of its own instructions: “I” and “you” point to the wrong one.',
  ],
  [
    'description-angle-brackets',
    'IIIIEI',
    'remove them',
    'Uploads to Claude refuse `<` and `>`, because descriptions are put between tags.',
  ],
  [
    'description-multiline',
    'HHHHHH',
    'write it on one quoted line',
    'Several hosts show a block scalar as `|` or `>-`, and an index has one line per skill.',
  ],
  ['description-whitespace', 'HHHHHH', 'trim it', 'White space at the edge counts towards the limit and does nothing.'],
  [
    'description-listing-cut',
    'IIIIIW',
    '–',
    'Claude Code cuts description and when_to_use at 1,536 characters in its listing.',
  ],
  [
    'index-line-long',
    'HHHHHH',
    '–',
    'The index line is paid for on every request; over 100 tokens it is worth a second look.',
  ],
  // other fields
  ['license-type', 'W-EWWI', 'write it as a string', 'The licence is a string.'],
  ['compatibility-type', 'WEEWEI', 'write it as a string', 'The compatibility note is a string.'],
  ['compatibility-length', 'EEEWEI', '–', 'The compatibility note has at most 500 characters.'],
  [
    'compatibility-empty',
    'WIIIII',
    'remove the field',
    'An empty note says nothing; the specification wants 1 to 500 characters.',
  ],
  ['metadata-type', 'WIEIWI', '–', 'Metadata is a mapping from strings to strings.'],
  ['metadata-key-type', 'W-EIII', 'quote the key', 'Metadata keys are strings.'],
  [
    'metadata-value-type',
    'WIEIIH',
    'write the value as a string',
    'Metadata values are strings; hosts refuse, flatten or mangle anything else.',
  ],
  [
    'metadata-value-coerced',
    'I-IIHH',
    'quote it',
    'Unquoted, hosts read this as a number, a truth value or a date and write it back differently.',
  ],
  ['allowed-tools-type', 'WIEWWW', '–', 'The list of tools is a string with spaces between the names.'],
  [
    'allowed-tools-list',
    'WIEWWH',
    'write it as a string',
    'The specification wants a string with spaces between the names; some hosts refuse a list.',
  ],
  [
    'allowed-tools-comma',
    'WWWWWH',
    'use spaces',
    'Hosts that split at spaces keep the comma as part of the tool’s name.',
  ],
  [
    'allowed-tools-unrestricted',
    'IIIIII',
    'narrow it',
    'An unrestricted shell or `*` allows everything without asking, in hosts that honour the field.',
  ],
  ['allowed-tools-unknown', 'IIIIII', 'use the known name', 'No known host has a tool of this name.'],
  [
    'field-extension',
    'IEHHE-',
    'move it to metadata',
    'Only some hosts know this field; strict validators and uploads refuse it.',
  ],
  [
    'field-unknown',
    'WEHHEI',
    'move it to metadata',
    'No specification knows this field; strict validators and uploads refuse it, other hosts ignore it.',
  ],
  // body
  ['body-empty', 'WWWWWW', '–', 'Loading a skill without a body gives the model nothing.'],
  ['body-short', 'IIIIII', '–', 'A body this short hardly says more than the description.'],
  ['body-no-heading', 'HHHHHH', '–', 'A heading in the first line tells the model where the instructions begin.'],
  [
    'body-lines',
    'WWWWWW',
    '–',
    'Long bodies crowd out the conversation: keep the body under 500 lines and move detail to references/.',
  ],
  [
    'body-tokens',
    'WWWWWW',
    '–',
    'A loaded body stays in the context: keep it under 5,000 tokens and move detail to references/.',
  ],
  ['body-characters', 'H--W--', '–', 'Metaskill hosts may cut a body after 20,000 characters.'],
  ['fence-unclosed', 'WWWWWW', 'close it', 'Everything after an unclosed fence is code for the model.'],
  ['link-broken', 'WWWWWW', 'create the file', 'The model is told to read a file that is not there.'],
  ['link-fragment', 'WWWWWW', '–', 'The link names a heading that is not there.'],
  ['link-escapes', 'WWWWWW', '–', 'A path that leaves the folder breaks as soon as the skill is installed elsewhere.'],
  ['link-backslash', 'IIIIII', 'use `/`', 'Backslash paths only work on Windows.'],
  ['mention-missing', 'HHHHHH', 'create the file', 'The body names a file of the skill that is not there.'],
  ['wiki-link-unknown', 'WWWWWW', '–', '`[[name]]` points to a skill, and there is none of this name.'],
  [
    'skill-content-tag',
    'WWWWWW',
    '–',
    'Hosts wrap a loaded body in `<skill_content>`; this tag inside would end it early.',
  ],
  [
    'hidden-characters',
    'WWWWWW',
    'remove them',
    'Invisible characters can carry instructions that a reader does not see.',
  ],
  // files of the folder
  ['secret-file', 'WWWWWW', '–', 'Files of this name usually hold credentials, and a skill is made to be shared.'],
  ['secret-content', 'WWWWEW', '–', 'This looks like a credential, and a skill is made to be shared.'],
  ['binary-file', 'WWWWWW', '–', 'A compiled file cannot be reviewed.'],
  ['large-file', 'WWWWWW', '–', 'A file over 100 KiB is too large for the model to read at once.'],
  ['extraneous-file', 'HHHHHH', '–', 'Files for people belong to the repository; in a skill they only cost.'],
  ['orphan-file', 'HHHHHH', 'mention it', 'The model only reads a file that the body mentions.'],
  ['reference-large', 'WWWWWW', '–', 'A reference over 10,000 tokens is as much as ten skills: split it.'],
  [
    'reference-nesting',
    'IIIIII',
    '–',
    'References should be one level deep: the model often stops following after the first.',
  ],
  ['upload-size', '----E-', '–', 'Uploads to Claude take at most 30 MB, unpacked.'],
  // library
  [
    'file-missing',
    'WWWWWW',
    '–',
    'A folder below `skills/` without a SKILL.md is no skill, and hosts pass over it in silence.',
  ],
  ['duplicate-name', 'WWWWWW', '–', 'Only the first skill of a name is loaded.'],
  ['duplicate-description', 'WWWWWW', '–', 'Two skills with the same description are picked by chance.'],
  // metaskills
  ['MS-path-absolute', 'W--W--', 'use SKILL.star', 'The program’s path is relative to the skill’s folder.'],
  ['MS-path-escape', 'W--W--', 'use SKILL.star', 'The program must lie inside the skill’s folder.'],
  ['MS-file-missing', 'W--W--', 'use SKILL.star', 'The declared program does not exist, so the skill is only text.'],
  ['MS-file-case', 'W--W--', 'rename the file', 'The default program is called exactly `SKILL.star`.'],
  ['MS-not-utf8', 'W--W--', '–', 'A program is UTF-8 text.'],
  ['MS-bom', 'W--W--', 'remove it', 'A byte order mark is a syntax error in Starlark.'],
  ['MS-size', 'W--W--', '–', 'A program should not exceed 64 KiB; over 1 MiB it does not run.'],
  ['MS-own-frontmatter', 'W--W--', '–', 'All metadata is in `SKILL.md`; a program has no frontmatter of its own.'],
  ['MS-language-unsupported', 'W--W--', 'write `starlark`', 'Only `starlark` can be run, spelled exactly so.'],
  ['MS-field-without-file', 'W--W--', 'remove the field', 'There is no program that this field could describe.'],
  ['MS-program-is-skill-md', 'W--W--', 'use SKILL.star', '`SKILL.md` is the text, not the program.'],
  [
    'MS-declared-hides-default',
    'W--W--',
    '–',
    'There is a `SKILL.star`, but another file is declared and runs instead.',
  ],
  [
    'MS-fields-optional',
    'H--H--',
    'remove the fields',
    'Without these fields the skill runs just the same, and is valid in more hosts.',
  ],
  [
    'MS-yaml-portability',
    'H--W--',
    'write it on one quoted line',
    'A metaskill host with a simple reader of its own takes this form wrongly.',
  ],
  ['MS-description-comment-only', 'W--E--', '–', 'The description must say something after comments are removed.'],
  [
    'MS-description-over-limit-will-be-dropped',
    'W--W--',
    '–',
    'A metaskill host drops a skill whose description exceeds 1,024 characters.',
  ],
  [
    'MS-unknown-unprefixed-extension-field',
    '---I--',
    '–',
    'Extension fields should carry a prefix, such as `x_myhost_feature`.',
  ],
  ['MS-input-keys-undocumented', 'W--W--', 'add “Input keys:”', 'The caller learns from the body which input to pass.'],
] as const;

export type RuleId = (typeof rows)[number][0];

export const RULES: ReadonlyMap<RuleId, Rule> = new Map(
  rows.map(([id, letters, fix, why]) => [id, { id, why, severity: severities(id, letters), fix }]),
);

/** Severities as in `SPEC.md`, for the table and its test. */
export const severityLetters = (rule: Rule): string =>
  PROFILES.map((profile) => rule.severity[profile]?.[0]?.toUpperCase() ?? '-').join('');
