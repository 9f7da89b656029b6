/** How much room Claude Code gives its listing, and what its own entries take of it. */
import { groupDigits } from '../../../base/text.ts';
import { isRecord } from '../frontmatter.ts';
import type { ClientOptions } from '../types.ts';
import type { Generation } from './yaml.ts';

export const VERSIONS = ['2.1.328', '2.1.327', '2.1.326', '2.1.197'] as const;

const isSince = (version: string, first: string): boolean => {
  const [given, least] = [version, first].map((text) => text.split('.').map(Number));
  const at = least?.findIndex((part, index) => part !== (given?.[index] ?? 0)) ?? -1;
  return at === -1 || (given?.[at] ?? 0) > (least?.[at] ?? 0);
};

/** The rules changed between the two that were measured; where exactly is not known. */
export const generationOf = (version: string): Generation => (isSince(version, '2.1.198') ? 'new' : 'old');

export const DEFAULT_MODEL = 'claude-haiku-4-5';

/** Models that Claude Code knew before it counted three characters to a token. */
const FOUR_CHARACTERS = /claude-3|(?:haiku|sonnet|opus)-4(?:$|[^-.\d]|[-.](?:[0-6](?!\d)|\d{8}))/;

const charactersPerToken = (model: string): number => (FOUR_CHARACTERS.test(model) ? 4 : 3);

const contextWindowOf = (model: string, generation: Generation): number => {
  if (model.includes('[1m]')) return 1_000_000;
  return generation === 'old' || FOUR_CHARACTERS.test(model) ? 200_000 : 1_000_000;
};

const DEFAULT_FRACTION = 0.01;
const DEFAULT_PER_ENTRY = 1536;

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;

const perEntryOf = (settings: Readonly<Record<string, unknown>>): number =>
  Math.floor(positive(settings['skillListingMaxDescChars']) ?? DEFAULT_PER_ENTRY);

export interface Limits {
  readonly columns: number;
  readonly perEntry: number;
  readonly from: string;
}

export const limitsOf = (options: ClientOptions, generation: Generation): Limits => {
  const { model = DEFAULT_MODEL, settings = {}, environment = {} } = options;
  const perEntry = perEntryOf(settings);
  const fromVariable = Number(environment['SLASH_COMMAND_TOOL_CHAR_BUDGET'] ?? '');
  if (fromVariable > 0) return { columns: fromVariable, perEntry, from: '`SLASH_COMMAND_TOOL_CHAR_BUDGET` sets it.' };
  const set = positive(settings['skillListingBudgetFraction']);
  const fraction = set !== undefined && set <= 1 ? set : DEFAULT_FRACTION;
  const window = options.contextWindow ?? contextWindowOf(model, generation);
  const each = charactersPerToken(model);
  return {
    columns: Math.max(1, Math.floor(window * each * fraction)),
    perEntry,
    from: `${fraction * 100}% of ${groupDigits(window)} tokens at ${each} characters each${set === undefined ? '' : ' (`skillListingBudgetFraction`)'}.`,
  };
};

export interface OwnEntry {
  readonly name: string;
  readonly columns: number;
  /** Always whole; others lose their text like anyone's. */
  readonly fixed: boolean;
}

const fixed = (name: string, columns: number): OwnEntry => ({ name, columns, fixed: true });
const loose = (name: string, columns: number): OwnEntry => ({ name, columns, fixed: false });

const SHARED_OWN = [
  fixed('update-config', 707),
  fixed('keybindings-help', 248),
  fixed('simplify', 188),
  fixed('fewer-permission-prompts', 191),
  fixed('run', 368),
];

/** Of the versions with the new rules; one size differs between those that were measured. */
const newOwn = (codeReview: number): readonly OwnEntry[] => [
  ...SHARED_OWN,
  fixed('dataviz', 1447),
  fixed('code-review', codeReview),
  fixed('loop', 344),
  fixed('claude-api', 1169),
  fixed('workflow-authoring', 252),
  fixed('plugin-authoring', 275),
  loose('init', 67),
  loose('security-review', 90),
];

/**
 * Names and sizes alone: the strings are Claude Code's. Measured without an account; flags and accounts change the set. A new version whose
 * sizes differ is a row at the top; `scripts/measure-clients.mjs --own` prints them.
 */
const OWN: readonly (readonly [since: string, entries: readonly OwnEntry[]])[] = [
  ['2.1.328', newOwn(850)],
  ['2.1.198', newOwn(840)],
  [
    '0',
    [
      ...SHARED_OWN,
      fixed('deep-research', 487),
      fixed('verify', 260),
      fixed('code-review', 361),
      fixed('loop', 314),
      fixed('claude-api', 1080),
      loose('init', 67),
      loose('review', 78),
      loose('security-review', 90),
    ],
  ],
];

/** Its text is cut like anyone's. */
const within = ({ name, columns, fixed: isFixed }: OwnEntry, perEntry: number): OwnEntry => ({
  name,
  columns: Math.min(columns, `- ${name}: `.length + perEntry),
  fixed: isFixed,
});

const isOn = (value: string | undefined): boolean => /^(?:1|true|yes|on)$/i.test(value ?? '');

export const ownEntries = (options: ClientOptions, version: string): readonly OwnEntry[] => {
  const { settings = {}, environment = {} } = options;
  const isOff = settings['disableBundledSkills'] === true || isOn(environment['CLAUDE_CODE_DISABLE_BUNDLED_SKILLS']);
  const perEntry = perEntryOf(settings);
  const [, entries = []] = OWN.find(([since]) => isSince(version, since)) ?? [];
  const own = entries.map((entry) => within(entry, perEntry));
  return isOff && generationOf(version) === 'new' ? own.filter(({ name }) => name === 'plugin-authoring') : own;
};

export const OVERRIDES = ['on', 'off', 'user-invocable-only', 'name-only'] as const;
type Override = (typeof OVERRIDES)[number];

export const overrideOf = ({ settings = {} }: ClientOptions, name: string): Override => {
  const all = settings['skillOverrides'];
  const value = isRecord(all) ? all[name] : undefined;
  return OVERRIDES.find((one) => one === value) ?? 'on';
};

/** Why there is no listing at all. */
export const switchedOff = ({ settings = {}, environment = {} }: ClientOptions): string | undefined => {
  if (isOn(environment['CLAUDE_CODE_SIMPLE'])) return '`CLAUDE_CODE_SIMPLE` switches the listing off.';
  const permissions = settings['permissions'];
  const deny = isRecord(permissions) ? permissions['deny'] : undefined;
  return Array.isArray(deny) && deny.includes('Skill')
    ? '`permissions.deny` contains `Skill`, so Claude Code shows no listing.'
    : undefined;
};

const WEEK = 7 * 86_400_000;

/** Halves every week; old use still counts a tenth. */
export const usageScore = ({ usage, now }: ClientOptions, name: string): number => {
  const used = usage?.get(name);
  if (!used || now === undefined) return 0;
  return used.count * Math.max(0.5 ** ((now - used.lastUsedAt) / WEEK), 0.1);
};
