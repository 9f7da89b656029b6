/**
 * What each client refuses, takes, and reads of a SKILL.md. `model/clients` has the source of each fact and reads skills by the
 * same rules; a test there holds the two together. What is in no list here is not known, and is a warning at most.
 */
import type { ClientProfile, Profile, Severity } from './types.ts';

export interface ClientRules {
  readonly label: string;
  /** Under these, the client leaves the skill out. */
  readonly refuses: readonly string[];
  /** Under these, it lists the skill like any other. */
  readonly takes: readonly string[];
  readonly reads: readonly string[];
  /** Known to ignore every other field. */
  readonly ignoresRest: boolean;
}

const NAME_AND_TEXT = ['name', 'description'];
const NAME_FORMS = ['name-case', 'name-edge-hyphen', 'name-double-hyphen', 'name-folder', 'yaml-flow-style'];
const FRONTMATTER = ['frontmatter-missing', 'frontmatter-unclosed'];
/** About fields that nearly all clients ignore. */
const OTHER_FIELDS = [
  'license-type',
  'compatibility-type',
  'compatibility-length',
  'compatibility-empty',
  'metadata-type',
  'metadata-key-type',
  'metadata-value-type',
  'metadata-value-coerced',
  'allowed-tools-type',
  'allowed-tools-list',
  'allowed-tools-comma',
];

/** Only documentation is known. */
const documented = (label: string, reads: readonly string[]): ClientRules => ({
  label,
  refuses: [],
  takes: [],
  reads,
  ignoresRest: false,
});

const CLIENT_RULES: Readonly<Record<ClientProfile, ClientRules>> = {
  codex: {
    label: 'Codex',
    refuses: [
      ...FRONTMATTER,
      'file-name',
      'frontmatter-not-first',
      'bom',
      'yaml-duplicate-key',
      'name-length',
      'name-type',
      'description-missing',
      'description-empty',
      'description-type',
    ],
    takes: [...NAME_FORMS, ...OTHER_FIELDS, 'name-missing', 'name-characters', 'name-coerced', 'description-coerced'],
    reads: NAME_AND_TEXT,
    ignoresRest: true,
  },
  gemini: {
    label: 'Gemini CLI',
    refuses: [
      ...FRONTMATTER,
      'file-name',
      'frontmatter-not-first',
      'bom',
      'name-missing',
      'name-empty',
      'description-missing',
    ],
    takes: [
      ...NAME_FORMS,
      ...OTHER_FIELDS,
      'name-length',
      'name-coerced',
      'description-empty',
      'description-coerced',
      'description-length',
    ],
    reads: NAME_AND_TEXT,
    ignoresRest: true,
  },
  copilot: {
    label: 'GitHub Copilot',
    refuses: [
      ...FRONTMATTER,
      'file-name',
      'frontmatter-not-first',
      'yaml-syntax',
      'yaml-duplicate-key',
      'name-empty',
      'name-type',
      'name-coerced',
      'name-length',
      'description-empty',
      'description-type',
      'description-coerced',
      'description-length',
    ],
    takes: [...NAME_FORMS, ...OTHER_FIELDS, 'bom', 'name-missing', 'description-missing'],
    reads: [...NAME_AND_TEXT, 'allowed-tools', 'argument-hint', 'disable-model-invocation', 'user-invocable'],
    ignoresRest: true,
  },
  opencode: {
    label: 'opencode',
    refuses: [
      ...FRONTMATTER,
      'file-name',
      'frontmatter-not-first',
      'name-missing',
      'name-type',
      'name-coerced',
      'description-missing',
      'description-type',
      'description-coerced',
    ],
    takes: [...NAME_FORMS, ...OTHER_FIELDS, 'bom', 'name-characters', 'name-length', 'description-length'],
    reads: NAME_AND_TEXT,
    ignoresRest: true,
  },
  goose: {
    label: 'Goose',
    refuses: [
      ...FRONTMATTER,
      'yaml-syntax',
      'name-missing',
      'name-empty',
      'name-type',
      'name-coerced',
      'description-missing',
      'description-type',
      'description-coerced',
    ],
    takes: [...NAME_FORMS, ...OTHER_FIELDS, 'name-length', 'description-length'],
    reads: NAME_AND_TEXT,
    ignoresRest: true,
  },
  cursor: documented('Cursor', [...NAME_AND_TEXT, 'disable-model-invocation']),
  windsurf: documented('Windsurf', NAME_AND_TEXT),
  kiro: documented('Kiro', NAME_AND_TEXT),
};

/** Nothing for the profiles that are not client's. */
export const clientRulesOf = (profile: Profile): ClientRules | undefined =>
  (CLIENT_RULES as Partial<Record<Profile, ClientRules>>)[profile];

const severityFor = (rules: ClientRules, rule: string, standard: Severity | undefined): Severity | undefined => {
  if (rules.refuses.includes(rule)) return 'error';
  if (rule === 'field-extension' || rule === 'field-unknown') return rules.ignoresRest ? 'info' : 'hint';
  if (rules.takes.includes(rule)) return standard === 'hint' ? 'hint' : 'info';
  // Other hosts refuse it; whether this one does was not seen.
  return standard === 'error' ? 'warning' : standard;
};

/** A rule's severity under each client's profile, from its severity under `standard`. */
export const clientSeverities = (
  rule: string,
  standard: Severity | undefined,
): Readonly<Record<ClientProfile, Severity | undefined>> =>
  Object.fromEntries(
    Object.entries(CLIENT_RULES).map(([profile, rules]) => [profile, severityFor(rules, rule, standard)]),
  ) as Record<ClientProfile, Severity | undefined>;
